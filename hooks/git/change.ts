import { createHash } from 'node:crypto';
import { lstat, mkdir, open, readFile, readlink, rename, rm, rmdir, symlink, utimes } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { RelayError } from '#lib/errors.ts';
import type { GitEvent } from './call.ts';

/** What is to become of a file so that hooks call relay. */
export interface Edit {
  events: GitEvent[];
  path: string;
  /** relay's text in it */
  own: string;
  /** `top`: below a first line that names the shell; `aside`: the file moves away, and relay's text ends by calling it */
  at: 'top' | 'end' | 'aside';
  /** what a file that is made for it begins with */
  head: string;
  /** permissions of a file that is made for it */
  mode: number;
}

/** What was done to a file, as remembered: enough to take exactly that back. */
export interface Change {
  events: GitEvent[];
  path: string;
  own: string;
  /** SHA-256 of the file as relay left it; undefined: the text stood there before, from somebody else's install */
  after?: string;
  /** the file before; undefined: there was none */
  before?: { hash: string; mtime: number };
  /** where the file that was there lies meanwhile */
  kept?: string;
  /** it was a link to this */
  link?: string;
}

const hashOf = (text: string): string => createHash('sha256').update(text, 'latin1').digest('hex');

/** Bytes as characters, so that whatever a file holds comes out as it went in. */
async function look(path: string): Promise<{ text: string; mode: number; mtime: number; link?: string } | undefined> {
  try {
    const { mode, mtimeMs } = await lstat(path);
    const link = await readlink(path).catch(() => undefined);
    const text = await readFile(path, 'latin1').catch((error: NodeJS.ErrnoException) => {
      if (link !== undefined) return '';
      throw error;
    });
    return { text, mode: mode & 0o7777, mtime: mtimeMs, ...(link === undefined ? {} : { link }) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Puts a file in the place of another, whole or not at all. By the name of git's own locks, so that no git writes its settings meanwhile.
 * @param mtime ms since 1970
 */
async function replace(path: string, text: string, { mode, mtime }: { mode: number; mtime?: number }): Promise<void> {
  const temporary = `${path}.lock`;
  const file = await open(temporary, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new RelayError('failed', `Another program works on ${path}.`, `If none does, remove ${temporary} and try again.`);
  });
  try {
    await file.writeFile(text, 'latin1');
    await file.chmod(mode);
    await file.sync();
    await file.close();
    if (mtime !== undefined) await utimes(temporary, mtime / 1000, mtime / 1000);
    await rename(temporary, path);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Does what an edit asks for. Text that stands there already stays somebody else's. */
export async function apply({ events, path, own, at, head, mode }: Edit): Promise<Change> {
  const was = await look(path);
  if (!was) {
    await mkdir(dirname(path), { recursive: true });
    await replace(path, head + own, { mode });
    return { events, path, own, after: hashOf(head + own) };
  }
  if (was.text.includes(own)) return { events, path, own };
  const before = { hash: hashOf(was.text), mtime: was.mtime };
  if (at === 'aside') {
    const kept = await moveAside(path, was.link);
    await replace(path, head + own, { mode });
    return { events, path, own, after: hashOf(head + own), before, kept, ...(was.link === undefined ? {} : { link: was.link }) };
  }
  const { text, put } = inserted(was.text, own, at);
  await replace(path, text, was);
  return { events, path, own: put, after: hashOf(text), before };
}

function inserted(text: string, own: string, at: 'top' | 'end'): { text: string; put: string } {
  const top = /^#!.*(?:\n|$)/.exec(text)?.[0] ?? '';
  const [head, tail] = at === 'top' ? [top, text.slice(top.length)] : [text, ''];
  const put = head && !head.endsWith('\n') ? `\n${own}` : own;
  return { text: head + put + tail, put };
}

export const asideOf = (path: string, link: boolean): string => (link ? join(dirname(path), 'before-relay', basename(path)) : `${path}.before-relay`);

/** A file stays in its folder, since it may look for others there; a link keeps its name, since its target may go by that. */
async function moveAside(path: string, link: string | undefined): Promise<string> {
  const kept = asideOf(path, link !== undefined);
  if (await look(kept)) throw new RelayError('failed', `${kept} is in the way: an earlier hook was kept there.`, 'Move it away and try again.');
  if (link === undefined) await rename(path, kept);
  else {
    await mkdir(dirname(kept), { recursive: true });
    await symlink(relative(dirname(kept), resolve(dirname(path), link)), kept);
    await rm(path);
  }
  return kept;
}

/** How a change stands: as it was left, changed since but still calling relay, or not calling it any more. */
export async function standing({ path, own, after }: Change): Promise<'ok' | 'changed' | 'gone'> {
  const now = await look(path);
  if (!now?.text.includes(own)) return 'gone';
  return after === undefined || hashOf(now.text) === after ? 'ok' : 'changed';
}

/** Takes a change back; what others have changed since stays. Answers a path that has to be looked after by hand, if any. */
export async function undo(change: Change): Promise<string | undefined> {
  const { path, own, after, before, kept } = change;
  if (after === undefined) return undefined;
  const now = await look(path);
  if (kept) return !now || hashOf(now.text) === after ? putBack(change, kept) : kept;
  if (!now?.text.includes(own)) return undefined;
  const at = now.text.indexOf(own);
  const rest = now.text.slice(0, at) + now.text.slice(at + own.length);
  if (!before && /^(?:#!.*)?\s*$/.test(rest)) await rm(path);
  else await replace(path, rest, { mode: now.mode, ...(before?.hash === hashOf(rest) ? { mtime: before.mtime } : {}) });
  return undefined;
}

async function putBack({ path, link }: Change, kept: string): Promise<undefined> {
  if (link === undefined) await rename(kept, path);
  else {
    await rm(path, { force: true });
    await symlink(link, path);
    await rm(kept, { force: true });
    await rmdir(dirname(kept)).catch(() => {});
  }
}

/** Does relay's text stand in the file already? */
export const holdsText = async ({ path, own }: Edit): Promise<boolean> => Boolean((await look(path))?.text.includes(own));
