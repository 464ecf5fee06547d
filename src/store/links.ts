import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from './files.ts';
import { commitOf, type Link, linkLine, readLink } from './link-line.ts';
import { takeTurn } from './lock.ts';
import { isPart } from './names.ts';
import type { Scrub } from './scrub.ts';
import { cleaned } from './scrub-files.ts';
import { makeHome, type Side } from './side.ts';

/**
 * Links that this clone made, in `<home>/links/<session>.<segment>.jsonl`: a commit needs no new version, and a process that is killed loses nothing.
 * A segment only grows, until it is long enough; an index takes over the files as they are, so that a push sends again no more than the last of each session.
 */
interface Segment {
  /** name of the file */
  name: string;
  session: string;
}

/** A segment of this length or more gets no more lines. In bytes. */
const FULL = 32 * 1024;
/** ms to wait for another process: a purge has the store for itself for some seconds */
const PATIENCE = 180_000;
/** A killed worker comes back to what it did last: only so many segments are searched for it. */
const SEARCHED = 2;

const folderOf = (side: Side): string => join(side.home, 'links');

/** Which session a segment is about; undefined for any other file. */
export function segmentOf(name: string): Segment | undefined {
  const [session = '', segment = '', end, more] = name.split('.');
  return isPart(session) && isPart(segment) && end === 'jsonl' && more === undefined ? { name, session } : undefined;
}

/** Named so that they sort by age and that no two clones make the same one. */
const newSegment = (session: string, now: number): string => `${session}.${now.toString(36).padStart(9, '0')}-${randomBytes(3).toString('hex')}.jsonl`;

/** The segments of some sessions, oldest first. */
export async function linkSegments(side: Side, isWanted: (session: string) => boolean = () => true): Promise<Segment[]> {
  const names = await readdir(folderOf(side)).catch(() => []);
  return names
    .sort()
    .flatMap((name) => segmentOf(name) ?? [])
    .filter(({ session }) => isWanted(session));
}

/** Its whole lines: one that was being written when its writer died is not there yet. */
export async function segmentText(side: Side, { name }: Segment): Promise<string> {
  const text = await readFile(join(folderOf(side), name), 'utf8').catch(() => '');
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

/** See Store.link. */
export async function addLinks(side: Side, entries: readonly { session: string; link: Link }[]): Promise<void> {
  if (!entries.length) return;
  await makeHome(side);
  await mkdir(folderOf(side), { recursive: true, mode: 0o700 });
  const bySession = new Map<string, Link[]>();
  for (const { session, link } of entries) bySession.set(session, [...(bySession.get(session) ?? []), link]);
  const lock = await takeTurn(join(side.home, 'lock'), 'links', PATIENCE);
  try {
    const all = await linkSegments(side, (session) => bySession.has(session));
    for (const [session, links] of bySession)
      await append(
        side,
        session,
        all.filter((one) => one.session === session),
        links,
      );
  } finally {
    await lock.release();
  }
}

async function append(side: Side, session: string, segments: readonly Segment[], links: readonly Link[]): Promise<void> {
  const texts = await Promise.all(segments.slice(-SEARCHED).map((one) => segmentText(side, one)));
  const said = ({ commit, how }: Link): string => `${commit} ${how}`;
  const known = new Set(
    texts
      .flatMap((text) => text.split('\n'))
      .flatMap((line) => (line ? (readLink(line) ?? []) : []))
      .map(said),
  );
  let last = segments.at(-1)?.name;
  let length = Buffer.byteLength(texts.at(-1) ?? '');
  let lines = '';
  const flush = async (): Promise<void> => {
    if (!lines) return;
    last ??= newSegment(session, side.now());
    await write(join(folderOf(side), last), length, lines);
    length += Buffer.byteLength(lines);
    lines = '';
  };
  for (const link of links) {
    if (length + Buffer.byteLength(lines) >= FULL) {
      await flush();
      [last, length] = [undefined, 0];
    }
    if (known.has(said(link))) continue;
    known.add(said(link));
    lines += `${linkLine(link)}\n`;
  }
  await flush();
}

/** Adds whole lines behind those that are there; the beginning of one that never got complete gives way. */
async function write(path: string, length: number, lines: string): Promise<void> {
  const file = await open(path, 'a', 0o600);
  try {
    if ((await file.stat()).size > length) await file.truncate(length);
    await file.writeFile(lines);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** See Store.linked. */
export async function linkedSessions(side: Side, commits: ReadonlySet<string>): Promise<{ session: string; link: Link }[]> {
  const found: { session: string; link: Link }[] = [];
  for (const segment of await linkSegments(side))
    for (const line of (await segmentText(side, segment)).split('\n')) {
      const link = commits.has(commitOf(line)) ? readLink(line) : undefined;
      if (link) found.push({ session: segment.session, link });
    }
  return found;
}

/** See Store.relink. */
export async function relink(side: Side, sessions: ReadonlySet<string>, made: (link: Link) => Link): Promise<void> {
  const lock = await takeTurn(join(side.home, 'lock'), 'links', PATIENCE);
  try {
    for (const segment of await linkSegments(side, (session) => sessions.has(session))) {
      const lines = (await segmentText(side, segment)).split('\n').flatMap((line) => readLink(line) ?? []);
      await writeWhole(join(folderOf(side), segment.name), lines.map((link) => `${linkLine(made(link))}\n`).join(''));
    }
  } finally {
    await lock.release();
  }
}

/** Takes a purged value out of them. The caller has the store for itself. */
export async function scrubLinks(side: Side, scrub: Scrub): Promise<void> {
  for (const segment of await linkSegments(side)) {
    const text = await segmentText(side, segment);
    if (scrub.holds(Buffer.from(text))) await writeWhole(join(folderOf(side), segment.name), cleaned(text, scrub));
  }
}

/** Removes all links of sessions that were purged. The caller has the store for itself. */
export async function dropLinks(side: Side, sessions: ReadonlySet<string>): Promise<void> {
  for (const { name } of await linkSegments(side, (session) => sessions.has(session))) await rm(join(folderOf(side), name), { force: true });
}
