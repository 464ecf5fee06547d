import { asArray, asObject, asString, type Json, type JsonObject } from '#lib/json.ts';

/** Kind and content of an event record. */
export interface EventDraft {
  kind: string;
  data?: Record<string, Json>;
}

/** Keeps the fields that are there. */
function only(data: Record<string, Json | undefined>): Record<string, Json> {
  const out: Record<string, Json> = {};
  for (const [key, value] of Object.entries(data)) if (value !== undefined && value !== null) out[key] = value;
  return out;
}

const event = (kind: string, data: Record<string, Json | undefined> = {}): EventDraft => {
  const kept = only(data);
  return Object.keys(kept).length ? { kind, data: kept } : { kind };
};

type Read = (payload: JsonObject) => EventDraft;

/** Events without anything that another agent or reader would need; they stand whole in `native`. */
const PLAIN: Record<string, string> = {
  task_started: 'turn-start',
  turn_started: 'turn-start',
  token_count: 'usage',
  agent_message: 'agent-message',
  agent_reasoning: 'reasoning',
  agent_reasoning_raw_content: 'reasoning',
  agent_reasoning_section_break: 'reasoning',
  context_compacted: 'compaction',
  thread_settings_applied: 'settings',
  turn_diff: 'file-change',
  plan_update: 'tool',
  web_search_begin: 'tool',
  mcp_tool_call_begin: 'tool',
  exec_command_begin: 'command',
  patch_apply_begin: 'file-change',
  background_event: 'notice',
  entered_review_mode: 'notice',
  exited_review_mode: 'notice',
  undo_completed: 'notice',
};

const EVENTS: Record<string, Read> = {
  task_complete: (p) => event('turn-end', { error: asObject(p.error)?.message }),
  turn_complete: (p) => event('turn-end', { error: asObject(p.error)?.message }),
  turn_aborted: (p) => event('turn-end', { reason: p.reason }),
  user_message: (p) => event('user-message', { text: p.message }),
  thread_rolled_back: (p) => event('rollback', { turns: p.num_turns }),
  thread_name_updated: (p) => event('title', { title: p.thread_name }),
  exec_command_end: (p) => event('command', { command: p.command, exit_code: p.exit_code, output: p.aggregated_output, parsed: p.parsed_cmd }),
  patch_apply_end: (p) => event('file-change', { changes: p.changes, failed: p.success === false ? true : undefined }),
  mcp_tool_call_end: (p) => event('tool', { name: asObject(p.invocation)?.tool, call: p.call_id }),
  web_search_end: (p) => event('tool', { name: 'web_search', query: p.query }),
  view_image_tool_call: (p) => event('tool', { name: 'view_image', path: p.path }),
  dynamic_tool_call_response: (p) => event('tool', { name: p.tool }),
  error: (p) => event('error', { message: p.message }),
  stream_error: (p) => event('error', { message: p.message }),
  warning: (p) => event('error', { message: p.message }),
};

/** The items that paginated threads show (`item_completed`, `item_started`). */
const ITEMS: Record<string, Read> = {
  UserMessage: (i) => event('user-message', { text: textOf(i.content) }),
  AgentMessage: () => event('agent-message'),
  Reasoning: () => event('reasoning'),
  Plan: () => event('tool', { name: 'plan' }),
  CommandExecution: (i) => event('command', { command: i.command, exit_code: i.exit_code, output: i.aggregated_output, parsed: i.parsed_cmd }),
  FileChange: (i) => event('file-change', { changes: i.changes, failed: i.status === 'failed' ? true : undefined }),
  McpToolCall: (i) => event('tool', { name: i.tool }),
  DynamicToolCall: (i) => event('tool', { name: i.tool }),
  CollabAgentToolCall: (i) => event('tool', { name: i.tool, agents: i.receiver_thread_ids }),
  ImageView: (i) => event('tool', { name: 'view_image', path: i.path }),
  ImageGeneration: () => event('tool', { name: 'image_generation' }),
  WebSearch: (i) => event('tool', { name: 'web_search', query: i.query }),
  ContextCompaction: () => event('compaction'),
  EnteredReviewMode: () => event('notice'),
  ExitedReviewMode: () => event('notice'),
  HookPrompt: () => event('notice'),
};

/** Reads the payload of an `event_msg` line. Large values are shared with it, so that folding finds them. */
export function readEvent(payload: JsonObject): EventDraft {
  const type = asString(payload.type) ?? '';
  if (type === 'item_completed' || type === 'item_started') return readShownItem(type, asObject(payload.item) ?? {});
  if (Object.hasOwn(EVENTS, type)) return (EVENTS[type] as Read)(payload);
  return Object.hasOwn(PLAIN, type) ? { kind: PLAIN[type] as string } : unknown(`event_msg/${type}`);
}

function readShownItem(event: string, item: JsonObject): EventDraft {
  const type = asString(item.type) ?? '';
  return Object.hasOwn(ITEMS, type) ? (ITEMS[type] as Read)(item) : unknown(`event_msg/${event}/${type}`);
}

export const unknown = (name: string): EventDraft => ({ kind: 'unknown', data: { name } });

/** The text of a shown message: one string where there is one part, so that it folds. */
function textOf(content: Json | undefined): string | undefined {
  const texts = asArray(content)
    .map((part) => asString(asObject(part)?.text))
    .filter((text) => text !== undefined);
  return texts.length ? texts.join('\n') : undefined;
}

/** `session_meta`: what a reader without `native` needs to know of the thread, and how its files hang together. */
export const metaEvent: Read = (p) =>
  event('settings', {
    name: 'session_meta',
    id: p.id,
    cwd: p.cwd,
    version: p.cli_version,
    mode: p.history_mode,
    base: asObject(p.history_base)?.thread_id,
    parent: p.parent_thread_id,
  });

export const contextEvent: Read = (p) => event('settings', { name: 'turn_context', model: p.model, cwd: p.cwd });
