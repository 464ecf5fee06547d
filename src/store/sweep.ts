import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

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
    const path = join(file.parentPath, file.name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs <= before) await rm(path, { force: true });
  }
}
