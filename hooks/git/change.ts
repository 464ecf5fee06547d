import { link as hardLink, lutimes, mkdir, rename, rm, rmdir, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { RelayError } from '#lib/errors.ts';
import type { GitEvent } from './call.ts';
import { type Found, hashOf, look, replace, sweep } from './file.ts';

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

/** What is done to a file, as remembered from before it is done: enough to take exactly that back, be it done, half done or not done. */
export interface Change {
  events: GitEvent[];
  path: string;
  own: string;
  /** SHA-256 of the file as relay leaves it; undefined: the text stood there before, from somebody else's install */
  after?: string;
  /** the file before; undefined: there was none */
  before?: { hash: string; mtime: number };
  /** where the file that was there lies meanwhile */
  kept?: string;
  /** it was a link to this */
  link?: string;
}

/** A change that is still to be made, and the file that it makes; undefined: the text stands there already. */
export interface Prepared {
  change: Change;
  file?: { text: string; mode: number };
}

/** What an edit comes to. Text that stands there already stays somebody else's. Nothing is changed; RelayError `failed` where something is in the way. */
export async function prepare({ events, path, own, at, head, mode }: Edit): Promise<Prepared> {
  const was = await look(path);
  const whole = head + own;
  if (!was) return { change: { events, path, own, after: hashOf(whole) }, file: { text: whole, mode } };
  if (was.text.includes(own)) return { change: { events, path, own } };
  const before = { hash: hashOf(was.text), mtime: was.mtime };
  if (at === 'aside') {
    const kept = asideOf(path, was.link !== undefined);
    if (await look(kept)) throw new RelayError('failed', `${kept} is in the way: an earlier hook was kept there.`, 'Move it away and try again.');
    const link = was.link === undefined ? {} : { link: was.link };
    return { change: { events, path, own, after: hashOf(whole), before, kept, ...link }, file: { text: whole, mode } };
  }
  const { text, put } = inserted(was.text, own, at);
  return { change: { events, path, own: put, after: hashOf(text), before }, file: { text, mode: was.mode } };
}

function inserted(text: string, own: string, at: 'top' | 'end'): { text: string; put: string } {
  const top = /^#!.*(?:\n|$)/.exec(text)?.[0] ?? '';
  const [head, tail] = at === 'top' ? [top, text.slice(top.length)] : [text, ''];
  const put = head && !head.endsWith('\n') ? `\n${own}` : own;
  return { text: head + put + tail, put };
}

export const asideOf = (path: string, link: boolean): string => (link ? join(dirname(path), 'before-relay', basename(path)) : `${path}.before-relay`);

/** Makes a change. At no moment git finds no hook where there was one. */
export async function make({ change: { path, kept, link }, file }: Prepared): Promise<void> {
  if (!file) return;
  await mkdir(dirname(path), { recursive: true });
  if (kept !== undefined) await keep(path, kept, link);
  await replace(path, file.text, file);
}

/** A file stays in its folder, since it may look for others there; a link keeps its name, since its target may go by that. */
async function keep(path: string, kept: string, link: string | undefined): Promise<void> {
  // What has no second names moves.
  if (link === undefined) return hardLink(path, kept).catch(() => rename(path, kept));
  await mkdir(dirname(kept), { recursive: true });
  await symlink(relative(dirname(kept), resolve(dirname(path), link)), kept);
}

/** How relay's text stands in a file: as it was left, in a file that was changed since, or not at all. */
export async function standing({ path, own, after }: Pick<Change, 'path' | 'own' | 'after'>): Promise<'ok' | 'changed' | 'gone'> {
  const now = await look(path);
  if (!now?.text.includes(own)) return 'gone';
  return after === undefined || hashOf(now.text) === after ? 'ok' : 'changed';
}

/** What could not be put back as it was, for good. */
export interface Remains {
  /** the hook from before lies here: somebody else's has taken its place */
  left?: string;
  /** the hook from before is gone, and this was where it was kept */
  lost?: string;
}

/** Takes a change back, however much of it was made; what others have changed since stays. Errors of the system, and RelayError where a file is held, leave it as it was. */
export async function undo(change: Change): Promise<Remains> {
  const { path, own, after, before, kept } = change;
  await sweep(path);
  if (after === undefined) return {};
  const now = await look(path);
  if (kept !== undefined) return undoAside(change, kept, now);
  if (!now?.text.includes(own)) return {};
  const at = now.text.indexOf(own);
  const rest = now.text.slice(0, at) + now.text.slice(at + own.length);
  if (!before && /^(?:#!.*)?\s*$/.test(rest)) await rm(path);
  else await replace(path, rest, { mode: now.mode, ...(before?.hash === hashOf(rest) ? { mtime: before.mtime } : {}) });
  return {};
}

async function undoAside({ path, after, before, link }: Change, kept: string, now: Found | undefined): Promise<Remains> {
  const aside = await look(kept);
  const isAsBefore = now !== undefined && now.link === link && (link !== undefined || hashOf(now.text) === before?.hash);
  if (isAsBefore) {
    if (!aside || aside.text === now.text) await forgetAside(kept, link);
    return {};
  }
  const isOurs = !now || (now.link === undefined && hashOf(now.text) === after);
  if (!isOurs) return aside ? { left: kept } : {};
  if (link !== undefined) {
    await rm(path, { force: true });
    await symlink(link, path);
    if (before) await lutimes(path, before.mtime / 1000, before.mtime / 1000);
    await forgetAside(kept, link);
    return {};
  }
  if (aside) await rename(kept, path);
  else await rm(path, { force: true });
  return aside ? {} : { lost: kept };
}

async function forgetAside(kept: string, link: string | undefined): Promise<void> {
  await rm(kept, { force: true });
  if (link !== undefined) await rmdir(dirname(kept)).catch(() => {});
}

/** Does relay's text stand in the file already? */
export const holdsText = async ({ path, own }: Edit): Promise<boolean> => Boolean((await look(path))?.text.includes(own));
