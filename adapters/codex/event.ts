import { basename } from 'node:path';
import { readHookPayload } from '#lib/hook-payload.ts';
import type { JsonObject } from '#lib/json.ts';
import type { AgentEvent } from '../adapter.ts';

/** What a hook's payload of Codex says (seen with 0.171.0): it names the rollout. A thread that is not kept has none, and there is nothing to record of it. */
export function eventOf(payload: JsonObject): AgentEvent | undefined {
  const event = readHookPayload(payload);
  return event && /^rollout-.+\.jsonl/.test(basename(event.path)) ? event : undefined;
}
