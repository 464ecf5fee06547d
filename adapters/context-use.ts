import type { Adapter } from './adapter.ts';
import { contextUse as claudeCode } from './claude-code/context-use.ts';
import { contextUse as codex } from './codex/context-use.ts';

/** How full each agent's context is, by its id: apart from the registry, because the clients wait for relay at the end of every turn, and this needs no more of an adapter. */
export const contextUses: Readonly<Record<string, NonNullable<Adapter['contextUse']>>> = { 'claude-code': claudeCode, codex };
