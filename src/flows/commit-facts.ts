import { objectReader } from '#git/batch.ts';
import { gitEnv } from '#git/env.ts';
import { patchIds } from '#git/patch-id.ts';
import { placeIn } from '#git/repository.ts';
import { type GitPlace, git } from '#git/run.ts';
import { type Commit, readCommit } from '#store/commit.ts';
import { needRepository, type Workspace } from './workspace.ts';

/** A file that a commit introduced, and its blob; null for one that it took away. */
export type Change = [path: string, blob: string | null];

/** What a commit says of itself, as it stands in this clone; nothing of it is redacted. */
export interface CommitFacts {
  commit: string;
  tree: string;
  parents: string[];
  message: string;
  /** first paragraph of the message, on one line */
  subject: string;
  /** ISO 8601 with its zone */
  authorDate: string;
  /** seconds since 1970 */
  committed: number;
  /** by path; undefined where there is nothing that it could be compared with: a merge, or the edge of a shallow clone */
  changes: Change[] | undefined;
  /** blobs that stood there before: the patch tells of them, too */
  replaced: string[];
  /** bytes of all these, by blob; undefined for what is not there */
  sizes: ReadonlyMap<string, number>;
  /** undefined also for a change that is too large to be worth it */
  patchId: string | undefined;
  /** what its branch changed up to it, where that is more than the commit itself; see branch-facts.ts */
  branch?: BranchFacts;
}

/** All that a branch changed since it left the main one: what a squash of it will be. */
export interface BranchFacts {
  /** the commit of the main branch that it goes on from */
  base: string;
  changes: Change[];
  replaced: string[];
  patchId: string;
}

/** A larger change is a vendored folder or a dump: so many files, and bytes before and after. */
const PATCH_MAX = { files: 300, bytes: 8 * 1024 * 1024 };

/** The user's repository, read only; what a partial clone lacks is not fetched for this. */
export function codePlace(ws: Workspace): GitPlace {
  return placeIn(needRepository(ws), { ...gitEnv(ws.env), GIT_NO_LAZY_FETCH: '1' });
}

/** The facts of those commits that are here. Five processes for all of them, however long the history is. */
export async function commitFacts(place: GitPlace, ids: readonly string[]): Promise<Map<string, CommitFacts>> {
  const commits = await readCommits(place, ids);
  const comparable = [...commits].flatMap(([id, { isComparable }]) => (isComparable ? [id] : []));
  const raw = await changesOf(place, comparable);
  const sizes = await sizesOf(place, raw);
  const patches = await patchIds(
    place,
    comparable.filter((id) => isSmall(raw.get(id) ?? [], sizes)),
  );
  return new Map(
    [...commits].map(([id, { parsed, isComparable }]) => [
      id,
      {
        commit: id,
        tree: parsed.tree,
        parents: parsed.parents,
        message: parsed.message,
        subject: subjectOf(parsed.message),
        authorDate: isoDate(parsed.author.seconds, parsed.author.zone ?? '+0000'),
        committed: parsed.committer.seconds,
        changes: isComparable ? (raw.get(id) ?? []).map(toChange) : undefined,
        replaced: replacedIn(raw.get(id) ?? []),
        sizes,
        patchId: patches.get(id),
      },
    ]),
  );
}

async function readCommits(place: GitPlace, ids: readonly string[]): Promise<Map<string, { parsed: Commit; isComparable: boolean }>> {
  const reader = objectReader(place);
  const commits = new Map<string, { parsed: Commit; isComparable: boolean }>();
  await Promise.all(
    [...new Set(ids)].map(async (id) => {
      const object = await reader.get(id);
      if (object?.type !== 'commit') return;
      const parsed = readCommit(object.bytes);
      const [parent, second] = parsed.parents;
      const isWhole = parent === undefined || (await reader.get(parent)) !== null;
      commits.set(id, { parsed, isComparable: isWhole && second === undefined });
    }),
  );
  return commits;
}

export interface RawChange {
  path: string;
  /** blobs; null: no file */
  before: string | null;
  now: string | null;
}

/** @param ids commits; `<commit> <other>` compares it with another one than its parent */
export async function changesOf(place: GitPlace, ids: readonly string[]): Promise<Map<string, RawChange[]>> {
  const found = new Map<string, RawChange[]>();
  if (!ids.length) return found;
  const args = [
    'diff-tree',
    '--stdin',
    '-r',
    '-z',
    '--raw',
    '--root',
    '--no-renames',
    '--no-abbrev',
    '--no-relative',
    '--ignore-submodules=none',
    '-O/dev/null',
  ];
  const parts = (await git(place, args, `${ids.join('\n')}\n`)).split('\0');
  let changes: RawChange[] = [];
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as string;
    const [, before = '', now = ''] = /^:\d+ \d+ ([0-9a-f]+) ([0-9a-f]+) /.exec(part) ?? [];
    if (now) changes.push({ path: parts[++i] ?? '', before: blobOrNone(before), now: blobOrNone(now) });
    else if (part) {
      changes = [];
      found.set(part.trim(), changes);
    }
  }
  return found;
}

export const replacedIn = (changes: readonly RawChange[]): string[] => changes.flatMap(({ before }) => before ?? []);
export const toChange = ({ path, now }: RawChange): Change => [path, now];

const blobOrNone = (id: string): string | null => (/^0+$/.test(id) ? null : id);

export async function sizesOf(place: GitPlace, raw: ReadonlyMap<string, readonly RawChange[]>): Promise<Map<string, number>> {
  const ids = new Set([...raw.values()].flat().flatMap(({ before, now }) => [before ?? [], now ?? []].flat()));
  if (!ids.size) return new Map();
  const told = await git(place, ['cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize)'], `${[...ids].join('\n')}\n`);
  return new Map(
    told.split('\n').flatMap((line) => {
      const [id = '', type, size] = line.split(' ');
      return type === 'blob' ? [[id, Number(size)] as const] : [];
    }),
  );
}

export function isSmall(changes: readonly RawChange[], sizes: ReadonlyMap<string, number>): boolean {
  const bytes = changes.reduce((sum, { before, now }) => sum + (sizes.get(before ?? '') ?? 0) + (sizes.get(now ?? '') ?? 0), 0);
  return changes.length > 0 && changes.length <= PATCH_MAX.files && bytes <= PATCH_MAX.bytes;
}

/** As `git log --format=%s` shows it. */
const subjectOf = (message: string): string =>
  (message.replace(/^\s*\n/, '').split(/\n\s*\n/)[0] ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ');

/** @param zone as git writes it: +0130 */
export function isoDate(seconds: number, zone: string): string {
  const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)$/.exec(zone) ?? [];
  const offset = (sign === '-' ? -60 : 60) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
  const local = new Date((seconds + offset) * 1000);
  if (Number.isNaN(local.getTime())) return '';
  return `${local.toISOString().slice(0, 19)}${sign ? `${sign}${hours}:${minutes}` : 'Z'}`;
}
