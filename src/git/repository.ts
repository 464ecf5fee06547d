import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { RelayError } from '#lib/errors.ts';
import { type Env, gitEnv, withConfig } from './env.ts';
import { type GitPlace, git, lastWords, tryGit } from './run.ts';
import { withoutUserinfo } from './url.ts';

interface RemoteAddress {
  name: string;
  /** where git fetches from, after url.*.insteadOf; may hold userinfo */
  url: string;
  /** where git pushes to, where that is not just `url` */
  pushUrls?: string[];
  /** the branch that is checked out follows it */
  isUpstream?: boolean;
}

/** The user's repository, as git itself sees it. All paths are absolute. */
export interface Repository {
  /** what all linked work trees share; the side repository lies in it */
  commonDir: string;
  /** of this work tree */
  gitDir: string;
  /** top folder of the work tree that cwd lies in; undefined in a bare repository or inside the git folder */
  workTree: string | undefined;
  /** top folders of all its work trees that exist, symbolic links resolved */
  workTrees: string[];
  objectFormat: 'sha1' | 'sha256';
  /** its remotes, asked for when they are needed */
  remotes(): Promise<RemoteAddress[]>;
  /** the branch that is checked out; undefined: detached */
  branch(): Promise<string | undefined>;
}

/** A repository that is known already and need not be looked for: by its git folder, and the top of its work tree where it has one. Absolute paths. */
export interface NamedRepository {
  gitDir: string;
  workTree?: string;
}

/** The repository of a git folder, called from the top of its work tree or within itself. @param gitDir as git names it to its hooks, from there on */
export function namedFrom(cwd: string, gitDir: string): NamedRepository {
  const path = resolve(cwd, gitDir);
  return path === cwd ? { gitDir: path } : { gitDir: path, workTree: cwd };
}

/** Git as it looks for the repository of a folder: by a `.git`, which no repository can hold as a file of its own, and by nothing else. */
export const discoveryIn = (cwd: string, env: Env): GitPlace => ({ env: withConfig(gitEnv(env), [['safe.bareRepository', 'explicit']]), cwd });

/** For git on a repository that was found: named, so that none that lies nearer to its work tree is taken for it. @param env from gitEnv() */
export const placeIn = ({ commonDir, gitDir, workTree }: Pick<Repository, 'commonDir' | 'gitDir' | 'workTree'>, env: Env): GitPlace => ({
  env,
  cwd: workTree ?? commonDir,
  gitDir,
  ...(workTree === undefined ? {} : { workTree }),
});

/**
 * The repository that `cwd` lies in, or the named one; undefined where there is none. A folder that only looks like a git folder is none: it may be a part of what
 * somebody else committed, with settings and consents of theirs.
 * @throws RelayError `not-a-repository` when git knows one and refuses it (ownership, broken), and within a git folder
 */
export async function findRepository(cwd: string, env: Env, named?: NamedRepository): Promise<Repository | undefined> {
  const looked: GitPlace = named ? { env: gitEnv(env), cwd: named.workTree ?? named.gitDir, ...named } : discoveryIn(cwd, env);
  // The last of these fails outside of a work tree, when the others have been answered.
  const asked = ['--git-common-dir', '--git-dir', '--show-object-format', '--is-inside-git-dir', '--is-inside-work-tree', '--show-toplevel'];
  const found = await tryGit(looked, ['rev-parse', '--path-format=absolute', ...asked]);
  const lines = found.stdout.toString('utf8').split('\n').slice(0, -1);
  const isBare = found.code !== 0 && lines.length === 5 && lines[4] === 'false';
  if (found.code !== 0 && !isBare) {
    if (/not a git repository/i.test(found.stderr)) return undefined;
    if (/safe\.bareRepository/i.test(found.stderr)) throw insideGitFolder(cwd);
    throw new RelayError('not-a-repository', `git cannot use the repository of ${cwd}: ${lastWords(found.stderr)}`);
  }
  if (lines.length !== (isBare ? 5 : 6))
    throw new RelayError('not-a-repository', `The path of this repository holds a line feed, which relay does not support: ${JSON.stringify(cwd)}.`);
  const [commonDir = '', gitDir = '', format = '', isInside, , workTree] = lines;
  // What git before 2.38 knows nothing of.
  if (!named && isInside === 'true') throw insideGitFolder(cwd);
  const place = placeIn({ commonDir, gitDir, workTree }, looked.env);
  let remotes: Promise<RemoteAddress[]> | undefined;
  return {
    commonDir,
    gitDir,
    workTree,
    workTrees: await workTreesOf(place, commonDir, workTree),
    objectFormat: format === 'sha256' ? 'sha256' : 'sha1',
    remotes: () => (remotes ??= readRemotes(place)),
    branch: () => branchOf(place),
  };
}

const insideGitFolder = (cwd: string): RelayError =>
  new RelayError(
    'not-a-repository',
    `${cwd} lies in a git folder, not in a work tree. relay goes by a .git only, since a folder that looks like a git folder may be a part of what somebody else committed.`,
    'Run it in a work tree of the repository. A bare one gets one by: git worktree add <folder>',
  );

/** Git lists the git folder of a submodule as its work tree, so only folders with a `.git` of their own count. A repository without linked ones has one. */
async function workTreesOf(place: GitPlace, commonDir: string, current: string | undefined): Promise<string[]> {
  if (current && !existsSync(join(commonDir, 'worktrees'))) return [realpathSync(current)];
  const { stdout } = await tryGit(place, ['worktree', 'list', '--porcelain']);
  const tops = stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line.startsWith('worktree '))
    .map((line) => line.slice(9))
    .filter((top) => existsSync(join(top, '.git')));
  const all = current ? [current, ...tops] : tops;
  return [...new Set(all.map((top) => realpathSync(top)))];
}

async function branchOf(place: GitPlace): Promise<string | undefined> {
  const { code, stdout } = await tryGit(place, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  return code === 0 ? stdout.toString('utf8').trim() || undefined : undefined;
}

async function readRemotes(place: GitPlace): Promise<RemoteAddress[]> {
  const names = (await git(place, ['remote'])).split('\n').filter(Boolean);
  const branch = names.length > 1 ? await branchOf(place) : undefined;
  const upstream = branch ? (await tryGit(place, ['config', '--get', `branch.${branch}.remote`])).stdout.toString('utf8').trim() : '';
  const urlsOf = async (name: string, ...how: string[]): Promise<string[]> => {
    const { code, stdout } = await tryGit(place, ['remote', 'get-url', ...how, '--', name]);
    return code === 0 ? stdout.toString('utf8').split('\n').filter(Boolean) : [];
  };
  const found = await Promise.all(names.map(async (name) => ({ name, fetch: await urlsOf(name), push: await urlsOf(name, '--push', '--all') })));
  return found.flatMap(({ name, fetch: [url], push }) => {
    const isElsewhere = push.length > 0 && (push.length > 1 || push[0] !== url);
    return url ? [{ name, url, ...(isElsewhere ? { pushUrls: push } : {}), ...(name === upstream ? { isUpstream: true } : {}) }] : [];
  });
}

/**
 * The remote that sessions go to when none is named: the one that the branch follows, else `origin`, else the only one.
 * `wanted`: a remote's name, or an address of its own.
 */
export async function chooseRemote(repository: Repository, wanted?: string): Promise<ChosenRemote> {
  const remotes = await repository.remotes();
  const named = (name: string) => remotes.find((remote) => remote.name === name);
  if (wanted) {
    const remote = addressOf(named(wanted)) ?? (/[/:\\]/.test(wanted) ? { url: wanted } : undefined);
    if (remote) return remote;
    throw new RelayError(
      'usage',
      `There is no remote named ${wanted} here.`,
      remotes.length ? `Remotes: ${names(remotes)}` : 'Add one: git remote add origin <url>',
    );
  }
  const chosen = addressOf(remotes.find(({ isUpstream }) => isUpstream) ?? named('origin') ?? (remotes.length === 1 ? remotes[0] : undefined));
  if (chosen) return chosen;
  if (!remotes.length) throw new RelayError('usage', 'This repository has no remote to share sessions through.', 'Add one: git remote add origin <url>');
  throw new RelayError('usage', `This repository has several remotes: ${names(remotes)}.`, `Say which one: --remote ${remotes[0]?.name}`);
}

type ChosenRemote = Pick<RemoteAddress, 'url' | 'pushUrls'> & { name?: string };

function addressOf(remote: RemoteAddress | undefined): ChosenRemote | undefined {
  if (!remote) return undefined;
  const { isUpstream: _, ...address } = remote;
  return address;
}

const names = (remotes: RemoteAddress[]): string => remotes.map((remote) => `${remote.name} (${withoutUserinfo(remote.url)})`).join(', ');
