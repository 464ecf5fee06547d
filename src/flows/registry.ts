import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isObject, type Json, parseJson } from '#lib/json.ts';
import { readRegularText } from '#lib/regular.ts';
import { stateOf } from '#store/homes.ts';
import type { Workspace } from './workspace.ts';

/** One import that was made: which content became which session. Both directions can be read from it. */
export interface ImportEntry {
  /** `<agent>:<session id>` of the source */
  from: string;
  /** exactly which content: `<writer>/<session>@<n>`, or a digest of the local session's size and time */
  version: string;
  /** `<agent>:<session id>` of the new session */
  to: string;
  /** target folder, as a digest, since a path may say more than it should */
  folder: string;
  /** ISO 8601 */
  at: string;
  /** lines of the new session's main file: what stands after them was said since */
  records?: number;
  /** digest of what was said in the source (hand-back.ts) */
  said?: string;
  /** the new session's main file as it was written: bytes, and a digest of its end (untouched.ts) */
  written?: { size: number; end: string };
}

/** Where relay keeps what belongs to the user rather than to a clone. */
export const stateFolder = (ws: Pick<Workspace, 'env' | 'home'>): string => stateOf(ws);

const registryPath = (ws: Workspace): string => join(stateFolder(ws), 'imports.jsonl');

/** All imports of this user, oldest first. Lines that are cut or foreign are passed over. */
export async function readImports(ws: Workspace): Promise<ImportEntry[]> {
  const text = await readRegularText(registryPath(ws)).catch(() => '');
  return text.split('\n').map(parseJson).filter(isEntry);
}

const isEntry = (value: Json | undefined): value is Json & ImportEntry =>
  isObject(value) && ['from', 'version', 'to', 'folder', 'at'].every((key) => typeof value[key] === 'string');

/** Adds one line: a single small append, so that two imports at once both stand in it. */
export async function rememberImport(ws: Workspace, entry: ImportEntry): Promise<void> {
  const path = registryPath(ws);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'a', 0o600);
  try {
    await file.appendFile(`${JSON.stringify(entry)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}
