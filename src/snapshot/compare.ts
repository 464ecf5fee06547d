import { lstat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { Drift } from '#session/drift.ts';
import { type WorkFile, workFile } from './blob.ts';
import { byPath, type FileRow, readSnapshot } from './files.ts';
import { byRepository, locator, under } from './locate.ts';
import { findRenamed } from './renamed.ts';
import { blobIds, eachOf, type Hashing, type Project } from './work-tree.ts';

/**
 * How the files of a snapshot stand in a project now, sorted by path. By content, as git would store it: line ends that
 * git converts are no difference. Where a row holds no hash (ignored, redacted content) only `missing` and a
 * different size are known; such a file that exists with the same size, one outside the project, and one whose path was
 * redacted are left out. What was deleted and still is: `same`.
 * @param filesJson files.json of a version, perhaps somebody else's: rows that point out of the project are passed over
 */
export async function compareFiles(project: Project, filesJson: unknown): Promise<Drift[]> {
  const snapshot = readSnapshot(filesJson);
  const finder = locator(project);
  const rows = new Map<string, FileRow>();
  for (const row of snapshot.files) {
    if (row.state === 'outside' || isAbsolute(row.path) || row.path.split('/').includes('..')) continue;
    const place = await finder.locate(join(project.root, row.path));
    // Also passed over: a path that a symbolic link of this checkout leads elsewhere.
    if (place && 'in' in place && place.in === row.path) rows.set(row.path, row);
  }
  const drift: Drift[] = [];
  const missing: FileRow[] = [];
  for (const group of await byRepository(project, finder, rows.keys())) {
    const hashing: Hashing[] = [];
    await eachOf(group.paths, async (path) => {
      const row = rows.get(under(group.prefix, path)) as FileRow;
      const full = join(group.root, path);
      const file = await workFile(full);
      const known = file ? existing(row, file) : await absent(row, full);
      if (known === 'hash') hashing.push({ path, file: file as WorkFile, expected: row.blob });
      else if (known === 'missing') missing.push(row);
      else if (known) drift.push({ path: row.path, state: known });
    });
    const ids = await blobIds(group.tree, group.root, hashing, snapshot.objectFormat);
    for (const { path, expected } of hashing) drift.push({ path: under(group.prefix, path), state: ids.get(path) === expected ? 'same' : 'changed' });
  }
  const moved = await findRenamed(project, snapshot, missing, new Set(rows.keys()));
  for (const { path } of missing) {
    const to = moved.get(path);
    drift.push(to === undefined ? { path, state: 'missing' } : { path, state: 'renamed', to });
  }
  return drift.sort(byPath);
}

/** What is known of a file that exists without looking into it; `hash`: its content decides. */
function existing(row: FileRow, file: WorkFile): 'hash' | 'changed' | undefined {
  if (row.state === 'deleted') return 'changed';
  if (row.blob !== undefined) return 'hash';
  return row.size !== undefined && row.size !== file.size ? 'changed' : undefined;
}

async function absent(row: FileRow, full: string): Promise<'same' | 'changed' | 'missing'> {
  // A folder where a file was.
  if (await lstat(full).catch(() => undefined)) return 'changed';
  return row.state === 'deleted' ? 'same' : 'missing';
}
