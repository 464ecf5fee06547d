import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Env } from '#git/env.ts';
import { openRegular } from '#lib/regular.ts';
import { writeWhole } from '#store/files.ts';
import { homesOf } from '#store/homes.ts';

/**
 * What happened and must be recorded: one small file an event in `<git-common-dir>/relay/queue`, there before anything else is done, so that
 * nothing is lost when the process that should record it is killed, missing or locked up in a sandbox. A file is lines `name=value`, the
 * last of them `cwd`, which may hold line feeds, and then a NUL: without it the file is not complete yet.
 */
export interface QueuedEvent {
  /** path of the file */
  file: string;
  /** post-commit, post-rewrite, post-merge, post-checkout, pre-push; or what an agent calls its own: agent-stop … */
  event: string;
  /** folder that it happened in */
  cwd: string;
  /** ms since 1970 */
  at: number;
  /** of post-commit: the new commit */
  commit?: string;
  /** of post-rewrite: `amend` or `rebase` */
  by?: string;
  /** of post-rewrite: old and new commits */
  rewritten: [from: string, to: string][];
  /** sessions that the event belongs to, by agent: what the clients say in their variables or payloads */
  sessions: { agent: string; session: string; path?: string }[];
  /** names of the processes above it, nearest first, where more than one client was among the variables */
  above: string[];
}

/** Where events of a repository may wait: beside it, and in the user's state, which takes those of a git folder that may not be written. */
export function queuesOf(commonDir: string, user: { env: Env; home: string }): [beside: string, apart: string] {
  const { beside, apart } = homesOf(commonDir, user);
  return [join(beside, 'queue'), join(apart, 'queue')];
}

/** Who writes a file has died, or the disk was full, when it is not complete after this, in ms. */
const ABANDONED = 10_000;

const LINE = /^([a-z-]+)(?:\.([a-z-]+))?=(.*)$/;

/** @param bytes as a shim or `enqueue` wrote them; undefined for what is not complete or no event */
export function parseEvent(file: string, bytes: Buffer, at: number): QueuedEvent | undefined {
  if (bytes.at(-1) !== 0) return undefined;
  const text = bytes.toString('utf8', 0, bytes.length - 1);
  const end = text.indexOf('\ncwd=');
  if (end < 0) return undefined;
  const one: QueuedEvent = { file, event: '', cwd: text.slice(end + 5), at, rewritten: [], sessions: [], above: [] };
  for (const line of text.slice(0, end).split('\n')) take(one, line);
  return one.event ? one : undefined;
}

/** What a file still says that never got complete: its name tells what happened, and of a commit which one. Its whole lines count. */
function salvage(path: string, bytes: Buffer, at: number): QueuedEvent | undefined {
  const [, event = '', commit] = /^(post-commit|post-rewrite)-([0-9a-f]{40,64})-\d+$/.exec(basename(path)) ?? [];
  if (!event) return undefined;
  const one: QueuedEvent = { file: path, event, cwd: '', at, rewritten: [], sessions: [], above: [], ...(commit ? { commit } : {}) };
  for (const line of bytes.toString('utf8').split('\n').slice(0, -1)) take(one, line);
  return one;
}

const ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
export const SESSION = /^[\w.-]{1,100}$/;

function take(one: QueuedEvent, line: string): void {
  const [, name, of, value = ''] = LINE.exec(line) ?? [];
  if (name === 'event') one.event = value;
  else if (name === 'by') one.by = value;
  else if (name === 'commit' && ID.test(value)) one.commit = value;
  else if (name === 'above') one.above.push(...value.split(' ').filter(Boolean));
  else if (name === 'rewritten') {
    const [from = '', to = ''] = value.split(' ');
    if (ID.test(from) && ID.test(to)) one.rewritten.push([from, to]);
  } else if (name === 'session' && of && SESSION.test(value)) one.sessions.push({ agent: of, session: value });
  else if (name === 'path' && of) {
    const session = one.sessions.find(({ agent }) => agent === of);
    if (session) session.path = value;
  }
}

/** The files of a queue that tell of an event, be they complete or not: neither those that are being written nor what a worker keeps there. None: no queue. */
export async function eventFiles(queue: string): Promise<string[]> {
  const names = await readdir(queue).catch(() => []);
  return names.filter((name) => !name.startsWith('.') && !name.endsWith('.tmp')).map((name) => join(queue, name));
}

/** The events that wait in some queues, oldest first. What is not complete waits on; when nobody will complete it any more, it is what can be read of it, or taken away. */
export async function waiting(queues: readonly string[], now: number): Promise<QueuedEvent[]> {
  const events: QueuedEvent[] = [];
  for (const path of (await Promise.all(queues.map(eventFiles))).flat()) {
    const read = await readOne(path).catch(() => undefined);
    if (!read) continue;
    const isAbandoned = now - read.at > ABANDONED;
    const event = parseEvent(path, read.bytes, read.at) ?? (isAbandoned ? salvage(path, read.bytes, read.at) : undefined);
    if (event) events.push(event);
    else if (isAbandoned) await rm(path, { force: true }).catch(() => {});
  }
  return events.sort((a, b) => a.at - b.at || (a.file < b.file ? -1 : 1));
}

async function readOne(path: string): Promise<{ bytes: Buffer; at: number }> {
  const file = await openRegular(path);
  try {
    return { at: (await file.stat()).mtimeMs, bytes: await file.readFile() };
  } finally {
    await file.close();
  }
}

/** Takes an event from its queue. false: the disk does not let it go. */
export const done = ({ file }: QueuedEvent): Promise<boolean> =>
  rm(file, { force: true }).then(
    () => true,
    () => false,
  );

/** Puts an event of an agent into the queue, whole or not at all. */
export async function enqueue(folder: string, event: Pick<QueuedEvent, 'event' | 'cwd' | 'sessions'>): Promise<void> {
  const lines = [
    `event=${event.event}`,
    ...event.sessions.flatMap(({ agent, session, path }) => [`session.${agent}=${session}`, ...(path ? [`path.${agent}=${path}`] : [])]),
  ];
  const name = `${event.event}-${process.pid}-${randomBytes(4).toString('hex')}`;
  await writeWhole(join(folder, name), `${lines.join('\n')}\ncwd=${event.cwd}\0`);
}
