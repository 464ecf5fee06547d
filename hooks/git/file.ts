import { createHash } from 'node:crypto';
import { constants, copyFile, link, lstat, open, readlink, rename, rm, utimes } from 'node:fs/promises';
import { RelayError } from '#lib/errors.ts';
import { readRegular } from '#lib/regular.ts';

/** What stands where a hook or a setting of git's belongs. */
export interface Found {
  /** bytes as characters, so that whatever a file holds comes out as it went in; "" for a link that leads to no file */
  text: string;
  mode: number;
  /** ms since 1970 */
  mtime: number;
  /** it is a link to this */
  link?: string;
}

/** A hook may be a program. In bytes. */
const LARGEST = 64 * 1024 * 1024;

export const hashOf = (text: string): string => createHash('sha256').update(text, 'latin1').digest('hex');

/** A text as a file holds it: its bytes as characters. */
export const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');

/** undefined: nothing is there. RelayError for what is no file. */
export async function look(path: string): Promise<Found | undefined> {
  try {
    const { mode, mtimeMs } = await lstat(path);
    const to = await readlink(path).catch(() => undefined);
    const bytes = await readRegular(path, LARGEST).catch((error: unknown) => {
      if (to !== undefined) return Buffer.alloc(0);
      throw error;
    });
    return { text: bytes.toString('latin1'), mode: mode & 0o7777, mtime: mtimeMs, ...(to === undefined ? {} : { link: to }) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A file before it goes to its place. */
const halfOf = (path: string): string => `${path}.relay-new`;
/** The name of git's own locks, so that no git writes its settings meanwhile. */
const lockOf = (path: string): string => `${path}.lock`;

/**
 * Puts a file in the place of another, whole or not at all.
 * @param mtime ms since 1970
 * @throws RelayError `failed` where another program holds it
 */
export async function replace(path: string, text: string, { mode, mtime }: { mode: number; mtime?: number }): Promise<void> {
  await sweep(path);
  const half = halfOf(path);
  const file = await open(half, 'wx', 0o600);
  try {
    await file.writeFile(text, 'latin1');
    await file.chmod(mode);
    await file.sync();
    await file.close();
    if (mtime !== undefined) await utimes(half, mtime / 1000, mtime / 1000);
    await hold(path);
    await rename(half, path).finally(() => rm(lockOf(path)));
  } catch (error) {
    await file.close().catch(() => {});
    await rm(half, { force: true });
    throw error;
  }
}

/** The lock is a second name of the new file, by which it is known for relay's (see sweep). Where the file system has none such a copy locks as well. */
async function hold(path: string): Promise<void> {
  const lock = lockOf(path);
  try {
    await link(halfOf(path), lock).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error;
      return copyFile(halfOf(path), lock, constants.COPYFILE_EXCL);
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new RelayError('failed', `Another program works on ${path}.`, `If none does, remove ${lock} and try again.`);
  }
}

/** Takes away what a relay that was killed has left beside a file. A lock of anybody else's stays. */
export async function sweep(path: string): Promise<void> {
  const [half, lock, there] = await Promise.all([halfOf(path), lockOf(path), path].map(identity));
  if (lock !== undefined && (lock === half || lock === there)) await rm(lockOf(path), { force: true });
  if (half !== undefined) await rm(halfOf(path), { force: true });
}

const identity = (path: string): Promise<string | undefined> =>
  lstat(path, { bigint: true }).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => undefined,
  );
