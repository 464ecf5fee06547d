import { execFileSync } from 'node:child_process';

const git = (path: string, ...args: string[]): string => execFileSync('git', args, { cwd: path, encoding: 'utf8', maxBuffer: 1 << 30 });

/** Content of every object of a repository, also of those that no ref reaches. */
export const objectsText = (path: string): string => git(path, 'cat-file', '--batch-all-objects', '--batch');

/** Content of every object of a repository, names of refs and their log. */
export const gitText = (path: string): string =>
  [objectsText(path), git(path, 'for-each-ref'), git(path, 'log', '--all', '-g', '--format=%B%gs', '--')].join('\n');
