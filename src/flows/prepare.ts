import { createHash } from 'node:crypto';
import { RelayError } from '#lib/errors.ts';
import { createGate, createRedactor, type KnownValue, type RedactionReport, type Redactor } from '#redact/index.ts';
import { FORMAT, FORMAT_VERSION } from '#session/record.ts';
import type { SessionCard, SessionSource } from '#session/source.ts';
import { type Snapshot, takeSnapshot, uncommitted } from '#snapshot/index.ts';
import { sessionName } from '#store/index.ts';
import type { NewVersion, Remote, Store, StoredVersion, VersionWriter } from '#store/types.ts';
import { type Captured, type CaptureState, capture } from './capture.ts';
import { needAdapter } from './find.ts';
import { needNoSecondPass, untilNothingIsLearned } from './learned.ts';
import { type Manifest, manifestOf } from './manifest.ts';
import { knownSecrets, pathsOf } from './redaction.ts';
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

/**
 * Reads, redacts and stores what is new in a session: its next version in this clone, nothing sent yet.
 * @param dryRun true: all of it but the storing
 */
export async function prepare(ws: Workspace, card: SessionCard, remote: Remote | undefined, dryRun = false): Promise<Prepared> {
  if (isExcluded(ws, card)) throw new RelayError('blocked', `The settings exclude ${card.agent}:${card.id} from sharing (share.exclude).`);
  const adapter = needAdapter(card.agent);
  const source = await adapter.open(whereOf(ws, adapter.id), card.path);
  const store = await ws.store();
  const root = projectOf(needRepository(ws), source.cwd);
  const project = { root, env: ws.env, cwd: source.cwd || root };
  const paths = await pathsOf(ws, root);
  const key = await store.key();
  const known = await knownSecrets(ws, root);
  const lineage = await lineageOf(ws, store, source);
  const name = sessionName(source.agent, source.id);
  let redactor = createRedactor({ key, known, paths });
  let made = false;
  let [unreadable, images] = [0, 0];
  const build = async (base: StoredVersion | null, writer: VersionWriter): Promise<NewVersion | null> => {
    made = false;
    redactor = createRedactor({ key, known, paths });
    const title = redactor.text(source.title, 'session.json /session/title');
    const captured = await capture(source, adapter, { redactor, key, known, made: madeWith(redactor, ws, root) }, base, writer);
    [unreadable, images] = [captured?.unreadable ?? 0, captured?.images ?? 0];
    if (!captured) return null;
    const secrets = createGate({ key, known: [...known, ...redactor.learned()] });
    const previous = captured.fresh ? undefined : (base?.files as Snapshot | undefined);
    const snapshot = await takeSnapshot(
      project,
      captured.touches.map(({ path, change }) => ({ path: paths.decode(path), change })),
      previous,
      (path) => redactor.text(path, 'files.json'),
      (text, path) => secrets.check(Buffer.from(text, 'utf8'), path).length > 0,
    );
    made = true;
    const version = await newVersion(ws, { source, title, base, captured, snapshot, redactor, store, lineage });
    if (captured.fresh) await needNoSecondPass(source, redactor, key, known);
    if (dryRun) throw new Stopped(await dryResult(version, captured, snapshot, base));
    return version;
  };
  const dryResult = async (version: NewVersion, captured: Captured, snapshot: Snapshot, base: StoredVersion | null): Promise<Prepared> => {
    const manifest = version.manifest as unknown as Manifest;
    const before = base && !captured.fresh ? manifestOf(base).streams.reduce((sum, s) => sum + s.bytes, 0) : 0;
    return {
      handoff: `${await store.writer()}/${name}`,
      version: (base?.n ?? 0) + 1,
      commit: '',
      agent: source.agent,
      session: source.id,
      title: manifest.session.title,
      records: captured.records,
      bytes: before + captured.bytes,
      redactions: { total: manifest.redactions.total, byKind: manifest.redactions.byKind },
      appended: true,
      uncommitted: await uncommitted(project, snapshot.files, remote?.name),
      findings: redactor.report().findings,
      unreadable,
      images,
      learned: [],
    };
  };
  const attempt = () => untilNothingIsLearned(() => store.append(name, build), known);
  const result = await attempt().catch((error: unknown) => {
    if (error instanceof Stopped) return error.prepared;
    throw error;
  });
  if ('handoff' in result) return result;
  const version = await store.open(`${await store.writer()}/${name}`);
  const manifest = manifestOf(version);
  return {
    handoff: version.handoff,
    version: result.n,
    commit: result.commit,
    agent: source.agent,
    session: source.id,
    title: manifest.session.title,
    records: manifest.records,
    bytes: manifest.streams.reduce((sum, s) => sum + s.bytes, 0),
    redactions: { total: manifest.redactions.total, byKind: manifest.redactions.byKind },
    appended: result.appended,
    uncommitted: made ? await uncommitted(project, (version.files as Snapshot).files, remote?.name) : [],
    findings: result.appended ? redactor.report().findings : [],
    unreadable,
    images,
    learned: redactor.learned(),
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
  readonly prepared: Prepared;

  constructor(prepared: Prepared) {
    super('dry run');
    this.prepared = prepared;
  }
}

/** The version that this session was imported from, when it came from a handoff: its first version goes on from there. */
async function lineageOf(ws: Workspace, store: Store, source: SessionSource): Promise<Manifest['lineage']> {
  const entry = (await readImports(ws)).findLast((e) => e.to === `${source.agent}:${source.id}` && e.version.includes('@'));
  if (!entry) return undefined;
  const version = await store.open(entry.version).catch(() => undefined);
  return version && { handoff: version.handoff, version: version.n, commit: version.commit, ...(entry.records ? { records: entry.records } : {}) };
}

interface Parts {
  source: SessionSource;
  title: string;
  base: StoredVersion | null;
  captured: Captured;
  snapshot: Snapshot;
  redactor: Redactor;
  store: Store;
  lineage: Manifest['lineage'];
}

async function newVersion(ws: Workspace, { source, title, base, captured, snapshot, redactor, store, lineage }: Parts): Promise<NewVersion> {
  const clean = (text: string, at: string) => redactor.text(text, `session.json ${at}`);
  const author = clean(await ws.authorName(), '/author');
  const branch = snapshot.branch === null ? null : clean(snapshot.branch, '/code/branch');
  const session = {
    id: source.id,
    title,
    created: source.created,
    updated: source.updated,
    cwd: clean(source.cwd, '/session/cwd'),
    ...(source.branch ? { branch: clean(source.branch, '/session/branch') } : {}),
    ...(source.model ? { model: clean(source.model, '/session/model') } : {}),
  };
  const redactions = sum(captured.fresh ? undefined : (base ? manifestOf(base) : undefined)?.redactions, redactor.report());
  const manifest: Omit<Manifest, 'version' | 'streams'> = {
    format: FORMAT,
    format_version: FORMAT_VERSION,
    relay: ws.version,
    agent: { id: source.agent, ...(source.version ? { version: clean(source.version, '/agent/version') } : {}) },
    session,
    author: { name: author },
    code: { commit: snapshot.head, tree: snapshot.tree, branch },
    files: captured.files,
    leftOut: source.leftOut,
    records: captured.records,
    redactions: { ...redactions, engine: redactor.id },
    ...(lineage ? { lineage } : {}),
  };
  return {
    manifest: { ...manifest },
    files: { ...snapshot, branch },
    state: captured.state satisfies CaptureState,
    card: { agent: source.agent, session: source.id, title, author, updated: source.updated },
    ...(lineage ? { parent: lineage.commit } : {}),
    ...(captured.fresh ? { replacesUnsent: true } : {}),
    subject: `relay: ${oneLine(title)}`,
    trailers: {
      'Relay-Format': String(FORMAT_VERSION),
      'Relay-Session': `${await store.writer()}/${sessionName(source.agent, source.id)}`,
      'Relay-Agent': source.agent,
      'Relay-Records': String(captured.records),
      'Relay-Redactions': String(redactions.total),
      'Relay-Engine': redactor.id,
      ...(snapshot.head ? { 'Relay-Code-Commit': snapshot.head } : {}),
    },
  };
}

const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 100) || 'session';

function sum(before: { total: number; byKind: Record<string, number> } | undefined, now: RedactionReport): { total: number; byKind: Record<string, number> } {
  const byKind = { ...before?.byKind };
  for (const [kind, count] of Object.entries(now.byKind)) byKind[kind] = (byKind[kind] ?? 0) + count;
  return { total: (before?.total ?? 0) + now.total, byKind };
}
