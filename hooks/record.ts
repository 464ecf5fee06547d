import { recentSessions, recordSession } from '#flows/record.ts';
import type { Workspace } from '#flows/workspace.ts';
import { sessionsOf } from './agent/sessions.ts';
import { logged } from './log.ts';
import { done, type QueuedEvent } from './queue.ts';

/** Events that are recorded together. */
const AT_ONCE = 500;
/** An event that could not be recorded for so long is given up, in ms. */
const PATIENCE = 7 * 24 * 3600 * 1000;

/**
 * Stores what is new in the sessions of some events, then which commits they made, and takes the events from the queue. Answers those that could not be
 * recorded and may be another time; what never can be is in the log.
 */
export async function recordEvents(ws: Workspace, all: readonly QueuedEvent[]): Promise<QueuedEvent[]> {
  const stuck: QueuedEvent[] = [];
  for (let i = 0; i < all.length; i += AT_ONCE) stuck.push(...(await recordSome(ws, all.slice(i, i + AT_ONCE))));
  return stuck;
}

async function recordSome(ws: Workspace, events: readonly QueuedEvent[]): Promise<QueuedEvent[]> {
  const failed = new Set<string>();
  for (const one of await sessionsToRecord(ws, events)) if ((await recordOne(ws, one)) === 'later') failed.add(nameOf(one));
  // After the sessions: who wrote the files of a commit stands in what was just stored.
  const unlinked = await linkAll(ws, events);
  const isLeft = (event: QueuedEvent): boolean => unlinked.includes(event) || event.sessions.some((one) => failed.has(nameOf(one)));
  const stuck: QueuedEvent[] = [];
  for (const event of events) {
    const wait = isLeft(event) && Date.now() - event.at < PATIENCE;
    if (wait || !(await done(event))) stuck.push(event);
  }
  return stuck;
}

const nameOf = ({ agent, session }: Session): string => `${agent}:${session}`;

/** Those that could not be linked. One that cannot be keeps no other from it: then each is linked by itself. */
async function linkAll(ws: Workspace, events: readonly QueuedEvent[]): Promise<QueuedEvent[]> {
  if ((await link(ws, events)) === 'done') return [];
  if (events.length === 1) return [...events];
  const left: QueuedEvent[] = [];
  for (const event of events) if ((await link(ws, [event])) === 'later') left.push(event);
  return left;
}

type Session = QueuedEvent['sessions'][number];

async function sessionsToRecord(ws: Workspace, events: readonly QueuedEvent[]): Promise<Session[]> {
  // Who commits in a terminal says nothing of sessions.
  const recent = events.some(({ commit, sessions }) => commit && !sessions.length) ? await recentSessions(ws) : [];
  const named = events.flatMap(({ sessions }) => sessions);
  return [...new Map([...recent, ...named].map((one) => [nameOf(one), one])).values()];
}

type Result = 'done' | 'later';
/** What will not go better next time. */
const FOR_GOOD = new Set(['blocked', 'not-found', 'unknown-format', 'secret-left', 'corrupt', 'ambiguous']);
const resultOf = (failed: { code?: string } | undefined): Result => (failed && !FOR_GOOD.has(failed.code ?? '') ? 'later' : 'done');

async function recordOne(ws: Workspace, { agent, session, path }: Session): Promise<Result> {
  const failed = await logged(ws, { did: 'record', agent, session }, async () => {
    const { version, appended, bytes } = await recordSession(ws, { agent, session, ...(path ? { path } : {}) });
    return appended ? { version, bytes } : undefined;
  });
  return resultOf(failed);
}

async function link(ws: Workspace, events: readonly QueuedEvent[]): Promise<Result> {
  const made = events.flatMap(({ commit, ...event }) => (commit ? [{ commit, sessions: sessionsOf(event) }] : []));
  const rewritten = events.flatMap((event) => event.rewritten);
  if (!made.length && !rewritten.length) return 'done';
  const failed = await logged(ws, { did: 'link', commits: made.length + rewritten.length }, async () => {
    const { recordCommits, recordRewrites } = await import('#flows/link.ts');
    const commits = made.map(({ commit, sessions }) => ({
      commit,
      sessions: sessions.map(({ agent, session, role }) => ({ agent, session, how: 'variable' as const, ...(role === 'outer' ? { role } : {}) })),
    }));
    if (commits.length) await recordCommits(ws, commits);
    if (rewritten.length) await recordRewrites(ws, rewritten);
    return {};
  });
  return resultOf(failed);
}
