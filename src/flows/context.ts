import { realpath } from 'node:fs/promises';
import { adapters } from '#adapters/registry.ts';
import { loadSettings, type SettingsLayer } from '#config/index.ts';
import { gitEnv } from '#git/env.ts';
import { chooseRemote, findRepository, placeIn, type Repository } from '#git/repository.ts';
import { git } from '#git/run.ts';
import { RelayError } from '#lib/errors.ts';
import { settingsTrials } from '#redact/settings/trials.ts';
import { stateOf } from '#store/homes.ts';
import { openStore } from '#store/index.ts';
import type { Scrubbing } from '#store/scrub.ts';
import type { HandoffCard, Remote, Store, StoredVersion } from '#store/types.ts';
import { needAccepted } from './accepted.ts';
import { refusedError } from './pull.ts';
import { type Edges, needRepository, type Workspace } from './workspace.ts';

export interface WorkspaceOptions {
  remote?: string;
  namespace?: 'refs/relay' | 'refs/heads/relay';
}

/** The folder relay was called in and its repository, if any. What takes relay out needs no more, so settings that cannot be read do not keep it in. */
export async function surroundings(edges: Pick<Edges, 'cwd' | 'env' | 'found' | 'named'>): Promise<Pick<Workspace, 'cwd' | 'repository'>> {
  const cwd = await realpath(edges.cwd).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new RelayError('not-found', `The folder ${edges.cwd} is not there any more.`, 'Change to a folder that is, then run the command again.');
  });
  const repository = await findRepository(cwd, edges.env, edges.named);
  if (repository) edges.found?.(repository.commonDir);
  return { cwd, repository };
}

/** Looks at the surroundings once: repository, settings, edges. The store is opened when it is needed. */
export async function workspace(edges: Edges, options: WorkspaceOptions = {}): Promise<Workspace> {
  const { cwd, repository } = await surroundings(edges);
  const flags: SettingsLayer =
    options.remote || options.namespace
      ? { store: { ...(options.remote ? { remote: options.remote } : {}), ...(options.namespace ? { namespace: options.namespace } : {}) } }
      : {};
  const trials = settingsTrials();
  const { settings, unaccepted } = await loadSettings({
    env: edges.env,
    home: edges.home,
    state: stateOf(edges),
    flags,
    checks: {
      agents: adapters.map((a) => a.id),
      faultInRule: (rule) => trials.rule({ ...rule, misses: rule.misses ?? [] }),
      faultInAllowed: trials.allowed,
    },
    ...(repository
      ? { repository: { commonDir: repository.commonDir, workTrees: repository.workTrees, ...(repository.workTree ? { root: repository.workTree } : {}) } }
      : {}),
  });
  let opened: Promise<Store> | undefined;
  const ws: Workspace = {
    env: edges.env,
    home: edges.home,
    cwd,
    now: () => edges.now(),
    settings,
    unaccepted,
    version: edges.version,
    ...(edges.named ? { named: edges.named } : {}),
    repository,
    store: () =>
      (opened ??= openStore(needRepository(ws), {
        env: edges.env,
        home: edges.home,
        interactive: edges.interactive === true,
        scrubbing: () => scrubbingFor(ws),
      })),
    remote: () => remoteOf(needRepository(ws), ws),
    openHandoff: (card, version) => openHandoff(ws, card, version),
    authorName: async () => (repository ? authorName(repository, edges) : ''),
    progress: (text) => edges.progress(text),
  };
  return ws;
}

/** Loaded only where something was purged. */
async function scrubbingFor(ws: Workspace): Promise<Scrubbing> {
  const [{ scrubbing }, { followPurged }] = await Promise.all([import('./scrub.ts'), import('./purged-values.ts')]);
  return scrubbing((values) => followPurged(ws, values));
}

async function remoteOf(repository: Repository, ws: Workspace): Promise<Remote> {
  const { remote, namespace } = ws.settings.store;
  return { ...(await chooseRemote(repository, remote ?? undefined)), namespace };
}

async function authorName(repository: Repository, edges: Edges): Promise<string> {
  const name = await git(placeIn(repository, gitEnv(edges.env)), ['config', '--default', '', '--get', 'user.name']);
  return name.trim() || 'user';
}

async function openHandoff(ws: Workspace, card: HandoffCard, version: number | undefined): Promise<StoredVersion> {
  const store = await ws.store();
  const name = version === undefined ? card.handoff : `${card.handoff}@${version}`;
  if (card.state === 'own') return store.open(name);
  if (card.state === 'remote') {
    needAccepted(ws, 'fetch');
    ws.progress(`fetching ${card.handoff}`);
    const { refused } = await store.fetch(await ws.remote(), { handoffs: [card.handoff] });
    const mine = refused.find((one) => one.handoff === card.handoff);
    if (mine) throw refusedError(card.handoff, mine.reason);
  }
  return store.open(name).catch((error: unknown) => {
    if (error instanceof RelayError && error.code === 'not-found' && version !== undefined)
      throw new RelayError('not-found', `${card.handoff} has no version ${version} here.`, `relay log ${card.handoff} lists its versions.`);
    throw error;
  });
}
