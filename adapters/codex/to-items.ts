import { createHash } from 'node:crypto';
import { isObject, type Json, type JsonObject, parseJson } from '#lib/json.ts';
import type { Entry } from '#session/conversation.ts';
import type { Loss } from '#session/loss.ts';
import type { Block, ResultBlock, ToolCall, ToolResult } from '#session/record.ts';
import { imageType } from './image.ts';
import { AGENT } from './native.ts';

/** A piece of a rollout: an item for the model or an event for people. */
export type Part = { item: JsonObject } | { event: JsonObject };

/** Takes note of something that an import changed; the same change of one record is said once. */
export type Note = (entry: Pick<Entry, 'stream' | 'record'>, kind: string, action: Loss['action'], reason: string) => void;

export function notes(loss: Loss[]): Note {
  const said = new Set<string>();
  return (entry, kind, action, reason) => {
    const key = `${entry.stream} ${entry.record} ${kind} ${reason}`;
    if (said.has(key)) return;
    said.add(key);
    loss.push({ record: entry.record < 0 ? null : entry.record, stream: entry.stream, kind, action, reason });
  };
}

/** The API takes these as tool names and call ids; anything else it refuses. */
const SAFE = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Makes items and events of the entries of a conversation, one entry after the other (a result needs to know its call).
 * @param agent id of the source's agent: shown beside the names of its tools
 */
export function itemWriter(agent: string, note: Note): (entry: Entry) => Part[] {
  const calls = new Map<string, Call>();
  return (entry) => {
    const parts: Part[] = [];
    for (const run of runsOf(entry.content)) {
      const [first] = run;
      if (first?.type === 'tool_call') parts.push({ item: callItem(first, entry, note, calls, agent === AGENT) });
      else if (first?.type === 'tool_result') parts.push(...resultParts(first, entry, note, calls.get(first.call_id), agent));
      else if (first?.type === 'thinking') parts.push(...thinkingParts(first.text, entry, note));
      else parts.push(...messageParts(run, entry, note));
    }
    return parts;
  };
}

/** What a result needs to know of its call. */
interface Call {
  name: string;
  input: Json;
  /** one of Codex' own tools that take plain text */
  custom?: boolean;
}

/** Text, images and files that follow each other are one message; anything else is an item of its own. */
function runsOf(content: readonly Block[]): Block[][] {
  const runs: Block[][] = [];
  const alone = (block: Block | undefined): boolean => block?.type === 'tool_call' || block?.type === 'tool_result' || block?.type === 'thinking';
  for (const block of content) {
    const last = runs.at(-1);
    if (last && !alone(last[0]) && !alone(block)) last.push(block);
    else runs.push([block]);
  }
  return runs;
}

/** The model takes no reasoning but what its own provider sealed, so it is shown and not sent. */
function thinkingParts(text: string, entry: Entry, note: Note): Part[] {
  if (text) note(entry, 'thinking', 'changed', 'Reasoning is shown in the interface and kept in the file; the model does not get it.');
  else note(entry, 'thinking', 'left-out', 'Sealed reasoning is of use to its own provider only.');
  return text ? [{ event: { type: 'agent_reasoning', text } }] : [];
}

function messageParts(run: Block[], entry: Entry, note: Note): Part[] {
  const role = entry.role === 'system' ? 'developer' : entry.role === 'assistant' ? 'assistant' : 'user';
  const content = run.flatMap((block) => contentPart(block, role, entry, note));
  if (!content.length) return [];
  const item: Part = { item: { type: 'message', role, content } };
  const texts = content.flatMap((part) => (typeof part.text === 'string' ? [part.text] : []));
  if (role === 'assistant') return [...texts.map((message): Part => ({ event: { type: 'agent_message', message, phase: null, memory_citation: null } })), item];
  if (role === 'developer') return [item];
  if (entry.summary) return [{ event: { type: 'agent_reasoning', text: texts.join('\n') } }, item];
  if (entry.hidden || entry.origin !== 'person') return [item];
  const images = content.flatMap((part) => (typeof part.image_url === 'string' ? [part.image_url] : []));
  return [{ event: { type: 'user_message', message: texts.join('\n'), images, local_images: [], text_elements: [] } }, item];
}

function contentPart(block: Block, role: string, entry: Entry, note: Note): JsonObject[] {
  const textType = role === 'assistant' ? 'output_text' : 'input_text';
  const text = (value: string): JsonObject[] => [{ type: textType, text: value }];
  if (block.type === 'text') return block.text ? text(block.text) : [];
  if (block.type === 'image') {
    const type = imageType(block.data);
    if (type && role === 'user') return [{ type: 'input_image', image_url: `data:${type};base64,${block.data}` }];
    note(
      entry,
      'image',
      'left-out',
      type
        ? 'Codex takes no image from the assistant; a note stands in its place.'
        : `The image (${block.media_type}) is broken or of a kind that the model does not take; a note stands in its place.`,
    );
    return text(`[image ${block.media_type} left out]`);
  }
  if (block.type === 'file') return text(fileText(block, entry, note));
  if (block.type === 'unknown') note(entry, 'unknown-block', 'left-out', `A block of type ${JSON.stringify(block.kind)} has no counterpart in Codex.`);
  return [];
}

/** A text file goes along as text; Codex takes no other files. */
function fileText(block: Extract<Block, { type: 'file' }>, entry: Entry, note: Note): string {
  const name = block.name ?? block.media_type;
  if (/^text\/|\/json$/.test(block.media_type)) {
    note(entry, 'file', 'changed', `The attached file ${JSON.stringify(name)} goes along as text.`);
    return `[file ${name}]\n${Buffer.from(block.data, 'base64').toString('utf8')}`;
  }
  note(entry, 'file', 'left-out', `Codex takes no file of type ${block.media_type}; a note stands in its place.`);
  return `[file ${name} left out]`;
}

function callItem(block: ToolCall, entry: Entry, note: Note, calls: Map<string, Call>, own: boolean): JsonObject {
  const name = SAFE.test(block.name) ? block.name : block.name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'tool';
  if (name !== block.name)
    note(entry, 'tool-call', 'changed', `The tool name ${JSON.stringify(block.name)} is written ${name}: the API takes no other characters, and 64 of them.`);
  const raw = block.input;
  const given = typeof raw === 'string' && isObject(parseJson(raw));
  if (own && typeof raw === 'string' && !given) {
    calls.set(block.id, { name, input: raw, custom: true });
    return { type: 'custom_tool_call', name, input: raw, call_id: callId(block.id) };
  }
  const input: Json = isObject(raw) || given ? raw : { input: raw };
  if (input !== raw) note(entry, 'tool-call', 'changed', 'The raw input of the call is written as {"input": …}: arguments are a JSON object here.');
  calls.set(block.id, { name: block.name, input: given ? (parseJson(raw as string) as Json) : input });
  return { type: 'function_call', name, arguments: typeof input === 'string' ? input : JSON.stringify(input), call_id: callId(block.id) };
}

/** The source's call id where the API takes it, else one made from it. */
export function callId(id: string): string {
  return SAFE.test(id) ? id : `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}

/** The call as people see it (the interface shows foreign tools in this form), then its output for the model. */
function resultParts(block: ToolResult, entry: Entry, note: Note, call: Call | undefined, agent: string): Part[] {
  const output = outputOf(block.content, entry, note);
  if (!call) return orphanResult(output, entry, note);
  if (block.is_error && agent !== AGENT)
    note(entry, 'tool-result', 'changed', 'Codex keeps no error mark beside the output of a call; the output itself is unchanged.');
  const shown = typeof output === 'string' ? [{ type: 'text', text: output }] : output.map(shownPart);
  const text = shown.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
  return [
    {
      event: {
        type: 'mcp_tool_call_end',
        call_id: callId(block.call_id),
        invocation: { server: agent, tool: call.name, arguments: call.input },
        duration: { secs: 0, nanos: 0 },
        result: block.is_error ? { Err: text } : { Ok: { content: shown } },
      },
    },
    { item: { type: call.custom ? 'custom_tool_call_output' : 'function_call_output', call_id: callId(block.call_id), output } },
  ];
}

function orphanResult(output: string | JsonObject[], entry: Entry, note: Note): Part[] {
  note(entry, 'tool-result', 'changed', 'The call of this result is not part of the conversation; the result goes along as a message.');
  return [{ item: { type: 'message', role: 'user', content: typeof output === 'string' ? [{ type: 'input_text', text: output }] : output } }];
}

function shownPart(part: JsonObject): JsonObject {
  if (typeof part.text === 'string') return { type: 'text', text: part.text };
  const url = String(part.image_url);
  return { type: 'image', mimeType: url.slice(5, url.indexOf(';')), data: url.slice(url.indexOf(',') + 1) };
}

/** One text is a string, as Codex writes it; anything more a list. */
function outputOf(content: readonly ResultBlock[], entry: Entry, note: Note): string | JsonObject[] {
  const parts = content.flatMap((block) => contentPart(block, 'user', entry, note));
  if (!parts.length) return '';
  const [only] = parts;
  return parts.length === 1 && typeof only?.text === 'string' ? only.text : parts;
}
