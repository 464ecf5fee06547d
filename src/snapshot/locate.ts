import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { eachOf, openWorkTree, type Project, type WorkTree } from './work-tree.ts';

/** Where a path that a session names lies: in the project (relative to its root, forward slashes), or outside of it. */
export type Place = { in: string } | { outside: string };

/** Remembers what was asked of the file system once. */
export interface Locator {
  /** Nothing for what is no file of anybody's: the root itself, the inside of a `.git`, a name that no file can have. */
  locate(path: string): Promise<Place | undefined>;
  /** The repository within the project that a path lies in (a submodule, a clone), relative to the root; "" for the project's own. */
  repositoryOf(path: string): Promise<string>;
}

export function locator({ root, cwd = root }: Pick<Project, 'root' | 'cwd'>): Locator {
  const real = new Map<string, Promise<string>>();
  const nested = new Map<string, Promise<string>>();

  /** The folder with its symbolic links followed, as far as it exists. */
  const realFolder = (folder: string): Promise<string> =>
    remember(real, folder, () =>
      realpath(folder).catch(async () => (folder === dirname(folder) ? folder : join(await realFolder(dirname(folder)), basename(folder)))),
    );

  const locate = async (path: string): Promise<Place | undefined> => {
    if (!path || path.includes('\0')) return undefined;
    // A path of another system says where it lay there.
    if (/^[A-Za-z]:[\\/]|^\\\\/.test(path) && sep === '/') return { outside: path };
    const full = isAbsolute(path) ? resolve(path) : resolve(cwd, path);
    const within = relative(root, join(await realFolder(dirname(full)), basename(full)));
    if (within === '') return undefined;
    if (within === '..' || within.startsWith(`..${sep}`) || isAbsolute(within)) return { outside: full };
    const steps = within.split(sep);
    return steps.includes('.git') ? undefined : { in: steps.join('/') };
  };

  const repositoryOf = (path: string): Promise<string> => {
    const folder = dirname(path);
    if (folder === '.') return Promise.resolve('');
    return remember(nested, folder, async () => ((await exists(join(root, folder, '.git'))) ? folder : repositoryOf(folder)));
  };

  return { locate, repositoryOf };
}

function remember<T>(known: Map<string, Promise<T>>, key: string, find: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** Paths of a project that lie in one repository. */
export interface Group {
  /** relative to the project's root; "" for its own repository */
  prefix: string;
  /** where its files lie */
  root: string;
  /** undefined: no repository, or one that git does not open */
  tree: WorkTree | undefined;
  /** relative to this root */
  paths: string[];
}

/** Sorts paths by the repository that they lie in: a submodule has its own ignored files and attributes, and its parent's git refuses to look into it. */
export async function byRepository(project: Project, finder: Locator, paths: Iterable<string>): Promise<Group[]> {
  const sorted = new Map<string, string[]>([['', []]]);
  for (const path of paths) {
    const prefix = await finder.repositoryOf(path);
    const list = sorted.get(prefix) ?? [];
    list.push(prefix ? path.slice(prefix.length + 1) : path);
    sorted.set(prefix, list);
  }
  const groups: Group[] = [];
  await eachOf([...sorted], async ([prefix, list]) => {
    const root = join(project.root, prefix);
    groups.push({ prefix, root, tree: await openWorkTree(prefix ? { root, env: project.env } : project), paths: list });
  });
  return groups;
}

export const under = (prefix: string, path: string): string => (prefix ? `${prefix}/${path}` : path);
