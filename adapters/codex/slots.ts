import type { Slots } from '#session/slot.ts';

/** Where a rollout line keeps ids: directly in these objects. Anything deeper is content (arguments of a call, say). */
const ID_KEYS = new Set([
  'id',
  'call_id',
  'turn_id',
  'root_turn_id',
  'parent_turn_id',
  'thread_id',
  'session_id',
  'forked_from_id',
  'parent_thread_id',
  'sender_thread_id',
  'response_id',
  'window_id',
  'first_window_id',
  'previous_window_id',
  'compaction_response_id',
  'message_id',
  'revision',
  'process_id',
  'client_id',
  'last_started_turn_id',
  'initiating_agent_path',
  'agent_path',
  'commit_hash',
]);
const HOLDERS = new Set([
  'payload',
  'item',
  'internal_chat_message_metadata_passthrough',
  'turn_attribution',
  'retained_source',
  'history_base',
  'context_window',
  'git',
  'resume_metadata',
  'dynamic_tools',
  'latest_token_usage_record',
  'thread_spawn',
]);
/** Lists whose elements hold ids. */
const ID_LISTS = new Set(['replacement_history', 'replacement_history_metadata', 'user_messages', 'assistant_messages', 'receiver_agents']);

/** A UUID or what the clients and their providers make of one: a prefix, letters, digits; no run of words. */
const ID = /^(?:[a-z]{1,12}[-_])*(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{16,64}|[A-Za-z0-9]{1,48})$/i;
const SEALED = /^gAAAAA[A-Za-z0-9+/=_-]*$/;

export const slot: Slots = (path, value) => (isKept(path, value) ? 'kept' : undefined);

/**
 * True for ids and sealed blobs, by position and shape. A sealed blob is a Fernet token: base64url from
 * `gAAAAA` on.
 */
function isKept(path: readonly (string | number)[], value: string): boolean {
  const key = path.at(-1);
  if (path[0] !== 'payload' && path[0] !== 'metadata') return false;
  if (key === 'encrypted_content') return isHolder(path.slice(0, -1)) && SEALED.test(value);
  if (typeof key === 'number') return path.at(-2) === 'receiver_thread_ids' && isHolder(path.slice(0, -2)) && ID.test(value);
  return ID_KEYS.has(key ?? '') && isHolder(path.slice(0, -1)) && ID.test(value);
}

/** The path of an object that the client itself lays out: no step of it leads into content. */
function isHolder(path: readonly (string | number)[]): boolean {
  return path.every((step, i) => {
    if (typeof step === 'number') return ID_LISTS.has(String(path[i - 1])) || path[i - 1] === 'content';
    return (
      HOLDERS.has(step) ||
      ID_LISTS.has(step) ||
      step === 'metadata' ||
      step === 'retained_context' ||
      step === 'retained_source' ||
      (step === 'id' && path[i - 1] === 'retained_source') ||
      step === 'source' ||
      step === 'subagent' ||
      (step === 'content' && path[1] === 'content')
    );
  });
}
