import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { RelayError } from '#lib/errors.ts';
import { type Env, gitEnv } from './env.ts';
import { type GitPlace, git, lastWords, tryGit } from './run.ts';
import { withoutUserinfo } from './url.ts';

interface RemoteAddress {
  name: string;
  /** where git fetches from, after url.*.insteadOf; may hold userinfo */
  url: string;
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
  /** undefined parts: no commit yet, detached */
  head: { commit?: string; tree?: string; branch?: string };
  remotes: RemoteAddress[];
  /** remote that the current branch follows */
  upstreamRemote?: string;
}

/** The repository that `cwd` lies in, or undefined. RelayError when git knows one and refuses it (ownership, broken). */
export async function findRepository(cwd: string, env: Env): Promise<Repository | undefined> {
  const place: GitPlace = { env: gitEnv(env), cwd };
  const found = await tryGit(place, ['rev-parse', '--path-format=absolute', '--git-common-dir', '--git-dir', '--show-object-format', '--is-inside-work-tree']);
  if (found.code !== 0) {
    if (/not a git repository/i.test(found.stderr)) return undefined;
    throw new RelayError('not-a-repository', `git cannot use the repository of ${cwd}: ${lastWords(found.stderr)}`);
  }
  const lines = found.stdout.toString('utf8').split('\n');
  if (lines.length !== 5)
    throw new RelayError('not-a-repository', `The path of this repository holds a line feed, which relay does not support: ${JSON.stringify(cwd)}.`);
  const [commonDir = '', gitDir = '', format = '', inside = ''] = lines;
  const [top, listed, head, remotes] = await Promise.all([
    inside === 'true' ? git(place, ['rev-parse', '--path-format=absolute', '--show-toplevel']) : '',
    tryGit(place, ['worktree', 'list', '--porcelain']),
    readHead(place),
    readRemotes(place),
  ]);
  const workTree = top.replace(/\n$/, '') || undefined;
  const upstreamRemote = head.branch ? (await tryGit(place, ['config', '--get', `branch.${head.branch}.remote`])).stdout.toString('utf8').trim() : '';
  return {
    commonDir,
    gitDir,
    workTree,
    workTrees: workTreesOf(workTree, listed.stdout.toString('utf8')),
    objectFormat: format === 'sha256' ? 'sha256' : 'sha1',
    head,
    remotes,
    ...(upstreamRemote && upstreamRemote !== '.' ? { upstreamRemote } : {}),
  };
}

/** Git lists the git folder of a submodule as its work tree, so only folders with a `.git` of their own count. */
function workTreesOf(current: string | undefined, listed: string): string[] {
  const tops = listed
    .split('\n')
    .filter((line) => line.startsWith('worktree '))
    .map((line) => line.slice(9))
    .filter((top) => existsSync(join(top, '.git')));
  const all = current ? [current, ...tops] : tops;
  return [...new Set(all.map((top) => realpathSync(top)))];
}

async function readHead(place: GitPlace): Promise<Repository['head']> {
  const [ids, branch] = await Promise.all([
    tryGit(place, ['log', '-1', '--no-show-signature', '--format=%H %T', 'HEAD', '--']),
    tryGit(place, ['symbolic-ref', '--quiet', '--short', 'HEAD']),
  ]);
  const [commit, tree] = ids.code === 0 ? ids.stdout.toString('utf8').trim().split(' ') : [];
  const name = branch.code === 0 ? branch.stdout.toString('utf8').trim() : '';
  return { ...(commit ? { commit } : {}), ...(tree ? { tree } : {}), ...(name ? { branch: name } : {}) };
}

async function readRemotes(place: GitPlace): Promise<RemoteAddress[]> {
  const names = (await git(place, ['remote'])).split('\n').filter(Boolean);
  const urls = await Promise.all(names.map((name) => tryGit(place, ['remote', 'get-url', '--', name])));
  return names.flatMap((name, i) => {
    const url = urls[i]?.code === 0 ? urls[i].stdout.toString('utf8').split('\n')[0] : '';
    return url ? [{ name, url }] : [];
  });
}

/**
 * The remote that sessions go to when none is named: the one that the branch follows, else `origin`, else the only one.
 * `wanted`: a remote's name, or an address of its own.
 */
export function chooseRemote(repository: Repository, wanted?: string): { name?: string; url: string } {
  const { remotes, upstreamRemote } = repository;
  const named = (name: string | undefined) => remotes.find((remote) => remote.name === name);
  if (wanted) {
    const remote = named(wanted) ?? (/[/:\\]/.test(wanted) ? { url: wanted } : undefined);
    if (remote) return remote;
    throw new RelayError(
      'usage',
      `There is no remote named ${wanted} here.`,
      remotes.length ? `Remotes: ${names(remotes)}` : 'Add one: git remote add origin <url>',
    );
  }
  const chosen = named(upstreamRemote) ?? named('origin') ?? (remotes.length === 1 ? remotes[0] : undefined);
  if (chosen) return chosen;
  if (!remotes.length) throw new RelayError('usage', 'This repository has no remote to share sessions through.', 'Add one: git remote add origin <url>');
  throw new RelayError('usage', `This repository has several remotes: ${names(remotes)}.`, `Say which one: --remote ${remotes[0]?.name}`);
}

const names = (remotes: RemoteAddress[]): string => remotes.map((remote) => `${remote.name} (${withoutUserinfo(remote.url)})`).join(', ');
