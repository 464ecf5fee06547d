import type { Adapter } from './adapter.ts';
import { claudeCode } from './claude-code/index.ts';
import { codex } from './codex/index.ts';

/** Every agent relay knows, in the order they are shown. */
export const adapters: readonly Adapter[] = [claudeCode, codex];

export const adapterById = (id: string): Adapter | undefined => adapters.find((a) => a.id === id);
