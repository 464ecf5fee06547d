import { execFileSync } from 'node:child_process';

/** Content of every object of a repository, names of refs and their log. */
export function gitText(path: string): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: path, encoding: 'utf8', maxBuffer: 1 << 30 });
  return [git('cat-file', '--batch-all-objects', '--batch'), git('for-each-ref'), git('log', '--all', '-g', '--format=%B%gs', '--')].join('\n');
}
