import { basename } from 'node:path';
import { asString, type JsonObject } from '#lib/json.ts';
import type { AgentEvent } from '../adapter.ts';

/** What a hook's payload of Claude Code says (seen with 2.1.332). Its transcripts are named after the session, which those of other agents are not. */
export function eventOf(payload: JsonObject): AgentEvent | undefined {
  const name = asString(payload.hook_event_name);
  const session = asString(payload.session_id);
  const path = asString(payload.transcript_path);
  const cwd = asString(payload.cwd);
  if (!name || !session || !path || !cwd || basename(path) !== `${session}.jsonl`) return undefined;
  return { name, session, path, cwd };
}
