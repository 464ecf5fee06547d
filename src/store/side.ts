import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, appendFile, chmod, constants, mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type ObjectReader, objectReader } from '#git/batch.ts';
import { type Env, gitEnv } from '#git/env.ts';
import type { Repository } from '#git/repository.ts';
import { type GitPlace, git } from '#git/run.ts';
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
 * Settings of the side repository. No hook of the user's runs in it, it is packed only by relay, refs and objects are on disk
 * before a command ends (git's default leaves that to the system), and what is fetched is checked.
 */
const SETTINGS = `[core]
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
`;

/** Finds the place of the side repository; nothing is written. */
export async function findSide(repository: Repository, options: StoreOptions): Promise<Side> {
  const { beside, apart, state } = homesOf(repository.commonDir, { env: options.env, home: options.home ?? homedir() });
  const folder = (await isWritable(existsSync(beside) ? beside : repository.commonDir)) ? beside : apart;
  const path = join(folder, 'store.git');
  // Without this the log of a fetched ref would hold the command with the remote's address.
  const env = { ...gitEnv(options.env, options.interactive), GIT_REFLOG_ACTION: 'relay' };
  const place: GitPlace = { env, gitDir: path };
  return {
    repository,
    path,
    home: folder,
    state,
    git: place,
    user: { env, cwd: repository.workTree ?? repository.commonDir },
    objects: objectReader(place),
    scrubbing: async () => options.scrubbing?.(),
    now: options.now ?? Date.now,
  };
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
    await appendFile(join(temporary, 'config'), SETTINGS);
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
