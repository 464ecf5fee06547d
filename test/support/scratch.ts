import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder, under its real path, and the function that removes it. */
export function scratch(name: string): { dir: string; remove: () => void } {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), `relay-${name}-`)));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }) };
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
