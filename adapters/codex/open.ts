import { readdir, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { RelayError } from '#lib/errors.ts';
import { isObject, parseJson } from '#lib/json.ts';
import { openRegular, readPiece } from '#lib/regular.ts';
import type { SessionSource, SourceStream, Where } from '#session/source.ts';
import { type Head, isKnown, nameParts, readHead } from './head.ts';
import { cardOf, homes, isFileOf, newestOfThread, readHeads, rolloutsBelow, rolloutsIn, threadNames } from './locate.ts';

/** Of a sub-agent's session_meta only the ids are needed, which stand first. */
const IDS_WITHIN = 4096;
const DAY = 24 * 3600 * 1000;
const MODES = [undefined, 'legacy', 'paginated'];
/** What the client could call a new mode. Anything else was put there by something else, and the lines tell. */
const MODE = /^[a-z_-]{1,24}$/i;

type MetaHead = Head & { meta: NonNullable<Head['meta']> };

/** What makes up the session at `path` (see Adapter.open). */
export async function open(where: Where, path: string, { brief = false }: { brief?: boolean } = {}): Promise<SessionSource> {
  const head = await openHead(path, brief);
  const lookIn = await neighbourhood(where, path, head);
  const { bases, leftOut } = await basesOf(head, lookIn);
  const root = bases.at(-1)?.head ?? head;
  const names = new Map<string, string>();
  for (const home of (await homes(where)).reverse()) for (const [id, name] of await threadNames(home)) names.set(id, name);
  return {
    ...cardOf(head, head.meta, names, root.preview ?? head.preview),
    streams: [{ name: 'main', path: head.path }, ...bases.map(({ stream }) => stream), ...(await agentsOf(head, lookIn))],
    files: [],
    leftOut,
  };
}

async function openHead(path: string, brief: boolean): Promise<MetaHead> {
  const info = await stat(path).catch(() => undefined);
  if (!info) throw new RelayError('not-found', `There is no file or folder ${path}.`, 'relay sessions --all lists the sessions on this machine.');
  const file = info.isDirectory() ? await onlySession(path) : path;
  if (file.endsWith('.zst'))
    throw new RelayError(
      'unknown-format',
      `${file} is a compressed Codex rollout, which relay does not read.`,
      'Continue the session in Codex once, or run: zstd -d <file>',
    );
  const head = await readHead(file, brief);
  if (head.size === 0) throw new RelayError('not-found', `${file} is empty: no Codex session.`);
  const { meta } = head;
  if (!meta) throw noMeta(file, head);
  const version = `Codex ${meta.version ?? '(no version)'}`;
  if (!MODES.includes(meta.mode) && MODE.test(meta.mode ?? ''))
    throw new RelayError(
      'unknown-format',
      `${file}: ${version} wrote history_mode "${meta.mode}" in session_meta, which this relay does not know.`,
      'Upgrade relay: npm install -g session-relay',
    );
  if (!isKnown(head))
    throw new RelayError(
      'unknown-format',
      `${file}: ${version} wrote only record types that this relay does not know (${[...head.types].join(', ')}).`,
      'Upgrade relay: npm install -g session-relay',
    );
  return { ...head, meta };
}

function noMeta(file: string, head: Head): RelayError {
  if (!head.types.size) return new RelayError('not-found', `${file} holds no Codex session: no line of it is a rollout record.`);
  return new RelayError(
    'unknown-format',
    `${file} is no Codex rollout that relay can read: it has no session_meta (version unknown), only ${[...head.types].join(', ')}.`,
  );
}

/** The session in a folder: its newest file, when all rollouts in it belong to one thread. */
async function onlySession(folder: string): Promise<string> {
  const named = await rolloutsIn(folder);
  const paths = named.length ? named : (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
  const heads = newestOfThread(await readHeads(paths.filter((path) => !path.endsWith('.zst'))));
  // A fork and what it goes on from may lie together: the fork is the session.
  const isBase = (head: Head): boolean => heads.some(({ meta }) => meta?.base && meta.id !== head.meta?.id && isFileOf(head.path, head.meta?.id, meta.base.id));
  const sessions = heads.filter((head) => !head.meta?.inner && !isBase(head));
  const [only, ...more] = sessions;
  if (!only) throw new RelayError('not-found', `${folder} holds no Codex session.`, 'relay sessions --all lists the sessions on this machine.');
  if (more.length)
    throw new RelayError(
      'ambiguous',
      `${folder} holds ${sessions.length} Codex sessions: ${sessions
        .slice(0, 5)
        .map((s) => s.meta?.id)
        .join(', ')}${sessions.length > 5 ? ', …' : ''}.`,
      'Name one of them by its id or its file.',
    );
  return only.path;
}

/** Files beside or near the session that may belong to it: those of its folder, and of the days that it lasted. */
interface Neighbourhood {
  near: string[];
  /** every rollout that could be meant by a history_base; looked for only when there is one */
  all(): Promise<string[]>;
}

async function neighbourhood(where: Where, path: string, head: MetaHead): Promise<Neighbourhood> {
  const folder = dirname(head.path);
  const beside = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
  const day = /^(.*)[\\/]\d{4}[\\/]\d\d[\\/]\d\d$/.exec(folder)?.[1];
  const days = day === undefined ? [] : (await Promise.all(daysOf(head).map((name) => rolloutsBelow(join(day, name))))).flat();
  const near = [...new Set([...beside, ...days])].filter((file) => file !== head.path);
  return {
    near,
    all: async () => {
      const trees = [...(day === undefined ? [] : [day]), ...(await homes(where)).map((home) => join(home, 'sessions'))];
      const named = await rolloutsIn(path === folder || path.startsWith(folder + sep) ? folder : path);
      return [...new Set([...near, ...named, ...(await Promise.all(trees.map(rolloutsBelow))).flat()])].filter((file) => file !== head.path);
    },
  };
}

/** Day folders (local time there, so one more on each side) from the session's beginning to its last change. */
function daysOf(head: MetaHead): string[] {
  const to = head.mtime.getTime() + DAY;
  const from = Math.max((Date.parse(head.meta.timestamp) || to) - DAY, to - 60 * DAY);
  const days: string[] = [];
  for (let at = from; at <= to; at += DAY) days.push(new Date(at).toISOString().slice(0, 10).replaceAll('-', sep));
  return days;
}

interface Base {
  head: MetaHead;
  stream: SourceStream;
}

/** The files that this one goes on from, nearest first. */
async function basesOf(head: MetaHead, lookIn: Neighbourhood): Promise<{ bases: Base[]; leftOut: string[] }> {
  const bases: Base[] = [];
  const leftOut: string[] = [];
  const seen = new Set([head.path]);
  for (let at = head; at.meta.base; ) {
    const { base } = at.meta;
    const found = await findBase(at, base.id, lookIn, seen);
    if (found.size < base.endByte)
      throw new RelayError(
        'corrupt',
        `${found.path} is shorter (${found.size} bytes) than the part of it that ${at.path} goes on from (${base.endByte} bytes).`,
        'The earlier part of this session was changed or cut; it cannot be read whole.',
      );
    bases.push({ head: found, stream: { name: `base/${base.id}`, path: found.path, end: base.endByte } });
    if (found.size > base.endByte && found.meta.id === head.meta.id)
      leftOut.push(`turns that were rewound (${found.size - base.endByte} bytes of ${nameParts(found.path)?.segment ?? found.meta.id})`);
    seen.add(found.path);
    at = found;
  }
  return { bases, leftOut };
}

async function findBase(at: MetaHead, id: string, lookIn: Neighbourhood, seen: ReadonlySet<string>): Promise<MetaHead> {
  const pick = async (paths: string[]): Promise<MetaHead | undefined> => {
    const named = paths.filter((path) => nameParts(path) && !seen.has(path) && isFileOf(path, undefined, id));
    const candidates = named.length ? named : paths.filter((path) => !nameParts(path) && !seen.has(path));
    const heads = (await readHeads(candidates)).filter((head): head is MetaHead => head.meta !== undefined && (named.length > 0 || head.meta.id === id));
    for (const head of heads) if (await endsAt(head, at)) return head;
    return heads[0];
  };
  const found = (await pick(lookIn.near)) ?? (await pick(await lookIn.all()));
  if (found) return found;
  throw new RelayError(
    'not-found',
    `${at.path} goes on from thread ${id}, whose file (rollout-…-${id}.jsonl) is not there.`,
    'Put that file beside it, or give the folder that holds both.',
  );
}

/** True when a line ends where `history_base` says, and it is the one with the ordinal named there. */
async function endsAt(head: MetaHead, of: MetaHead): Promise<boolean> {
  const base = of.meta.base;
  if (!base || head.size < base.endByte) return false;
  const file = await openRegular(head.path);
  try {
    const from = Math.max(0, base.endByte - 1024 * 1024);
    const text = (await readPiece(file, from, base.endByte - from)).toString('utf8');
    if (!text.endsWith('\n')) return false;
    const last = parseJson(text.slice(text.lastIndexOf('\n', text.length - 2) + 1, -1));
    return isObject(last) && last.ordinal === base.endOrdinal - 1;
  } finally {
    await file.close();
  }
}

/** Sub-agents: threads of their own that name this one as root or parent. */
async function agentsOf(head: MetaHead, lookIn: Neighbourhood): Promise<SourceStream[]> {
  const streams: SourceStream[] = [];
  for (const path of lookIn.near) {
    const ids = await idsOf(path);
    if (ids?.inner && ids.id !== head.meta.id && (ids.root === head.meta.id || ids.parent === head.meta.id)) streams.push({ name: `agent/${ids.id}`, path });
  }
  // A rewound sub-agent has several files: the newest is its own.
  const newest = new Map<string, SourceStream>();
  for (const stream of streams) newest.set(stream.name, stream);
  return [...newest.values()];
}

/** The ids in a session_meta line, without reading its 20 KB of instructions where the file names no other session. */
async function idsOf(path: string): Promise<{ id: string; root?: string; parent?: string; inner: boolean } | undefined> {
  const file = await openRegular(path).catch(() => undefined);
  if (!file) return undefined;
  try {
    const start = (await readPiece(file, 0, IDS_WITHIN)).toString('utf8');
    if (!start.includes('"subagent"') && !start.includes('"parent_thread_id"')) return undefined;
  } finally {
    await file.close();
  }
  const { meta } = await readHead(path);
  return (
    meta && {
      id: meta.id,
      ...(meta.root === undefined ? {} : { root: meta.root }),
      ...(meta.parent === undefined ? {} : { parent: meta.parent }),
      inner: meta.inner,
    }
  );
}
