import { createHash } from 'node:crypto';
import { diffArrays } from 'diff';
import { decodeRecord } from '#session/codec.ts';
import { plainText, type SessionRecord } from '#session/record.ts';
import { readSnapshot, type Snapshot } from '#snapshot/index.ts';
import type { StoredVersion } from '#store/types.ts';

/** A record as a diff names it. */
export interface DiffRow {
  stream: string;
  /** number in its stream, from 0 */
  record: number;
  role: string;
  text: string;
}

/** `diff --json`. */
export interface VersionDiff {
  from: string;
  to: string;
  records: { added: DiffRow[]; changed: DiffRow[]; removed: DiffRow[] };
  files: { path: string; from: string | null; to: string | null }[];
  /** records that are no messages (usage, modes, titles …): only counted */
  others: { added: number; removed: number };
}

/** A record of one side: where it stands, and a digest of its line. */
interface Item {
  record: number;
  digest: string;
}

/** More edits than this in the middle of a stream are told as removed and added without aligning them further. */
const MAX_EDITS = 2000;

/** What changed between two versions: records by content, files by hash. */
export async function diffVersions(from: StoredVersion, to: StoredVersion): Promise<VersionDiff> {
  const diff: VersionDiff = {
    from: `${from.handoff}@${from.n}`,
    to: `${to.handoff}@${to.n}`,
    records: { added: [], changed: [], removed: [] },
    files: diffFiles(readSnapshot(from.files), readSnapshot(to.files)),
    others: { added: 0, removed: 0 },
  };
  for (const stream of new Set([...from.streams, ...to.streams].map((s) => s.name))) await diffStream(stream, from, to, diff);
  return diff;
}

async function digests(version: StoredVersion, stream: string): Promise<Item[]> {
  const items: Item[] = [];
  if (!version.streams.some((s) => s.name === stream)) return items;
  for await (const line of version.lines(stream)) items.push({ record: items.length, digest: createHash('sha1').update(line).digest('base64') });
  return items;
}

async function diffStream(stream: string, from: StoredVersion, to: StoredVersion, diff: VersionDiff): Promise<void> {
  const [a, b] = [await digests(from, stream), await digests(to, stream)];
  const { removed, added } = align(a, b);
  const before = await rows(from, stream, removed);
  const after = await rows(to, stream, added);
  const { changed, gone, fresh } = pairChanged(before.rows, after.rows);
  diff.records.changed.push(...changed);
  diff.records.removed.push(...gone);
  diff.records.added.push(...fresh);
  diff.others.removed += before.others;
  diff.others.added += after.others;
}

/** Record numbers that only one side has: common beginning and end first, a bounded text diff of what is between. */
function align(a: Item[], b: Item[]): { removed: Set<number>; added: Set<number> } {
  let start = 0;
  while (start < a.length && start < b.length && a[start]?.digest === b[start]?.digest) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end]?.digest === b[b.length - 1 - end]?.digest) end++;
  const [midA, midB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const removed = new Set<number>();
  const added = new Set<number>();
  const parts = midA.length && midB.length ? diffArrays(midA, midB, { comparator: (x, y) => x.digest === y.digest, maxEditLength: MAX_EDITS }) : undefined;
  for (const part of parts ?? [
    { removed: true, added: false, value: midA },
    { removed: false, added: true, value: midB },
  ]) {
    if (part.removed) for (const item of part.value) removed.add(item.record);
    if (part.added) for (const item of part.value) added.add(item.record);
  }
  return { removed, added };
}

interface Row extends DiffRow {
  id: string | undefined;
}

async function rows(version: StoredVersion, stream: string, wanted: Set<number>): Promise<{ rows: Row[]; others: number }> {
  const out: Row[] = [];
  let others = 0;
  if (!wanted.size) return { rows: out, others };
  const first = Math.min(...wanted);
  let record = first;
  for await (const line of version.lines(stream, first)) {
    if (wanted.has(record)) {
      const row = rowOf(decodeRecord(line, `${version.handoff} ${stream} record ${record}`), stream, record);
      if (row) out.push(row);
      else others++;
    }
    record++;
  }
  return { rows: out, others };
}

function rowOf(record: SessionRecord, stream: string, n: number): Row | undefined {
  if (record.type === 'message') return { stream, record: n, role: record.role, text: messageText(record), id: record.id };
  if (record.type === 'boundary') return { stream, record: n, role: 'system', text: record.summary ?? '(compaction)', id: record.id };
  if (record.type === 'raw') return { stream, record: n, role: 'raw', text: record.text ?? '(bytes)', id: undefined };
  return undefined;
}

const messageText = (record: SessionRecord & { type: 'message' }): string =>
  record.content
    .map((block) => (block.type === 'tool_call' ? `${block.name} ${JSON.stringify(block.input)}` : plainText([block])))
    .filter(Boolean)
    .join('\n');

/** A record whose own id stands on both sides was changed, not removed and added. */
function pairChanged(before: Row[], after: Row[]): { changed: DiffRow[]; gone: DiffRow[]; fresh: DiffRow[] } {
  const ids = new Set(before.flatMap((row) => row.id ?? []));
  const isChanged = (row: Row) => row.id !== undefined && ids.has(row.id);
  const changedIds = new Set(after.filter(isChanged).map((row) => row.id));
  const plain = ({ stream, record, role, text }: Row): DiffRow => ({ stream, record, role, text });
  return {
    changed: after.filter(isChanged).map(plain),
    gone: before.filter((row) => row.id === undefined || !changedIds.has(row.id)).map(plain),
    fresh: after.filter((row) => !isChanged(row)).map(plain),
  };
}

function diffFiles(from: Pick<Snapshot, 'files'>, to: Pick<Snapshot, 'files'>): VersionDiff['files'] {
  const sign = (row: Snapshot['files'][number]): string => row.blob ?? row.state;
  const before = new Map(from.files.map((row) => [row.path, sign(row)]));
  const after = new Map(to.files.map((row) => [row.path, sign(row)]));
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .map((path) => ({ path, from: before.get(path) ?? null, to: after.get(path) ?? null }))
    .filter((row) => row.from !== row.to);
}
