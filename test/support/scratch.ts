import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A temporary folder, under its real path, and the function that removes it. */
export function scratch(name: string): { dir: string; remove: () => Promise<void> } {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), `relay-${name}-`)));
  return { dir, remove: () => removeFolder(dir) };
}

/** Removes a folder that a client which was just killed may still write to. */
export async function removeFolder(dir: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await rm(dir, { recursive: true, force: true });
      return;
    } catch (error) {
      if (tries === 20) throw error;
      await sleep(200);
    }
  }
}

/** Maps a list with `width` at a time. */
export async function pooled<T, R>(items: readonly T[], width: number, work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const out: R[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      out[index] = await work(items[index] as T, index);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return out;
}
