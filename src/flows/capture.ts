import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { Adapter, Touch } from '#adapters/adapter.ts';
import { fingerprints, type KnownValue, type Redactor } from '#redact/index.ts';
import type { RememberedValue } from '#redact/known/remembered.ts';
import { encodeRecord, streamHeader } from '#session/codec.ts';
import type { Block, SessionRecord } from '#session/record.ts';
import type { SessionSource, SourceStream } from '#session/source.ts';
import type { StoredVersion, VersionWriter } from '#store/types.ts';
import { captureFiles, type StoredFile } from './capture-files.ts';
import { holds, lessonsOf, type Part } from './learned.ts';
import { lookedFor, newsSince } from './looked-for.ts';
import { type Progress, readStream, type Start, startAt } from './records.ts';
import { storedRecords } from './stored-records.ts';

/** What the lines of a session are made with. */
export interface Redaction {
  redactor: Redactor;
  key: Buffer;
  known: readonly KnownValue[];
  /** what was found before in this clone */
  remembered: readonly RememberedValue[];
  /** digest of engine, rules and path roots */
  made: string;
  /** true: nothing is taken over from the stored version, since something in it must not leave */
  anew: boolean;
  /** true: the session is called otherwise than in the stored version, which is news although no line is */
  renamed: boolean;
  /** true: only what is new is read. What a push checks before it sends is left to it: that nothing before has changed, and that it holds no value found since. */
  quick: boolean;
}

/** What a push remembers of a session beside the store, so that the next one reads only what is new. Holds no text of the session. */
export interface CaptureState {
  /** engine, rules and path roots that the stored lines were made with */
  made: string;
  /** fingerprints of the values that were looked for in all that is stored: known, learned and remembered ones */
  known: string[];
  streams: Record<string, Progress>;
  /** size and mtime of the files beside the transcript, by name */
  files: Record<string, string>;
}

export interface Captured {
  state: CaptureState;
  files: StoredFile[];
  /** records of all streams */
  records: number;
  touches: Touch[];
  /** lines among what is new that are no records, a last one that is cut included */
  unreadable: number;
  /** images among what is new: nobody looks at what they show */
  images: number;
  /** size of the canonical lines that were made */
  bytes: number;
  /** true: the version was made from the beginning, so earlier counts do not carry over */
  fresh: boolean;
  /** Values that were learned on the way and stand, in any form, where they had not been yet. To be asked when all is read. */
  missed(): Promise<KnownValue[]>;
}

/**
 * Reads what is new in a session, redacts it and writes it to the store's next version.
 * @param floor what was stored of the session before, here or by another clone: where a stream is read from its beginning, nothing that
 * is redacted there comes back
 * @returns null when there is nothing new
 */
export async function capture(
  source: SessionSource,
  adapter: Adapter,
  redaction: Redaction,
  base: StoredVersion | null,
  floor: StoredVersion | null,
  writer: VersionWriter,
): Promise<Captured | null> {
  const { redactor, key } = redaction;
  const lessons = lessonsOf(redactor);
  const before = usableState(base, redaction);
  const news = before && !redaction.quick ? newsSince(before.known, redaction) : undefined;
  const found = await Promise.all(source.streams.map((s) => startOf(s, before, redaction, news)));
  // Where one stream was changed in what was read before, all are made anew: the versions before may have to go.
  const fresh = !before || found.some((start, i) => start === undefined && before.streams[(source.streams[i] as SourceStream).name] !== undefined);
  const starts = fresh ? [] : found;
  const state: CaptureState = { made: redaction.made, known: [], streams: {}, files: {} };
  const parts: Part[] = [];
  const touches: Touch[] = [];
  const seen = { unreadable: 0, images: 0, bytes: 0 };
  let changed = redaction.anew || redaction.renamed || !base || streamNames(source) !== base.streams.map((s) => s.name).join('\n');
  for (const [i, stream] of source.streams.entries()) {
    const start = starts[i];
    if (start && (await isSame(stream.path, stream.end, start.progress))) {
      const { progress } = start;
      state.streams[stream.name] = progress;
      parts.push({ path: stream.path, from: progress.offset, end: progress.offset });
      writer.stream(stream.name, keptRecords(base, stream.name), headerLine(stream.name, adapter));
      continue;
    }
    const at = start?.progress;
    parts.push({ path: stream.path, from: at?.offset ?? 0, end: stream.end });
    const out = writer.stream(stream.name, at?.records ?? 0, headerLine(stream.name, adapter));
    const digest = start || !base ? undefined : createHash('sha1');
    const take = (record: SessionRecord, offset: number): void => {
      lessons.note(i, offset);
      touches.push(...adapter.touched(record));
      if (record.type === 'raw' && (record.text ?? record.base64) !== '') seen.unreadable++;
      if (record.type === 'message') seen.images += imagesIn(record.content);
      const line = encodeRecord(record, (bytes) => writer.attachment(bytes));
      seen.bytes += line.length + 1;
      digest?.update(line).update('\n');
      out.write(line);
    };
    const progress = await readStream(
      stream,
      start,
      key,
      adapter,
      redactor,
      take,
      () => writer.drained(),
      start ? undefined : storedRecords(floor, stream.name),
    );
    state.streams[stream.name] = progress;
    changed ||=
      digest && base ? digest.digest('hex') !== (await storedDigest(base, stream.name)) : progress.records !== at?.records || progress.torn !== at?.torn;
  }
  const stored = { base, floor, before: fresh || news ? undefined : before };
  const files = await captureFiles(source.files, redactor, stored, writer, state, (file, from) => {
    lessons.note(parts.length, 0);
    parts.push({ path: file.path, from });
  });
  changed ||= JSON.stringify(files) !== JSON.stringify(base?.manifest.files);
  if (!changed) return null;
  const records = Object.values(state.streams).reduce((sum, s) => sum + s.records + (s.torn ? 1 : 0), 0);
  const checked = new Set(fresh ? [] : before.known);
  const print = fingerprints(key);
  const isQuick = redaction.quick && !fresh;
  const missed = async () => {
    const values = await lessons.missed(parts, (value) => isQuick || checked.has(print(value)));
    const looked = isQuick ? [] : [...lookedFor(redaction), ...redactor.learned().map((one) => print(one.value))];
    state.known = [...new Set([...checked, ...looked])];
    return values;
  };
  return { state, files, records, touches, ...seen, fresh, missed };
}

/** A file that was touched, copied or put back is read again from its beginning; when every line is as stored, nothing is new. */
async function storedDigest(base: StoredVersion, stream: string): Promise<string> {
  const digest = createHash('sha1');
  if (base.streams.some((s) => s.name === stream)) for await (const line of base.lines(stream)) digest.update(line).update('\n');
  return digest.digest('hex');
}

const imagesIn = (content: readonly Block[]): number =>
  content.reduce((sum, block) => sum + (block.type === 'image' ? 1 : block.type === 'tool_result' ? imagesIn(block.content) : 0), 0);

const headerLine = (stream: string, adapter: Adapter): string => JSON.stringify(streamHeader(stream, adapter.id));
const streamNames = (source: SessionSource): string => source.streams.map((s) => s.name).join('\n');
const keptRecords = (base: StoredVersion | null, name: string): number => base?.streams.find((s) => s.name === name)?.records ?? 0;

/** The state of the last capture, unless the rules or roots have changed since: then everything is made anew. */
function usableState(base: StoredVersion | null, { made, anew }: Redaction): CaptureState | undefined {
  const state = base?.state as CaptureState | null | undefined;
  return !anew && state && state.made === made && Array.isArray(state.known) ? state : undefined;
}

/** Where a stream can go on; undefined also where what was read before holds a value that was not known to be secret then. */
async function startOf(
  stream: SourceStream,
  before: CaptureState | undefined,
  { key, quick }: Redaction,
  news: ((text: string) => boolean) | undefined,
): Promise<Start | undefined> {
  const progress = before?.streams[stream.name];
  if (!progress || (news && (await holds(stream.path, progress.offset, news)))) return undefined;
  return startAt(stream.path, progress, key, quick);
}

/** True when the file holds nothing beyond what `progress` covers. A torn last line is always read again: its bytes may have changed. */
async function isSame(path: string, end: number | undefined, progress: Progress): Promise<boolean> {
  return !progress.torn && Math.min((await stat(path)).size, end ?? Number.MAX_SAFE_INTEGER) === progress.offset;
}
