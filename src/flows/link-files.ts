import { readSnapshot } from '#snapshot/index.ts';
import { sessionName } from '#store/index.ts';
import type { Change, CommitFacts } from './commit-facts.ts';
import type { Workspace } from './workspace.ts';

/** A file without content says nothing of whoever wrote it. */
const EMPTY: ReadonlySet<string> = new Set(['e69de29bb2d1d6434b8b29ae775ad8c2e48c5391', '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813']);

/** What tells of a file in exactly this state; undefined where that says nothing. */
export const stateOf = ([path, blob]: readonly [path: string, blob?: string | null]): string | undefined =>
  blob && !EMPTY.has(blob) ? `${blob} ${path}` : undefined;

/**
 * Own sessions that had written files just as these commits introduce them, by commit: names of sessions in the store. By path and content alone: a session
 * that merely was the last one is never taken for it.
 */
export async function writtenBy(ws: Workspace, commits: readonly CommitFacts[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  if (!commits.some(({ changes }) => changes?.length)) return found;
  const states = await statesOfSessions(ws);
  const hasPart = (session: Set<string>) => (change: Change) => session.has(stateOf(change) ?? '');
  for (const { commit, changes = [] } of commits) {
    const sessions = [...states].filter(([, state]) => changes.some(hasPart(state))).map(([session]) => session);
    if (sessions.length) found.set(commit, sessions);
  }
  return found;
}

/** The files that own sessions changed, as they lay there when their newest version was made. */
async function statesOfSessions(ws: Workspace): Promise<Map<string, Set<string>>> {
  const store = await ws.store();
  const own = (await store.list()).filter(({ state }) => state === 'own');
  const states = new Map<string, Set<string>>();
  for (const { handoff, agent, session } of own) {
    const { files } = readSnapshot((await store.open(handoff)).files);
    const written = files.flatMap(({ path, blob, changed }) => (changed && blob ? (stateOf([path, blob]) ?? []) : []));
    states.set(sessionName(agent, session), new Set(written));
  }
  return states;
}
