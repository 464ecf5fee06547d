import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { remove } from './remove.ts';

export interface Place {
  /** a folder of this test's own */
  root: string;
  /** environment without anything of the machine's: own home, no global or system git settings, fixed identity */
  env: Record<string, string>;
  git(cwd: string, ...args: string[]): string;
  /** a repository with one commit; more arguments go to `git init` */
  repo(name: string, ...init: string[]): string;
  bare(name: string, ...init: string[]): string;
  clone(from: string, name: string, ...args: string[]): string;
  remove(): void;
}

/** A temporary folder to make repositories in. */
export function makePlace(user = 'Ann Example'): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'relay-test-')));
  const home = join(root, 'home');
  mkdirSync(home);
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: join(home, 'gitconfig'),
    LC_ALL: 'C',
  };
  const identity = { GIT_AUTHOR_NAME: user, GIT_AUTHOR_EMAIL: 'ann@example.com', GIT_COMMITTER_NAME: user, GIT_COMMITTER_EMAIL: 'ann@example.com' };
  const git = (cwd: string, ...args: string[]): string =>
    execFileSync('git', args, { cwd, env: { ...env, ...identity }, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'pipe'] });
  git(root, 'config', '--global', 'user.name', user);
  git(root, 'config', '--global', 'user.email', 'ann@example.com');
  git(root, 'config', '--global', 'init.defaultBranch', 'main');
  git(root, 'config', '--global', 'protocol.file.allow', 'always');
  return {
    root,
    env,
    git,
    repo(name, ...init) {
      const path = join(root, name);
      git(root, 'init', '-q', ...init, path);
      git(path, 'commit', '-q', '--allow-empty', '-m', 'first');
      return path;
    },
    bare(name, ...init) {
      const path = join(root, name);
      git(root, 'init', '-q', '--bare', ...init, path);
      return path;
    },
    clone(from, name, ...args) {
      git(root, 'clone', '-q', ...args, from, name);
      return join(root, name);
    },
    remove: () => remove(root),
  };
}
