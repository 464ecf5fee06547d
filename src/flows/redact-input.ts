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
  /** holds bytes that are no text */
  binary: boolean;
}

/** A file, or what else is found under that name (a pipe). Errors of the system as they come; RelayError for a folder and for UTF-16. */
export async function openInput(path: string): Promise<Input> {
  const info = await stat(path);
  if (info.isDirectory()) throw new RelayError('usage', `${path} is a folder.`, 'Name one file: relay redact <file>. For several: cat <files> | relay redact');
  if (!info.isFile() || info.size <= HELD) return pipedInput(bytesOf(path), path);
  // Both times to where it ended at first: a log that grows meanwhile, or is what this very command writes to, has an end all the same.
  const read = () => bytesOf(path, info.size - 1);
  const head = await headOf(path);
  needUtf8(head, path);
  return { ahead: read, all: read, whole: true, held: false, size: info.size, binary: head.includes(0) };
}

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
  async function* ahead(): AsyncGenerator<Buffer> {
    yield* held;
  }
  async function* all(): AsyncGenerator<Buffer> {
    // What is given out need not be held any longer.
    for (let chunk = held.shift(); chunk; chunk = held.shift()) yield chunk;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  }
  return { ahead, all, whole: ended, held: ended, ...(ended ? { size } : {}), binary: head.includes(0) };
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
