import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '#store/types.ts';

/** The name that this clone writes under; null: none is made yet, and whoever only looks makes none. */
export const writerOf = async (store: Store): Promise<string | null> => (existsSync(join(store.home, 'writer.json')) ? store.writer() : null);
