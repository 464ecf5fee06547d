import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { asString, isObject, parseJson } from '#lib/json.ts';
import { readRegularText } from '#lib/regular.ts';
import type { SessionCard, Where } from '#session/source.ts';
import { type Head, isKnown, nameParts, readHead } from './head.ts';
import { AGENT, isTime } from './native.ts';

/** Files read at the same time. */
const PARALLEL = 16;
/** Longest title that is made of a question, in characters. */
const TITLE_MAX = 200;

/** Where new sessions go: CODEX_HOME, else the first folder of relay's settings, else ~/.codex. */
export const codexHome = (where: Where): string => where.env.CODEX_HOME || where.roots?.[0] || join(where.home, '.codex');

/** Every folder in which Codex may keep its state, the environment's first. */
export async function homes(where: Where): Promise<string[]> {
  const found: string[] = [];
  for (const path of [where.env.CODEX_HOME, ...(where.roots ?? []), join(where.home, '.codex')]) {
    const real = path ? await realpath(path).catch(() => undefined) : undefined;
    if (real !== undefined && !found.includes(real)) found.push(real);
  }
  return found;
}

/** The folder of rollouts in a Codex home; a folder without `sessions` is taken as one itself. */
async function treeOf(home: string): Promise<string> {
  const sessions = join(home, 'sessions');
  return (await stat(sessions).catch(() => undefined))?.isDirectory() ? sessions : home;
}

/** Rollouts below a folder, in order of their names. */
export async function rolloutsBelow(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => [] as string[]);
  return names
    .filter((name) => nameParts(name))
    .sort()
    .map((name) => join(folder, name));
}

/** Folders that the client makes below its home, as in sessions/2026/11/30. */
const KNOWN = /^(?:sessions|archived_sessions|\d{4}|\d\d)$/;
/** Entries looked at in a folder that somebody named: it holds a session directly or where the client puts one, and may be any folder at all. */
const LOOKED_AT = 2000;

/** Rollouts of a folder that somebody named: directly in it, or in folders that the client makes. */
export async function rolloutsIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  const folders = [folder];
  let seen = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop())
    for (const entry of await readdir(at, { withFileTypes: true }).catch(() => [])) {
      if (++seen > LOOKED_AT) return found.sort();
      if (nameParts(entry.name)) found.push(join(at, entry.name));
      else if (entry.isDirectory() && KNOWN.test(entry.name)) folders.push(join(at, entry.name));
    }
  return found.sort();
}

/** Sessions on this machine, newest first. Sub-agents and the client's own threads are none; the files of a rewound thread are one. */
export async function list(where: Where, filter: { cwd?: string } = {}): Promise<SessionCard[]> {
  const cards: SessionCard[] = [];
  for (const home of await homes(where)) {
    const paths = await rolloutsBelow(await treeOf(home));
    const names = await threadNames(home);
    const heads = await readHeads(paths.filter((path) => !nameParts(path)?.compressed));
    for (const head of newestOfThread(heads)) if (head.meta && !head.meta.inner) cards.push(cardOf(head, head.meta, names, previewOf(head, heads)));
    for (const path of paths) if (nameParts(path)?.compressed) cards.push(...(await compressedCard(path)));
  }
  const wanted = filter.cwd === undefined ? cards : cards.filter((card) => isWithin(card.cwd, filter.cwd as string));
  return wanted.sort((a, b) => (a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : a.id < b.id ? 1 : -1));
}

/** The file of a thread, of a rewound one the newest: names hold the thread's id and the time. */
export async function locate(where: Where, id: string): Promise<string | undefined> {
  const thread = id.toLowerCase();
  for (const home of await homes(where)) {
    const own = (await rolloutsBelow(await treeOf(home))).filter((path) => nameParts(path)?.thread === thread && !nameParts(path)?.compressed);
    const newest = own.sort((a, b) => (fileOrder(a) < fileOrder(b) ? -1 : 1)).at(-1);
    if (newest) return newest;
  }
  return undefined;
}

const fileOrder = (path: string): string => `${nameParts(path)?.segment ?? ''} ${nameParts(path)?.time ?? ''}`;

function isWithin(cwd: string, folder: string): boolean {
  const root = folder.replace(/\/+$/, '');
  return cwd === root || cwd.startsWith(`${root}/`) || cwd === folder;
}

/** Heads of many files; one that cannot be read is passed over. */
export async function readHeads(paths: readonly string[]): Promise<Head[]> {
  const heads: (Head | undefined)[] = new Array(paths.length);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let i = next++; i < paths.length; i = next++) heads[i] = await readHead(paths[i] as string).catch(() => undefined);
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return heads.filter((head) => head !== undefined);
}

/** Each thread's newest file: a rewind begins a new one, named by time and by a segment id that rises. */
export function newestOfThread(heads: readonly Head[]): Head[] {
  const newest = new Map<string, Head>();
  for (const head of heads) {
    if (!head.meta || !isKnown(head)) continue;
    const other = newest.get(head.meta.id);
    if (!other || orderOf(other) < orderOf(head)) newest.set(head.meta.id, head);
  }
  return [...newest.values()];
}

const orderOf = (head: Head): string => {
  const name = nameParts(head.path);
  return `${name?.segment ?? ''} ${name?.time ?? head.meta?.timestamp ?? ''}`;
};

/** The first question: of a fork or rewind that of the file it goes on from. */
function previewOf(head: Head, heads: readonly Head[]): string | undefined {
  const base = head.meta?.base;
  if (!base) return head.preview;
  const from = heads.find((other) => other !== head && isFileOf(other.path, other.meta?.id, base.id));
  return (
    (from &&
      previewOf(
        from,
        heads.filter((other) => other !== head),
      )) ??
    head.preview
  );
}

/** True when a file is the one that `history_base` means by `id`: a thread's first file, or the segment of that id. */
export function isFileOf(path: string, metaId: string | undefined, id: string): boolean {
  const name = nameParts(path);
  if (!name) return metaId === id;
  return name.segment === undefined ? name.thread === id.toLowerCase() : name.segment === id.toLowerCase();
}

/** The card of a session file. */
export function cardOf(head: Head, meta: NonNullable<Head['meta']>, names: ReadonlyMap<string, string>, preview: string | undefined): SessionCard {
  const updated = head.mtime.toISOString();
  return {
    agent: AGENT,
    id: meta.id,
    title: names.get(meta.id) ?? titleFrom(preview) ?? `Codex session ${meta.id.slice(0, 8)}`,
    cwd: meta.cwd,
    path: head.path,
    created: isTime(meta.timestamp) ? meta.timestamp : updated,
    updated,
    ...(meta.version === undefined ? {} : { version: meta.version }),
    ...(meta.branch === undefined ? {} : { branch: meta.branch }),
    ...(head.model === undefined ? {} : { model: head.model }),
  };
}

function titleFrom(preview: string | undefined): string | undefined {
  const line = preview?.replace(/\s+/g, ' ').trim();
  if (!line) return undefined;
  return line.length > TITLE_MAX ? `${[...line].slice(0, TITLE_MAX).join('')}…` : line;
}

/** A rollout compressed by the client (off by default): named, so that nobody looks for it in vain; open() says what to do. */
async function compressedCard(path: string): Promise<SessionCard[]> {
  const updated = (await stat(path).catch(() => undefined))?.mtime.toISOString();
  return updated ? [{ agent: AGENT, id: nameParts(path)?.thread ?? '', title: '(compressed rollout)', cwd: '', path, created: updated, updated }] : [];
}

/** Names given to threads: the last line for an id counts. */
export async function threadNames(home: string): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const text = await readRegularText(join(home, 'session_index.jsonl')).catch(() => '');
  for (const line of text.split('\n')) {
    const value = line ? parseJson(line) : undefined;
    const name = isObject(value) ? asString(value.thread_name) : undefined;
    if (isObject(value) && typeof value.id === 'string' && name?.trim()) names.set(value.id, name);
  }
  return names;
}
