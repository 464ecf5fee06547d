import { isObject, type JsonObject } from '#lib/json.ts';
import type { CodeState } from './work-tree.ts';

/** State of a file when a version was made, next to the commit that was checked out. */
export type FileState = 'clean' | 'modified' | 'added' | 'untracked' | 'ignored' | 'deleted' | 'symlink' | 'submodule' | 'outside';

/** A row of files.json. Rows without `blob` say nothing of the content: ignored, outside, deleted, or redacted. */
export interface FileRow {
  /** relative to the project's root with forward slashes; outside of it as the session named it */
  path: string;
  state: FileState;
  mode?: string;
  /** blob id as git would give it */
  blob?: string;
  /** bytes as the file lay there */
  size?: number;
  /** true: the session changed it; absent: it only read it */
  changed?: true;
}

/** files.json: the files that the session read or changed, sorted by path, as of one moment. */
export interface Snapshot extends CodeState {
  files: FileRow[];
}

/** A touch as adapters give it: a file that a record says was read or changed. */
export interface Touch {
  path: string;
  change: 'read' | 'changed';
}

const STATES: ReadonlySet<string> = new Set<FileState>(['clean', 'modified', 'added', 'untracked', 'ignored', 'deleted', 'symlink', 'submodule', 'outside']);

/** So many files are looked at. No session touches more; a files.json that says so would keep a machine busy. */
const MOST = 20_000;

/** The rows of a files.json that somebody else wrote; those that are not well-formed are passed over. `more`: rows past the first 20,000. */
export function readSnapshot(value: unknown): Pick<Snapshot, 'objectFormat' | 'head' | 'files'> & { more: number } {
  const snapshot: JsonObject = isObject(value) ? value : {};
  const rows = Array.isArray(snapshot.files) ? (snapshot.files as unknown[]) : [];
  const files = rows.slice(0, MOST).filter(isRow);
  const head = typeof snapshot.head === 'string' && /^[0-9a-f]{40,64}$/.test(snapshot.head) ? snapshot.head : null;
  return { objectFormat: snapshot.objectFormat === 'sha256' ? 'sha256' : 'sha1', head, files, more: Math.max(0, rows.length - MOST) };
}

const isRow = (value: unknown): value is FileRow =>
  isObject(value) &&
  typeof value.path === 'string' &&
  STATES.has(String(value.state)) &&
  (value.blob === undefined || (typeof value.blob === 'string' && /^[0-9a-f]{40,64}$/.test(value.blob))) &&
  (value.size === undefined || typeof value.size === 'number');

/** By code unit, the same on every machine. */
export const byPath = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
