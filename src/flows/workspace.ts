import type { Settings, Unaccepted } from '#config/index.ts';
import type { NamedRepository, Repository } from '#git/repository.ts';
import { RelayError } from '#lib/errors.ts';
import type { Where } from '#session/source.ts';
import type { HandoffCard, Remote, Store, StoredVersion } from '#store/types.ts';

/** The edges of the process that flows need; the commands' Io has them all. */
export interface Edges {
  env: Record<string, string | undefined>;
  home: string;
  /** the folder that relay was called in */
  cwd: string;
  now(): Date;
  /** relay's own version */
  version: string;
  /** somebody can answer, so that git may ask for a login */
  interactive?: boolean;
  /** one line of progress on long work */
  progress(text: string): void;
  /** the repository, where it need not be looked for */
  named?: NamedRepository;
  /** hears of the repository that was found: the git folder that all its work trees share */
  found?(commonDir: string): void;
}

/** What a flow works with: the folder relay was called in, its repository if any, settings, and the edges of the process. */
export interface Workspace extends Edges {
  /** real path */
  cwd: string;
  settings: Settings;
  /** what the repository's .relayrc and the clone's own settings ask for and this clone has not accepted */
  unaccepted: readonly Unaccepted[];
  repository: Repository | undefined;
  /** The store of this repository; not-a-repository error outside one. */
  store(): Promise<Store>;
  /** The remote that handoffs go to and come from. */
  remote(): Promise<Remote>;
  /** A version's content, fetched first when only its card is here. */
  openHandoff(card: HandoffCard, version?: number): Promise<StoredVersion>;
  /** user.name of git */
  authorName(): Promise<string>;
}

export const needRepository = (ws: Pick<Workspace, 'cwd' | 'repository'>): Repository => {
  if (ws.repository) return ws.repository;
  throw new RelayError(
    'not-a-repository',
    `${ws.cwd} is not in a Git repository.`,
    'Run it in the project’s checkout. A session of this machine goes into another agent without one: relay import latest --to <agent>',
  );
};

/** Where an adapter looks for its agent's sessions. */
export function whereOf(ws: Workspace, agent: string): Where {
  const roots = ws.settings.agents[agent]?.roots;
  return { env: ws.env, home: ws.home, ...(roots?.length ? { roots } : {}) };
}

/** Root of the current work tree; in a bare layout the first one there is. */
export const rootOf = (repository: Repository): string => repository.workTree ?? repository.workTrees[0] ?? repository.commonDir;

/** Root of the work tree that a session's folder lies in; the current one where it lies in none. */
export function projectOf(repository: Repository, cwd: string): string {
  const within = repository.workTrees.filter((top) => cwd === top || cwd.startsWith(`${top}/`));
  const [deepest] = within.sort((a, b) => b.length - a.length);
  return deepest ?? rootOf(repository);
}
