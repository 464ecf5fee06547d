import type { Loss } from './loss.ts';
import type { SessionRecord } from './record.ts';

/** True where a secret was taken out of a text: `[REDACTED:kind:hash]` stands in its place. */
export const isRedacted = (text: string): boolean => text.includes('[REDACTED:');

/** A name with a placeholder in it, in the letters that every provider takes for the name of a tool. */
export const toolName = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);

export type Say = (kind: string, action: Loss['action'], reason: string) => void;

export interface Mending<Line> {
  begins(record: SessionRecord): boolean;
  /** what may hold something sealed, as it stands in a line; no flag g */
  sealed: RegExp;
  /** @param unseal something was redacted in this turn, so what is sealed in it may hold that still */
  mend(line: string, unseal: boolean, say: Say): Line;
}

/**
 * Puts right what a redaction left in lines that a client or its service would refuse. Lines are given in their order.
 * @param records of the stream; undefined: nothing in the session was redacted
 */
export async function mending<Line>(
  records: AsyncIterable<SessionRecord> | undefined,
  { begins, sealed, mend }: Mending<Line>,
): Promise<(record: SessionRecord, line: string, say: Say) => Line | string> {
  if (!records) return (_record, line) => line;
  const turns = await redactedTurns(records, begins);
  let turn = 0;
  return (record, line, say) => {
    if (begins(record)) turn++;
    const unseal = turns.has(turn);
    return isRedacted(line) || (unseal && sealed.test(line)) ? mend(line, unseal, say) : line;
  };
}

/** Turns in which something was redacted, from 0. */
async function redactedTurns(records: AsyncIterable<SessionRecord>, begins: (record: SessionRecord) => boolean): Promise<Set<number>> {
  const turns = new Set<number>();
  let turn = 0;
  for await (const record of records) {
    if (begins(record)) turn++;
    if (!turns.has(turn) && isRedacted(JSON.stringify(record))) turns.add(turn);
  }
  return turns;
}
