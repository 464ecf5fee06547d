import { basename } from 'node:path';
import { asString, type JsonObject } from '#lib/json.ts';
import type { AgentEvent } from '../adapter.ts';

/** What a hook's payload of Codex says (seen with 0.171.0): it names the rollout. A thread that is not kept has none, and there is nothing to record of it. */
export function eventOf(payload: JsonObject): AgentEvent | undefined {
  const name = asString(payload.hook_event_name);
  const session = asString(payload.session_id);
  const path = asString(payload.transcript_path);
  const cwd = asString(payload.cwd);
  if (!name || !session || !path || !cwd || !/^rollout-.+\.jsonl/.test(basename(path))) return undefined;
  return { name, session, path, cwd };
}
