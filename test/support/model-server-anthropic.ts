import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { eventStream, type Loopback, type Recorded, sendJson, startLoopback } from './loopback.ts';

// biome-ignore lint/suspicious/noExplicitAny: blocks of any shape are what this judges
type Block = any;
interface Turn {
  role: string;
  at: number;
  content: Block[];
}
/** One reply: a text, or a tool call. */
export type Reply = string | { text?: string; tool: string; input: object };

const BLOCKS = new Set([
  'text',
  'image',
  'document',
  'search_result',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'tool_result',
  'server_tool_use',
  'web_search_tool_result',
  'tool_reference',
]);
const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const ID = /^[a-zA-Z0-9_-]+$/;

/**
 * A loopback stand-in for the Anthropic Messages API. Main requests (those that offer tools) are answered from `script`
 * in order, then with "OK."; a history that the real service would refuse is refused with a 400, as it does.
 * @param tokens how many each input is said to have had
 */
export async function startAnthropic(script: Reply[] = [], tokens = 1000): Promise<Loopback> {
  const replies = [...script];
  return startLoopback((request, response) => {
    if (request.method === 'HEAD' || request.path === '/') return void response.writeHead(200).end();
    if (request.path.endsWith('/count_tokens')) return sendJson(response, 200, { input_tokens: 1000 });
    if (!request.path.endsWith('/v1/messages')) return sendJson(response, 404, { type: 'error', error: { type: 'not_found_error', message: request.path } });
    request.kind = request.body?.tools?.length ? 'main' : 'side';
    const fault = messagesFault(request.body?.messages);
    if (fault) {
      request.fault = fault;
      return sendJson(response, 400, { type: 'error', error: { type: 'invalid_request_error', message: fault } });
    }
    answer(request, response, request.kind === 'main' ? (replies.shift() ?? 'OK.') : sideReply(request.body), tokens);
  });
}

/** Titles and the like ask for JSON of a given schema. */
function sideReply(body: Block): string {
  const schema = body.output_config?.format?.schema ?? body.output_format?.schema;
  return schema ? JSON.stringify(Object.fromEntries(Object.keys(schema.properties ?? {}).map((key) => [key, `Scripted ${key}`]))) : 'OK.';
}

function answer(request: Recorded, response: ServerResponse, reply: Reply, tokens: number): void {
  const newId = (prefix: string) => prefix + randomBytes(12).toString('hex');
  const content: Block[] = [];
  const text = typeof reply === 'string' ? reply : reply.text;
  if (text) content.push({ type: 'text', text });
  if (typeof reply !== 'string') content.push({ type: 'tool_use', id: newId('toolu_'), name: reply.tool, input: reply.input });
  const usage = { input_tokens: tokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 20, service_tier: 'standard' };
  const stop_reason = typeof reply === 'string' ? 'end_turn' : 'tool_use';
  const message = { id: newId('msg_'), type: 'message', role: 'assistant', model: request.body.model, content, stop_reason, stop_sequence: null, usage };
  if (!request.body.stream) {
    sendJson(response, 200, message);
    return;
  }
  const send = eventStream(response);
  send('message_start', { message: { ...message, content: [], stop_reason: null } });
  content.forEach((block, index) => {
    send('content_block_start', { index, content_block: block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} } });
    send('content_block_delta', {
      index,
      delta: block.type === 'text' ? { type: 'text_delta', text: block.text } : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
    });
    send('content_block_stop', { index });
  });
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 20 } });
  send('message_stop', {});
  response.end();
}

/**
 * What the real service would object to in a history, or undefined. Source: the documented rules and error texts of the Messages API.
 * A thinking signature counts as genuine when it decodes to "sig…", which is how the recorded sessions were signed.
 */
export function messagesFault(messages: unknown): string | undefined {
  if (!Array.isArray(messages) || messages.length === 0) return 'messages: at least one message is required';
  const turns: Turn[] = [];
  for (const [at, message] of messages.entries()) {
    // Newer clients put system messages in mid-conversation; they are no turn of their own.
    if (message.role === 'system') continue;
    if (message.role !== 'user' && message.role !== 'assistant') return `messages.${at}.role: unexpected role ${message.role}`;
    const content: Block[] = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : (message.content ?? []);
    if (content.length === 0) return `messages.${at}: all messages must have non-empty content`;
    for (const [index, block] of content.entries()) {
      const fault = blockFault(block, message.role);
      if (fault) return `messages.${at}.content.${index}: ${fault}`;
    }
    const last = turns.at(-1);
    if (last && last.role === message.role) last.content = [...last.content, ...content];
    else turns.push({ role: message.role, at, content });
  }
  if (turns[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  return pairingFault(turns);
}

function blockFault(block: Block, role: string): string | undefined {
  if (!BLOCKS.has(block?.type)) return `Input tag '${block?.type}' does not match any of the expected tags`;
  if (block.type === 'text') {
    if (typeof block.text !== 'string') return 'text: Input should be a valid string';
    if (!block.text.trim()) return 'text content blocks must contain non-whitespace text';
  }
  if (block.type === 'image' && block.source?.type === 'base64') {
    if (!IMAGES.has(block.source.media_type)) return `image.source.media_type: ${block.source.media_type}`;
    if (!/^[A-Za-z0-9+/]+=*$/.test(block.source.data ?? '')) return 'image.source.data: invalid base64 data';
  }
  if (
    block.type === 'thinking' &&
    !Buffer.from(block.signature ?? '', 'base64')
      .toString()
      .startsWith('sig')
  )
    return 'Invalid `signature` in `thinking` block';
  if (block.type === 'tool_use') {
    if (role !== 'assistant') return '`tool_use` blocks can only be in `assistant` messages';
    if (!ID.test(block.id ?? '')) return `tool_use.id: String should match pattern '${ID.source}'`;
    if (!NAME.test(block.name ?? '')) return `tool_use.name: String should match pattern '${NAME.source}'`;
    if (block.input === null || typeof block.input !== 'object' || Array.isArray(block.input)) return 'tool_use.input: Input should be a valid dictionary';
  }
  if (block.type === 'tool_result') return resultFault(block, role);
  return undefined;
}

function resultFault(block: Block, role: string): string | undefined {
  if (role !== 'user') return '`tool_result` blocks can only be in `user` messages';
  if (!ID.test(block.tool_use_id ?? '')) return `tool_result.tool_use_id: String should match pattern '${ID.source}'`;
  if (block.is_error && (block.content == null || block.content.length === 0)) return 'content cannot be empty if `is_error` is true';
  for (const part of Array.isArray(block.content) ? block.content : []) {
    if (part.type !== 'text' && part.type !== 'image' && part.type !== 'document' && part.type !== 'search_result' && part.type !== 'tool_reference')
      return `tool_result.content: Input tag '${part.type}'`;
    const fault = part.type === 'text' ? (typeof part.text === 'string' ? undefined : 'text: Input should be a valid string') : blockFault(part, role);
    if (fault) return `tool_result.content: ${fault}`;
  }
  return undefined;
}

function pairingFault(turns: Turn[]): string | undefined {
  const seen = new Set<string>();
  for (const [index, turn] of turns.entries()) {
    const calls = idsOf(turn, 'tool_use', 'id');
    for (const id of calls) {
      if (seen.has(id)) return `messages.${turn.at}: \`tool_use\` ids must be unique`;
      seen.add(id);
    }
    const results = idsOf(turn, 'tool_result', 'tool_use_id');
    const asked = index > 0 ? idsOf(turns[index - 1], 'tool_use', 'id') : [];
    const orphan = results.find((id) => !asked.includes(id));
    if (orphan) return `messages.${turn.at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphan}`;
    if (new Set(results).size < results.length) return `messages.${turn.at}: each tool_use must have a single result`;
    const given = idsOf(turns[index + 1], 'tool_result', 'tool_use_id');
    const open = calls.filter((id) => !given.includes(id));
    if (open.length > 0) return `messages.${turn.at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}`;
  }
  return undefined;
}

const idsOf = (turn: Turn | undefined, type: string, key: string): string[] => (turn?.content ?? []).filter((b) => b.type === type).map((b) => b[key]);
