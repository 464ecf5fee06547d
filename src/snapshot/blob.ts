import { createHash, type Hash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { lstat, readFile, readlink } from 'node:fs/promises';

export type ObjectFormat = 'sha1' | 'sha256';

/** Larger files are hashed as they are read. In bytes. */
const STREAM_FROM = 10 * 1024 * 1024;
/** Git takes a larger file for no pointer of Git LFS. In bytes. */
const POINTER_MAX = 1024;
const POINTER_HEAD = 'version https://git-lfs.github.com/spec/v1\n';

const blobHash = (format: ObjectFormat, size: number): Hash => createHash(format).update(`blob ${size}\0`);

/** The id that git gives to a blob of these bytes. */
export const blobId = (format: ObjectFormat, bytes: Buffer | string): string => blobHash(format, Buffer.byteLength(bytes)).update(bytes).digest('hex');

/** What a file is for git: its mode, its size and, as `id()`, the blob id of its content as it lies there, without any conversion. */
export interface WorkFile {
  mode: '100644' | '100755' | '120000';
  size: number;
  id(format: ObjectFormat): Promise<string>;
}

/** The file or symbolic link at an absolute path; undefined for what git would not store there: nothing, a folder, a device. */
export async function workFile(path: string): Promise<WorkFile | undefined> {
  const stat = await lstat(path).catch(() => undefined);
  if (stat?.isSymbolicLink()) {
    const target = await readlink(path, { encoding: 'buffer' });
    return { mode: '120000', size: target.length, id: async (format) => blobId(format, target) };
  }
  if (!stat?.isFile()) return undefined;
  return { mode: stat.mode & 0o100 ? '100755' : '100644', size: stat.size, id: (format) => fileId(path, stat, format) };
}

async function fileId(path: string, stat: Stats, format: ObjectFormat): Promise<string> {
  if (stat.size <= STREAM_FROM) return blobId(format, await readFile(path));
  const hash = blobHash(format, stat.size);
  // A file that grows meanwhile is hashed as it was when it was looked at.
  for await (const chunk of createReadStream(path, { end: stat.size - 1, highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** True when a file holds the line end that git converts, CR LF. */
export async function hasCrLf(path: string): Promise<boolean> {
  let last = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    if ((last === 13 && chunk[0] === 10) || chunk.includes('\r\n')) return true;
    last = chunk.at(-1) ?? 0;
  }
  return false;
}

/**
 * The blob id of the pointer that Git LFS would store for a file. Git's own way to it runs the filter, which copies
 * the file into the repository.
 */
export async function lfsId(path: string, size: number, format: ObjectFormat): Promise<string> {
  if (size <= POINTER_MAX) {
    const bytes = await readFile(path);
    if (bytes.length === 0 || bytes.toString('latin1').startsWith(POINTER_HEAD)) return blobId(format, bytes);
  }
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return blobId(format, `${POINTER_HEAD}oid sha256:${hash.digest('hex')}\nsize ${size}\n`);
}
