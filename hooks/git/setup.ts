import { access, constants, lstat, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Env, gitEnv } from '#git/env.ts';
import { placeIn, type Repository } from '#git/repository.ts';
import { tryGit } from '#git/run.ts';
import { isObject } from '#lib/json.ts';
import type { GitEvent } from './call.ts';

/** How hooks are set up in a repository. */
export interface Setup {
  commonDir: string;
  /** top of the work tree; undefined in a bare repository */
  root: string | undefined;
  /** git takes hooks from its settings too */
  configHooks: boolean;
  /** where git looks for hooks */
  folder: string;
  /** where husky keeps the hooks of the project */
  husky?: string;
  /** the project's own settings of lefthook, as text */
  lefthook?: string;
  /** it deletes every hook that it does not know, at each `npm install` */
  simpleGitHooks: boolean;
}

/** relay's own folder of hooks, where simple-git-hooks would delete them. */
export const ownFolder = (commonDir: string): string => join(commonDir, 'hooks', 'relay');

/** The same, where earlier versions of relay kept it. */
export const formerFolder = (commonDir: string): string => join(commonDir, 'relay', 'hooks');

export async function findSetup(repository: Repository, env: Env): Promise<Setup> {
  const { commonDir } = repository;
  const root = repository.workTree ?? repository.workTrees[0];
  const place = { ...placeIn(repository, gitEnv(env)), cwd: root ?? commonDir };
  const [version, hooksPath] = await Promise.all([tryGit(place, ['version']), tryGit(place, ['config', '--type=path', '--get', 'core.hooksPath'])]);
  const named = hooksPath.stdout.toString('utf8').replace(/\n$/, '');
  const usual = named === '' || [ownFolder(commonDir), formerFolder(commonDir)].includes(named);
  const folder = await real(usual ? join(commonDir, 'hooks') : resolve(place.cwd, named));
  const husky = basename(folder) === '_' && (await exists(join(folder, 'h'))) ? dirname(folder) : undefined;
  const lefthook = await firstText(root, ['lefthook', '.lefthook', '.config/lefthook'], ['yml', 'yaml', 'toml', 'json']);
  return {
    commonDir,
    root,
    configHooks: takesHooksFromConfig(version.stdout.toString('utf8')),
    folder,
    ...(husky ? { husky } : {}),
    ...(lefthook === undefined ? {} : { lefthook }),
    simpleGitHooks: usual && (await usesSimpleGitHooks(root, folder)),
  };
}

/** @param version e.g. `git version 2.54.0` */
function takesHooksFromConfig(version: string): boolean {
  const [major = 0, minor = 0] = (/\d+\.\d+/.exec(version)?.[0] ?? '').split('.').map(Number);
  return major > 2 || (major === 2 && minor >= 54);
}

/** Where a path leads to, or would. */
export const real = (path: string): Promise<string> => realpath(path).catch(() => path);

export const exists = async (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

async function firstText(root: string | undefined, names: string[], ends: string[]): Promise<string | undefined> {
  if (root === undefined) return undefined;
  for (const name of names)
    for (const end of ends) {
      const text = await readFile(join(root, `${name}.${end}`), 'utf8').catch(() => undefined);
      if (text !== undefined) return text;
    }
  return undefined;
}

/** Does lefthook run this hook? Its settings say so, or what it has put in place by settings that these only refer to. */
export async function lefthookRuns({ lefthook, folder }: Setup, event: GitEvent): Promise<boolean> {
  if (lefthook === undefined) return false;
  if (new RegExp(`^\\s*\\[*["']?${event}["']?\\s*[:.\\]]`, 'm').test(lefthook)) return true;
  return (await readFile(join(folder, event), 'latin1').catch(() => '')).includes('call_lefthook');
}

async function usesSimpleGitHooks(root: string | undefined, folder: string): Promise<boolean> {
  const text = root === undefined ? '' : await readFile(join(root, 'package.json'), 'utf8').catch(() => '');
  if (dependsOn(text, 'simple-git-hooks')) return true;
  const hooks = await Promise.all(['pre-commit', 'pre-push', 'commit-msg'].map((name) => readFile(join(folder, name), 'latin1').catch(() => '')));
  return hooks.some((hook) => hook.includes('SKIP_SIMPLE_GIT_HOOKS'));
}

function dependsOn(packageJson: string, name: string): boolean {
  try {
    const read: unknown = JSON.parse(packageJson);
    return isObject(read) && [read.dependencies, read.devDependencies].some((all) => isObject(all) && name in all);
  } catch {
    return false;
  }
}

const SHELL = /^#!\s*\S*?(?:\/env\s+(?:-S\s+)?(?:\S*\/)?|\/)(?:ba|da|a|k|z)?sh(?=\s|$)/;

/** What stands where a hook belongs. `shell`: a script that takes more lines; `other`: anything that can only be called, or that git does not run. */
export async function hookAt(path: string): Promise<'none' | 'shell' | 'other'> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return 'none';
  if (!found.isFile()) return 'other';
  const runs = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
  return runs && SHELL.test(await readFile(path, 'latin1')) ? 'shell' : 'other';
}
