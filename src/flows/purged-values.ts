import { rememberValues } from './remembered.ts';
import type { Workspace } from './workspace.ts';

/** From now on these values are taken out of what this clone stores. Digests of them are kept, not the values. */
export async function rememberPurged(ws: Workspace, values: readonly string[]): Promise<void> {
  const store = await ws.store();
  await rememberValues(
    store,
    await store.key(),
    values.map((value) => ({ value, kind: 'purged' })),
  );
}
