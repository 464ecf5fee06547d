import { type GitPlace, startGit } from './run.ts';

/** What a patch says must not depend on anybody's settings or attributes, since clones compare its id. */
const PATCH = [
  ...['diff-tree', '--stdin', '-r', '--root', '-p', '--no-renames', '--no-ext-diff', '--no-textconv', '--text', '--full-index', '--no-color'],
  ...['--diff-algorithm=myers', '-U3', '--inter-hunk-context=0', '--src-prefix=a/', '--dst-prefix=b/', '--no-relative', '-O/dev/null'],
  ...['--ignore-submodules=none', '--submodule=short'],
];

/**
 * `git patch-id --stable` of commits that are no merges: equal for equal changes, wherever they stand. Two processes for all; what git cannot
 * read has none. @returns commit -> patch id
 */
export async function patchIds(place: GitPlace, commits: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (!commits.length) return found;
  const diff = startGit(place, PATCH);
  const ids = startGit(place, ['patch-id', '--stable']);
  let text = '';
  ids.child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  diff.child.stdout.pipe(ids.child.stdin);
  diff.child.stdin.end(`${commits.join('\n')}\n`);
  await Promise.all([diff.ended, ids.ended]);
  for (const line of text.split('\n').filter(Boolean)) found.set(line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' ')));
  return found;
}
