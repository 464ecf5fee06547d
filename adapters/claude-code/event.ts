import { basename } from 'node:path';
import { readHookPayload } from '#lib/hook-payload.ts';
import type { JsonObject } from '#lib/json.ts';
import type { AgentEvent } from '../adapter.ts';

/** What a hook's payload of Claude Code says (seen with 2.1.332). Its transcripts are named after the session, which those of other agents are not. */
export function eventOf(payload: JsonObject): AgentEvent | undefined {
  const event = readHookPayload(payload);
  return event && basename(event.path) === `${event.session}.jsonl` ? event : undefined;
}
