import { asString, type JsonObject } from './json.ts';

/** What happened, in which session, the path of its file, and the folder that it works in. */
export interface HookPayload {
  name: string;
  session: string;
  path: string;
  cwd: string;
}

/** Reads a hook's payload in the form that several clients have in common. undefined: one of these is not said, or is no text. */
export function readHookPayload(payload: JsonObject): HookPayload | undefined {
  const name = asString(payload.hook_event_name);
  const session = asString(payload.session_id);
  const path = asString(payload.transcript_path);
  const cwd = asString(payload.cwd);
  return name && session && path && cwd ? { name, session, path, cwd } : undefined;
}
