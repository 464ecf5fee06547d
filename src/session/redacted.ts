import type { SessionRecord } from './record.ts';

/** True where a secret was taken out of a text: `[REDACTED:kind:hash]` stands in its place. */
export const isRedacted = (text: string): boolean => text.includes('[REDACTED:');

/** A name with a placeholder in it, in the letters that every provider takes for the name of a tool. */
export const toolName = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);

/**
 * Turns in which something was redacted, from 0: what was sealed there may hold it still.
 * @param begins does a turn begin with this record?
 */
export async function redactedTurns(records: AsyncIterable<SessionRecord>, begins: (record: SessionRecord) => boolean): Promise<Set<number>> {
  const turns = new Set<number>();
  let turn = 0;
  for await (const record of records) {
    if (begins(record)) turn++;
    if (!turns.has(turn) && isRedacted(JSON.stringify(record))) turns.add(turn);
  }
  return turns;
}
