import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { eventStream, type Loopback, type Recorded, sendJson, startLoopback } from './loopback.ts';

// biome-ignore lint/suspicious/noExplicitAny: items of any shape are what this judges
type Item = any;
/** One reply: a text, or calls of function tools. */
export type Reply = string | { text?: string; calls: { name: string; args: object }[] };

const MAX_ITEMS = 16_384;
const PREFIX: Record<string, string> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  function_call_output: 'fc',
  custom_tool_call: 'ctc',
  custom_tool_call_output: 'ctc',
};
const PARTS: Record<string, string[]> = {
  user: ['input_text', 'input_image', 'input_file'],
  developer: ['input_text', 'input_image'],
  system: ['input_text'],
  assistant: ['output_text', 'refusal'],
};

/**
 * A loopback stand-in for the OpenAI Responses API, as Codex speaks it. Turns are answered from `script` in order, then
 * with "OK."; an input that the real service would refuse is refused with a 400.
 * @param tokens how many each input is said to have had
 */
export async function startOpenAI(script: Reply[] = [], tokens = 100): Promise<Loopback> {
  const replies = [...script];
  let serial = 0;
  const newId = (prefix: string) => `${prefix}_made${String(++serial).padStart(6, '0')}`;
  return startLoopback((request, response) => {
    if (request.path.endsWith('/models')) return sendJson(response, 200, { object: 'list', data: [], models: [] });
    const kind = requestKind(request);
    if (!kind) return sendJson(response, 404, { error: { message: `no such route: ${request.method} ${request.path}` } });
    request.kind = kind === 'turn' ? 'main' : 'side';
    const fault = inputFault(request.body?.input);
    if (fault) {
      request.fault = fault;
      return sendJson(response, 400, { error: { message: fault, type: 'invalid_request_error', param: 'input', code: null } });
    }
    const reply: Reply = kind === 'thread_title' ? JSON.stringify({ title: 'Scripted title' }) : (kind === 'turn' && replies.shift()) || 'OK.';
    stream(response, newId('resp'), outputItems(reply, newId), tokens);
  });
}

/** What Codex wants with a call: its header says so; older versions send none, then it is a turn. */
function requestKind(request: Recorded): string | undefined {
  if (request.method !== 'POST' || !/\/responses(\/compact)?$/.test(request.path)) return undefined;
  const meta = metadata(request.headers);
  return meta.thread_source === 'thread_title' ? 'thread_title' : (meta.request_kind ?? 'turn');
}

function metadata(headers: IncomingHttpHeaders): { thread_source?: string; request_kind?: string } {
  try {
    return JSON.parse(String(headers['x-codex-turn-metadata']));
  } catch {
    return {};
  }
}

function outputItems(reply: Reply, newId: (prefix: string) => string): Item[] {
  const text = typeof reply === 'string' ? reply : reply.text;
  const calls = typeof reply === 'string' ? [] : reply.calls;
  return [
    ...(text ? [{ type: 'message', id: newId('msg'), role: 'assistant', status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] }] : []),
    ...calls.map((call) => ({
      type: 'function_call',
      id: newId('fc'),
      name: call.name,
      call_id: newId('call'),
      status: 'completed',
      arguments: JSON.stringify(call.args),
    })),
  ];
}

function stream(response: ServerResponse, id: string, output: Item[], tokens: number): void {
  const send = eventStream(response);
  send('response.created', { response: { id, object: 'response', status: 'in_progress', output: [] } });
  for (const [output_index, item] of output.entries()) {
    send('response.output_item.added', { output_index, item: item.type === 'message' ? { ...item, content: [] } : item });
    if (item.type === 'message') send('response.output_text.delta', { item_id: item.id, output_index, content_index: 0, delta: item.content[0].text });
    send('response.output_item.done', { output_index, item });
  }
  const usage = {
    input_tokens: tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: tokens + 20,
  };
  send('response.completed', { response: { id, object: 'response', status: 'completed', output, usage } });
  response.end();
}

/**
 * What the real service would object to in an input, or undefined. Source: the documented rules and error texts of the Responses API.
 * Encrypted reasoning counts as genuine when it starts with "gAAAA", which is how the recorded sessions have it.
 */
export function inputFault(input: unknown): string | undefined {
  if (!Array.isArray(input)) return "Invalid 'input': expected an array";
  if (input.length > MAX_ITEMS)
    return `Invalid 'input': array too long. Expected an array with maximum length ${MAX_ITEMS}, but got an array with length ${input.length} instead.`;
  const calls = new Set<string>();
  const outputs = new Set<string>();
  for (const [at, item] of input.entries()) {
    const fault = itemFault(item) ?? pairingFault(item, calls, outputs);
    if (fault) return `Invalid 'input[${at}]': ${fault}`;
  }
  const open = [...calls].find((id) => !outputs.has(id));
  return open === undefined ? undefined : `No tool output found for function call ${open}.`;
}

function itemFault(item: Item): string | undefined {
  const prefix = PREFIX[item?.type];
  if (item?.id != null && prefix && !String(item.id).startsWith(prefix)) return `id: expected an ID that begins with '${prefix}', got ${item.id}`;
  switch (item?.type) {
    case 'message':
      return messageFault(item);
    case 'reasoning':
      if (item.content?.length) return 'content: array too long. Expected an array with maximum length 0';
      return item.encrypted_content && !item.encrypted_content.startsWith('gAAAA') ? 'The encrypted content could not be verified.' : undefined;
    case 'function_call':
      return typeof item.arguments === 'string' ? undefined : 'arguments: expected a string';
    case 'custom_tool_call':
      return typeof item.input === 'string' ? undefined : 'input: expected a string';
    case 'function_call_output':
    case 'custom_tool_call_output':
      return typeof item.output === 'string'
        ? undefined
        : Array.isArray(item.output)
          ? partsFault(item.output, PARTS.user ?? [])
          : 'output: expected a string or an array';
    default:
      return typeof item?.type === 'string' ? undefined : 'type: missing';
  }
}

function messageFault(item: Item): string | undefined {
  const allowed = PARTS[item.role];
  if (!allowed) return `role: ${item.role}`;
  if (!Array.isArray(item.content) || item.content.length === 0) return 'content: expected a non-empty array';
  return partsFault(item.content, allowed);
}

function partsFault(parts: Item[], allowed: string[]): string | undefined {
  for (const part of parts) {
    if (!allowed.includes(part?.type)) return `content type ${part?.type}: supported values are ${allowed.join(', ')}`;
    if (part.type.endsWith('_text') && typeof part.text !== 'string') return 'text: expected a string';
    if (part.type === 'input_image' && !/^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/.test(part.image_url ?? ''))
      return 'image_url: not a data URL of a supported image';
  }
  return undefined;
}

function pairingFault(item: Item, calls: Set<string>, outputs: Set<string>): string | undefined {
  if (item.type === 'function_call' || item.type === 'custom_tool_call') {
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(item.name ?? '')) return `name: ${item.name}`;
    if (typeof item.call_id !== 'string' || item.call_id.length > 64) return 'call_id: string of at most 64 characters';
    if (calls.has(item.call_id)) return `Duplicate call_id ${item.call_id}`;
    calls.add(item.call_id);
  }
  if (item.type === 'function_call_output' || item.type === 'custom_tool_call_output') {
    if (!calls.has(item.call_id)) return `No tool call found for function call output with call_id ${item.call_id}.`;
    if (outputs.has(item.call_id)) return `Duplicate output for call_id ${item.call_id}`;
    outputs.add(item.call_id);
  }
  return undefined;
}
