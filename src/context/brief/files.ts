import type { Evidence } from '#context/evidence/evidence.ts';
import { shownPath } from '#context/shell/paths.ts';
import { type FileRecord, isTouched } from './file-record.ts';
import { replay } from './replay.ts';
import type { FilePoint } from './value.ts';

/** So many files that were only read are named; of more the number is told. */
const READS_MAX = 200;
/** Of a file that was changed often the first and the last operations are cited. */
const CITES_MAX = 4;

/**
 * The files of a session by their net state: what was changed in the order of the last change, then what was only read.
 * Paths are relative to the session's folder where they lie below it.
 */
export function files(evidence: Evidence): FilePoint[] {
  const root = evidence.source.cwd;
  const { records } = replay(evidence).files;
  const shown = records.filter((record) => !record.merged && !isBareFolder(record, records)).toSorted((a, b) => a.last - b.last);
  const reads = shown.filter((record) => !isChanged(record) && record.reads.length);
  return [
    ...shown.filter(isChanged).map((record) => pointOf(record, root)),
    ...reads.slice(0, READS_MAX).map((record) => pointOf(record, root)),
    ...more(reads),
  ];
}

const isChanged = ({ changes, doubts }: FileRecord): boolean => changes.length > 0 || doubts.length > 0;

/** A new folder is told by the files in it. */
const isBareFolder = ({ folder, start, now }: FileRecord, records: readonly FileRecord[]): boolean =>
  folder && start === undefined && (now === undefined || records.some((other) => other.now?.startsWith(`${now}/`)));

function more(reads: readonly FileRecord[]): FilePoint[] {
  const rest = reads.slice(READS_MAX);
  const [first] = rest;
  if (!first) return [];
  return [
    {
      path: '',
      state: 'read',
      text: `and ${rest.length} more files that were only read`,
      cites: citesOf(rest.flatMap(({ reads: [n = 0] }) => n)),
      origin: 'relay',
      mark: '',
    },
  ];
}

function pointOf(record: FileRecord, root: string): FilePoint {
  const shown = (path: string | undefined): string => (path === undefined ? '' : shownPath(path, root));
  const state = stateOf(record);
  const from = state === 'renamed' ? shown(record.start) : undefined;
  const path = shown(record.path);
  return {
    path,
    state,
    ...(from === undefined ? {} : { from }),
    text: `${from === undefined ? path : `${from} -> ${path}`}: ${wordsOf(record, state, shown)}`,
    cites: citesOf(isChanged(record) ? [...record.changes, ...record.doubts] : record.reads),
    origin: 'operation',
    mark: record.doubts.length ? '(to be confirmed)' : '',
  };
}

function citesOf(operations: readonly number[]): string[] {
  const each = [...new Set(operations)];
  const kept = each.length > CITES_MAX ? [each[0] as number, ...each.slice(1 - CITES_MAX)] : each;
  return kept.map((n) => `E#${n}`);
}

function stateOf(record: FileRecord): FilePoint['state'] {
  const { start, now, changes, doubts } = record;
  if (!changes.length) return doubts.length ? (start === undefined ? 'created' : 'changed') : 'read';
  if (start === undefined) return now === undefined ? 'none' : 'created';
  if (now === undefined) return 'deleted';
  if (now !== start) return 'renamed';
  return isTouched(record) ? 'changed' : 'none';
}

function wordsOf(record: FileRecord, state: FilePoint['state'], shown: (path: string) => string): string {
  if (!record.changes.length && record.doubts.length) return 'a change was begun, nothing says how it ended';
  const doubt = record.doubts.length ? '; a later change was begun, nothing says how it ended' : '';
  return words(record, state, shown) + doubt;
}

function words(record: FileRecord, state: FilePoint['state'], shown: (path: string) => string): string {
  if (state === 'none') {
    if (record.stashed) return 'net change none (changed, then put into a git stash that was not taken out again)';
    return `net change none (${record.start === undefined ? 'created and deleted again' : 'changed and taken back'})`;
  }
  if (state === 'renamed') return isTouched(record) ? 'renamed and changed' : 'renamed';
  if (state === 'created' && record.copied !== undefined) return `created as a copy of ${shown(record.copied)}`;
  return state;
}
