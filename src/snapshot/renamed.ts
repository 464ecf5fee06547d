import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { tryGit } from '#git/run.ts';
import { type WorkFile, workFile } from './blob.ts';
import type { FileRow, Snapshot } from './files.ts';
import { blobIds, eachOf, type Hashing, openWorkTree, type Project, type WorkTree } from './work-tree.ts';

/** Files looked at where there is no repository that would list them. */
const WALK_MAX = 20_000;

/**
 * Where files that are gone stand now: at another path with the same content, which was not there before. Looks at
 * the index, and hashes untracked files only when they have the size of one that is looked for.
 * @param known paths of the snapshot: what stood there already is no new place
 * @returns new path by old path
 */
export async function findRenamed(
  project: Project,
  snapshot: Pick<Snapshot, 'objectFormat' | 'head'>,
  missing: readonly FileRow[],
  known: ReadonlySet<string>,
): Promise<Map<string, string>> {
  // Empty files are all alike.
  const wanted = new Map<string, FileRow[]>();
  for (const row of missing) if (row.blob !== undefined && row.size) wanted.set(row.blob, [...(wanted.get(row.blob) ?? []), row]);
  if (!wanted.size) return new Map();
  const sizes = new Set([...wanted.values()].flat().map((row) => row.size));
  const tree = await openWorkTree(project);
  const candidates = tree ? await listed(tree, snapshot, wanted) : (await walk(project.root)).map((path) => ({ path, tracked: false }));
  const hashing: Hashing[] = [];
  await eachOf(candidates, async ({ path, tracked }) => {
    if (known.has(path)) return;
    const file: WorkFile | undefined = await workFile(join(project.root, path));
    if (file && (tracked || sizes.has(file.size))) hashing.push({ path, file });
  });
  const places = new Map<string, string[]>();
  const ids = await blobIds(tree, project.root, hashing, snapshot.objectFormat);
  for (const [path, id] of ids) if (wanted.has(id)) places.set(id, [...(places.get(id) ?? []), path]);
  const fresh = tree ? await notBefore(tree, snapshot, places) : places;
  return assign(wanted, fresh);
}

/** Tracked files that have one of the ids in the index, and all untracked ones. */
async function listed(
  { place, state }: WorkTree,
  snapshot: Pick<Snapshot, 'objectFormat'>,
  wanted: ReadonlyMap<string, unknown>,
): Promise<{ path: string; tracked: boolean }[]> {
  const [index, others] = await Promise.all([tryGit(place, ['ls-files', '-s', '-z']), tryGit(place, ['ls-files', '-o', '--exclude-standard', '-z'])]);
  const out = split(others.stdout).map((path) => ({ path, tracked: false }));
  // Ids of another object format say nothing here.
  if (state.objectFormat !== snapshot.objectFormat) return out;
  for (const line of split(index.stdout)) {
    const tab = line.indexOf('\t');
    if (wanted.has(line.slice(7, tab - 2))) out.push({ path: line.slice(tab + 1), tracked: true });
  }
  return out;
}

const split = (output: Buffer): string[] => output.toString('utf8').split('\0').slice(0, -1);

/** Leaves out places that held the same content at the snapshot's commit already: a copy is no new name. */
async function notBefore({ place }: WorkTree, { head }: Pick<Snapshot, 'head'>, places: Map<string, string[]>): Promise<Map<string, string[]>> {
  const asked = [...places].flatMap(([id, paths]) => paths.filter((path) => !path.includes('\n')).map((path) => ({ id, path })));
  if (head === null || !asked.length) return places;
  const { stdout } = await tryGit(place, ['cat-file', '--batch-check=%(objectname)'], asked.map(({ path }) => `${head}:${path}\n`).join(''));
  const before = stdout.toString('utf8').split('\n');
  const fresh = new Map<string, string[]>();
  asked.forEach(({ id, path }, i) => {
    if (before[i] !== id) fresh.set(id, [...(fresh.get(id) ?? []), path]);
  });
  return fresh;
}

/** Gives each file one place, that with its own name first; none is given twice. */
function assign(wanted: ReadonlyMap<string, FileRow[]>, places: ReadonlyMap<string, string[]>): Map<string, string> {
  const moved = new Map<string, string>();
  for (const [id, rows] of wanted) {
    const free = [...(places.get(id) ?? [])].sort();
    for (const row of rows) {
      const at = Math.max(
        0,
        free.findIndex((path) => basename(path) === basename(row.path)),
      );
      const [to] = free.splice(at, 1);
      if (to !== undefined) moved.set(row.path, to);
    }
  }
  return moved;
}

/** The files below a folder that is no repository. */
async function walk(root: string): Promise<string[]> {
  const out: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined && out.length < WALK_MAX; folder = folders.pop()) {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])) {
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      if (entry.isFile()) out.push(path);
      else if (entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules') folders.push(path);
    }
  }
  return out;
}
