import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { RelayError } from '#lib/errors.ts';
import { isObject } from '#lib/json.ts';
import type { GitEvent } from './call.ts';
import { asideOf, type Change } from './change.ts';
import { bytesOf, replace, sweep } from './file.ts';
import type { Setup } from './setup.ts';

/** What an install has done in this clone: `<git-common-dir>/hooks/relay.json`, where no sandbox of an agent may write, since an uninstall goes by it. */
export interface Installed {
  events: GitEvent[];
  changes: Change[];
}

type Place = Pick<Setup, 'commonDir' | 'root'>;

const file = ({ commonDir }: Place): string => join(commonDir, 'hooks', 'relay.json');
/** Where earlier versions of relay kept it. */
const formerFile = ({ commonDir }: Place): string => join(commonDir, 'relay', 'hooks.json');

/** Somebody else could write to the former file, so of that only what takes relay's own lines out, and puts a file back beside itself, is done. */
const isSurelyOwn = ({ path, own, kept, link }: Change): boolean =>
  /relay\/hook\.sh|relay\/hooks\.config/.test(own) && link === undefined && (kept === undefined || kept === asideOf(path, false));

/** undefined: nothing is installed. RelayError `corrupt` for what cannot be read, since then nothing can be taken back. */
export async function readInstalled(place: Place): Promise<Installed | undefined> {
  return (await readFrom(file(place), place)) ?? (await readFrom(formerFile(place), place, isSurelyOwn));
}

async function readFrom(path: string, place: Place, counts: (one: Change) => boolean = () => true): Promise<Installed | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const { events, changes } = parsed(text, path) as unknown as Installed;
  const here = (at: string): string => (isAbsolute(at) ? at : join(place.commonDir, at));
  return { events, changes: changes.map((one) => withPaths(one, here)).filter(counts) };
}

function parsed(text: string, path: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(text);
    if (isObject(read) && read.version === 1 && Array.isArray(read.events) && Array.isArray(read.changes)) return read;
  } catch {}
  throw new RelayError(
    'corrupt',
    `${path} cannot be read, so relay does not know what it changed.`,
    'Take relay’s lines out of the hooks by hand, then remove that file.',
  );
}

/** Paths in the clone are remembered from its git folder on, so that they hold when the clone is moved. */
export async function writeInstalled(place: Place, { events, changes }: Installed): Promise<void> {
  const inside = (path: string): boolean => [place.commonDir, place.root].some((top) => top !== undefined && path.startsWith(top + sep));
  const portable = (path: string): string => (inside(path) ? relative(place.commonDir, path) : path);
  const text = JSON.stringify({ version: 1, events, changes: changes.map((one) => withPaths(one, portable)) }, null, 2);
  await mkdir(dirname(file(place)), { recursive: true });
  await replace(file(place), bytesOf(`${text}\n`), { mode: 0o600 });
  await rm(formerFile(place), { force: true });
}

export async function forgetInstalled(place: Place): Promise<void> {
  await sweep(file(place));
  for (const path of [file(place), formerFile(place)]) await rm(path, { force: true });
}

const withPaths = (one: Change, as: (path: string) => string): Change => ({
  ...one,
  path: as(one.path),
  ...(one.kept === undefined ? {} : { kept: as(one.kept) }),
});
