import { adapterById } from '#adapters/registry.ts';
import { RelayError } from '#lib/errors.ts';
import { createGate, createRedactor, type Finding, type Gate, type RedactionReport, type Redactor } from '#redact/index.ts';
import { FORMAT, FORMAT_VERSION } from '#session/record.ts';
import type { SessionCard, SessionSource } from '#session/source.ts';
import { type Snapshot, takeSnapshot, uncommitted } from '#snapshot/index.ts';
import type { NewVersion, Remote, Store, StoredVersion } from '#store/types.ts';
import { type Captured, type CaptureState, capture } from './capture.ts';
import { findLocal, localSessions, needAdapter } from './find.ts';
import { type Manifest, manifestOf } from './manifest.ts';
import { sessionRef } from './names.ts';
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
  /** files that the session changed and that no commit on the remote holds */
  uncommitted: string[];
  findings: RedactionReport['findings'];
}

/** The sessions that a push means: the named ones, else this project's newest and those shared already. */
export async function sessionsToPush(ws: Workspace, names: string[], all: boolean): Promise<SessionCard[]> {
  needRepository(ws);
  if (names.length) {
    const named = [];
    for (const name of names) named.push((await findLocal(ws, name)).card);
    return named;
  }
  const cards = (await localSessions(ws)).filter((card) => !isExcluded(ws, card));
  if (all) return cards;
  const shared = new Set((await (await ws.store()).list()).filter((h) => h.state === 'own').map((h) => `${h.agent}:${h.session}`));
  const chosen = cards.filter((card, i) => i === 0 || shared.has(`${card.agent}:${card.id}`));
  if (chosen.length) return chosen;
  throw new RelayError(
    'not-found',
    'No agent on this machine has a session for this project.',
    'relay sessions --all lists the sessions of all projects; name one to push it.',
  );
}

/** True for what the settings say must never be shared (share.exclude). */
function isExcluded(ws: Workspace, card: SessionCard): boolean {
  return ws.settings.share.exclude.some(
    (rule) =>
      (rule.agent === undefined || rule.agent === card.agent) &&
      (rule.path === undefined || card.cwd === rule.path || card.cwd.startsWith(`${rule.path}/`)) &&
      (rule.title === undefined || card.title.includes(rule.title)),
  );
}

/** Reads, redacts and stores what is new in a session: its next version in this clone, nothing sent yet. */
export async function prepare(ws: Workspace, card: SessionCard, remote: Remote | undefined): Promise<Prepared> {
  if (isExcluded(ws, card)) throw new RelayError('blocked', `The settings exclude ${card.agent}:${card.id} from sharing (share.exclude).`);
  const adapter = needAdapter(card.agent);
  const source = await adapter.open(whereOf(ws, adapter.id), card.path);
  const store = await ws.store();
  const root = projectOf(needRepository(ws), source.cwd);
  const project = { root, env: ws.env, cwd: source.cwd || root };
  const paths = await pathsOf(ws, root);
  const redactor = createRedactor({ key: await store.key(), known: await knownSecrets(ws, root), paths });
  const secrets = createGate({ key: await store.key(), known: await knownSecrets(ws, root) });
  const title = redactor.text(source.title, 'session.json /session/title');
  const lineage = await lineageOf(ws, store, source);
  let made: { captured: Captured; snapshot: Snapshot } | undefined;
  const result = await store.append(sessionRef(source), async (base, writer) => {
    made = undefined;
    const captured = await capture(source, adapter, redactor, base, writer);
    if (!captured) return null;
    const previous = captured.fresh ? undefined : (base?.files as Snapshot | undefined);
    const snapshot = await takeSnapshot(
      project,
      captured.touches.map(({ path, change }) => ({ path: paths.decode(path), change })),
      previous,
      (path) => redactor.text(path, 'files.json'),
      (text, path) => secrets.check(Buffer.from(text, 'utf8'), path).length > 0,
    );
    made = { captured, snapshot };
    return newVersion(ws, { source, title, base, captured, snapshot, redactor, store, lineage });
  });
  const version = await store.open(`${await store.writer()}/${sessionRef(source)}`);
  const manifest = manifestOf(version);
  return {
    handoff: version.handoff,
    version: result.n,
    commit: result.commit,
    agent: source.agent,
    session: source.id,
    title,
    records: manifest.records,
    bytes: manifest.streams.reduce((sum, s) => sum + s.bytes, 0),
    redactions: { total: manifest.redactions.total, byKind: manifest.redactions.byKind },
    appended: result.appended,
    uncommitted: made ? await uncommitted(project, (version.files as Snapshot).files, remote?.name) : [],
    findings: result.appended ? redactor.report().findings : [],
  };
}

/** The version that this session was imported from, when it came from a handoff: its first version goes on from there. */
async function lineageOf(ws: Workspace, store: Store, source: SessionSource): Promise<Manifest['lineage']> {
  const entry = (await readImports(ws)).findLast((e) => e.to === `${source.agent}:${source.id}` && e.version.includes('@'));
  if (!entry) return undefined;
  const version = await store.open(entry.version).catch(() => undefined);
  return version && { handoff: version.handoff, version: version.n, commit: version.commit };
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
    ...(lineage && !base ? { parent: lineage.commit } : {}),
    subject: `relay: ${oneLine(title)}`,
    trailers: {
      'Relay-Format': String(FORMAT_VERSION),
      'Relay-Session': `${await store.writer()}/${sessionRef(source)}`,
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

/** A gate for each agent, since each names its own places that must not be edited. */
async function gatesByAgent(ws: Workspace, store: Store): Promise<(handoff: string) => Gate> {
  const [key, known] = [await store.key(), await knownSecrets(ws)];
  const agents = new Map((await store.list()).map((card) => [card.handoff, card.agent]));
  const gates = new Map<string, Gate>();
  return (handoff) => {
    const agent = agents.get(handoff) ?? '';
    const frozen = adapterById(agent)?.frozen;
    const found = gates.get(agent) ?? createGate({ key, known, ...(frozen ? { frozen } : {}) });
    gates.set(agent, found);
    return found;
  };
}

/** Scans every object that a send would transfer with today's rules. Anything found, and any failure to scan, stops the push. */
export async function gate(ws: Workspace, remote: Remote, handoffs: string[]): Promise<void> {
  const store = await ws.store();
  const gates = await gatesByAgent(ws, store);
  const objects = await store.outgoing(remote, handoffs);
  const byId = new Map(objects.map((o) => [o.id, o]));
  const hits: { finding: Finding; object: string }[] = [];
  for await (const { id, bytes } of store.contents([...byId.keys()])) {
    const { handoff = '', path = '', type = 'blob' } = byId.get(id) ?? {};
    for (const finding of gates(handoff).check(bytes, path)) hits.push({ finding, object: `${handoff} ${path || type} (${id.slice(0, 12)})` });
  }
  if (!hits.length) return;
  const named = hits.slice(0, 5).map(({ finding, object }) => `${finding.kind}:${finding.fingerprint} in ${object}, ${finding.at}`);
  throw new RelayError(
    'secret-left',
    `Nothing was sent: ${hits.length} place${hits.length === 1 ? '' : 's'} in what would leave still look like secrets: ${named.join('; ')}.`,
    'Report this as a bug of the redaction; the versions stay in this clone only.',
  );
}
