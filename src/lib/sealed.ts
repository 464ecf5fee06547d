import { createHash, randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readRegularText } from './regular.ts';

/**
 * A file in a git folder that says what the person agreed to. An agent in its sandbox may write to that folder, so the file alone proves nothing: relay keeps its
 * digest in the user's state, which no sandbox lets be written, and without it the file counts as absent.
 */
export interface SealedFile {
  path: string;
  /** relay's folder in the user's state */
  state: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const sealOf = ({ path, state }: SealedFile): string => join(state, 'seals', sha256(path).slice(0, 32));

/** The text as relay left it; undefined: there is none, or somebody else has written it. */
export async function readSealed(file: SealedFile): Promise<string | undefined> {
  const [text, seal] = await Promise.all([file.path, sealOf(file)].map((path) => readRegularText(path).catch(() => undefined)));
  return text !== undefined && seal === sha256(text) ? text : undefined;
}

/** The seal comes first: a file without its own is asked for again, one with another's would count. Rejects where either cannot be written. */
export async function writeSealed(file: SealedFile, text: string): Promise<void> {
  await put(sealOf(file), sha256(text));
  await put(file.path, text);
}

export const forgetSealed = (file: SealedFile): Promise<void> => rm(sealOf(file), { force: true });

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx', flush: true });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
