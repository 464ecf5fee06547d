import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { SessionCard, Where } from '#session/source.ts';
import { readCard } from './card.ts';
import { configDirs, sessionIdOf } from './native.ts';

/** Files that are looked at at the same time. */
const AT_ONCE = 16;

interface Found {
  path: string;
  sidecar: boolean;
}

/** Sessions of every configuration folder, newest first. Sub-agents' files and files that hold no conversation are no sessions. */
export async function list(where: Where, filter: { cwd?: string } = {}): Promise<SessionCard[]> {
  const projects = await Promise.all(configDirs(where).map((config) => realpath(join(config, 'projects')).catch(() => undefined)));
  const found = (await Promise.all([...new Set(projects)].map((folder) => (folder === undefined ? [] : sessionFiles(folder))))).flat();
  const cards: SessionCard[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let file = found[next++]; file; file = found[next++]) {
      const card = await readCard(file.path, file.sidecar);
      if (card && (filter.cwd === undefined || isBelow(card.cwd, filter.cwd))) cards.push(card);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return cards.sort((a, b) => (a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : a.path < b.path ? -1 : 1));
}

/** The newest file of that name: a session that was moved to another folder has several. */
export async function locate(where: Where, id: string): Promise<string | undefined> {
  if (sessionIdOf(`${id}.jsonl`) === undefined) return undefined;
  const found: { path: string; mtimeMs: number }[] = [];
  for (const config of configDirs(where)) {
    const projects = join(config, 'projects');
    for (const folder of await entries(projects)) {
      const path = join(projects, folder.name, `${id}.jsonl`);
      const info = await stat(path).catch(() => undefined);
      if (info?.isFile()) found.push({ path, mtimeMs: info.mtimeMs });
    }
  }
  return found.sort((a, b) => b.mtimeMs - a.mtimeMs)[0]?.path;
}

const isBelow = (cwd: string, folder: string): boolean => cwd === folder || cwd.startsWith(folder.endsWith(sep) ? folder : folder + sep);

async function sessionFiles(projects: string): Promise<Found[]> {
  const folders = (await entries(projects)).filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
  const lists = await Promise.all(folders.map((folder) => inFolder(join(projects, folder.name))));
  return lists.flat();
}

async function inFolder(folder: string): Promise<Found[]> {
  const all = await entries(folder);
  const folders = new Set(all.filter((entry) => !entry.isFile()).map((entry) => entry.name));
  return all.flatMap((entry) => {
    const id = entry.isFile() || entry.isSymbolicLink() ? sessionIdOf(entry.name) : undefined;
    return id === undefined ? [] : [{ path: join(folder, entry.name), sidecar: folders.has(id) }];
  });
}

const entries = (folder: string): Promise<Dirent[]> => readdir(folder, { withFileTypes: true }).catch(() => []);
