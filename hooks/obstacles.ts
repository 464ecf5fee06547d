import { lstat, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { NotRecording } from '#flows/recording.ts';
import { commandLine } from '#lib/command-line.ts';
import { giveBack } from '#lib/give-back.ts';
import { type Holder, holderOf } from '#store/lock.ts';
import { WORKER, workerFolder } from './worker.ts';

/** A lock's time that lies further ahead is no difference between two clocks, in ms. */
const AHEAD = 60_000;
/** So many files are named. */
const NAMED = 3;

/**
 * What keeps a worker from recording though hooks are in place: files that it may not use, or a lock that nobody here can free.
 * @param folders where relay keeps what belongs to this clone, the store's own first
 */
export async function obstacles([home, ...others]: readonly [string, ...string[]], isWaiting: boolean, now: number): Promise<NotRecording[]> {
  const folders = [...new Set([home, ...others])];
  const owned = (await Promise.all(folders.map(ofOthers))).flat();
  const holder = isWaiting ? await holderOf(workerFolder(home), WORKER) : undefined;
  return [...owned, ...(holder ? heldFor(holder, now) : [])];
}

/** A command that was run as another user (sudo git commit) leaves files of that user. For root all are as good as its own. */
async function ofOthers(folder: string): Promise<NotRecording[]> {
  const uid = process.getuid?.();
  const fix = giveBack(folder);
  const paths = uid && fix ? await foreignIn(folder, uid) : [];
  if (!fix || !paths.length) return [];
  const names = paths.slice(0, NAMED).map((path) => relative(folder, path) || '.');
  return [{ why: `Files of another user in ${folder} are in the way: ${names.join(', ')}${paths.length > NAMED ? ' …' : ''}`, fix }];
}

/** A folder of another user is one, whatever is in it. */
async function foreignIn(path: string, uid: number): Promise<string[]> {
  const info = await lstat(path).catch(() => undefined);
  if (!info) return [];
  if (info.uid !== uid) return [path];
  const inside = info.isDirectory() ? await readdir(path).catch(() => []) : [];
  const found: string[] = [];
  for (const name of inside.sort()) found.push(...(await foreignIn(join(path, name), uid)));
  return found;
}

/** Of a process of this machine it is known whether it lives; of another's only what its lock says. */
function heldFor({ path, pid, host, isHere, at }: Holder, now: number): NotRecording[] {
  const isAhead = at - now > AHEAD;
  if (isHere && !isAhead) return [];
  const until = isAhead ? `, and by its time, ${new Date(at).toISOString()}, that goes on until then` : '';
  return [{ why: `What waits is left to a process of ${host} (${pid}), which holds the lock${until}.`, fix: commandLine(['rm', path]) }];
}
