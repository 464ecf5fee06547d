import { createHash } from 'node:crypto';
import type { Adapter } from '#adapters/adapter.ts';
import { RelayError } from '#lib/errors.ts';
import { createGate, createRedactor, type KnownValue, type PathMap, type RedactionOptions, type RedactionReport, type Redactor } from '#redact/index.ts';
import type { SessionCard, SessionSource } from '#session/source.ts';
import { type Project, type Snapshot, takeSnapshot, uncommitted } from '#snapshot/index.ts';
import { sessionName } from '#store/index.ts';
import type { NewVersion, Remote, Store, StoredVersion, VersionWriter } from '#store/types.ts';
import { type Captured, capture } from './capture.ts';
import { needAdapter } from './find.ts';
import { needNoSecondPass, untilNothingIsLearned } from './learned.ts';
import { type Manifest, manifestOf } from './manifest.ts';
import { newVersion } from './new-version.ts';
import { pathsOf, redactionOf } from './redaction.ts';
import { readImports } from './registry.ts';
import { needRepository, projectOf, type Workspace, whereOf } from './workspace.ts';

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
  /** lines among what was new that are no records; they are kept as they are */
  unreadable: number;
  /** images among what was new */
  images: number;
  /** secrets that were found, in memory only: the gate looks for them by value */
  learned: readonly KnownValue[];
  /** root of the project that the session belongs to: what is known to be secret there is looked for in what leaves */
  root: string;
}

/** True for what the settings say must never be shared (share.exclude). */
export function isExcluded(ws: Workspace, card: SessionCard): boolean {
  return ws.settings.share.exclude.some(
    (rule) =>
      (rule.agent === undefined || rule.agent === card.agent) &&
      (rule.path === undefined || card.cwd === rule.path || card.cwd.startsWith(`${rule.path}/`)) &&
      (rule.title === undefined || card.title.includes(rule.title)),
  );
}

/** What the push of one session works with. */
export interface Work {
  adapter: Adapter;
  source: SessionSource;
  store: Store;
  /** name of the session in the store */
  name: string;
  project: Project;
  paths: PathMap;
  /** its known values grow while the session is read */
  redaction: RedactionOptions & { known: KnownValue[] };
  lineage: Manifest['lineage'];
}

/** One attempt at a version: another process, or a secret that was learned on the way, makes another one necessary. */
export interface Round {
  redactor: Redactor;
  title: string;
  captured?: Captured;
  snapshot?: Snapshot;
}

/**
 * Reads, redacts and stores what is new in a session: its next version in this clone, nothing sent yet.
 * @param dryRun true: all of it but the storing
 */
export async function prepare(ws: Workspace, card: SessionCard, remote: Remote | undefined, dryRun = false): Promise<Prepared> {
  const work = await workOn(ws, card);
  const { store, name } = work;
  let round: Round | undefined;
  const build = async (base: StoredVersion | null, writer: VersionWriter): Promise<NewVersion | null> => {
    round = startRound(work);
    const version = await versionOf(ws, work, round, base, writer);
    if (version && dryRun) throw new Stopped(version, base);
    return version;
  };
  try {
    const { n, commit, appended } = await untilNothingIsLearned(() => store.append(name, build), work.redaction.known);
    const version = await store.open(`${await store.writer()}/${name}`);
    const manifest = manifestOf(version);
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

async function workOn(ws: Workspace, card: SessionCard): Promise<Work> {
  if (isExcluded(ws, card)) throw new RelayError('blocked', `The settings exclude ${card.agent}:${card.id} from sharing (share.exclude).`);
  const adapter = needAdapter(card.agent);
  const source = await adapter.open(whereOf(ws, adapter.id), card.path);
  const store = await ws.store();
  const root = projectOf(needRepository(ws), source.cwd);
  const redaction = await redactionOf(ws, root);
  return {
    adapter,
    source,
    store,
    name: sessionName(source.agent, source.id),
    project: { root, env: ws.env, cwd: source.cwd || root },
    paths: await pathsOf(ws, root),
    redaction: { ...redaction, known: [...(redaction.known ?? [])] },
    lineage: await lineageOf(ws, store, source),
  };
}

function startRound({ redaction, paths, source }: Work): Round {
  const redactor = createRedactor({ ...redaction, paths });
  return { redactor, title: redactor.text(source.title, 'session.json', '/session/title') };
}

/** The next version's content, or null when nothing is new. */
async function versionOf(ws: Workspace, work: Work, round: Round, base: StoredVersion | null, writer: VersionWriter): Promise<NewVersion | null> {
  const { source, adapter, redaction, project, paths } = work;
  const { key, known } = redaction;
  const { redactor } = round;
  const captured = await capture(source, adapter, { redactor, key, known, made: madeWith(redactor, ws, project.root) }, base, writer);
  if (!captured) return null;
  const secrets = createGate({ ...redaction, known: [...known, ...redactor.learned()] });
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
  if (captured.fresh) await needNoSecondPass(source, redactor, key, known);
  return version;
}

const sizeOf = (manifest: Manifest): number => manifest.streams.reduce((sum, s) => sum + s.bytes, 0);

async function prepared(
  { source, store, name, project }: Work,
  { redactor, captured, snapshot }: Round,
  manifest: Manifest,
  made: Pick<Prepared, 'version' | 'commit' | 'appended' | 'bytes'>,
  remote: Remote | undefined,
): Promise<Prepared> {
  return {
    handoff: `${await store.writer()}/${name}`,
    agent: source.agent,
    session: source.id,
    title: manifest.session.title,
    records: manifest.records,
    ...made,
    redactions: { total: manifest.redactions.total, byKind: manifest.redactions.byKind },
    uncommitted: snapshot ? await uncommitted(project, snapshot.files, remote?.name) : [],
    findings: made.appended ? redactor.report().findings : [],
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

/** The version that this session was imported from, when it came from a handoff: its first version goes on from there. */
async function lineageOf(ws: Workspace, store: Store, source: SessionSource): Promise<Manifest['lineage']> {
  const entry = (await readImports(ws)).findLast((e) => e.to === `${source.agent}:${source.id}` && e.version.includes('@'));
  if (!entry) return undefined;
  const version = await store.open(entry.version).catch(() => undefined);
  return version && { handoff: version.handoff, version: version.n, commit: version.commit, ...(entry.records ? { records: entry.records } : {}) };
}
