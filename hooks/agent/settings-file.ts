import { access, constants, lstat, mkdir, open, readFile, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { RelayError } from '#lib/errors.ts';

/** A settings file of a client, as it is. */
export interface SettingsFile {
  /** of the file itself, links followed */
  path: string;
  /** true: the client's name for it is a link to it */
  linked: boolean;
  text: string;
  mode: number;
}

/** Larger than any settings, in bytes. */
const TOO_LARGE = 8 << 20;

const refused = (path: string, why: string, hint?: string): RelayError => new RelayError('usage', `${path} ${why} Nothing was changed.`, hint);

/** Reads a settings file that is going to be changed. undefined: there is none. RelayError `usage` for what cannot be changed in place. */
export async function readSettings(path: string): Promise<SettingsFile | undefined> {
  const entry = await lstat(path).catch(absent);
  if (!entry) return undefined;
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) throw refused(path, 'is a link that leads nowhere.', 'Make what it leads to, or remove the link.');
  const { mode, size, ...kind } = await stat(real).then((found) => ({ mode: found.mode & 0o7777, size: found.size, isFile: found.isFile() }));
  if (!kind.isFile) throw refused(path, 'is no regular file.');
  if (size > TOO_LARGE) throw refused(path, 'is too large for settings.');
  if (!(mode & 0o222)) throw refused(real, 'is read-only.', `Allow writing to it (chmod u+w), or put the hooks into it by hand.`);
  const bytes = await readFile(real).catch((error: unknown) => {
    throw refused(real, `cannot be read (${codeOf(error)}).`);
  });
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) throw refused(path, 'is no UTF-8 text.');
  await access(real, constants.W_OK).catch(() => {
    throw refused(real, 'cannot be written: permission denied.');
  });
  return { path: real, linked: entry.isSymbolicLink(), text, mode };
}

/**
 * Puts a new text in the place of a settings file: temporary file beside it, fsync, rename, so that the client never reads half of it.
 * @param before the file as it was read; undefined: it is new. A file that changed meanwhile is left alone (RelayError `failed`).
 * @returns the topmost folder that had to be made for it, if any
 */
export async function writeSettings(path: string, text: string, before?: SettingsFile): Promise<string | undefined> {
  const target = before?.path ?? path;
  const temporary = join(dirname(target), `.relay-${process.pid}-${basename(target)}.tmp`);
  try {
    const folder = before ? undefined : await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.chmod(before?.mode ?? 0o600);
      await file.sync();
    } finally {
      await file.close();
    }
    await needUnchanged(target, before);
    await rename(temporary, target);
    return folder;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error instanceof RelayError ? error : new RelayError('failed', `${target} cannot be written (${codeOf(error)}). Nothing was changed.`);
  }
}

/** Removes a settings file that holds nothing but what relay put there. One that a link leads to keeps an empty object, so that the link leads somewhere. */
export async function removeSettings(before: SettingsFile): Promise<void> {
  if (before.linked) return void (await writeSettings(before.path, '{}\n', before));
  await needUnchanged(before.path, before);
  await rm(before.path);
}

/** Removes the folder of a file and those above it up to `top`, as far as nothing is in them. */
export async function removeFolders(file: string, top: string): Promise<void> {
  try {
    for (let folder = dirname(file); folder === top || folder.startsWith(`${top}/`); folder = dirname(folder)) await rmdir(folder);
  } catch {
    // Somebody else has put something there.
  }
}

async function needUnchanged(path: string, before: SettingsFile | undefined): Promise<void> {
  const now = await readFile(path, 'utf8').catch(absent);
  if (now !== before?.text)
    throw new RelayError('failed', `${path} was changed by another program meanwhile. Nothing was changed here.`, 'Run the command again.');
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
}
