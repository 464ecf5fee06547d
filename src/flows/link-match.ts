import type { Link } from '#store/link-line.ts';
import type { CommitFacts } from './commit-facts.ts';
import { stateOf } from './link-files.ts';

/** A link that somebody recorded, and whose session it is about. */
export interface Known {
  handoff: string;
  link: Link;
}

/**
 * How a session is found behind a commit. `commit`: it made it. `rewrite`: git made it anew from one of the session's. `trailer`: the message says so. `tree`,
 * `patch`: the same change. `message`: same author date and subject. `files`: files in exactly the state that the session gave them.
 */
export type How = 'commit' | 'rewrite' | 'trailer' | 'tree' | 'patch' | 'message' | 'files';

export interface Match extends Known {
  how: How;
}

/** A commit that is asked about; only its id where it is not in this clone. */
export type Asked = Pick<CommitFacts, 'commit'> & Partial<CommitFacts>;

/** The links to the commit itself, by what is certain. */
export const byCommit = (known: readonly Known[], { commit }: Asked): Match[] =>
  known
    .filter(({ link }) => link.commit === commit && link.how !== 'files')
    .map((one): Match => ({ ...one, how: one.link.how === 'rewrite' ? 'rewrite' : 'commit' }))
    .sort((a, b) => Number(a.how === 'rewrite') - Number(b.how === 'rewrite'));

/** The same tree by the same change: the message was written anew. */
export const byTree = (known: readonly Known[], asked: Asked): Match[] =>
  asked.changes?.length ? matching(known, 'tree', asked, (link) => link.tree === asked.tree && isSameChange(link, asked)) : [];

function isSameChange(link: Link, { patchId, changes = [] }: Asked): boolean {
  if (link.patchId && patchId) return link.patchId === patchId;
  const paths = new Set(changes.map(([path]) => path));
  return link.pairs.length + (link.more ?? 0) === changes.length && link.pairs.every(([path]) => paths.has(path) || isRedacted(path));
}

/** The same change. */
export const byPatch = (known: readonly Known[], asked: Asked): Match[] =>
  asked.patchId ? matching(known, 'patch', asked, (link) => link.patchId === asked.patchId) : [];

/** All that a branch changed, in one commit: the sessions of its last commit and of those that this one stands on. */
export function byBranch(known: readonly Known[], { commit, patchId }: Asked): Match[] {
  const tips = known.filter(({ link }) => patchId !== undefined && link.branch?.patchId === patchId && link.commit !== commit);
  const bases = new Set(tips.map(({ link }) => link.branch?.base));
  return [...withEarlier(known, tips, ({ link }) => !bases.has(link.commit))].map(as('patch'));
}

/** A rebase with conflicts keeps neither tree nor change, but who wrote it when, and what it is called. */
export function byMessage(known: readonly Known[], asked: Asked): Match[] {
  const { subject, authorDate } = asked;
  if (!subject || !authorDate) return [];
  return matching(known, 'message', asked, (link) => isSameMoment(link.authorDate, authorDate) && saysSame(link.subject, subject));
}

const isSameMoment = (a: string | undefined, b: string): boolean => Date.parse(a ?? '') === Date.parse(b);

/** What was redacted may have been anything; a long subject is cut. */
function saysSame(stored: string | undefined, subject: string): boolean {
  if (!stored) return false;
  const parts = stored.split(REDACTED);
  if (parts.length === 1) return stored === subject || (stored.endsWith('…') && subject.startsWith(stored.slice(0, -1)));
  let at = 0;
  for (const [i, part] of parts.entries()) {
    const found = i === 0 ? (subject.startsWith(part) ? 0 : -1) : subject.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  const end = parts.at(-1) as string;
  return end === '' || subject.endsWith(end);
}

const REDACTED = /\[REDACTED:[^\]]*\]|\$\{(?:HOME|PROJECT)[^}]*\}/;
const isRedacted = (path: string): boolean => REDACTED.test(path);

/**
 * A squash: whose commits introduced one of its files in just this state, and those that they stand on, as far as these touch no other files.
 * @param kin of these commits, those that the asked one goes on from or that go on from it: what they have in common says nothing
 */
export async function byFiles(known: readonly Known[], asked: Asked, kin: (commits: string[]) => Promise<ReadonlySet<string>>): Promise<Match[]> {
  const { changes = [] } = asked;
  const states = new Set(changes.flatMap((change) => stateOf(change) ?? []));
  const paths = new Set(changes.map(([path]) => path));
  const hasPart = ({ link }: Known): boolean => link.commit === asked.commit || link.pairs.some((pair) => states.has(stateOf(pair) ?? ''));
  const isWithin = ({ link }: Known): boolean => link.pairs.length > 0 && !link.more && link.pairs.every(([path]) => paths.has(path));
  const chain = withEarlier(known, known.filter(hasPart), isWithin);
  const others = [...new Set([...chain].map(({ link }) => link.commit))].filter((commit) => commit !== asked.commit);
  const related = await kin(others);
  return [...chain].filter(({ link }) => !related.has(link.commit)).map(as('files'));
}

/** Links with those that they stand on, parent by parent, as far as these belong to it. */
function withEarlier(known: readonly Known[], links: readonly Known[], belongs: (one: Known) => boolean): Set<Known> {
  const byId = new Map<string, Known[]>();
  for (const one of known) byId.set(one.link.commit, [...(byId.get(one.link.commit) ?? []), one]);
  const all = new Set(links);
  for (const one of all) for (const before of byId.get(one.link.parent ?? '') ?? []) if (belongs(before)) all.add(before);
  return all;
}

const as =
  (how: How) =>
  (one: Known): Match => ({ ...one, how });

/** Of other commits: that a commit is the same as itself is no news. */
const matching = (known: readonly Known[], how: How, { commit }: Asked, test: (link: Link) => boolean): Match[] =>
  known.filter(({ link }) => link.commit !== commit && test(link)).map(as(how));
