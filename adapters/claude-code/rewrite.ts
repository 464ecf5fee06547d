import { dirname } from 'node:path';
import { UUID } from './native.ts';

/** What changes in the text of a restored session: session id, working directory, the folder of its own files. */
export interface Rewrite {
  /** A JSON line; `moved`: a path of the session's own files was led to its new place. */
  line(text: string): { text: string; moved: boolean };
  bytes(bytes: Buffer): Buffer;
  name(name: string): string;
}

export interface RewriteFrom {
  id: string;
  /** main file at the source */
  path: string;
  /** working directory that the records still name, or undefined when they name the new one already */
  cwd: string | undefined;
}

export interface RewriteTo {
  id: string;
  /** folder of the new main file */
  project: string;
  cwd: string;
}

/** Paths longer than this are none. */
const PATH_MAX = 4096;
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

export function createRewrite(from: RewriteFrom, to: RewriteTo): Rewrite {
  const renamed = UUID.test(from.id) && from.id !== to.id;
  const oldCwd = from.cwd === undefined || from.cwd === to.cwd || from.cwd.length < 2 ? undefined : inJson(from.cwd);
  const own = { tail: `/${from.id}`, known: inJson(dirname(from.path)), now: inJson(to.project) };
  const name = (text: string): string => (renamed ? text.replaceAll(from.id, to.id) : text);
  return {
    line(text) {
      const led = UUID.test(from.id) ? leadOwnFiles(text, own) : text;
      const there = oldCwd === undefined ? led : replaceWhole(led, oldCwd, inJson(to.cwd));
      return { text: name(there), moved: led !== text };
    },
    name,
    // latin1 keeps every byte; ids are ASCII.
    bytes: (bytes) => (renamed && bytes.includes(from.id) ? Buffer.from(name(bytes.toString('latin1')), 'latin1') : bytes),
  };
}

/** Replaces a path (as it stands in JSON) where whole components of it stand: /home/ann/proj is not found in /home/ann/proj-old. */
function replaceWhole(text: string, old: string, now: string): string {
  let out = '';
  let done = 0;
  for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + old.length)) {
    if (!startsPath(text, at) || !/^(?:[^A-Za-z0-9_.~-]|\.(?![A-Za-z0-9_])|$)/.test(text.slice(at + old.length, at + old.length + 2))) continue;
    out += text.slice(done, at) + now;
    done = at + old.length;
  }
  return done ? out + text.slice(done) : text;
}

const startsPath = (text: string, at: number): boolean => !/[A-Za-z0-9._~-]/.test(text[at - 1] ?? '') || isEscape(text, at - 1);

/** True for the letter of an escape such as the n of `\n`, which is no part of a word. */
function isEscape(text: string, at: number): boolean {
  if (!/[nrtbf]/.test(text[at] ?? '')) return false;
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

/** Leads `…/projects/<folder>/<id>` to the folder where the session's own files lie now. */
function leadOwnFiles(text: string, own: { tail: string; known: string; now: string }): string {
  let out = '';
  let done = 0;
  for (let at = text.indexOf(own.tail); at >= 0; at = text.indexOf(own.tail, at + own.tail.length)) {
    const start = folderStart(text, at, own);
    if (start < done || text.slice(start, at) === own.now) continue;
    out += text.slice(done, start) + own.now;
    done = at;
  }
  return done ? out + text.slice(done) : text;
}

/** Where the path of the project folder that ends at `at` starts, or -1 where there is none. */
function folderStart(text: string, at: number, own: { tail: string; known: string }): number {
  if (!/^(?:[/.\s"'`<)\\]|$)/.test(text.slice(at + own.tail.length, at + own.tail.length + 1))) return -1;
  if (text.endsWith(own.known, at) && own.known.includes('/projects/')) return at - own.known.length;
  const folder = text.lastIndexOf('/', at - 1);
  if (folder < 9 || text.slice(folder - 9, folder) !== '/projects' || /[\s"\\]/.test(text.slice(folder, at))) return -1;
  let start = folder - 9;
  while (start > 0 && at - start < PATH_MAX && !/[\s"'`\\<>|*?:=,;()[\]{}]/.test(text[start - 1] as string)) start--;
  if (isEscape(text, start)) start++;
  return text[start] === '/' ? start : -1;
}
