import { tryGit } from '#git/run.ts';
import type { FileRow } from './files.ts';
import { openWorkTree, type Project, type WorkTree } from './work-tree.ts';

/**
 * Files that the session changed and that a teammate cannot get: in this state they are in no commit that the remote
 * is known to have (by its tracking branches; nothing is asked over the network). Sorted as given; files of
 * submodules are left out.
 * @param files rows of a snapshot that was just taken here
 * @param remote name of a remote; default: any
 */
export async function uncommitted(project: Project, files: readonly FileRow[], remote?: string): Promise<string[]> {
  const rows = files.filter((row) => row.changed && row.blob !== undefined && row.state !== 'submodule' && !row.path.includes('\n'));
  const tree = rows.length ? await openWorkTree(project) : undefined;
  if (!tree) return [];
  const tips = await remoteTips(tree, remote);
  const there = await atTips(tree, rows, tips);
  const ahead = tips.length ? await changedSince(tree, tips) : 'all';
  return rows.filter((row) => !there.has(row.path) && (row.state !== 'clean' || ahead === 'all' || ahead.has(row.path))).map((row) => row.path);
}

async function remoteTips({ place }: WorkTree, remote: string | undefined): Promise<string[]> {
  const { stdout } = await tryGit(place, ['for-each-ref', '--format=%(objectname)', remote === undefined ? 'refs/remotes/' : `refs/remotes/${remote}/`]);
  return [...new Set(stdout.toString('utf8').split('\n').filter(Boolean))];
}

/** Branches looked into; a file stands on the newest ones or nowhere. */
const TIPS_MAX = 50;

/** Those files that one of the remote's branches holds in this very state. */
async function atTips({ place }: WorkTree, rows: readonly FileRow[], tips: readonly string[]): Promise<Set<string>> {
  const asked = rows.flatMap((row) => tips.slice(0, TIPS_MAX).map((tip) => ({ row, tip })));
  if (!asked.length) return new Set();
  const { stdout } = await tryGit(place, ['cat-file', '--batch-check=%(objectname)'], asked.map(({ row, tip }) => `${tip}:${row.path}\n`).join(''));
  const ids = stdout.toString('utf8').split('\n');
  return new Set(asked.filter(({ row }, i) => ids[i] === row.blob).map(({ row }) => row.path));
}

/** Files that commits change which the remote does not have. */
async function changedSince({ place, state }: WorkTree, tips: readonly string[]): Promise<Set<string> | 'all'> {
  if (state.head === null) return 'all';
  const { code, stdout } = await tryGit(
    place,
    ['log', '-z', '--format=', '--name-only', '--no-renames', '-m', '--no-show-signature', '--stdin'],
    [state.head, ...tips.map((tip) => `^${tip}`), ''].join('\n'),
  );
  if (code !== 0) return 'all';
  return new Set(
    stdout
      .toString('utf8')
      .split('\0')
      .map((path) => path.replace(/^\n/, '')),
  );
}
