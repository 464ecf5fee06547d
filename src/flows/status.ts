import { showValue } from '#config/index.ts';
import { RelayError } from '#lib/errors.ts';
import type { Remote, Store } from '#store/types.ts';
import { fileAsking } from './accepted.ts';
import { type Exposed, knownExposed } from './exposed.ts';
import { heldBackFrom } from './held-back.ts';
import { importsHolding, type PurgedImport } from './purged-imports.ts';
import { type NotRecording, type Recording, whyNotRecording } from './recording.ts';
import { sentToAndFrom } from './sent-to.ts';
import { type Unrecorded, unrecordedSessions } from './unrecorded.ts';
import { needRepository, type Workspace } from './workspace.ts';
import { writerOf } from './writer.ts';

/** `status --json`. */
export interface Status {
  /** sessions of this project that are not recorded, or not all of them */
  unrecorded: Unrecorded[];
  unsent: string[];
  /** own handoffs that stay here and are not sent, since they were purged or were imported from what was; `imported`: from that version */
  purged: { handoff: string; by: string; at: string; imported?: string }[];
  /** sessions of this machine that were imported from what was purged, and still hold it */
  purgedImports: PurgedImport[];
  /** versions that were sent and hold what is known to be secret now, as far as a push has found them */
  exposed: Exposed[];
  /** null: none is made yet */
  writer: string | null;
  remote: string | null;
  /** why there is none */
  remoteProblem?: string;
  /** `installed`: git's */
  hooks: { installed: boolean; agents: { agent: string; installed: boolean; runs?: boolean }[] };
  recording: {
    /** when something was recorded last by itself; ISO 8601 */
    last: string | null;
    /** events that wait to be recorded */
    waiting: number;
    /** sessions of this clone that are stored, sent or not */
    sessions: number;
    /** why nothing is recorded, or not all */
    not: NotRecording[];
  };
  /** what .relayrc, or a clone's own settings (`file`), ask for and this clone has not accepted */
  unaccepted: { file: string; key: string; value: string }[];
}

/** What is not recorded and not sent yet, what is held back, who this clone writes as, and where to. */
export async function statusOf(ws: Workspace, recording: Recording): Promise<Status> {
  needRepository(ws);
  const store = await ws.store();
  const own = (await store.list()).flatMap(({ state, handoff }) => (state === 'own' ? [handoff] : []));
  const unaccepted = ws.unaccepted.map((one) => ({ file: fileAsking(ws, one), key: one.key, value: showValue(one.value) }));
  const base = {
    unrecorded: await unrecordedSessions(ws),
    writer: await writerOf(store),
    hooks: { installed: recording.git.installed, agents: recording.agents.map(({ title: _, fix: __, ...agent }) => agent) },
    recording: { last: recording.last ?? null, waiting: recording.queue.waiting, sessions: own.length, not: whyNotRecording(recording, ws.now()) },
    unaccepted,
    exposed: await knownExposed(store),
    purgedImports: await allImports(ws, store),
  };
  try {
    const remote = await ws.remote();
    return { ...(await parted(ws, store, await store.unsent(remote), remote)), ...base, remote: sentToAndFrom(remote) };
  } catch (error) {
    if (!(error instanceof RelayError) || error.code !== 'usage') throw error;
    return { ...(await parted(ws, store, own, undefined)), ...base, remote: null, remoteProblem: error.message };
  }
}

async function allImports(ws: Workspace, store: Store): Promise<PurgedImport[]> {
  const purges = await store.purges();
  const found = purges.flatMap(await importsHolding(ws, purges));
  return [...new Map(found.map((one) => [one.path, one])).values()];
}

/** Own handoffs that the remote lacks: those that a push would send, and those that stay here. */
async function parted(ws: Workspace, store: Store, own: readonly string[], remote: Remote | undefined): Promise<Pick<Status, 'unsent' | 'purged'>> {
  const [heldBack, cards] = own.length ? [await heldBackFrom(ws, remote), await store.list()] : [() => undefined, []];
  const held = cards.flatMap(({ handoff, agent, session }) => {
    const why = own.includes(handoff) ? heldBack({ agent, id: session }) : undefined;
    return why ? [{ handoff, by: why.purge.by, at: why.purge.at, ...(why.imported ? { imported: why.imported } : {}) }] : [];
  });
  const names = new Set(held.map(({ handoff }) => handoff));
  return { unsent: own.filter((handoff) => !names.has(handoff)), purged: held };
}
