import { showValue } from '#config/index.ts';
import { withoutUserinfo } from '#git/url.ts';
import { RelayError } from '#lib/errors.ts';
import { needRepository, type Workspace } from './workspace.ts';

/** `status --json`. */
export interface Status {
  unsent: string[];
  writer: string;
  remote: string | null;
  /** why there is none */
  remoteProblem?: string;
  hooks: { installed: boolean };
  /** what .relayrc asks for and this clone has not accepted */
  unaccepted: { key: string; value: string }[];
}

/** What is not sent yet (from refs alone), who this clone writes as, and where to. */
export async function statusOf(ws: Workspace): Promise<Status> {
  needRepository(ws);
  const store = await ws.store();
  const unaccepted = ws.unaccepted.map(({ key, value }) => ({ key, value: showValue(value) }));
  const base = { writer: await store.writer(), hooks: { installed: false }, unaccepted };
  try {
    const remote = await ws.remote();
    return { unsent: await store.unsent(remote), ...base, remote: withoutUserinfo(remote.url) };
  } catch (error) {
    if (!(error instanceof RelayError) || error.code !== 'usage') throw error;
    const own = (await store.list()).filter((h) => h.state === 'own').map((h) => h.handoff);
    return { unsent: own, ...base, remote: null, remoteProblem: error.message };
  }
}
