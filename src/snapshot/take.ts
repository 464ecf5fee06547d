import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegular } from '#lib/regular.ts';
import { type WorkFile, workFile } from './blob.ts';
import { byPath, type FileRow, type FileState, type Snapshot, type Touch } from './files.ts';
import { byRepository, type Group, locator, under } from './locate.ts';
import { blobIds, eachOf, ignored, indexIds, type Project, staged } from './work-tree.ts';

/** Larger files are not looked into for secrets; they are given without hash. In bytes. */
const LOOK_INTO_MAX = 4 * 1024 * 1024;

/** What may be said of a file, and what not. */
interface Discretion {
  redactPath: (path: string) => string;
  hasSecret: ((text: string, path: string) => boolean) | undefined;
}

/**
 * The state of the files that a session read or changed, as of now. The cost grows with these files only.
 * @param previous the snapshot of the version before: its files are looked at again
 * @param redactPath a path as it may leave; when it differs, it stands in the snapshot so, and without a hash
 * @param hasSecret true for a content that must not be known by its hash; asked only about files that are not the commit's own
 */
export async function takeSnapshot(
  project: Project,
  touches: readonly Touch[],
  previous: Snapshot | undefined,
  redactPath: (path: string) => string,
  hasSecret?: (text: string, path: string) => boolean,
): Promise<Snapshot> {
  const discretion: Discretion = { redactPath, hasSecret };
  const finder = locator(project);
  const inside = new Map<string, { changed: boolean; known: boolean }>();
  const rows = new Map<string, FileRow>();
  const wanted = new Map<string, { changed: boolean; known: boolean }>();
  for (const row of previous?.files ?? []) {
    // Behind a redacted path there is no file that could be looked at again.
    if (row.state === 'outside' || isRedacted(row.path)) rows.set(row.path, row);
    else wanted.set(join(project.root, row.path), { changed: row.changed === true, known: true });
  }
  for (const { path, change } of touches)
    wanted.set(path, { changed: change === 'changed' || wanted.get(path)?.changed === true, known: wanted.get(path)?.known === true });
  for (const [path, touch] of wanted) {
    const place = await finder.locate(path);
    if (!place) continue;
    if ('in' in place) {
      const before = inside.get(place.in);
      inside.set(place.in, { changed: touch.changed || before?.changed === true, known: touch.known || before?.known === true });
    } else await addOutside(rows, place.outside, touch.changed, discretion);
  }
  const groups = await byRepository(project, finder, inside.keys());
  for (const group of groups)
    for (const found of await groupRows(group, (path) => inside.get(under(group.prefix, path)) as { changed: boolean; known: boolean }, discretion)) {
      const row = redacted(found, discretion);
      rows.set(row.path, row);
    }
  const state = groups.find((group) => group.prefix === '')?.tree?.state ?? { objectFormat: 'sha1' as const, head: null, tree: null, branch: null };
  return { ...state, files: [...rows.values()].sort(byPath) };
}

const isRedacted = (path: string): boolean => /\[REDACTED:|\$\{(?:HOME|PROJECT)/.test(path);

async function addOutside(rows: Map<string, FileRow>, path: string, changed: boolean, discretion: Discretion): Promise<void> {
  const stat = await lstat(path).catch(() => undefined);
  if (stat && !stat.isFile()) return;
  const row = redacted({ path, state: 'outside', ...(stat ? { size: stat.size } : {}), ...(changed ? { changed } : {}) }, discretion);
  const before = rows.get(row.path);
  rows.set(row.path, before?.changed ? { ...row, changed: true } : row);
}

function redacted(row: FileRow, { redactPath }: Discretion): FileRow {
  const path = redactPath(row.path);
  if (path === row.path) return row;
  const { blob: _blob, mode: _mode, ...rest } = row;
  return { ...rest, path };
}

/** The rows of one repository's files. What does not exist and git does not know either counts only where the session changed it. */
async function groupRows(group: Group, touch: (path: string) => { changed: boolean; known: boolean }, discretion: Discretion): Promise<FileRow[]> {
  const { tree, root, prefix, paths } = group;
  const found = new Map<string, WorkFile>();
  const folders = new Set<string>();
  await eachOf(paths, async (path) => {
    const file = await workFile(join(root, path));
    if (file) found.set(path, file);
    else if (await lstat(join(root, path)).catch(() => undefined)) folders.add(path);
  });
  const files = paths.filter((path) => !folders.has(path));
  const [ignorable, index, changes] = tree
    ? await Promise.all([ignored(tree, files), indexIds(tree, files), staged(tree)])
    : [new Set<string>(), new Map<string, string>(), 'all' as const];
  const isHidden = (path: string): boolean => ignorable.has(path) && !index.has(path);
  const stagedAs = (path: string): string | undefined => (changes === 'all' ? 'A' : changes.get(path));
  const hashing = files
    .filter((path) => found.has(path) && !isHidden(path))
    .map((path) => ({ path, file: found.get(path) as WorkFile, expected: index.get(path) }));
  const ids = await blobIds(tree, root, hashing, tree?.state.objectFormat ?? 'sha1');
  const rows: FileRow[] = [];
  await eachOf(files, async (path) => {
    const file = found.get(path);
    const { changed, known } = touch(path);
    const row = { path: under(prefix, path), ...(changed ? { changed } : {}) };
    if (!file) {
      const tracked = index.has(path) || (changes !== 'all' && changes.get(path) === 'D');
      if (tracked || changed || known) rows.push({ ...row, state: 'deleted' });
      return;
    }
    if (isHidden(path)) {
      rows.push({ ...row, state: 'ignored', size: file.size });
      return;
    }
    const blob = ids.get(path);
    if (blob === undefined) return;
    const state = stateOf(blob, index.get(path), stagedAs(path));
    const full: FileRow = { ...row, state: file.mode === '120000' ? 'symlink' : prefix ? 'submodule' : state, mode: file.mode, blob, size: file.size };
    rows.push(state !== 'clean' && (await isSecret(join(root, path), full, file, discretion)) ? { ...row, state: full.state, size: file.size } : full);
  });
  return rows;
}

function stateOf(blob: string, index: string | undefined, change: string | undefined): FileState {
  if (index === undefined) return 'untracked';
  if (change === 'A') return 'added';
  return blob === index && change === undefined ? 'clean' : 'modified';
}

async function isSecret(full: string, row: FileRow, file: WorkFile, { hasSecret }: Discretion): Promise<boolean> {
  if (!hasSecret || file.mode === '120000') return false;
  if (file.size > LOOK_INTO_MAX) return true;
  return hasSecret((await readRegular(full)).toString('latin1'), row.path);
}
