import { sessionName } from '#store/index.ts';
import type { Link, LinkHow } from '#store/link-line.ts';
import type { Store } from '#store/types.ts';
import { withBranches } from './branch-facts.ts';
import { type CommitFacts, codePlace, commitFacts } from './commit-facts.ts';
import { type LinkFacts, linkFacts } from './link-facts.ts';
import { writtenBy } from './link-files.ts';
import type { Workspace } from './workspace.ts';

/** A commit that was made, and the sessions that are known to have made it: the innermost first, where one client ran another. */
export interface MadeCommit {
  commit: string;
  sessions: { agent: string; session: string; how: 'variable' | 'files'; role?: 'outer' }[];
}

/** A session's part in a commit. */
type Part = Pick<Link, 'how' | 'role' | 'from'>;

/**
 * Records commits for the sessions that made them, durably and for this clone alone; the next send of these sessions takes it along. A commit of which no
 * session is known (somebody typed it) is recorded for those that had written its files just as it has them. To be told of a commit again changes nothing.
 * A fixed number of processes for any number of commits, and one a branch.
 */
export async function recordCommits(ws: Workspace, commits: readonly MadeCommit[]): Promise<void> {
  const facts = await commitFacts(
    codePlace(ws),
    commits.map(({ commit }) => commit),
  );
  const nobodys = commits.filter(({ sessions }) => !sessions.length).flatMap(({ commit }) => facts.get(commit) ?? []);
  const written = await writtenBy(ws, nobodys);
  const parts = new Map<string, Map<string, Part>>();
  for (const { commit, sessions } of commits) {
    const known = sessions.map(({ agent, session, how, role }) => [sessionName(agent, session), { how, ...(role ? { role } : {}) }] as const);
    const guessed = (written.get(commit) ?? []).map((session) => [session, { how: 'files' as LinkHow }] as const);
    for (const [session, part] of [...known, ...guessed]) put(parts, commit, session, part);
  }
  await record(ws, parts, facts);
}

/**
 * Records what git made anew (`post-rewrite`: amend, rebase): the sessions of the old commits are those of the new ones, however often one was made
 * anew. To be told after the commits themselves.
 */
export async function recordRewrites(ws: Workspace, pairs: readonly (readonly [from: string, to: string])[]): Promise<void> {
  const store = await ws.store();
  const moved = pairs.filter(([from, to]) => from !== to);
  const parts = new Map<string, Map<string, Part>>();
  const before = await store.linked(new Set(moved.map(([from]) => from)));
  const sessionsOf = (commit: string): string[] => [
    ...before.filter(({ link }) => link.commit === commit).map(({ session }) => session),
    ...(parts.get(commit)?.keys() ?? []),
  ];
  for (let found = -1; found !== count(parts); ) {
    found = count(parts);
    for (const [from, to] of moved)
      for (const session of new Set(sessionsOf(from))) {
        const olds = new Set([...(parts.get(to)?.get(session)?.from ?? []), from]);
        put(parts, to, session, { how: 'rewrite', from: [...olds] });
      }
  }
  if (!parts.size) return;
  await record(ws, parts, await commitFacts(codePlace(ws), [...parts.keys()]));
}

const count = (parts: ReadonlyMap<string, ReadonlyMap<string, Part>>): number => [...parts.values()].reduce((sum, { size }) => sum + size, 0);

function put(parts: Map<string, Map<string, Part>>, commit: string, session: string, part: Part): void {
  const sessions = parts.get(commit) ?? new Map<string, Part>();
  parts.set(commit, sessions.set(session, part));
}

async function record(ws: Workspace, parts: ReadonlyMap<string, ReadonlyMap<string, Part>>, facts: ReadonlyMap<string, CommitFacts>): Promise<void> {
  const store = await ws.store();
  const linked = new Map([...facts].filter(([commit]) => parts.has(commit)));
  const told = await linkFacts(ws, [...(await withBranches(codePlace(ws), linked)).values()]);
  const versions = await versionsOf(store, new Set([...parts.values()].flatMap((sessions) => [...sessions.keys()])));
  const entries = [...parts].flatMap(([commit, sessions]) => {
    const known: LinkFacts = told.get(commit) ?? { commit, pairs: [] };
    return [...sessions].map(([session, part]) => ({ session, link: { ...known, ...part, ...versions.get(session) } }));
  });
  await store.link(entries);
}

/** The newest version of each session that there is now. */
async function versionsOf(store: Store, sessions: ReadonlySet<string>): Promise<Map<string, { version: number }>> {
  const found = new Map<string, { version: number }>();
  const writer = await store.writer();
  for (const session of sessions) {
    if (!(await store.holds(session))) continue;
    found.set(session, { version: (await store.open(`${writer}/${session}`)).n });
  }
  return found;
}
