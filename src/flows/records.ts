import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import type { Adapter } from '#adapters/adapter.ts';
import type { JsonObject } from '#lib/json.ts';
import { type Line, readLines } from '#lib/lines.ts';
import type { Redactor } from '#redact/index.ts';
import { parseLine, type SourceLine, toRecord } from '#session/codec.ts';
import type { Block, Draft, SessionRecord } from '#session/record.ts';
import type { SourceStream } from '#session/source.ts';

/**
 * The canonical record of one source line; redacted first when a redactor is given, so that nothing that follows
 * ever sees a secret.
 */
export function recordOf(line: Line, at: string, adapter: Adapter, redactor?: Redactor): SessionRecord {
  const record = recordFrom(line.bytes, at, adapter, redactor);
  if (!line.terminated) record.eol = false;
  return record;
}

function recordFrom(bytes: Buffer, at: string, adapter: Adapter, redactor?: Redactor): SessionRecord {
  const parsed = parseLine(bytes);
  if ('line' in parsed) {
    const line = redactor ? redactLine(parsed.line, at, adapter, redactor) : parsed.line;
    if (line) return toRecord(line === parsed.line ? adapter.draft(line.value as JsonObject) : withSigned(adapter, parsed.line, line), line);
  }
  const text = 'line' in parsed ? parsed.line.text : 'text' in parsed ? parsed.text : undefined;
  if (text !== undefined) return { type: 'raw', text: redactor ? redactor.line(text, at, adapter.frozen) : text };
  if (!redactor) return { type: 'raw', base64: (parsed as { base64: string }).base64 };
  return { type: 'raw', base64: redactor.bytes(bytes, at).toString('base64') };
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
function redactLine(line: SourceLine, at: string, adapter: Adapter, redactor: Redactor): SourceLine | undefined {
  if (line.exact) {
    const value = redactor.record(line.value as JsonObject, at, adapter.frozen);
    return value === line.value ? line : { text: '', value, exact: true };
  }
  const parsed = parseLine(Buffer.from(redactor.line(line.text, at, adapter.frozen), 'utf8'));
  return 'line' in parsed ? { ...parsed.line, exact: false } : undefined;
}

/** How far a stream was read: enough to go on from there after checking that nothing before it has changed. */
export interface Progress {
  /** bytes read, up to the end of the last whole line */
  offset: number;
  /** whole records read */
  records: number;
  /** sha256 of the MARK bytes before `offset` */
  mark: string;
  /** inode of the file, as text */
  ino: string;
  /** sha256 of an unfinished last line, "" for none */
  torn: string;
}

const MARK = 4096;

/** sha256 of the last bytes before `offset`, or undefined when the file is shorter. */
async function markAt(path: string, offset: number): Promise<string | undefined> {
  const file = await open(path, 'r');
  try {
    const length = Math.min(MARK, offset);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, offset - length);
    return bytesRead === length ? createHash('sha256').update(buffer).digest('hex') : undefined;
  } finally {
    await file.close();
  }
}

/** True when the file still begins with what was read up to `progress`. */
export async function unchangedBefore(path: string, progress: Progress): Promise<boolean> {
  const { ino } = await stat(path, { bigint: true });
  return String(ino) === progress.ino && (await markAt(path, progress.offset)) === progress.mark;
}

/**
 * Reads a stream from `from` on (or from its beginning) and hands each record to `take` with its number.
 * @param drained awaited after each chunk, so that what was taken does not pile up
 * @returns how far it was read, to go on from next time
 */
export async function readStream(
  stream: SourceStream,
  from: Progress | undefined,
  adapter: Adapter,
  redactor: Redactor | undefined,
  take: (record: SessionRecord, n: number) => void,
  drained: () => Promise<void> = async () => {},
): Promise<Progress> {
  let n = from?.records ?? 0;
  let offset = from?.offset ?? 0;
  let torn = '';
  for await (const lines of readLines(stream.path, offset, stream.end)) {
    for (const line of lines) {
      take(recordOf(line, `${stream.name} ${n}`, adapter, redactor), n);
      if (line.terminated) {
        n++;
        offset = line.offset + line.bytes.length + 1;
      } else torn = createHash('sha256').update(line.bytes).digest('hex');
    }
    await drained();
  }
  const { ino } = await stat(stream.path, { bigint: true });
  return { offset, records: n, mark: (await markAt(stream.path, offset)) ?? '', ino: String(ino), torn };
}
