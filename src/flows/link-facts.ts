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

/** What may leave of these commits: subjects and paths are redacted; files that Git ignores or that hold a secret have no hash, and then the change has none either. */
export async function linkFacts(ws: Workspace, facts: readonly CommitFacts[]): Promise<Map<string, LinkFacts>> {
  if (!facts.length) return new Map();
  const root = rootOf(needRepository(ws));
  const redaction = await redactionOf(ws, root);
  const redactor = createRedactor({ ...redaction, paths: await pathsOf(ws, root) });
  const place = codePlace(ws);
  const told = facts.map((one) => ({ ...one, told: (one.changes ?? []).slice(0, PAIRS_MAX) }));
  const texts = settled(redactor, [...told.map(({ subject }) => subject), ...told.flatMap(({ told }) => told.map(([path]) => path))]);
  const secrets = createGate({ ...redaction, known: [...(redaction.known ?? []), ...redactor.learned()] });
  const hidden = await hiddenFiles(place, told, (bytes) => secrets.check(bytes, '').length > 0);
  const store = await ws.store();
  await rememberValues(store, await store.key(), redactor.learned());
  return new Map(told.map((one) => [one.commit, factsOf(one, texts, hidden)]));
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

function factsOf(one: CommitFacts & { told: Change[] }, clean: (text: string) => string, hidden: Hidden): LinkFacts {
  const pairs = one.told.map(([path, blob]): LinkPair => {
    const shown = clean(path);
    return shown !== path || (blob !== null && hidden(path, blob)) ? [shown] : [path, blob];
  });
  const more = (one.changes?.length ?? 0) - one.told.length;
  const isOpen = more === 0 && pairs.every((pair) => pair.length === 2);
  return {
    commit: one.commit,
    tree: one.tree,
    ...(one.parents[0] ? { parent: one.parents[0] } : {}),
    ...(one.patchId && isOpen ? { patchId: one.patchId } : {}),
    subject: cut(clean(one.subject), SUBJECT_LONGEST),
    authorDate: one.authorDate,
    pairs,
    ...(more ? { more } : {}),
  };
}

/** True for a file that must not be known by its hash. */
type Hidden = (path: string, blob: string) => boolean;

async function hiddenFiles(place: GitPlace, commits: readonly (CommitFacts & { told: Change[] })[], isSecret: (bytes: Buffer) => boolean): Promise<Hidden> {
  const paths = new Set(commits.flatMap(({ told }) => told.map(([path]) => path)));
  const ignored = await ignoredPaths(place, [...paths]);
  const open = new Map<string, boolean>();
  const reader = objectReader(place);
  const blobs = new Map(commits.flatMap(({ told, sizes }) => told.flatMap(([, blob]) => (blob && sizes.has(blob) ? [[blob, sizes.get(blob) as number]] : []))));
  const small = [...blobs].filter(([, size]) => size <= LOOK_INTO_MAX).map(([blob]) => blob);
  // As for files.json: byte by byte, so that what is no UTF-8 is looked at as well.
  for await (const { id, bytes } of reader.all(small, 4)) open.set(id, !isSecret(Buffer.from(bytes.toString('latin1'), 'utf8')));
  return (path, blob) => ignored.has(path) || (blobs.has(blob) && open.get(blob) !== true);
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
  const { patchId, ...rest } = link;
  const isSame = pairs.every((pair, i) => pair === link.pairs[i]);
  return {
    ...rest,
    ...(patchId && isSame ? { patchId } : {}),
    ...(link.subject === undefined ? {} : { subject: redactor.text(link.subject, 'links') }),
    pairs,
  };
}
