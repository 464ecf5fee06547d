import { createHash } from 'node:crypto';
import { type FastImport, fastImport } from '#git/fast-import.ts';
import { git } from '#git/run.ts';
import { RelayError } from '#lib/errors.ts';
import { asObject, asString, type Json, type JsonObject, parseJson } from '#lib/json.ts';
import { type Commit, readCommit } from './commit.ts';
import { ROOT_COMMIT } from './draft.ts';
import { readManifest } from './manifest.ts';
import { builtRef } from './names.ts';
import { type Changes, versionScrubber } from './rewrite-version.ts';
import type { Scrub } from './scrub.ts';
import type { Side } from './side.ts';
import { treeReader } from './tree.ts';

/** A version in the history that is looked at. */
export interface Version {
  commit: string;
  handoff: string;
  n: number;
  parsed: Commit;
}

/** What the chains of some tips become. */
export interface Rewritten {
  /** old commit -> new one, null for none; those that stay as they are are not in it */
  commits: Map<string, string | null>;
  /** the commit that stands where this one stood: itself, its new form or the nearest that is left before it; undefined: nothing is left */
  stands(commit: string): string | undefined;
  /** old blob -> new one, null for none */
  blobs: Map<string, string | null>;
  /** old commits out of whose content something was taken */
  edited: Set<string>;
  /** the one commit without parent that every chain may begin at */
  root: string;
}

/** Every commit that the tips reach, parents first, with what it is a version of ("" where it is none). */
export async function versionsOf(side: Side, tips: readonly string[]): Promise<Version[]> {
  if (!tips.length) return [];
  const listed = await git(side.git, ['rev-list', '--topo-order', '--reverse', '--stdin'], `${[...new Set(tips)].join('\n')}\n`);
  const commits = listed.split('\n').filter(Boolean);
  const versions: Version[] = [];
  for (let from = 0; from < commits.length; from += 64) {
    const some = commits.slice(from, from + 64);
    const answers = some.map((commit) => Promise.all([side.objects.get(commit), side.objects.get(`${commit}:session.json`)]));
    for (const [i, answer] of answers.entries()) {
      const [object, manifest] = await answer;
      const { handoff, version } = manifest ? nameIn(manifest.bytes) : { handoff: '', version: 0 };
      versions.push({ commit: some[i] as string, handoff, n: version, parsed: readCommit(object?.bytes ?? Buffer.alloc(0)) });
    }
  }
  return versions;
}

function nameIn(manifest: Buffer): { handoff: string; version: number } {
  try {
    return readManifest(manifest, 'a version').fields;
  } catch {
    return { handoff: '', version: 0 };
  }
}

/**
 * Makes the history anew without some versions, or without a value: same authors, dates, messages and numbers. What does not change keeps its id.
 * @param versions parents first
 * @param drop says of a version whether it goes
 * @param change `dirty`: blobs that hold the value; `store` false: nothing is kept of what was made
 * @returns also the versions out of which the value cannot be taken, which go too
 */
export async function rewrite(
  side: Side,
  versions: readonly Version[],
  { drop, scrub, dirty, store = true }: { drop(version: Version): boolean; scrub?: Scrub | undefined; dirty: ReadonlySet<string>; store?: boolean },
): Promise<Rewritten & { impossible: Version[] }> {
  const into = fastImport(side.git, 6, true);
  const work: Work = {
    side,
    into,
    scrub,
    dirty,
    versions: scrub && versionScrubber(side, scrub, dirty),
    trees: treeReader(side),
    blobs: new Map(),
    edited: new Set(),
    marks: new Map(),
  };
  const commits = new Map<string, string | null>();
  const standing = new Map<string, string | undefined>();
  const impossible: Version[] = [];
  try {
    const root = await commitNow(work, { ref: builtRef('root'), ...ROOT_COMMIT, files: new Map() });
    for (const [i, version] of versions.entries()) {
      const { commit, parsed } = version;
      const parent = parsed.parents[0];
      const before = parent === undefined ? undefined : (standing.get(parent) ?? root);
      const made = drop(version) ? null : await remade(work, version, before, commits, builtRef(String(i))).catch(cannot(version, impossible));
      if (made !== commit) commits.set(commit, made);
      standing.set(commit, made ?? before);
    }
    const done = store ? await into.finish([]) : await into.abort();
    if (done && 'failed' in done)
      throw new RelayError('failed', `The history could not be made anew: ${done.failed}`, 'Nothing was changed. Run the command again.');
    return { commits, blobs: work.blobs, edited: work.edited, root, impossible, stands: (commit) => (standing.has(commit) ? standing.get(commit) : commit) };
  } catch (error) {
    await into.abort();
    throw error;
  }
}

/** A version that cannot be edited goes; a damaged one too, for nobody can say what is in it. */
const cannot =
  (version: Version, impossible: Version[]) =>
  (error: unknown): null => {
    if (!(error instanceof RelayError) || !(error.code === 'secret-left' || error.code === 'corrupt')) throw error;
    impossible.push(version);
    return null;
  };

interface Work {
  side: Side;
  into: FastImport;
  scrub: Scrub | undefined;
  dirty: ReadonlySet<string>;
  versions: ReturnType<typeof versionScrubber> | undefined;
  trees: ReturnType<typeof treeReader>;
  blobs: Map<string, string | null>;
  edited: Set<string>;
  /** what git calls a commit of its stream until the stream ends */
  marks: Map<string, string>;
}

async function commitNow({ into, marks }: Work, order: Parameters<FastImport['commit']>[0]): Promise<string> {
  const mark = into.commit(order);
  const id = await into.id(mark);
  marks.set(id, mark);
  return id;
}

/** The commit's new form; its own id where nothing changes. */
async function remade(
  work: Work,
  { commit, parsed }: Version,
  parent: string | undefined,
  commits: ReadonlyMap<string, string | null>,
  ref: string,
): Promise<string> {
  const { side, into, scrub } = work;
  const files = await work.trees(parsed.tree);
  const changes: Changes = work.versions ? await work.versions.changes(files) : new Map();
  const moved = parent !== parsed.parents[0];
  if (changes.size) work.edited.add(commit);
  if (moved) await moveLineage(side, files.find(({ path }) => path === 'session.json')?.id, changes, commits);
  const text = scrubbedText(parsed, scrub);
  if (!moved && !changes.size && text === parsed) return commit;
  const put = new Map([...changes].map(([path, bytes]) => [path, bytes && into.blob(bytes)] as const));
  for (const { path, id } of files) {
    const bytes = changes.get(path);
    if (work.dirty.has(id)) work.blobs.set(id, bytes ? blobId(side, bytes) : null);
  }
  const { author, committer, message, tree } = text;
  return commitNow(work, { ref, author, committer, message, tree, files: put, ...(parent === undefined ? {} : { from: work.marks.get(parent) ?? parent }) });
}

/** Author, dates and message without the value; the same object where it is not in them. */
function scrubbedText(parsed: Commit, scrub: Scrub | undefined): Commit {
  if (!scrub) return parsed;
  const clean = ({ name, email, ...rest }: Commit['author']): Commit['author'] => ({ ...rest, name: scrub.text(name), email: scrub.text(email) });
  const made = { ...parsed, author: clean(parsed.author), committer: clean(parsed.committer), message: scrub.text(parsed.message) };
  return JSON.stringify(made) === JSON.stringify(parsed) ? parsed : made;
}

/** A session that goes on from a version which has become another one says so; from one that is gone it goes on no more. */
async function moveLineage(side: Side, manifestId: string | undefined, changes: Changes, commits: ReadonlyMap<string, string | null>): Promise<void> {
  const bytes = changes.get('session.json') ?? (manifestId ? (await side.objects.get(manifestId))?.bytes : undefined);
  const manifest = bytes ? asObject(parseJson(bytes.toString('utf8'))) : undefined;
  const lineage = asObject(manifest?.lineage as Json | undefined);
  const now = commits.get(asString(lineage?.commit) ?? '');
  if (!manifest || now === undefined) return;
  const { lineage: _, ...rest } = manifest;
  const made: JsonObject = now === null ? rest : { ...manifest, lineage: { ...lineage, commit: now } };
  changes.set('session.json', Buffer.from(`${JSON.stringify(made)}\n`));
}

const blobId = (side: Side, bytes: Buffer): string => createHash(side.repository.objectFormat).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
