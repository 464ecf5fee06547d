import { stat } from 'node:fs/promises';
import { adapterById } from '#adapters/registry.ts';
import { RelayError } from '#lib/errors.ts';
import type { SessionCard } from '#session/source.ts';
import { localSessions } from './find.ts';
import { heldBackFrom } from './held-back.ts';
import { type Prepared, prepare } from './prepare.ts';
import { withoutUntouchedImports } from './untouched.ts';
import { type Workspace, whereOf } from './workspace.ts';

/** A session as a hook names it. */
export interface Named {
  agent: string;
  session: string;
  /** its main file, where told */
  path?: string;
}

/**
 * Stores what is new in a session, in this clone only, and reads no more of it than that. RelayError where it cannot be stored: it is excluded (blocked), was
 * purged (blocked), or is not there (not-found).
 */
export async function recordSession(ws: Workspace, { agent, session, path }: Named): Promise<Prepared> {
  const adapter = adapterById(agent);
  if (!adapter) throw new RelayError('not-found', `No agent is called ${agent}.`);
  const file = (await isFile(path)) ? path : await adapter.locate(whereOf(ws, agent), session);
  if (file === undefined) throw new RelayError('not-found', `${adapter.title} has no session ${session} on this machine.`);
  if ((await heldBackFrom(ws, undefined))({ agent, id: session }))
    throw new RelayError('blocked', `${agent}:${session} was purged; it is not stored again unasked.`);
  return prepare(ws, { agent, path: file }, undefined, { quick: true });
}

const isFile = async (path: string | undefined): Promise<boolean> => path !== undefined && (await stat(path).catch(() => undefined))?.isFile() === true;

/** Older than this a session is none that somebody works in now, in ms. */
const RECENT = 24 * 3600 * 1000;

/** This project's sessions that somebody worked in not long ago: what a person commits in a terminal belongs to one of them, or to none. A copy that was only imported has written nothing. */
export async function recentSessions(ws: Workspace): Promise<Named[]> {
  const since = ws.now().getTime() - RECENT;
  const recent = async ({ path }: SessionCard): Promise<boolean> => ((await stat(path).catch(() => undefined))?.mtimeMs ?? 0) > since;
  const cards = await withoutUntouchedImports(ws, await localSessions(ws));
  const flags = await Promise.all(cards.map(recent));
  return cards.filter((_, i) => flags[i]).map(({ agent, id, path }) => ({ agent, session: id, path }));
}
