import { objectReader } from '#git/batch.ts';
import { type GitPlace, tryGit } from '#git/run.ts';
import { cut } from '#lib/cut.ts';
import { createGate, createRedactor, type Redactor } from '#redact/index.ts';
import type { Link, LinkPair } from '#store/link-line.ts';
import { type Change, type CommitFacts, codePlace } from './commit-facts.ts';
import { pathsOf, redactionOf } from './redaction.ts';
import { rememberValues } from './remembered.ts';
import { needRepository, rootOf, type Workspace } from './workspace.ts';

/** What a link says of a commit itself. */
export type LinkFacts = Omit<Link, 'how' | 'role' | 'from' | 'version'>;

/** So many files of a commit are told; of a larger one it is told how many more there are. */
export const PAIRS_MAX = 200;
/** Larger files are not looked into for secrets, and not known by their hash. In bytes. */
const LOOK_INTO_MAX = 4 * 1024 * 1024;
/** Of subjects. In UTF-16 units. */
const SUBJECT_LONGEST = 500;
const ROUNDS = 3;

/** What may leave of these commits: subjects and paths are redacted; files that Git ignores or that hold a secret have no hash, and a change that has to do with one has none either. */
export async function linkFacts(ws: Workspace, facts: readonly CommitFacts[]): Promise<Map<string, LinkFacts>> {
  if (!facts.length) return new Map();
  const root = rootOf(needRepository(ws));
  const redaction = await redactionOf(ws, root);
  const redactor = createRedactor({ ...redaction, paths: await pathsOf(ws, root) });
  const parts = facts.flatMap((one) => [one, ...(one.branch ? [one.branch] : [])]).map(toldOf);
  const paths = [...new Set(parts.flatMap(({ changes }) => changes.map(([path]) => path)))];
  const clean = settled(redactor, [...facts.map(({ subject }) => subject), ...paths]);
  const secrets = createGate({ ...redaction, known: [...(redaction.known ?? []), ...redactor.learned()] });
  const place = codePlace(ws);
  const ignored = await ignoredPaths(place, paths);
  const closed = await closedBlobs(place, facts, parts, (bytes) => secrets.check(bytes, '').length > 0);
  const store = await ws.store();
  await rememberValues(store, await store.key(), redactor.learned());
  return new Map(facts.map((one) => [one.commit, factsOf(one, { clean, isIgnored: (path) => ignored.has(path), isClosed: (blob) => closed.has(blob) })]));
}

/** Texts as they may leave. What is learned from the last may stand in the first. */
function settled(redactor: Redactor, texts: readonly string[]): (text: string) => string {
  const made = new Map<string, string>();
  for (let round = 0, before = -1; before !== redactor.learnedCount() && round < ROUNDS; round++) {
    before = redactor.learnedCount();
    for (const text of texts) made.set(text, redactor.text(text, 'links'));
  }
  return (text) => made.get(text) ?? '';
}

/** Something that changed files: a commit, or a branch up to it. */
interface Changed {
  changes: readonly Change[] | undefined;
  replaced: readonly string[];
}

/** The part of it that is told; `more`: how many files are left out. */
const toldOf = ({ changes = [], replaced }: Changed) => ({ changes: changes.slice(0, PAIRS_MAX), more: Math.max(0, changes.length - PAIRS_MAX), replaced });

/** What may be said of paths and contents. */
interface Discretion {
  clean(text: string): string;
  isIgnored(path: string): boolean;
  /** true for a blob that must not be known by its hash */
  isClosed(blob: string): boolean;
}

function factsOf(one: CommitFacts, discretion: Discretion): LinkFacts {
  const { pairs, more, isOpen } = pairsOf(one, discretion);
  const { branch, patchId, parents } = one;
  return {
    commit: one.commit,
    tree: one.tree,
    ...(parents[0] ? { parent: parents[0] } : {}),
    ...(patchId && isOpen ? { patchId } : {}),
    ...(branch && pairsOf(branch, discretion).isOpen ? { branch: { base: branch.base, patchId: branch.patchId } } : {}),
    subject: cut(discretion.clean(one.subject), SUBJECT_LONGEST),
    authorDate: one.authorDate,
    pairs,
    ...(more ? { more } : {}),
  };
}

/** `isOpen`: all of the change may be known by its hash. */
function pairsOf(changed: Changed, { clean, isIgnored, isClosed }: Discretion): { pairs: LinkPair[]; more: number; isOpen: boolean } {
  const { changes, more, replaced } = toldOf(changed);
  const pairs = changes.map(([path, blob]): LinkPair => {
    const shown = clean(path);
    return shown !== path || (blob !== null && (isIgnored(path) || isClosed(blob))) ? [shown] : [path, blob];
  });
  return { pairs, more, isOpen: !more && pairs.every((pair) => pair.length === 2) && !replaced.some(isClosed) };
}

/** Blobs that hold a secret, or are too large to be looked into. */
async function closedBlobs(
  place: GitPlace,
  facts: readonly CommitFacts[],
  parts: readonly ReturnType<typeof toldOf>[],
  isSecret: (bytes: Buffer) => boolean,
): Promise<Set<string>> {
  // Commits that were asked for together share the map.
  const sizes = new Map([...new Set(facts.map((one) => one.sizes))].flatMap((one) => [...one]));
  const wanted = new Set(parts.flatMap(({ changes, more, replaced }) => [...changes.flatMap(([, blob]) => blob ?? []), ...(more ? [] : replaced)]));
  const blobs = [...wanted].filter((blob) => sizes.has(blob));
  const small = blobs.filter((blob) => (sizes.get(blob) as number) <= LOOK_INTO_MAX);
  const closed = new Set(blobs.filter((blob) => (sizes.get(blob) as number) > LOOK_INTO_MAX));
  // As for files.json: byte by byte, so that what is no UTF-8 is looked at as well.
  for await (const { id, bytes } of objectReader(place).all(small, 4)) if (isSecret(Buffer.from(bytes.toString('latin1'), 'utf8'))) closed.add(id);
  return closed;
}

async function ignoredPaths(place: GitPlace, paths: readonly string[]): Promise<Set<string>> {
  if (!paths.length) return new Set();
  const { stdout } = await tryGit(place, ['check-ignore', '--no-index', '-z', '--stdin'], paths.map((path) => `${path}\0`).join(''));
  return new Set(stdout.toString('utf8').split('\0').filter(Boolean));
}

/** The same link as it may leave by what is known to be secret now. */
export function cleanLink(link: Link, redactor: Redactor): Link {
  const pairs = link.pairs.map((pair): LinkPair => {
    const shown = redactor.text(pair[0], 'links');
    return shown === pair[0] ? pair : [shown];
  });
  const { patchId, branch, ...rest } = link;
  const isSame = pairs.every((pair, i) => pair === link.pairs[i]);
  return {
    ...rest,
    ...(patchId && isSame ? { patchId } : {}),
    ...(branch && isSame ? { branch } : {}),
    ...(link.subject === undefined ? {} : { subject: redactor.text(link.subject, 'links') }),
    pairs,
  };
}
