import { readdir, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { RelayError } from '#lib/errors.ts';
import { asString } from '#lib/json.ts';
import { openRegular, readPiece } from '#lib/regular.ts';
import type { SessionCard, SessionSource, Where } from '#session/source.ts';
import { AGENT, headOf, sessionFolders } from './native.ts';

/** The first line lies within so many bytes. A list must not read whole sessions. */
const HEAD = 64 * 1024;

/** Sessions on this machine, newest first (see Adapter.list). A client that is not installed has none. */
export async function list(where: Where, filter: { cwd?: string } = {}): Promise<SessionCard[]> {
  const cards: SessionCard[] = [];
  for (const folder of sessionFolders(where)) {
    for (const name of await readdir(folder).catch(() => [])) {
      const card = name.endsWith('.jsonl') ? await readCard(join(folder, name)) : undefined;
      if (card && (filter.cwd === undefined || card.cwd === filter.cwd || card.cwd.startsWith(filter.cwd + sep))) cards.push(card);
    }
  }
  return cards.sort((a, b) => (a.updated < b.updated ? 1 : -1));
}

/** See Adapter.locate. Here a session's file bears its id. */
export async function locate(where: Where, id: string): Promise<string | undefined> {
  for (const folder of sessionFolders(where)) {
    const path = join(folder, `${id}.jsonl`);
    if (/^[\w-]+$/.test(id) && (await stat(path).catch(() => undefined))?.isFile()) return path;
  }
  return undefined;
}

/** What makes up a session (see Adapter.open). Sub-agents are streams of their own, other files beside it are `files`. */
export async function open(_where: Where, path: string): Promise<SessionSource> {
  const file = resolve(path);
  const card = await readCard(file);
  if (!card) throw new RelayError('not-found', `${path} is no session of this agent.`, 'relay sessions --all lists the sessions on this machine.');
  return { ...card, streams: [{ name: 'main', path: file }], files: [], leftOut: [] };
}

async function readCard(path: string): Promise<SessionCard | undefined> {
  const info = await stat(path).catch(() => undefined);
  if (!info?.isFile()) return undefined;
  const file = await openRegular(path);
  try {
    const head = headOf((await readPiece(file, 0, HEAD)).toString('utf8').split('\n', 1)[0] ?? '');
    if (!head) return undefined;
    return {
      agent: AGENT,
      id: head.id as string,
      title: asString(head.title) ?? '',
      cwd: asString(head.cwd) ?? '',
      path,
      created: asString(head.at) ?? info.birthtime.toISOString(),
      updated: info.mtime.toISOString(),
      ...(typeof head.version === 'string' ? { version: head.version } : {}),
    };
  } finally {
    await file.close();
  }
}
