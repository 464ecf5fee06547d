import { appendFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workspace } from '#flows/workspace.ts';
import { RelayError } from '#lib/errors.ts';

/** What a worker did: one JSON object a line in `hook.log` beside the store. No text of a session, no value, no address. */
export interface Entry {
  /** ISO 8601 */
  at: string;
  /** how long it took */
  ms: number;
  /** record, link or send */
  did: 'record' | 'link' | 'send';
  agent?: string;
  session?: string;
  version?: number;
  /** of the lines that were stored, or as sent */
  bytes?: number;
  commits?: number;
  /** why it failed, in words */
  error?: string;
  /** of a RelayError */
  code?: string;
}

/** From this size on a new file is begun; the former one is kept. In bytes. */
const FULL = 256 * 1024;

export const logOf = (home: string): string => join(home, 'hook.log');

/**
 * Does something, and writes down how it went and how long it took.
 * @param work answers what to add to the entry; undefined: there was nothing to do, and nothing is written
 * @returns why it failed; undefined: it did not
 */
export async function logged(
  ws: Workspace,
  entry: Omit<Entry, 'at' | 'ms'>,
  work: () => Promise<Partial<Entry> | undefined>,
): Promise<Pick<Entry, 'error' | 'code'> | undefined> {
  const began = performance.now();
  const { home } = await ws.store();
  const tell = (more: Partial<Entry>): Promise<void> => log(home, { at: ws.now().toISOString(), ms: Math.round(performance.now() - began), ...entry, ...more });
  try {
    const more = await work();
    if (more) await tell(more);
    return undefined;
  } catch (error) {
    const failure = error instanceof RelayError ? { error: error.message, code: error.code } : { error: String(error) };
    await tell(failure);
    return failure;
  }
}

/** Never throws: a log that cannot be written must not keep anything from being recorded. */
async function log(home: string, entry: Entry): Promise<void> {
  const path = logOf(home);
  try {
    if (((await stat(path).catch(() => undefined))?.size ?? 0) > FULL) await rename(path, `${path}.1`);
    await appendFile(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  } catch {
    // The disk is full, or read-only.
  }
}
