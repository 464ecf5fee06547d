import { stat } from 'node:fs/promises';
import type { ContextUse } from '#adapters/adapter.ts';
import { localSessions } from './find.ts';
import { withoutUntouchedImports } from './untouched.ts';
import { contextUseOf, type HandedOn, handOnWhenFull, type Watched } from './watch.ts';
import { percentOf } from './watch-marks.ts';
import type { Workspace } from './workspace.ts';

/** A session of this project that somebody works in, and how full its context is. */
export interface WatchedUse {
  agent: string;
  session: string;
  tokens: number;
  window: number;
  percent: number;
}

/** What a look at the sessions found. `watch --once --json`. */
export interface Round {
  sessions: WatchedUse[];
  handedOn: HandedOn[];
}

/** A session that nobody has touched for so long is none that somebody works in now, in ms. */
const IDLE = 3600 * 1000;
/** New sessions are looked for this often, in ms; they are never full at once. */
const LOOK = 30_000;

interface Seen extends Watched {
  /** size and time of the file when it was read last */
  state?: string;
  use?: ContextUse | undefined;
}

/**
 * Answers what looks once at the sessions of this project. Called again, it reads only those that have changed meanwhile.
 * @param open the workspace as it is now, called once in a round that finds something: settings, remotes and what was agreed to change while this goes on
 */
export function watcher(open: () => Promise<Workspace>): () => Promise<Round> {
  let seen = new Map<string, Seen>();
  let looked = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = Date.now();
    let opened: Promise<Workspace> | undefined;
    const workspace = (): Promise<Workspace> => (opened ??= open());
    if (now - looked >= LOOK) {
      const ws = await workspace();
      const cards = await withoutUntouchedImports(ws, await localSessions(ws));
      seen = new Map(cards.map(({ agent, id, path }) => [path, seen.get(path) ?? { agent, session: id, path }]));
      looked = now;
    }
    const round: Round = { sessions: [], handedOn: [] };
    for (const session of seen.values()) await look(workspace, session, now, round);
    return round;
  };
}

async function look(workspace: () => Promise<Workspace>, session: Seen, now: number, round: Round): Promise<void> {
  const info = await stat(session.path).catch(() => undefined);
  if (!info || now - info.mtimeMs > IDLE) return;
  const state = `${info.size} ${info.mtimeMs}`;
  const changed = state !== session.state;
  if (changed) session.use = await contextUseOf(await workspace(), session);
  const { agent, session: id, use } = session;
  if (!use) return;
  round.sessions.push({ agent, session: id, ...use, percent: percentOf(use) });
  const done = changed ? await handOnWhenFull(await workspace(), session, use, { send: true }) : undefined;
  if (done) round.handedOn.push(done);
  // Only now: what failed is done again.
  session.state = state;
}
