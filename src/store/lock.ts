import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { RelayError } from '#lib/errors.ts';

/** A holder shows that it lives this often; one that did not for so long is taken for dead. In ms. */
const BEAT = 5_000;
const SILENT = 60_000;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** Between half and one and a half times `ms`, so that processes that collided once do not do it again. */
export const jitter = (ms: number): number => ms * (0.5 + Math.random());

interface Lock {
  /** false: somebody has taken it away, together with what it stands for */
  isHeld(): boolean;
  release(): Promise<void>;
}

/**
 * Takes turns with the other processes of this clone. The lock only saves work: refs move by compare-and-swap, so
 * nothing is lost even when two processes hold it.
 * @param patience ms to wait for the holder; then RelayError
 */
export async function takeLock(folder: string, name: string, patience: number): Promise<Lock> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${name}.lock`);
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), at: process.hrtime.bigint().toString() });
  const until = Date.now() + patience;
  for (;;) {
    if (await create(path, mine)) break;
    await removeDead(path);
    if (Date.now() > until)
      throw new RelayError('failed', `Another relay process (${await holder(path)}) is still working on ${name}.`, 'Wait for it to end and try again.');
    await pause(jitter(25));
  }
  const beat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => {});
  }, BEAT);
  beat.unref();
  return {
    isHeld: () => existsSync(path),
    async release() {
      clearInterval(beat);
      // A lock that was taken over belongs to someone else now.
      if ((await readFile(path, 'utf8').catch(() => '')) === mine) await rm(path, { force: true });
    },
  };
}

/** The lock of a process that must be the only one that writes to the store. */
const ALONE = 'alone';

/** As takeLock, for whatever writes objects to the store: waits too while another process has the store for itself. */
export async function takeTurn(folder: string, name: string, patience: number): Promise<Lock> {
  const until = Date.now() + patience;
  for (;;) {
    const lock = await takeLock(folder, name, Math.max(0, until - Date.now()));
    if (!(await isHeld(folder, ALONE))) return lock;
    await lock.release();
    await waitFor(folder, (held) => !held.includes(ALONE), until);
  }
}

/**
 * Takes the store for this process alone: waits for everybody who writes to it now, and keeps others from beginning. What no ref reaches may
 * be removed only then: it may be what another process has just written. To be taken while no other lock of the folder is held.
 */
export async function takeAlone(folder: string, patience: number): Promise<Lock> {
  const until = Date.now() + patience;
  const lock = await takeLock(folder, ALONE, patience);
  try {
    await waitFor(folder, (held) => held.every((name) => name === ALONE), until);
    return lock;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

const isHeld = async (folder: string, name: string): Promise<boolean> => (await heldLocks(folder)).includes(name);

async function waitFor(folder: string, free: (held: string[]) => boolean, until: number): Promise<void> {
  for (;;) {
    const held = await heldLocks(folder);
    if (free(held)) return;
    if (Date.now() > until) {
      const [name = ALONE] = held.filter((one) => one !== ALONE);
      const busy = name === ALONE ? 'purging' : `working on ${name}`;
      throw new RelayError(
        'failed',
        `Another relay process (${await holder(join(folder, `${name}.lock`))}) is still ${busy}.`,
        'Wait for it to end and try again.',
      );
    }
    await pause(jitter(25));
  }
}

/** Names of the locks whose holders live. */
async function heldLocks(folder: string): Promise<string[]> {
  const names: string[] = [];
  for (const file of await readdir(folder).catch(() => [])) if (!(await removeDead(join(folder, file)))) names.push(file.replace(/\.lock$/, ''));
  return names;
}

async function create(path: string, content: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(content);
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Takes away a lock whose holder is dead. Answers whether it did. */
async function removeDead(path: string): Promise<boolean> {
  const before = await readFile(path, 'utf8').catch(() => undefined);
  if (before === undefined || (await isLive(path, before))) return false;
  if ((await readFile(path, 'utf8').catch(() => '')) !== before) return false;
  await rm(path, { force: true });
  return true;
}

async function isLive(path: string, content: string): Promise<boolean> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
  const age = Date.now() - mtimeMs;
  const owner = parse(content);
  // Between creating and writing the file is empty for a moment.
  if (!owner) return age < 2_000;
  if (age > SILENT) return false;
  return owner.host !== hostname() || isRunning(owner.pid);
}

function parse(content: string): { pid: number; host: string } | undefined {
  try {
    return JSON.parse(content) as { pid: number; host: string };
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const holder = async (path: string): Promise<string> => {
  const owner = parse(await readFile(path, 'utf8').catch(() => ''));
  return owner ? `pid ${owner.pid} on ${owner.host}` : 'unknown';
};

/** Who holds a lock. */
export interface Holder {
  path: string;
  pid: number;
  host: string;
  /** it is a process of this machine */
  isHere: boolean;
  /** when it last showed that it lives, in ms since 1970 */
  at: number;
}

/** Who holds a lock, by what its file says; undefined: nobody, or one that is dead. Nothing is taken away. */
export async function holderOf(folder: string, name: string): Promise<Holder | undefined> {
  const path = join(folder, `${name}.lock`);
  const content = await readFile(path, 'utf8').catch(() => '');
  const owner = parse(content);
  const info = await stat(path).catch(() => undefined);
  if (!owner || !info || !(await isLive(path, content))) return undefined;
  return { path, ...owner, isHere: owner.host === hostname(), at: info.mtimeMs };
}

/** Clears the folder of dead holders' locks. Answers how many there were and how many live ones are left. */
export async function sweepLocks(folder: string): Promise<{ dead: number; live: number }> {
  let dead = 0;
  let live = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    if (await removeDead(join(folder, name))) dead++;
    else live++;
  }
  return { dead, live };
}
