import { remember } from '#redact/known/remembered.ts';
import { forgetExposed } from './exposed.ts';
import { PURGED, rememberValues } from './remembered.ts';
import type { Workspace } from './workspace.ts';

/** From now on these values are taken out of what this clone stores. Digests of them are kept, not the values. */
export async function rememberPurged(ws: Workspace, values: readonly string[]): Promise<void> {
  const store = await ws.store();
  await rememberValues(
    store,
    await store.key(),
    values.map((value) => ({ value, kind: PURGED })),
  );
}

/** The same for values that others purged: what was sent of them is gone from the remote. */
export async function followPurged(ws: Workspace, values: readonly string[]): Promise<void> {
  await rememberPurged(ws, values);
  await forgetExposed(await ws.store(), values);
}

/** False for a value that a digest cannot be found again by: the agent's own session would bring it back with the next push. */
export const canBeRemembered = (value: string): boolean => remember(Buffer.alloc(32), { value, kind: PURGED }) !== undefined;
