import { RelayError } from '#lib/errors.ts';
import { VALUE_LENGTH } from '#store/scrub.ts';
import type { Purged, PurgeOptions, PurgeOrder, Remote } from '#store/types.ts';
import { forgetExposed } from './exposed.ts';
import { findHandoff } from './find.ts';
import { canBeRemembered, rememberPurged } from './purged-values.ts';
import { needRepository, type Workspace } from './workspace.ts';

/** What a purge is about and where it works. `remote` undefined: this repository has none, so it works here only. */
export interface PurgeTarget {
  order: PurgeOrder;
  remote: Remote | undefined;
}

/** The handoff or version that a name stands for. One that was purged before can be named again, so that what was interrupted is finished. */
export async function handoffToPurge(ws: Workspace, name: string): Promise<PurgeTarget> {
  needRepository(ws);
  const store = await ws.store();
  const remote = await remoteToPurge(ws);
  const find = async (): Promise<PurgeOrder | undefined> => {
    const found = findHandoff(await store.list(), name);
    if (found) return { handoff: found.card.handoff, ...(found.version === undefined ? {} : { version: found.version }) };
    const [, handoff = '', version] = /^(.*?)(?:@(\d+))?$/s.exec(name) ?? [];
    return (await store.withdrawn()).has(handoff) ? { handoff, ...(version === undefined ? {} : { version: Number(version) }) } : undefined;
  };
  let order = await find();
  if (!order && remote) {
    await store.fetch(remote, { handoffs: [] });
    order = await find();
  }
  if (order) return { order, remote };
  throw new RelayError('not-found', `No handoff is called ${name}.`, 'relay list shows those that are known here; relay pull fetches the others.');
}

/** A value as it was piped in: one line feed at its end is not part of it, several lines are one value. */
export async function valueToPurge(ws: Workspace, piped: string): Promise<PurgeTarget> {
  needRepository(ws);
  const value = piped.replace(/\r?\n$/, '');
  const { shortest, longest } = VALUE_LENGTH;
  if (!value.trim()) throw new RelayError('usage', 'No value was piped in.', 'For example: relay purge --match - < file');
  if (value.length < shortest || value.length > longest)
    throw new RelayError(
      'usage',
      `The value has ${value.length} characters; it takes ${shortest} to ${longest}, since ${value.length < shortest ? 'a shorter one stands in much else' : 'that is no longer a value'}.`,
      'Purge the handoff instead: relay purge <handoff>',
    );
  return { order: { values: [value] }, remote: await remoteToPurge(ws) };
}

async function remoteToPurge(ws: Workspace): Promise<Remote | undefined> {
  try {
    return await ws.remote();
  } catch (error) {
    if ((await needRepository(ws).remotes()).length || !(error instanceof RelayError) || error.code !== 'usage') throw error;
    return undefined;
  }
}

/** What `purge --json` says. */
export interface PurgeResult extends Purged {
  /** of a value: whether it is taken out of later pushes too */
  remembered?: boolean;
}

/** Purges. A value is remembered first, so that what an agent's own session still says of it does not come back with the next push. */
export async function purgeTarget(ws: Workspace, { order, remote }: PurgeTarget, options: PurgeOptions): Promise<PurgeResult> {
  const store = await ws.store();
  if (!options.dryRun && 'values' in order) await rememberPurged(ws, order.values);
  const purged = await store.purge(remote, order, options);
  if (!options.dryRun && 'values' in order && !purged.refused.length) await forgetExposed(store, order.values);
  return 'values' in order ? { ...purged, remembered: order.values.every(canBeRemembered) } : purged;
}
