import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { Adapter } from '#adapters/adapter.ts';
import type { JsonObject } from '#lib/json.ts';
import { type Line, readLines } from '#lib/lines.ts';
import type { Redactor } from '#redact/index.ts';
import { nativeValue, parseLine, type SourceLine, sourceLine, toRecord } from '#session/codec.ts';
import type { Block, Draft, SessionRecord } from '#session/record.ts';
import type { SourceStream } from '#session/source.ts';
import { type Prefix, type PrefixDigest, prefixDigest, samePrefix, seemsSamePrefix } from './prefix.ts';
import type { StoredRecords } from './stored-records.ts';

/**
 * The canonical record of one source line; redacted first when a redactor is given, so that nothing that follows
 * ever sees a secret.
 * @param stored what was made of the line of this number before: see Redactor
 */
export function recordOf(line: Line, at: string, adapter: Adapter, redactor?: Redactor, stored?: SessionRecord): SessionRecord {
  const record = recordFrom(line.bytes, at, adapter, redactor, stored);
  if (!line.terminated) record.eol = false;
  return record;
}

function recordFrom(bytes: Buffer, at: string, adapter: Adapter, redactor?: Redactor, stored?: SessionRecord): SessionRecord {
  const parsed = parseLine(bytes);
  if ('line' in parsed) {
    const line = redactor ? redactLine(parsed.line, at, adapter, redactor, stored) : parsed.line;
    if (line) return toRecord(line === parsed.line ? adapter.draft(line.value as JsonObject) : withSigned(adapter, parsed.line, line), line);
  }
  const text = 'line' in parsed ? parsed.line.text : 'text' in parsed ? parsed.text : undefined;
  if (text !== undefined) return { type: 'raw', text: redactor ? redactor.line(text, at, adapter.slot, storedText(stored)) : text };
  if (!redactor) return { type: 'raw', base64: (parsed as { base64: string }).base64 };
  const before = stored && sourceLine(stored);
  return { type: 'raw', base64: redactor.bytes(bytes, at, Buffer.isBuffer(before) ? before : undefined).toString('base64') };
}

function storedText(stored: SessionRecord | undefined): string | undefined {
  const line = stored && sourceLine(stored);
  return typeof line === 'string' ? line : undefined;
}

/** The draft of a redacted line. Signed thinking that was changed carries the hash of what was signed, so that an import can tell whether it has that text again. */
function withSigned(adapter: Adapter, original: SourceLine, line: SourceLine): Draft {
  const draft = adapter.draft(line.value as JsonObject);
  if (draft.type !== 'message' || !draft.content.some(isSealed)) return draft;
  const before = adapter.draft(original.value as JsonObject);
  const texts = before.type === 'message' ? before.content : [];
  const content = draft.content.map((block, i) => {
    const was = texts[i];
    if (!isSealed(block) || was?.type !== 'thinking' || was.text === block.text) return block;
    // A short text with a weak secret could be guessed from its hash; without that secret it can never be restored anyway.
    const secret = block.text.split('[REDACTED:').length > was.text.split('[REDACTED:').length;
    return { ...block, signed: secret ? '' : createHash('sha256').update(was.text).digest('hex') };
  });
  return { ...draft, content };
}

const isSealed = (block: Block): block is Block & { type: 'thinking' } => block.type === 'thinking' && block.sealed === true;

/** undefined: after redaction the line is no object any more, so it is kept as text. */
function redactLine(line: SourceLine, at: string, adapter: Adapter, redactor: Redactor, stored: SessionRecord | undefined): SourceLine | undefined {
  if (line.exact) {
    const value = redactor.record(line.value as JsonObject, at, adapter.slot, stored && nativeValue(stored));
    return value === line.value ? line : { text: '', value, exact: true };
  }
  const parsed = parseLine(Buffer.from(redactor.line(line.text, at, adapter.slot, storedText(stored)), 'utf8'));
  return 'line' in parsed ? { ...parsed.line, exact: false } : undefined;
}

/** How far a stream was read, up to the end of the last whole line: enough to go on from there after checking that nothing before it has changed. */
export interface Progress extends Prefix {
  /** whole records read */
  records: number;
  /** keyed digest of an unfinished last line, "" for none */
  torn: string;
}

/** A point that a stream goes on from. */
export interface Start {
  progress: Progress;
  read: PrefixDigest;
}

/**
 * Where a stream can go on: undefined when what was read before is not there any more just as it was.
 * @param quick true: what is cheap to tell is enough (seemsSamePrefix)
 */
export async function startAt(path: string, progress: Progress, key: Buffer, quick: boolean): Promise<Start | undefined> {
  const read = await (quick ? seemsSamePrefix : samePrefix)(path, progress, key);
  return read && { progress, read };
}

const LF = Buffer.from('\n');

/**
 * Reads a stream from `from` on (or from its beginning) and hands each record to `take` with the place in the file where its line begins.
 * @param drained awaited after each chunk, so that what was taken does not pile up
 * @returns how far it was read, to go on from next time
 */
export async function readStream(
  stream: SourceStream,
  from: Start | undefined,
  key: Buffer,
  adapter: Adapter,
  redactor: Redactor,
  take: (record: SessionRecord, offset: number) => void,
  drained: () => Promise<void>,
  stored?: StoredRecords,
): Promise<Progress> {
  let n = from?.progress.records ?? 0;
  const offset = from?.progress.offset ?? 0;
  let torn = '';
  const read = from?.read ?? prefixDigest(key);
  const { ino } = await stat(stream.path);
  for await (const lines of readLines(stream.path, offset, stream.end)) {
    for (const line of lines) {
      take(recordOf(line, `${stream.name} ${n}`, adapter, redactor, stored && (await stored())), line.offset);
      if (line.terminated) {
        n++;
        read.update(line.bytes);
        read.update(LF);
      } else torn = createHash('sha256').update(key).update(line.bytes).digest('hex');
    }
    await drained();
  }
  return { ...read.taken(), inode: ino, records: n, torn };
}
