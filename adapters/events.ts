import type { AgentHooks } from './adapter.ts';
import { eventOf as claudeCode } from './claude-code/event.ts';
import { eventOf as codex } from './codex/event.ts';

/** What each agent's payloads say, by its id: apart from the registry, because the clients wait for relay at the end of every turn, and this needs no more of an adapter. */
export const events: Readonly<Record<string, AgentHooks['event']>> = { 'claude-code': claudeCode, codex };
