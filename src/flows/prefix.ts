import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { openRegular, readPiece } from '#lib/regular.ts';

/** Bytes after which a digest is taken down, so that what follows can be added to it without reading what came before. */
const BLOCK = 16 * 1024;

/**
 * What is remembered of the beginning of a file. The digests are keyed: what was read may hold secrets, and a plain digest of a short text can
 * be guessed. Each block's digest covers that of the block before it, so the last one covers all.
 */
export interface Prefix {
  /** bytes that it covers */
  offset: number;
  /** digest of all of them */
  digest: string;
  /** digest up to the end of the last whole block */
  block: string;
  /** number of the file, which another file in its place does not have */
  inode: number;
}

/** The digest of a beginning, to be gone on with. */
export interface PrefixDigest {
  update(bytes: Uint8Array): void;
  /** of all that was added so far; more may follow */
  taken(): Pick<Prefix, 'offset' | 'digest' | 'block'>;
}

export function prefixDigest(key: Buffer, from?: Pick<Prefix, 'offset' | 'block'>): PrefixDigest {
  const begin = (block: string): Hash => createHash('sha256').update(key).update(block);
  let block = from?.block ?? '';
  let offset = from ? blocksIn(from.offset) : 0;
  let hash = begin(block);
  return {
    update(bytes) {
      for (let at = 0; at < bytes.length; ) {
        const end = Math.min(bytes.length, at + BLOCK - (offset % BLOCK));
        hash.update(bytes.subarray(at, end));
        offset += end - at;
        at = end;
        if (offset % BLOCK) continue;
        block = hash.digest('hex');
        hash = begin(block);
      }
    },
    taken: () => ({ offset, digest: hash.copy().digest('hex'), block }),
  };
}

const blocksIn = (offset: number): number => offset - (offset % BLOCK);

/** Is the beginning of a file just as it was? All of it is read. Answers its digest, to be gone on with; undefined: something is not. */
export async function samePrefix(path: string, prefix: Prefix, key: Buffer): Promise<PrefixDigest | undefined> {
  const digest = prefixDigest(key);
  if (prefix.offset > 0)
    for await (const chunk of createReadStream(path, { end: prefix.offset - 1, highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) digest.update(chunk);
  return agrees(digest, prefix) ? digest : undefined;
}

/**
 * The same, told by the file's number, its size and what stands at the end of that beginning: less than one block is read, however long it is. An edit in
 * place that keeps all of these is not seen; whoever sends looks at all of it.
 */
export async function seemsSamePrefix(path: string, prefix: Prefix, key: Buffer): Promise<PrefixDigest | undefined> {
  const file = await openRegular(path);
  try {
    const { ino, size } = await file.stat();
    if (ino !== prefix.inode || size < prefix.offset) return undefined;
    const digest = prefixDigest(key, prefix);
    const from = blocksIn(prefix.offset);
    digest.update(await readPiece(file, from, prefix.offset - from));
    return agrees(digest, prefix) ? digest : undefined;
  } finally {
    await file.close();
  }
}

function agrees(digest: PrefixDigest, prefix: Prefix): boolean {
  const { offset, digest: of } = digest.taken();
  return offset === prefix.offset && of === prefix.digest;
}
