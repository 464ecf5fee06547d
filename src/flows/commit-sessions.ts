import { adapters } from '#adapters/registry.ts';
import { type GitPlace, tryGit } from '#git/run.ts';
import { RelayError } from '#lib/errors.ts';
import { sessionName } from '#store/index.ts';
import type { HandoffCard, VersionInfo } from '#store/types.ts';
import { codePlace, commitFacts } from './commit-facts.ts';
import { type Asked, byBranch, byCommit, byFiles, byMessage, byPatch, byTree, type How, type Known, type Match } from './link-match.ts';
import type { Workspace } from './workspace.ts';

/** A session behind a commit. */
export interface Behind {
  /** null: the commit's message names the session, and no handoff of it is known here */
  handoff: string | null;
  /** its newest version when the commit was made, or the first that holds the turn of the commit; null: none was made yet, or none is known here */
  version: number | null;
  agent: string;
  /** the client's own id */
  session: string;
  how: How;
}

/** `log <commit> --json`. */
export interface CommitSessions {
  commit: string;
  handoffs: Behind[];
}

/**
 * The sessions behind a commit, from what was recorded here and fetched: the first way that leads to any decides, the surest first. Needs nothing but the commit itself,
 * and not even that where it was recorded. RelayError not-found where no commit is called so.
 */
export async function sessionsOfCommit(ws: Workspace, rev: string): Promise<CommitSessions> {
  const commit = await findCommit(ws, rev);
  if (!commit) throw new RelayError('not-found', `No commit is called ${rev} here.`, 'git log shows those that are; git fetch those of others.');
  const store = await ws.store();
  const place = codePlace(ws);
  const asked: Asked = (await commitFacts(place, [commit])).get(commit) ?? { commit };
  const cards = new Map((await store.list()).map((card) => [card.handoff, card]));
  // All links are read only where those to the commit itself do not tell.
  const certain = byCommit(await store.links(new Set([commit])), asked);
  const matches = certain.length ? certain : await likely(await store.links(), asked, [...cards.values()], place);
  const handoffs: Behind[] = [];
  for (const one of perHandoff(matches)) handoffs.push(await behind(ws, one, cards.get(one.handoff), asked));
  return { commit, handoffs };
}

function likely(known: readonly Known[], asked: Asked, cards: readonly HandoffCard[], place: GitPlace): Promise<MatchOrTrailer[]> {
  const inFiles = () => byFiles(known, asked, (commits) => kinOf(place, asked.commit, commits));
  return firstOf([
    () => byTrailer(cards, asked),
    () => byTree(known, asked),
    () => byPatch(known, asked),
    async () => {
      const found = byBranch(known, asked);
      // Below a commit of no session the branch may have more of them.
      return found.length ? [...found, ...(await inFiles())] : [];
    },
    () => byMessage(known, asked),
    inFiles,
  ]);
}

/** The commit that a name stands for in the user's repository; or one that was recorded and is not in this clone (a branch that was deleted), by its id or a unique beginning. */
export async function findCommit(ws: Workspace, rev: string): Promise<string | undefined> {
  if (!rev || /[\0\n]/.test(rev)) return undefined;
  // `:/text` takes all that follows for the text, and finds nothing but commits.
  const named = rev.startsWith(':/') ? rev : `${rev}^{commit}`;
  const { code, stdout } = await tryGit(codePlace(ws), ['rev-parse', '--verify', '--quiet', '--end-of-options', named]);
  const id = stdout.toString('utf8').trim();
  if (code === 0 && /^[0-9a-f]{40,64}$/.test(id)) return id;
  if (!/^[0-9a-f]{7,64}$/.test(rev)) return undefined;
  const recorded = new Set((await (await ws.store()).links()).flatMap(({ link }) => (link.commit.startsWith(rev) ? [link.commit] : [])));
  return recorded.size === 1 ? [...recorded][0] : undefined;
}

async function firstOf(ways: readonly (() => MatchOrTrailer[] | Promise<MatchOrTrailer[]>)[]): Promise<MatchOrTrailer[]> {
  for (const way of ways) {
    const matches = await way();
    if (matches.length) return matches;
  }
  return [];
}

/** A trailer names the session; no link says more of it. `told`: no handoff of it is known here, and `handoff` is how the trailer calls it. */
type MatchOrTrailer = Pick<Match, 'handoff' | 'how'> & { link?: Match['link']; told?: Pick<Behind, 'agent' | 'session'> };

const TRAILER = /^[ \t]*Relay-Session:[ \t]*([\w.-]{1,100}[/:][\w.-]{1,100})[ \t]*$/gim;

/** `Relay-Session: <writer>/<session>` or `<agent>:<id>`, wherever in the message: a squash puts whole messages into one. A session that is not known here made it all the same. */
function byTrailer(cards: readonly HandoffCard[], { message = '' }: Asked): MatchOrTrailer[] {
  const named = new Set([...message.matchAll(TRAILER)].map(([, name = '']) => name));
  return [...named].flatMap((name): MatchOrTrailer[] => {
    const known = cards.filter(({ handoff, agent, session }) => name === handoff || name === `${agent}:${session}`);
    if (known.length || name.includes('/')) return (known.length ? known : [{ handoff: name }]).map(({ handoff }) => ({ handoff, how: 'trailer' }));
    const [agent = '', session = ''] = name.split(':');
    return [{ handoff: name, how: 'trailer', told: { agent, session } }];
  });
}

/** Of some commits, those that this one goes on from and those that go on from it. What is not in this clone is neither. */
async function kinOf(place: GitPlace, commit: string, commits: readonly string[]): Promise<ReadonlySet<string>> {
  if (!commits.length) return new Set();
  const list = async (...args: string[]): Promise<Set<string>> => {
    const { stdout } = await tryGit(place, ['rev-list', '--ignore-missing', ...args, '--stdin'], `${[...commits, `^${commit}`].join('\n')}\n`);
    return new Set(stdout.toString('utf8').split('\n').filter(Boolean));
  };
  const there = await commitsThere(place, commits);
  const [apart, later] = await Promise.all([list(), list('--ancestry-path')]);
  return new Set(commits.filter((one) => there.has(one) && (later.has(one) || !apart.has(one))));
}

async function commitsThere(place: GitPlace, commits: readonly string[]): Promise<Set<string>> {
  const { stdout } = await tryGit(place, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], `${commits.join('\n')}\n`);
  return new Set(
    stdout
      .toString('utf8')
      .split('\n')
      .flatMap((line) => (line.endsWith(' commit') ? [line.slice(0, line.indexOf(' '))] : [])),
  );
}

/** One answer a handoff, from its newest link; who made the commit before whoever ran them, then by name. */
function perHandoff(matches: readonly MatchOrTrailer[]): MatchOrTrailer[] {
  const best = new Map<string, MatchOrTrailer>();
  for (const one of matches) {
    const other = best.get(one.handoff);
    if (!other || (other.how === one.how && (other.link?.version ?? 0) < (one.link?.version ?? 0))) best.set(one.handoff, one);
  }
  const rank = ({ how, link }: MatchOrTrailer): string => `${how === 'rewrite' ? 1 : 0}${link?.role === 'outer' ? 1 : 0}`;
  return [...best.values()].sort((a, b) => (rank(a) + a.handoff < rank(b) + b.handoff ? -1 : 1));
}

async function behind(ws: Workspace, { handoff, how, link, told }: MatchOrTrailer, card: HandoffCard | undefined, { committed }: Asked): Promise<Behind> {
  if (told) return { handoff: null, version: null, ...told, how };
  if (!card) return { handoff, version: null, ...unsnapped(handoff), how };
  const { agent, session } = card;
  if (card.state === 'remote') return { handoff, version: link ? (link.version ?? 1) : card.version, agent, session, how };
  const versions = await (await ws.store()).versions(handoff);
  const wasThere = (one: VersionInfo): boolean => (link ? one.version <= (link.version ?? 0) : Date.parse(one.date) <= (committed ?? 0) * 1000);
  return { handoff, version: (versions.findLast(wasThere) ?? versions[0])?.version ?? card.version, agent, session, how };
}

/** A session of which there is a link and no version, as its name in the store tells it. */
function unsnapped(handoff: string): Pick<Behind, 'agent' | 'session'> {
  const name = handoff.slice(handoff.indexOf('/') + 1);
  const agent = adapters.find(({ id }) => name.startsWith(sessionName(id, '')))?.id ?? '';
  return { agent, session: name.slice(agent ? agent.length + 1 : 0) };
}
