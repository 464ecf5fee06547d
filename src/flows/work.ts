import type { Adapter } from '#adapters/adapter.ts';
import { RelayError } from '#lib/errors.ts';
import type { KnownValue, PathMap, RedactionOptions } from '#redact/index.ts';
import type { RememberedValue } from '#redact/known/remembered.ts';
import type { SessionCard, SessionSource } from '#session/source.ts';
import type { Project } from '#snapshot/index.ts';
import { sessionName } from '#store/index.ts';
import type { Remote, Store, StoredVersion } from '#store/types.ts';
import { needAdapter } from './find.ts';
import { formerVersion } from './former-version.ts';
import type { Manifest } from './manifest.ts';
import { pathsOf, redactionOf } from './redaction.ts';
import { readImports } from './registry.ts';
import { rememberedValues } from './remembered.ts';
import { needRepository, projectOf, type Workspace, whereOf } from './workspace.ts';

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
  /** what was found before in this clone */
  remembered: readonly RememberedValue[];
  lineage: Manifest['lineage'];
  /** what was stored of the session by another clone, where this one has not stored it yet */
  former: StoredVersion | null;
  anew: boolean;
  quick: boolean;
}

export interface PrepareOptions {
  /** true: all of it but the storing */
  dryRun?: boolean;
  /** values that were found to be secret elsewhere in this run */
  learned?: readonly KnownValue[];
  /** true: something in the unsent versions must not leave, so they are made anew as one */
  anew?: boolean;
  /** true: only what is new is read; for a snapshot that is not sent. See Redaction.quick */
  quick?: boolean;
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

/** Opens a session and gathers what its push works with. RelayError `blocked` where the settings exclude it. */
export async function workOn(
  ws: Workspace,
  card: Pick<SessionCard, 'agent' | 'path'>,
  remote: Remote | undefined,
  { dryRun, learned = [], anew = false, quick = false }: PrepareOptions,
): Promise<Work> {
  const adapter = needAdapter(card.agent);
  const open = (brief: boolean): Promise<SessionSource> => adapter.open(whereOf(ws, adapter.id), card.path, { brief });
  let source = await open(quick);
  const store = await ws.store();
  const name = sessionName(source.agent, source.id);
  const isHeld = await store.holds(name);
  // Of the first version all is read, so its title is that of the whole session, too.
  if (quick && !isHeld) source = await open(false);
  if (isExcluded(ws, source)) throw new RelayError('blocked', `The settings exclude ${source.agent}:${source.id} from sharing (share.exclude).`);
  // First of all: whoever fetches may have to follow what others purged.
  const former = isHeld ? null : await formerVersion(store, source, dryRun ? undefined : remote);
  const repository = needRepository(ws);
  const root = projectOf(repository, source.cwd);
  const redaction = await redactionOf(ws, root);
  return {
    adapter,
    source,
    store,
    name,
    project: { root, env: ws.env, cwd: source.cwd || root, ...(root === repository.workTree ? { gitDir: repository.gitDir } : {}) },
    paths: await pathsOf(ws, root),
    redaction: { ...redaction, known: [...(redaction.known ?? []), ...learned] },
    remembered: await rememberedValues(store, redaction.key),
    lineage: await lineageOf(ws, store, source),
    former,
    anew,
    quick,
  };
}

/** The version that this session was imported from, when it came from a handoff: its first version goes on from there. */
async function lineageOf(ws: Workspace, store: Store, source: SessionSource): Promise<Manifest['lineage']> {
  const entry = (await readImports(ws)).findLast((e) => e.to === `${source.agent}:${source.id}` && e.version.includes('@'));
  if (!entry) return undefined;
  const version = await store.open(entry.version).catch(() => undefined);
  return version && { handoff: version.handoff, version: version.n, commit: version.commit, ...(entry.records ? { records: entry.records } : {}) };
}
