import { join } from 'node:path';
import { type Env, gitEnv } from '#git/env.ts';
import { type GitPlace, tryGit } from '#git/run.ts';
import { hasCrLf, lfsId, type ObjectFormat, type WorkFile } from './blob.ts';

/** A folder whose files are looked at: the top of a work tree, or any folder where there is no repository. */
export interface Project {
  /** real, absolute path */
  root: string;
  env: Env;
  /** the git folder of its repository, where that is known: another one's may lie in it */
  gitDir?: string;
  /** what relative paths of a session refer to; default: the root */
  cwd?: string;
}

/** What the session's code was at: null where there is no repository, no commit yet, or no branch checked out. */
export interface CodeState {
  objectFormat: ObjectFormat;
  head: string | null;
  tree: string | null;
  branch: string | null;
}

/** The git side of a work tree. Answers about any number of paths cost a fixed number of processes, whatever the repository holds. */
export interface WorkTree {
  root: string;
  place: GitPlace;
  state: CodeState;
}

/** The work tree whose top is `root`, or nothing where that is none. */
export async function openWorkTree({ root, env, gitDir }: Project): Promise<WorkTree | undefined> {
  const place: GitPlace = { env: gitEnv(env), cwd: root, ...(gitDir === undefined ? {} : { gitDir, workTree: root }) };
  const [ids, named] = await Promise.all([
    tryGit(place, ['rev-parse', '--show-cdup', '--show-object-format', 'HEAD', 'HEAD^{tree}']),
    tryGit(place, ['symbolic-ref', '--quiet', '--short', 'HEAD']),
  ]);
  // The first line is the way up to the top: empty at the top itself. In a repository without commits the ids are missing.
  const [up, format, head, tree] = ids.stdout.toString('utf8').split('\n');
  if (up !== '' || !format) return undefined;
  const born = ids.code === 0;
  const state: CodeState = {
    objectFormat: format === 'sha256' ? 'sha256' : 'sha1',
    head: born && head ? head : null,
    tree: born && tree ? tree : null,
    branch: named.code === 0 ? named.stdout.toString('utf8').trim() || null : null,
  };
  return { root, place, state };
}

/** NUL-terminated fields of git's output. */
const fields = (output: Buffer): string[] => output.toString('utf8').split('\0').slice(0, -1);
const list = (paths: readonly string[]): string => paths.map((path) => `${path}\0`).join('');

/** Those of the paths that git would ignore if they were not tracked. (Asked about the index too, git compares each path with each of its entries.) */
export async function ignored({ place }: WorkTree, paths: readonly string[]): Promise<Set<string>> {
  if (!paths.length) return new Set();
  const { stdout } = await tryGit(place, ['check-ignore', '--no-index', '-z', '--stdin'], list(paths));
  return new Set(fields(stdout));
}

/** Blob ids in the index, for those of the paths that stand there. */
export async function indexIds({ place }: WorkTree, paths: readonly string[]): Promise<Map<string, string>> {
  // One line a path: a name with a line feed cannot be asked for in this way, and is so rare that it counts as not tracked.
  const asked = paths.filter((path) => !path.includes('\n'));
  const ids = new Map<string, string>();
  if (!asked.length) return ids;
  const { stdout } = await tryGit(place, ['cat-file', '--batch-check=%(objectname)'], asked.map((path) => `:0:${path}\n`).join(''));
  stdout
    .toString('utf8')
    .split('\n')
    .forEach((line, i) => {
      const path = asked[i];
      if (path !== undefined && /^[0-9a-f]{40,64}$/.test(line)) ids.set(path, line);
    });
  return ids;
}

/** What is staged: A, M, D … by path. Everything in the index where there is no commit yet. */
export async function staged({ place, state }: WorkTree): Promise<Map<string, string> | 'all'> {
  if (state.head === null) return 'all';
  const { stdout } = await tryGit(place, ['diff-index', '--cached', '--no-renames', '--name-status', '-z', 'HEAD', '--']);
  const parts = fields(stdout);
  const out = new Map<string, string>();
  for (let i = 0; i + 1 < parts.length; i += 2) out.set(parts[i + 1] as string, parts[i] as string);
  return out;
}

/** How git changes a file's bytes on their way in. */
interface Conversion {
  lfs: boolean;
  /** another filter, `ident` or an encoding: only git itself knows the result */
  byGit: boolean;
  /** line ends may be converted */
  lines: boolean;
}

/** The attributes and setting that decide how git reads a file. */
async function conversions({ place }: WorkTree, paths: readonly string[]): Promise<(path: string) => Conversion> {
  const [attributes, autocrlf] = await Promise.all([
    tryGit(place, ['check-attr', '-z', '--stdin', 'filter', 'ident', 'working-tree-encoding', 'text', 'eol', 'crlf'], list(paths)),
    tryGit(place, ['config', '--get', 'core.autocrlf']),
  ]);
  const always = /^(true|input|yes|on|1)\s*$/i.test(autocrlf.stdout.toString('utf8'));
  const found = new Map<string, Conversion>();
  const parts = fields(attributes.stdout);
  for (let i = 0; i + 2 < parts.length; i += 3) {
    const [path, name, value] = parts.slice(i, i + 3) as [string, string, string];
    const conversion = found.get(path) ?? { lfs: false, byGit: false, lines: always };
    found.set(path, conversion);
    if (value === 'unspecified' || value === 'unset') continue;
    if (name === 'filter' && value === 'lfs') conversion.lfs = true;
    else if (name === 'filter' || name === 'ident' || name === 'working-tree-encoding') conversion.byGit = true;
    else conversion.lines = true;
  }
  return (path) => found.get(path) ?? { lfs: false, byGit: false, lines: always };
}

/** A file to be hashed: where it lies in the project, and the id that it may turn out to have. */
export interface Hashing {
  path: string;
  file: WorkFile;
  /** id in the index or in a snapshot: bytes that have it as they are need no conversion */
  expected?: string | undefined;
}

/** Files read at the same time. */
const AT_ONCE = 8;

/**
 * The blob ids that git would give to some files, by path. Plain files are hashed here; line ends, filters and encodings
 * are left to one `git hash-object` for all; links are hashed by their text. A file that vanishes meanwhile has none.
 */
export async function blobIds(tree: WorkTree | undefined, root: string, files: readonly Hashing[], format: ObjectFormat): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const left: Hashing[] = [];
  await eachOf(files, async (hashing) => {
    const id = await hashing.file.id(format);
    ids.set(hashing.path, id);
    if (tree && hashing.file.mode !== '120000' && id !== hashing.expected) left.push(hashing);
  });
  if (!tree || !left.length) return ids;
  const conversion = await conversions(
    tree,
    left.map(({ path }) => path),
  );
  const byGit: string[] = [];
  await eachOf(left, async ({ path, file }) => {
    const { lfs, byGit: needed, lines } = conversion(path);
    if (lfs) ids.set(path, await lfsId(join(root, path), file.size, format));
    else if (format === tree.state.objectFormat && (needed || (lines && (await hasCrLf(join(root, path)))))) byGit.push(path);
  });
  for (const [path, id] of await hashedByGit(tree, byGit)) ids.set(path, id);
  return ids;
}

async function hashedByGit({ place }: WorkTree, paths: readonly string[]): Promise<Map<string, string>> {
  const asked = paths.filter((path) => !/[\n"]/.test(path));
  const out = new Map<string, string>();
  if (!asked.length) return out;
  const { code, stdout } = await tryGit(place, ['hash-object', '--stdin-paths'], asked.map((path) => `${path}\n`).join(''));
  const ids = stdout.toString('utf8').split('\n');
  // It stops at the first file that it cannot read: the rest is asked for without that one.
  asked.forEach((path, i) => {
    if (ids[i]) out.set(path, ids[i]);
  });
  if (code === 0) return out;
  for (const [path, id] of await hashedByGit({ place } as WorkTree, asked.slice(out.size + 1))) out.set(path, id);
  return out;
}

/** Does something with each, a few at a time; a file that vanished is skipped. */
export async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++])
      await work(item).catch((error: NodeJS.ErrnoException) => {
        if (!['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EISDIR'].includes(error.code ?? '')) throw error;
      });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
