import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Changes what lies in a clone's side repository, behind relay's back. */
export function sideStore(project: string) {
  const path = join(project, '.git/relay/store.git');
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', GIT_INDEX_FILE: join(path, 'planting') };
  const who = { NAME: 'Eve', EMAIL: 'eve@example.invalid', DATE: '1795000000 +0000' };
  const git = (args: string[], input: string | Buffer = '', more: Record<string, string> = {}): string =>
    execFileSync('git', ['--git-dir', path, ...args], { env: { ...env, ...more }, input, encoding: 'utf8', maxBuffer: 1 << 28 }).trim();
  const persons = (name: string): Record<string, string> =>
    Object.fromEntries(['AUTHOR', 'COMMITTER'].flatMap((role) => Object.entries({ ...who, NAME: name }).map(([key, value]) => [`GIT_${role}_${key}`, value])));
  return {
    path,
    git,
    /** name of the one ref that matches */
    ref: (pattern: string): string => git(['for-each-ref', '--format=%(refname)', pattern]).split('\n')[0] ?? '',
    files: (commit: string): string[] => git(['-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', commit]).split('\n'),
    read: (commit: string, file: string): string => git(['cat-file', 'blob', `${commit}:${file}`]),
    blob: (text: string | Buffer): string => git(['hash-object', '-w', '--stdin'], text),
    /** the tree of a commit with one file more, or with other content */
    treeWith(commit: string, file: string, text: string | Buffer, mode = '100644'): string {
      git(['read-tree', commit]);
      git(['update-index', '--add', '--cacheinfo', `${mode},${this.blob(text)},${file}`]);
      return git(['write-tree']);
    },
    /** any object, whether git would make it or not */
    object: (type: string, content: string | Buffer): string => git(['hash-object', '-w', '--literally', '-t', type, '--stdin'], content),
    commit: (tree: string, parents: string[], message = 'relay: a session', name = 'Eve'): string =>
      git(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])], message, persons(name)),
    move: (ref: string, commit: string): string => git(['update-ref', ref, commit]),
  };
}
