import { anyWord, type Shape, slotsOf, time, under } from '#session/slot.ts';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** Prefixes of ids that the API, the client and other providers give. */
const PREFIX = '(?:msg|rs|fco?|ctco?|call|lsh|ws|ig|cmp|am|at|tsc|tso|resp|item|exec|retained|toolu|tooluse|srvtoolu|chatcmpl(?:-tool)?)[-_]';
/** Without a prefix of these an id is a UUID, a hash, or short. */
const ID = new RegExp(`^(?:${UUID}|[0-9a-f]{16,64}|(?:[a-z]{1,12}[-_]){0,3}(?:[A-Za-z0-9]{1,16}|${UUID})|${PREFIX}[A-Za-z0-9]{1,64})$`, 'i');
/** A Fernet token: base64url from `gAAAAA` on. */
const SEALED = /^gAAAAA[A-Za-z0-9+/=_-]*$/;

const id: Shape = (value) => ID.test(value);
const sealed: Shape = (value) => SEALED.test(value);

/** What the model gets and gives: a line of its own, or listed by a compaction. */
const ITEMS = ['payload', 'payload/replacement_history/*'];
/** What people see of it. */
const SHOWN = 'payload/item';
const THREAD = ['id', 'thread_id', 'session_id', 'forked_from_id', 'parent_thread_id'];
const TURN = ['turn_id', 'root_turn_id', 'parent_turn_id'];
const RETAINED = under(['retained_source'], ['id/message_id', 'id/turn_id', 'revision']);

const IDS = [
  ...under(ITEMS, ['id', 'call_id', ...under(['internal_chat_message_metadata_passthrough'], TURN)]),
  ...under(['payload'], [...THREAD, ...TURN, 'window_id', 'first_window_id', 'previous_window_id', 'compaction_response_id', 'response_id', 'message_id']),
  ...under(['payload'], ['item_id', 'process_id', 'client_id', 'sender_thread_id', 'new_thread_id', 'receiver_thread_id', 'receiver_thread_ids/*']),
  ...under(['payload'], ['history_base/thread_id', 'context_window/window_id', 'git/commit_hash', 'source/subagent/thread_spawn/parent_thread_id']),
  ...under(['payload/turn_attribution', 'payload/resume_metadata/turn_attribution'], TURN),
  ...under(['payload/latest_token_usage_record'], [...THREAD, ...TURN, 'response_id']),
  ...under(['payload/resume_metadata'], ['last_started_turn_id', 'dynamic_tools/thread_id']),
  ...under(['payload/retained_context'], under(['user_messages/*', 'assistant_messages/*'], ['message_id', 'turn_id', 'revision'])),
  ...under([SHOWN], ['id', 'call_id', 'client_id', 'process_id', 'sender_thread_id', 'new_thread_id', 'receiver_thread_ids/*', 'receiver_agents/*/thread_id']),
  ...under(['metadata', 'payload/replacement_history_metadata/*'], RETAINED),
];
const TYPES = [
  'type',
  ...under(ITEMS, ['type', 'role', 'content/*/type', 'summary/*/type', 'output/*/type', 'action/type']),
  ...under(ITEMS, ['internal_chat_message_metadata_passthrough/content_item_metadata/*/provenance/type']),
  ...under([SHOWN], ['type', 'content/*/type', 'result/content/*/type', 'content_items/*/type', 'parsed_cmd/*/type', 'changes/?/type', 'action/type']),
  ...under(['payload'], ['parsed_cmd/*/type', 'changes/?/type', 'base_instructions/provenance/type', 'text_elements/*/type']),
  ...under(['payload', 'payload/thread_settings'], ['permission_profile/type', 'sandbox_policy/type']),
  ...under(['payload/tools/*'], ['type', 'tools/*/type', 'tools/*/format/type', 'format/type']),
  ...under(['metadata', 'payload/replacement_history_metadata/*'], ['retained_source/id/role']),
];

/** Places of a line that must stay as they are: what records are linked by, what the client goes by, sealed blobs. Anything deeper is content. */
export const slot = slotsOf(
  [
    [id, IDS],
    [anyWord, TYPES],
    [time, ['timestamp', 'payload/timestamp']],
  ],
  [[sealed, under([...ITEMS, 'payload/content/*'], ['encrypted_content'])]],
);
