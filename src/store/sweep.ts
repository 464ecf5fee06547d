import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { jitter, pause, sweepLocks } from './lock.ts';
import type { Side } from './side.ts';

/** Age in ms from which a file that git left behind is nobody's any more. */
export const LEFT_BEHIND = { aborted: 0, alone: 2_000, besideOthers: 60_000 } as const;

/**
 * Takes away what a killed git left in the store: ref locks, which would stop the next update, half packs and crash
 * reports. Only in the side repository, where nobody else works.
 * @param age ms that a file must have lain there; see LEFT_BEHIND
 */
export async function sweepStore(store: string, age: number): Promise<void> {
  const before = Date.now() - age;
  const files = await readdir(store, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const file of files) {
    if (!file.isFile() || !/\.lock$|^tmp_|^fast_import_crash_/.test(file.name)) continue;
    await removeOld(join(file.parentPath, file.name), before);
  }
}

async function removeOld(path: string, before: number): Promise<void> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
  if (mtimeMs <= before) await rm(path, { force: true });
}

/**
 * Waits a little and takes away the lock that git names in its error, once it is so old that its owner is dead: a living git holds
 * one for milliseconds.
 */
export async function sweepNamedLock(side: Side, stderr: string): Promise<void> {
  await pause(jitter(700));
  const path = /Unable to create '(.+\.lock)': File exists/.exec(stderr)?.[1];
  if (path?.startsWith(side.path)) await removeOld(path, Date.now() - LEFT_BEHIND.alone);
}

/** For the holder of one lock: sweeps when there is no other. A lock of git on a ref is then left over from a killed process. */
export async function sweepWhenAlone(side: Side, age: number): Promise<void> {
  const { live } = await sweepLocks(join(side.home, 'lock'));
  await sweepStore(side.path, live <= 1 ? age : LEFT_BEHIND.besideOthers);
}

/** Whether git failed only because a lock was in its way. */
export const wasLocked = (stderr: string): boolean => /\.lock': File exists/i.test(stderr);
