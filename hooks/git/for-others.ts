import { relative } from 'node:path';
import { gitEnv } from '#git/env.ts';
import { tryGit } from '#git/run.ts';
import type { Change } from './change.ts';
import { readInstalled } from './installed.ts';
import type { HookPlace } from './place.ts';
import { isShared } from './plan.ts';
import { findSetup, type Setup } from './setup.ts';

/**
 * The files that an uninstall changes for more than this clone: those of the project in which relay's lines are committed, so that the next commit takes them away
 * from others, and those outside of it, which are hooks of other repositories, too. Not what only this clone has so.
 */
export async function takenFromOthers({ repository, env }: Pick<HookPlace, 'repository' | 'env'>): Promise<string[]> {
  const setup = await findSetup(repository, env);
  // A memory that cannot be read is told of when it is gone by.
  const { changes } = (await readInstalled(setup).catch(() => undefined)) ?? { changes: [] };
  const paths: string[] = [];
  // What stood there before the install, an uninstall leaves.
  for (const change of changes) if (change.after !== undefined && isShared(setup, change.path) && (await isTaken(setup, change, env))) paths.push(change.path);
  return paths;
}

async function isTaken({ root }: Setup, { path, own }: Change, env: HookPlace['env']): Promise<boolean> {
  const within = root === undefined ? '..' : relative(root, path);
  if (root === undefined || within.startsWith('..')) return true;
  const { stdout } = await tryGit({ env: gitEnv(env), cwd: root }, ['cat-file', 'blob', `:${within}`]);
  return stdout.toString('latin1').includes(own);
}
