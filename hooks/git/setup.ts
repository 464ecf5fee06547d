import { access, constants, lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Env, gitEnv } from '#git/env.ts';
import { discoveryIn, placeIn, type Repository } from '#git/repository.ts';
import { type GitPlace, tryGit } from '#git/run.ts';
import { isObject } from '#lib/json.ts';
import { openRegular, readPiece, readRegularText } from '#lib/regular.ts';
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

/** The setup of this work tree (in a bare repository: of its first one), and of each other one, where git may be told to look for hooks elsewhere. */
export async function findSetups(repository: Repository, env: Env): Promise<[Setup, ...Setup[]]> {
  const [first, ...others] = repository.workTrees;
  const places = others.map((root) => setupAt(repository, discoveryIn(root, env), root));
  return Promise.all([findSetup(repository, env, first), ...places]);
}

export function findSetup(repository: Repository, env: Env, root = repository.workTree ?? repository.workTrees[0]): Promise<Setup> {
  return setupAt(repository, { ...placeIn(repository, gitEnv(env)), cwd: root ?? repository.commonDir }, root);
}

async function setupAt({ commonDir, workTrees }: Repository, place: GitPlace, root: string | undefined): Promise<Setup> {
  const [version, hooksPath] = await Promise.all([tryGit(place, ['version']), tryGit(place, ['config', '--type=path', '--get', 'core.hooksPath'])]);
  const named = hooksPath.stdout.toString('utf8').replace(/\n$/, '');
  const usual = named === '' || [ownFolder(commonDir), formerFolder(commonDir)].includes(named);
  const folder = await real(usual ? join(commonDir, 'hooks') : resolve(root ?? commonDir, named));
  const husky = basename(folder) === '_' && (await exists(join(folder, 'h'))) ? dirname(folder) : undefined;
  const lefthook = await firstText(root, ['lefthook', '.lefthook', '.config/lefthook'], ['yml', 'yaml', 'toml', 'json']);
  return {
    commonDir,
    root,
    configHooks: takesHooksFromConfig(version.stdout.toString('utf8')),
    folder,
    ...(husky ? { husky } : {}),
    ...(lefthook === undefined ? {} : { lefthook }),
    simpleGitHooks: usual && (await usesSimpleGitHooks(workTrees, folder)),
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

/** Settings of a hook manager are smaller, and so is a script with its lines. In bytes. */
const LARGEST = 1024 * 1024;

/** A checkout holds whatever others have put there: a link to a device, a file without end. undefined for what cannot be read. */
export const settingsIn = (path: string): Promise<string | undefined> => readRegularText(path, LARGEST).catch(() => undefined);

async function firstText(root: string | undefined, names: string[], ends: string[]): Promise<string | undefined> {
  if (root === undefined) return undefined;
  for (const name of names)
    for (const end of ends) {
      const text = await settingsIn(join(root, `${name}.${end}`));
      if (text !== undefined) return text;
    }
  return undefined;
}

/** Does lefthook run this hook? Its settings say so, or what it has put in place by settings that these only refer to. */
export async function lefthookRuns({ lefthook, folder }: Setup, event: GitEvent): Promise<boolean> {
  if (lefthook === undefined) return false;
  if (new RegExp(`^\\s*\\[*["']?${event}["']?\\s*[:.\\]]`, 'm').test(lefthook)) return true;
  return Boolean((await settingsIn(join(folder, event)))?.includes('call_lefthook'));
}

/** Whichever work tree `npm install` is typed in, it is the hooks of all that go. */
async function usesSimpleGitHooks(workTrees: readonly string[], folder: string): Promise<boolean> {
  const packages = await Promise.all(workTrees.map((root) => settingsIn(join(root, 'package.json'))));
  if (packages.some((text) => dependsOn(text ?? '', 'simple-git-hooks'))) return true;
  const hooks = await Promise.all(['pre-commit', 'pre-push', 'commit-msg'].map((name) => settingsIn(join(folder, name))));
  return hooks.some((hook) => hook?.includes('SKIP_SIMPLE_GIT_HOOKS'));
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

/** Does git call this file, where it finds it? */
export const runs = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

/** What stands where a hook belongs. `shell`: a script that takes more lines; `off`: one that git does not run; `other`: anything that can only be called. */
export async function hookAt(path: string): Promise<'none' | 'shell' | 'off' | 'other'> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return 'none';
  if (!found.isFile() || !SHELL.test(await beginning(path))) return 'other';
  return (await runs(path)) ? 'shell' : 'off';
}

async function beginning(path: string): Promise<string> {
  await using file = await openRegular(path);
  return (await readPiece(file, 0, 256)).toString('latin1');
}
