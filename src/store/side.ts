import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, chmod, constants, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type ObjectReader, objectReader } from '#git/batch.ts';
import { type Env, gitEnv } from '#git/env.ts';
import { placeIn, type Repository } from '#git/repository.ts';
import { type GitPlace, git } from '#git/run.ts';
import { readRegularText } from '#lib/regular.ts';
import { writeWhole } from './files.ts';
import { homesOf } from './homes.ts';
import type { Scrubbing } from './scrub.ts';

export interface StoreOptions {
  env: Env;
  /** the user's home folder; default: of this process */
  home?: string;
  /** true: git may ask for a password on the terminal */
  interactive?: boolean;
  /** ms since 1970 */
  now?: () => number;
  /** needed to take purged values out of what is stored; loaded when there is one */
  scrubbing?: () => Promise<Scrubbing>;
}

/** The side repository and what the parts of the store need to work on it. */
export interface Side {
  repository: Repository;
  /** the bare repository */
  path: string;
  /** folder beside it: writer, key, state, locks */
  home: string;
  /** relay's folder in the user's state */
  state: string;
  /** git on the side repository */
  git: GitPlace;
  /** git on the user's repository, read only */
  user: GitPlace;
  objects: ObjectReader;
  scrubbing(): Promise<Scrubbing | undefined>;
  now(): number;
}

/**
 * All settings of the side repository, and no others. No hook of the user's runs in it, it is packed only by relay, refs and objects are on disk
 * before a command ends (git's default leaves that to the system), and what is fetched is checked.
 */
const settings = (format: Repository['objectFormat']): string => `[core]
	repositoryformatversion = ${format === 'sha1' ? 0 : 1}
	filemode = true
	bare = true
	hooksPath = /dev/null
	logAllRefUpdates = always
	fsync = loose-object,reference,pack
[gc]
	auto = 0
[maintenance]
	auto = false
[transfer]
	fsckObjects = true
	unpackLimit = 1
[receive]
	autogc = false
${format === 'sha1' ? '' : `[extensions]\n\tobjectFormat = ${format}\n`}`;

/** Finds the place of the side repository, and puts its settings right; nothing else is written. */
export async function findSide(repository: Repository, options: StoreOptions): Promise<Side> {
  const { beside, apart, state } = homesOf(repository.commonDir, { env: options.env, home: options.home ?? homedir() });
  const folder = (await isWritable(existsSync(beside) ? beside : repository.commonDir)) ? beside : apart;
  const path = join(folder, 'store.git');
  // Without this the log of a fetched ref would hold the command with the remote's address.
  const env = { ...gitEnv(options.env, options.interactive), GIT_REFLOG_ACTION: 'relay' };
  const place: GitPlace = { env, gitDir: path };
  if (existsSync(join(path, 'HEAD'))) await needOwnSettings(path, repository.objectFormat);
  return {
    repository,
    path,
    home: folder,
    state,
    git: place,
    user: placeIn(repository, env),
    objects: objectReader(place),
    scrubbing: async () => options.scrubbing?.(),
    now: options.now ?? Date.now,
  };
}

/**
 * Before any git runs in it: whoever can write to the git folder (an agent in its sandbox, too) could name hooks and programs in its settings, which the next git
 * would run outside.
 */
async function needOwnSettings(path: string, format: Repository['objectFormat']): Promise<void> {
  // It would have git look for settings elsewhere.
  await rm(join(path, 'commondir'), { recursive: true, force: true });
  const file = join(path, 'config');
  if ((await readRegularText(file).catch(() => undefined)) === settings(format)) return;
  await rm(file, { recursive: true, force: true });
  await writeWhole(file, settings(format));
}

/** Root may write anywhere by its rights, but not on a read-only mount, which access() also tells. */
const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.W_OK).then(
    () => true,
    () => false,
  );

export const sideExists = (side: Side): boolean => existsSync(join(side.path, 'HEAD'));

/** Makes folder and side repository where they are missing. Complete or not at all, also with several processes at once. */
export async function makeSide(side: Side): Promise<void> {
  if (sideExists(side)) return;
  await makeHome(side);
  const temporary = `${side.path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    const config = ['-c', 'init.defaultBranch=main', '-c', 'init.defaultRefFormat=files'];
    await git({ env: side.git.env }, [
      ...config,
      'init',
      '--quiet',
      '--bare',
      '--template=',
      `--object-format=${side.repository.objectFormat}`,
      '--',
      temporary,
    ]);
    await writeFile(join(temporary, 'config'), settings(side.repository.objectFormat));
    await rename(temporary, side.path);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!sideExists(side)) throw error;
  }
}

/** The folder for key, writer and state: for this user only. */
export async function makeHome(side: Side): Promise<void> {
  await mkdir(side.home, { recursive: true, mode: 0o700 });
  await chmod(side.home, 0o700);
}
