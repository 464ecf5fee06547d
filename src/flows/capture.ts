import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { Adapter, Touch } from '#adapters/adapter.ts';
import { fingerprints, type KnownValue, type Redactor } from '#redact/index.ts';
import { attachmentId, encodeRecord, streamHeader } from '#session/codec.ts';
import type { Block, SessionRecord } from '#session/record.ts';
import type { SessionSource, SourceFile, SourceStream } from '#session/source.ts';
import type { StoredVersion, VersionWriter } from '#store/types.ts';
import { type Progress, readStream, type Start, startAt } from './records.ts';

/** What the lines of a session are made with. */
export interface Redaction {
  redactor: Redactor;
  key: Buffer;
  known: readonly KnownValue[];
  /** digest of engine, rules and path roots */
  made: string;
}

/** What a push remembers of a session beside the store, so that the next one reads only what is new. Holds no text of the session. */
export interface CaptureState {
  /** engine, rules and path roots that the stored lines were made with */
  made: string;
  /** keyed digests of the values that were known to be secret then */
  known: string[];
  streams: Record<string, Progress>;
  /** size and mtime of the files beside the transcript, by name */
  files: Record<string, string>;
}

/** A file beside the transcript, as the manifest lists it. */
export interface StoredFile {
  name: string;
  sha256: string;
  bytes: number;
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
}

/**
 * Reads what is new in a session, redacts it and writes it to the store's next version.
 * @returns null when there is nothing new
 */
export async function capture(
  source: SessionSource,
  adapter: Adapter,
  redaction: Redaction,
  base: StoredVersion | null,
  writer: VersionWriter,
): Promise<Captured | null> {
  const { redactor, key } = redaction;
  const before = usableState(base, redaction);
  const print = fingerprints(key);
  const known = redaction.known.map((k) => print(k.value));
  const news = before ? redaction.known.filter((_, i) => !before.known.includes(known[i] as string)).map((k) => k.value) : [];
  const found = await Promise.all(source.streams.map((s) => startOf(s, before, key, news)));
  // Where one stream was changed in what was read before, all are made anew: the versions before may have to go.
  const fresh = !before || found.some((start, i) => start === undefined && before.streams[(source.streams[i] as SourceStream).name] !== undefined);
  const starts = fresh ? [] : found;
  const state: CaptureState = { made: redaction.made, known, streams: {}, files: {} };
  const touches: Touch[] = [];
  const seen = { unreadable: 0, images: 0, bytes: 0 };
  let changed = !base || streamNames(source) !== base.streams.map((s) => s.name).join('\n');
  for (const [i, stream] of source.streams.entries()) {
    const start = starts[i];
    if (start && (await isSame(stream.path, stream.end, start))) {
      const { hash: _, ...progress } = start;
      state.streams[stream.name] = progress;
      writer.stream(stream.name, keptRecords(base, stream.name), headerLine(stream.name, adapter));
      continue;
    }
    const out = writer.stream(stream.name, start?.records ?? 0, headerLine(stream.name, adapter));
    const digest = start || !base ? undefined : createHash('sha1');
    const take = (record: SessionRecord): void => {
      touches.push(...adapter.touched(record));
      if (record.type === 'raw' && (record.text ?? record.base64) !== '') seen.unreadable++;
      if (record.type === 'message') seen.images += imagesIn(record.content);
      const line = encodeRecord(record, (bytes) => writer.attachment(bytes));
      seen.bytes += line.length + 1;
      digest?.update(line).update('\n');
      out.write(line);
    };
    const progress = await readStream(stream, start, key, adapter, redactor, take, () => writer.drained());
    state.streams[stream.name] = progress;
    changed ||=
      digest && base ? digest.digest('hex') !== (await storedDigest(base, stream.name)) : progress.records !== start?.records || progress.torn !== start?.torn;
  }
  const files = await captureFiles(source.files, redactor, base, fresh || news.length ? undefined : before, writer, state);
  changed ||= JSON.stringify(files) !== JSON.stringify(base?.manifest.files);
  if (!changed) return null;
  const records = Object.values(state.streams).reduce((sum, s) => sum + s.records + (s.torn ? 1 : 0), 0);
  return { state, files, records, touches, ...seen, fresh };
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
function usableState(base: StoredVersion | null, { made }: Redaction): CaptureState | undefined {
  const state = base?.state as CaptureState | null | undefined;
  return state && state.made === made && Array.isArray(state.known) ? state : undefined;
}

async function startOf(stream: SourceStream, before: CaptureState | undefined, key: Buffer, news: readonly string[]): Promise<Start | undefined> {
  const progress = before?.streams[stream.name];
  return progress && startAt(stream.path, progress, key, news);
}

/** True when the file holds nothing beyond what `progress` covers. A torn last line is always read again: its bytes may have changed. */
async function isSame(path: string, end: number | undefined, progress: Progress): Promise<boolean> {
  return !progress.torn && Math.min((await stat(path)).size, end ?? Number.MAX_SAFE_INTEGER) === progress.offset;
}

async function captureFiles(
  files: SourceFile[],
  redactor: Redactor,
  base: StoredVersion | null,
  before: CaptureState | undefined,
  writer: VersionWriter,
  state: CaptureState,
): Promise<StoredFile[]> {
  const known = new Map(((base?.manifest.files as StoredFile[] | undefined) ?? []).map((f) => [f.name, f]));
  const out: StoredFile[] = [];
  for (const file of files) {
    const { size, mtimeMs } = await stat(file.path);
    const name = redactor.text(file.name, 'file name');
    const stamp = createHash('sha256').update(`${size} ${mtimeMs}`).digest('hex').slice(0, 16);
    const same = before?.files[name] === stamp ? known.get(name) : undefined;
    state.files[name] = stamp;
    if (same) {
      out.push(same);
      continue;
    }
    const bytes = await readFile(file.path);
    const clean = redactFile(bytes, name, redactor);
    writer.attachment(clean);
    out.push({ name, sha256: attachmentId(clean), bytes: clean.length });
  }
  return out;
}

function redactFile(bytes: Buffer, name: string, redactor: Redactor): Buffer {
  if (!isUtf8(bytes)) return redactor.bytes(bytes, name);
  const text = bytes.toString('utf8');
  const clean = redactor.text(text, name);
  return clean === text ? bytes : Buffer.from(clean, 'utf8');
}
