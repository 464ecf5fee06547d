import { asArray, asObject, asString, isObject, type Json, type JsonObject, parseJson } from '#lib/json.ts';
import type { Block, MessageRecord, ResultBlock, Role } from '#session/record.ts';
import { contentKinds, userOrigin } from './native.ts';

/** What a response item says to the model. `origin` only where the role leaves it open: every rollout line is kept as short as it can be. */
export interface ItemMessage {
  role: Role;
  content: Block[];
  origin?: NonNullable<MessageRecord['origin']>;
  summary?: boolean;
}

/**
 * Reads a response item. Blocks share their strings and objects with the item, so that folding finds them.
 * undefined: the model gets no message from it (settings, an unknown type, or a form that the client drops without a word).
 */
export function readItem(item: JsonObject): ItemMessage | undefined {
  switch (item.type) {
    case 'message':
      return readMessage(item);
    case 'reasoning':
      return model(readReasoning(item));
    case 'function_call':
      return typeof item.arguments === 'string' ? call(item.call_id, item.name, callArguments(item.arguments)) : undefined;
    case 'custom_tool_call':
      return typeof item.input === 'string' ? call(item.call_id, item.name, item.input) : undefined;
    case 'local_shell_call':
      return call(item.call_id ?? item.id, 'local_shell', item.action ?? null);
    case 'tool_search_call':
      return call(item.call_id, 'tool_search', item.arguments ?? null);
    case 'function_call_output':
    case 'custom_tool_call_output':
      return readOutput(item);
    case 'tool_search_output':
      return result(item.call_id, [{ type: 'unknown', kind: 'tools' }], {});
    case 'web_search_call':
      return call(item.id ?? '', 'web_search', item.action ?? null);
    case 'image_generation_call':
      return readGeneratedImage(item);
    case 'compaction':
    case 'compaction_summary':
      return model([{ type: 'unknown', kind: 'compaction' }]);
    case 'agent_message':
      return { role: 'user', content: readContent(item.content), origin: 'harness' };
    default:
      return undefined;
  }
}

const model = (content: Block[]): ItemMessage => ({ role: 'assistant', content });

const ROLES: Record<string, Role> = { user: 'user', assistant: 'assistant', developer: 'system' };

function readMessage(item: JsonObject): ItemMessage | undefined {
  const role = typeof item.role === 'string' && Object.hasOwn(ROLES, item.role) ? ROLES[item.role] : undefined;
  // The client skips a message whose content is a plain string.
  if (!role || !Array.isArray(item.content)) return undefined;
  const content = readContent(item.content);
  if (role === 'assistant') return model(content);
  const origin = role === 'system' ? 'harness' : userOrigin(item);
  return { role, content, ...(origin ? { origin } : {}), ...(contentKinds(item).includes('compaction.summary') ? { summary: true } : {}) };
}

function readContent(value: Json | undefined): ResultBlock[] {
  return asArray(value).map((part) => {
    const { type, text, image_url } = asObject(part) ?? {};
    if ((type === 'input_text' || type === 'output_text' || type === 'text') && typeof text === 'string') return { type: 'text', text };
    if (type === 'input_image' && typeof image_url === 'string') return readImage(image_url) ?? { type: 'unknown', kind: 'input_image' };
    return { type: 'unknown', kind: asString(type) ?? 'part' };
  });
}

/** The block of a `data:` URL in the one form that folds back to the same URL. */
function readImage(url: string): ResultBlock | undefined {
  const comma = url.indexOf(',');
  const head = /^data:([^;,]+);base64$/.exec(url.slice(0, Math.max(comma, 0)));
  return head?.[1] === undefined ? undefined : { type: 'image', media_type: head[1], data: url.slice(comma + 1) };
}

/** One block for each part of the summary (and of the raw reasoning that open models give). */
function readReasoning(item: JsonObject): Block[] {
  const sealed = typeof item.encrypted_content === 'string' ? { sealed: true } : {};
  const texts = [...asArray(item.summary), ...asArray(item.content)].map((part) => asString(asObject(part)?.text)).filter((text) => text !== undefined);
  return (texts.length ? texts : ['']).map((text) => ({ type: 'thinking', text, ...sealed }));
}

function call(id: Json | undefined, name: Json | undefined, input: Json): ItemMessage | undefined {
  return typeof id === 'string' && typeof name === 'string' ? model([{ type: 'tool_call', id, name, input }]) : undefined;
}

/** The arguments as an object where that serialises to the same string again, else the string. */
function callArguments(text: string): Json {
  const value = parseJson(text);
  return isObject(value) && JSON.stringify(value) === text ? value : text;
}

function readOutput(item: JsonObject): ItemMessage | undefined {
  const { output } = item;
  if (typeof output === 'string') return result(item.call_id, [{ type: 'text', text: output }], outcome(output));
  if (Array.isArray(output)) return result(item.call_id, readContent(output), {});
  return undefined;
}

function result(id: Json | undefined, content: ResultBlock[], more: { exit_code?: number; is_error?: boolean }): ItemMessage | undefined {
  return typeof id === 'string' ? { role: 'tool', content: [{ type: 'tool_result', call_id: id, ...more, content }] } : undefined;
}

/** How the client words a failure that has no exit code. */
const FAILED = [
  'apply_patch verification failed',
  'unsupported call',
  'unsupported custom tool call',
  'aborted',
  'failed to parse function arguments',
  'execution error',
  'exec_command failed',
  'Script failed',
];

/** Exit code and error mark, as the versions write them: JSON with metadata (0.50), `Exit code: N` (0.80), `Process exited with code N` (from 0.100). */
function outcome(output: string): { exit_code?: number; is_error?: boolean } {
  const code = output.startsWith('{"output":')
    ? /"exit_code":(-?\d+)/.exec(output.slice(-300))?.[1]
    : /^(?:Exit code: |(?:[^\n]*\n){0,4}?Process exited with code )(-?\d+)/.exec(output.slice(0, 500))?.[1];
  if (code !== undefined) return Number(code) === 0 ? { exit_code: 0 } : { is_error: true, exit_code: Number(code) };
  return FAILED.some((start) => output.startsWith(start)) ? { is_error: true } : {};
}

/** The picture stands beside the call here; branch.ts makes its result of it. */
function readGeneratedImage(item: JsonObject): ItemMessage | undefined {
  const made = call(item.id ?? '', 'image_generation', { prompt: item.revised_prompt ?? null });
  if (made && typeof item.result === 'string' && item.result) made.content.push({ type: 'image', media_type: 'image/png', data: item.result });
  return made;
}
