import { appendFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

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

/** Never throws: a log that cannot be written must not keep anything from being recorded. */
export async function log(home: string, entry: Entry): Promise<void> {
  const path = logOf(home);
  try {
    if (((await stat(path).catch(() => undefined))?.size ?? 0) > FULL) await rename(path, `${path}.1`);
    await appendFile(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  } catch {
    // The disk is full, or read-only.
  }
}
