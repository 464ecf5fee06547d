import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { tryGit } from '#git/run.ts';
import { takeLock } from './lock.ts';
import type { Side } from './side.ts';

/** Each version is a pack of its own; from so many on, reading them costs more than joining them. */
const PACKS = 64;

/**
 * Joins small packs, each step at a cost in proportion to what came in since the last one; large packs are left alone.
 * Nothing is dropped. A failure only means that it is tried again later.
 */
export async function tidyStore(side: Side): Promise<void> {
  const packs = (await readdir(join(side.path, 'objects/pack')).catch(() => [])).filter((name) => name.endsWith('.pack'));
  if (packs.length < PACKS) return;
  const lock = await takeLock(join(side.home, 'lock'), 'tidy', 0).catch(() => undefined);
  if (!lock) return;
  try {
    await tryGit(side.git, ['repack', '-d', '--geometric=2', '--quiet']);
    await tryGit(side.git, ['pack-refs', '--all']);
  } finally {
    await lock.release();
  }
}
