import { createHash } from 'node:crypto';
import { asObject, asString, type Json } from '#lib/json.ts';
import { createGate, createRedactor, type KnownValue, type RedactionReport, type Redactor } from '#redact/index.ts';
import { valueFinder } from '#redact/known/value-finder.ts';
import type { SessionCard } from '#session/source.ts';
import { type Snapshot, takeSnapshot, uncommitted } from '#snapshot/index.ts';
import type { NewVersion, Remote, StoredVersion, VersionWriter } from '#store/types.ts';
import { type Captured, capture } from './capture.ts';
import { Learned, untilNothingIsLearned } from './learned.ts';
import { type Manifest, manifestOf } from './manifest.ts';
import { newVersion } from './new-version.ts';
import { rememberValues } from './remembered.ts';
import { type PrepareOptions, type Work, workOn } from './work.ts';
import type { Workspace } from './workspace.ts';

/** A version that a push made (or found unchanged), ready to be sent. */
export interface Prepared {
  handoff: string;
  version: number;
  commit: string;
  agent: string;
  session: string;
  title: string;
  records: number;
  bytes: number;
  redactions: { total: number; byKind: Record<string, number> };
  /** false: nothing was new */
  appended: boolean;
  /** true: the remote lacks this version */
  pending?: boolean;
  /** files that the session changed and that no commit on the remote holds */
  uncommitted: string[];
  findings: RedactionReport['findings'];
  /** how many more there are, if any */
  unlisted?: number | undefined;
  /** lines among what was new that are no records; they are kept as they are */
  unreadable: number;
  /** images among what was new */
  images: number;
  /** secrets that were found, in memory only: the gate looks for them by value */
  learned: readonly KnownValue[];
  /** root of the project that the session belongs to: what is known to be secret there is looked for in what leaves */
  root: string;
}

/** One attempt at a version: another process, or a secret that was learned on the way, makes another one necessary. */
export interface Round {
  redactor: Redactor;
  title: string;
  captured?: Captured;
  snapshot?: Snapshot;
}

/** Reads, redacts and stores what is new in a session: its next version in this clone, nothing sent yet. */
export async function prepare(
  ws: Workspace,
  card: Pick<SessionCard, 'agent' | 'path'>,
  remote: Remote | undefined,
  options: PrepareOptions = {},
): Promise<Prepared> {
  const work = await workOn(ws, card, remote, options);
  const { store, name, redaction } = work;
  let round: Round | undefined;
  const build = async (base: StoredVersion | null, writer: VersionWriter): Promise<NewVersion | null> => {
    const floor = base ?? work.former;
    round = startRound(work, floor);
    const version = await versionOf(ws, work, round, base, floor, writer);
    if (version && options.dryRun) throw new Stopped(version, base);
    // Before they are gone from the memory of this process: what is stored has them as placeholders only.
    if (version) await rememberValues(store, redaction.key, foundValues(redaction, round.redactor));
    return version;
  };
  try {
    const { n, commit, appended } = await untilNothingIsLearned(() => store.append(name, build), work.redaction.known);
    const manifest = manifestOf(await store.open(commit || `${await store.writer()}/${name}`));
    return await prepared(work, round as Round, manifest, { version: n, commit, appended, bytes: sizeOf(manifest) }, remote);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    const { base, version } = error;
    const { captured } = round as Round;
    const kept = base && !captured?.fresh ? sizeOf(manifestOf(base)) : 0;
    const made = { version: (base?.n ?? 0) + 1, commit: '', appended: true, bytes: kept + (captured?.bytes ?? 0) };
    return await prepared(work, round as Round, version.manifest as unknown as Manifest, made, remote);
  }
}

/**
 * Makes the unsent versions of some of the sessions anew, with what was learned from any of them: what is found in them now was not known when they were made.
 * @param cards the sessions that `prepared` was made of, in the same order
 */
export async function makeAnew(ws: Workspace, remote: Remote, cards: readonly SessionCard[], prepared: Prepared[], handoffs: readonly string[]): Promise<void> {
  const learned = prepared.flatMap((p) => p.learned);
  for (const [i, p] of prepared.entries())
    if (handoffs.includes(p.handoff)) Object.assign(p, await prepare(ws, cards[i] as SessionCard, remote, { learned, anew: true }));
}

/** What was learned, and what of the known values was found: neither the environment nor a rule need tell them again. */
const foundValues = ({ known }: Work['redaction'], redactor: Redactor): KnownValue[] => [
  ...redactor.learned(),
  ...known.filter(({ value }) => redactor.found(value)),
];

function startRound({ redaction, paths, source, quick }: Work, floor: StoredVersion | null): Round {
  const redactor = createRedactor({ ...redaction, paths, brief: quick });
  const stored = floor ? titleOf(floor) : undefined;
  // A quick look at a session does not get to know its latest title.
  if (quick && stored !== undefined) return { redactor, title: stored };
  return { redactor, title: redactor.text(source.title, 'session.json', '/session/title', stored) };
}

const titleOf = ({ manifest }: StoredVersion): string | undefined => asString(asObject(manifest.session as Json | undefined)?.title);

/** The next version's content, or null when nothing is new. */
async function versionOf(
  ws: Workspace,
  work: Work,
  round: Round,
  base: StoredVersion | null,
  floor: StoredVersion | null,
  writer: VersionWriter,
): Promise<NewVersion | null> {
  const { source, adapter, redaction, remembered, project, paths, anew, quick } = work;
  const { key, known } = redaction;
  const { redactor } = round;
  const renamed = base !== null && titleOf(base) !== round.title;
  const how = { redactor, key, known, remembered, made: madeWith(redactor, ws, project.root), anew, renamed, quick };
  const captured = await capture(source, adapter, how, base, floor, writer);
  if (!captured) return null;
  const secrets = createGate({ ...redaction, known: [...known, ...redactor.learned()], brief: quick });
  const previous = captured.fresh ? undefined : (base?.files as Snapshot | undefined);
  const snapshot = await takeSnapshot(
    project,
    captured.touches.map(({ path, change }) => ({ path: paths.decode(path), change })),
    previous,
    (path) => redactor.text(path, 'files.json'),
    (text, path) => secrets.check(Buffer.from(text, 'utf8'), path).length > 0,
  );
  Object.assign(round, { captured, snapshot });
  const version = await newVersion(ws, { work, round, base, captured, snapshot });
  const missed = await captured.missed();
  if (missed.length || holdsLearned(redactor, version)) throw new Learned(missed.length ? missed : redactor.learned());
  return version;
}

/** What was learned last may stand bare in what was made first: names of files and branches, the title. */
function holdsLearned(redactor: Redactor, { manifest, files, card, subject }: NewVersion): boolean {
  const find = valueFinder(redactor.learned());
  return find(JSON.stringify([manifest, files, card, subject])).size > 0;
}

const sizeOf = (manifest: Manifest): number => manifest.streams.reduce((sum, s) => sum + s.bytes, 0);

async function prepared(
  { source, store, name, project }: Work,
  { redactor, captured, snapshot }: Round,
  manifest: Manifest,
  made: Pick<Prepared, 'version' | 'commit' | 'appended' | 'bytes'>,
  remote: Remote | undefined,
): Promise<Prepared> {
  const { findings, unlisted } = made.appended ? redactor.report() : { findings: [], unlisted: undefined };
  return {
    handoff: `${await store.writer()}/${name}`,
    agent: source.agent,
    session: source.id,
    title: manifest.session.title,
    records: manifest.records,
    ...made,
    redactions: { total: manifest.redactions.total, byKind: manifest.redactions.byKind },
    uncommitted: snapshot ? await uncommitted(project, snapshot.files, remote?.name) : [],
    findings,
    unlisted,
    unreadable: captured?.unreadable ?? 0,
    images: captured?.images ?? 0,
    learned: redactor.learned(),
    root: project.root,
  };
}

/** Lines made with other rules or other path roots are made anew. */
const madeWith = (redactor: Redactor, ws: Workspace, root: string): string =>
  createHash('sha256')
    .update(JSON.stringify([redactor.id, ws.home, root]))
    .digest('hex')
    .slice(0, 16);

/** Ends a dry run just before anything would be stored. */
class Stopped extends Error {
  readonly version: NewVersion;
  readonly base: StoredVersion | null;

  constructor(version: NewVersion, base: StoredVersion | null) {
    super('dry run');
    this.version = version;
    this.base = base;
  }
}
