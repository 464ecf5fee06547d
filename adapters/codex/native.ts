import { asArray, asObject, asString, type Json, type JsonObject } from '#lib/json.ts';

/** As on the command line. */
export const AGENT = 'codex';

/** Types a rollout line can have (Codex CLI 0.50 to 0.171). */
export const LINE_TYPES = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'world_state', 'compacted', 'token_usage_record']);

/** What `session_meta` says, as far as relay needs it. */
export interface Meta {
  id: string;
  cwd: string;
  timestamp: string;
  version?: string;
  branch?: string;
  /** legacy or paginated; files before 0.146 or so name none */
  mode?: string;
  /** id of the root of a tree of sub-agents; the own id for a root */
  root?: string;
  parent?: string;
  /** spawned by an agent, or by the client for its own purposes: no session of its own */
  inner: boolean;
  base?: HistoryBase;
}

/** A fork or rewind of a paginated thread refers to the file it goes on from instead of copying it. */
export interface HistoryBase {
  /** id of the thread, or of the segment where the base is itself the result of a rewind */
  id: string;
  endOrdinal: number;
  endByte: number;
}

/** Who started a thread: these are not the person's own sessions. */
const INNER_SOURCES = new Set(['subagent', 'memory_consolidation', 'thread_title']);

/** Reads the payload of a `session_meta` line; undefined when it names no id. */
export function readMeta(payload: JsonObject): Meta | undefined {
  const id = asString(payload.id);
  if (id === undefined) return undefined;
  const version = asString(payload.cli_version);
  const branch = asString(asObject(payload.git)?.branch);
  const mode = asString(payload.history_mode);
  const root = asString(payload.session_id);
  const parent = asString(payload.parent_thread_id) ?? spawnedBy(payload.source);
  const base = readBase(payload.history_base);
  return {
    id,
    cwd: asString(payload.cwd) ?? '',
    timestamp: asString(payload.timestamp) ?? '',
    ...(version === undefined ? {} : { version }),
    ...(branch === undefined ? {} : { branch }),
    ...(mode === undefined ? {} : { mode }),
    ...(root === undefined ? {} : { root }),
    ...(parent === undefined ? {} : { parent }),
    ...(base ? { base } : {}),
    inner: parent !== undefined || isInner(payload.source) || INNER_SOURCES.has(asString(payload.thread_source) ?? ''),
  };
}

const spawnedBy = (source: Json | undefined): string | undefined => asString(asObject(asObject(asObject(source)?.subagent)?.thread_spawn)?.parent_thread_id);

function isInner(source: Json | undefined): boolean {
  const object = asObject(source);
  return object ? 'subagent' in object || 'internal' in object : source === 'subagent' || source === 'internal';
}

function readBase(value: Json | undefined): HistoryBase | undefined {
  const base = asObject(value);
  const id = asString(base?.thread_id);
  if (!base || id === undefined) return undefined;
  return { id, endOrdinal: Number(base.end_ordinal_exclusive), endByte: Number(base.end_byte_offset) };
}

/** `rollout-<time>-<thread id>[_<segment id>].jsonl[.zst]`, as the client names its files. */
export const ROLLOUT = /^rollout-(.*?)-([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})(?:_([0-9a-fA-F-]{36}))?\.jsonl(\.zst)?$/;

/** Text that the client puts in as a user message, as it begins where no label says so (before 0.146 or so). */
const HARNESS_TEXT = [
  '<environment_context>',
  '<user_instructions>',
  '# AGENTS.md instructions',
  '<INSTRUCTIONS>',
  '<turn_aborted>',
  '<subagent_notification>',
  '<skill>',
  '<skills_instructions>',
  '<permissions instructions>',
  '<collaboration_mode>',
  '<model_switch>',
  '<user_shell_command>',
  '<hook_prompt',
];

/**
 * Who wrote a `role: user` item: the label that newer clients put on it, else how it begins.
 * undefined: only the user_message events of the file can tell (see branch.ts).
 */
export function userOrigin(item: JsonObject): 'person' | 'harness' | undefined {
  const kinds = contentKinds(item).filter((kind) => kind !== 'unknown');
  if (kinds.length) return kinds.some((kind) => kind.startsWith('user.')) ? 'person' : 'harness';
  const first = asString(asObject(asArray(item.content)[0])?.text);
  return first !== undefined && HARNESS_TEXT.some((start) => first.startsWith(start)) ? 'harness' : undefined;
}

/** The client's own labels, one for each part of the content, e.g. user.text, environments.environment_context. */
export function contentKinds(item: JsonObject): string[] {
  const labels = asObject(item.internal_chat_message_metadata_passthrough)?.content_item_kinds;
  return asArray(labels).filter((kind) => typeof kind === 'string');
}

/** RFC 3339 with zone. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
export const isTime = (value: Json | undefined): value is string => typeof value === 'string' && TIME.test(value);
