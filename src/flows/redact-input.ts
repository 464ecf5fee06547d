import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { RelayError } from '#lib/errors.ts';
import { withPath } from '#lib/regular.ts';

/** So much of an input is held in memory, in bytes. */
const HELD = 64 * 1024 * 1024;
/** Bytes read at once. */
const CHUNK = 512 * 1024;
/** Bytes that tell what an input is. */
const HEAD = 4096;

/** An input that is looked at before any of it is given out. */
export interface Input {
  /** What can be looked at beforehand: all of a file, and of what is piped in as much as is held. */
  ahead(): AsyncIterable<Buffer>;
  /** All of it; once only. */
  all(): AsyncIterable<Buffer>;
  /** `ahead` is all of it */
  whole: boolean;
  /** `ahead` and `all` cannot differ, since all of it is held */
  held: boolean;
  /** in bytes; undefined where nobody knows */
  size?: number;
  /** holds bytes that are no text, as far as it was read by now */
  readonly binary: boolean;
}

/** A file, or what else is found under that name (a pipe). Errors of the system as they come; RelayError for a folder and for UTF-16. */
export async function openInput(path: string): Promise<Input> {
  const info = await stat(path);
  if (info.isDirectory())
    throw new RelayError('usage', `${path} is a folder.`, 'Name files: relay redact <file> for one, relay redact --check <file> <file> for several.');
  if (!info.isFile() || info.size <= HELD) return pipedInput(bytesOf(path), path);
  // Both times to where it ended at first: a log that grows meanwhile, or is what this very command writes to, has an end all the same.
  const head = await headOf(path);
  needUtf8(head, path);
  const seen: Seen = { binary: isBinary(head) };
  const read = () => watched(bytesOf(path, info.size - 1), seen);
  return withBinary({ ahead: read, all: read, whole: true, held: false, size: info.size }, seen);
}

/** What was noticed while an input was read. */
interface Seen {
  binary: boolean;
}

async function* watched(bytes: Iterable<Buffer> | AsyncIterable<Buffer>, seen: Seen): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    seen.binary ||= chunk.includes(0);
    yield chunk;
  }
}

const withBinary = (input: Omit<Input, 'binary'>, seen: Seen): Input => Object.defineProperty(input, 'binary', { get: () => seen.binary }) as Input;

async function* bytesOf(path: string, end?: number): AsyncGenerator<Buffer> {
  // Somebody named this very path, so a pipe (a shell's `<(…)`, /dev/stdin) is waited for.
  const stream = createReadStream(path, { highWaterMark: CHUNK, ...(end === undefined ? {} : { end }) });
  stream.on('error', (error) => withPath(error, path));
  yield* stream as AsyncIterable<Buffer>;
}

async function headOf(path: string): Promise<Buffer> {
  for await (const chunk of bytesOf(path, HEAD - 1)) return chunk;
  return Buffer.alloc(0);
}

/** What comes through a pipe: its first 64 MB are held, so that what is found late is taken out of what came early too. */
export async function pipedInput(bytes: AsyncIterable<Buffer>, name: string): Promise<Input> {
  const rest = bytes[Symbol.asyncIterator]();
  const held: Buffer[] = [];
  let size = 0;
  let ended = false;
  while (!ended && size <= HELD) {
    const next = await rest.next();
    if (next.done) ended = true;
    else {
      held.push(next.value);
      size += next.value.length;
    }
  }
  const head = Buffer.concat(held.slice(0, 2)).subarray(0, HEAD);
  needUtf8(head, name);
  const seen: Seen = { binary: isBinary(head) };
  async function* all(): AsyncGenerator<Buffer> {
    // What is given out need not be held any longer.
    for (let chunk = held.shift(); chunk; chunk = held.shift()) yield chunk;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  }
  const ahead = () => watched([...held], seen);
  return withBinary({ ahead, all: () => watched(all(), seen), whole: ended, held: ended, ...(ended ? { size } : {}) }, seen);
}

/** How archives and compressed files begin: gzip, zip, xz, zstd, bzip2, 7z, lz4; and PDF, whose text is compressed. */
const MAGIC = ['1f8b', '504b0304', 'fd377a585a', '28b52ffd', '425a68', '377abcaf', '04224d18', '255044462d'].map((hex) => Buffer.from(hex, 'hex'));
/** Of what is random a tenth are control characters; in text there are hardly any. */
const CONTROLS_MAX = 0.03;

function isBinary(head: Buffer): boolean {
  if (head.includes(0) || MAGIC.some((magic) => head.subarray(0, magic.length).equals(magic))) return true;
  let controls = 0;
  for (const byte of head) if (byte < 32 && !(byte >= 8 && byte <= 13) && byte !== 27) controls++;
  return controls > head.length * CONTROLS_MAX;
}

/** In UTF-16 every other byte is none of the text: nothing would be found, and that would look like a clean input. */
function needUtf8(head: Buffer, name: string): void {
  const mark = head.length >= 2 ? head.readUInt16BE(0) : 0;
  if (mark === 0xfffe || mark === 0xfeff)
    throw new RelayError(
      'unknown-format',
      `${name} is UTF-16 text, which cannot be looked at as it is.`,
      'Convert it first: iconv -f UTF-16 -t UTF-8 <file> | relay redact',
    );
}
