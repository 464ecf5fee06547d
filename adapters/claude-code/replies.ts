import type { Json, JsonObject } from '#lib/json.ts';
import type { Entry } from '#session/conversation.ts';
import { type Block, plainText, type ToolCall, type ToolResult } from '#session/record.ts';
import { type Lines, userMessage, userText } from './lines.ts';
import type { Losses } from './losses.ts';
import { fileBlock, imageBlock } from './media.ts';
import { apiId } from './native.ts';
import { isSafeId, type NativeCall, nativeCall, shownResult } from './tools.ts';

/** What the writer of one session knows. */
export interface Writing {
  session: string;
  agent: string;
  cwds: readonly string[];
  lines: Lines;
  losses: Losses;
  /** tool ids already given out in this file */
  ids: Set<string>;
  /** ids of the source's calls in the part that is written now; what is kept after a checkpoint repeats those before it */
  part: Set<string>;
  /** number of the reply that assistant lines belong to */
  reply: number;
}

interface Pending {
  call: ToolCall;
  native: NativeCall;
  id: string;
  line: string;
  entry: Entry;
}

/** Blocks that say which machine, folder and permissions the source had: untrue after an import. */
const STALE = /^\s*<(environment_context|environment_details|env|permissions instructions|collaboration_mode)>[\s\S]*<\/\1>\s*$/;

/** Messages as lines: one block a line, parallel calls together and their results right behind them. */
export function* messageLines(entries: readonly Entry[], w: Writing): Generator<JsonObject> {
  const results = resultQueues(entries);
  let pending: Pending[] = [];
  let group: string | undefined;
  const flush = function* (): Generator<JsonObject> {
    const taken = pending.map((p) => ({ p, found: results.get(p.call.id)?.shift() }));
    pending = [];
    taken.sort((a, b) => (a.found?.at ?? Number.MAX_SAFE_INTEGER) - (b.found?.at ?? Number.MAX_SAFE_INTEGER));
    for (const { p, found } of taken) yield resultLine(p, found, w);
    if (taken.length) w.reply++;
  };
  for (const entry of entries) {
    if (entry.role === 'assistant') {
      const anew = entry.group === undefined || entry.group !== group;
      group = entry.group;
      if (anew && pending.length && entry.group !== undefined) yield* flush();
      if (anew && !pending.length) w.reply++;
      for (const block of entry.content) {
        if (block.type === 'tool_call') {
          const made = callLine(block, entry, w);
          pending.push(made.pending);
          yield made.line;
        } else {
          const text = spoken(block, entry, w);
          if (text === undefined) continue;
          yield* flush();
          yield assistantLine({ type: 'text', text }, entry, w);
        }
      }
      continue;
    }
    if (entry.role === 'tool') {
      if (pending.length) yield* flush();
      yield* looseResults(entry, results, w);
      continue;
    }
    yield* flush();
    group = undefined;
    yield* userLines(entry, w);
  }
  yield* flush();
}

interface Queued {
  block: ToolResult;
  entry: Entry;
  at: number;
}

function resultQueues(entries: readonly Entry[]): Map<string, Queued[]> {
  const queues = new Map<string, Queued[]>();
  let at = 0;
  for (const entry of entries)
    for (const block of entry.content)
      if (block.type === 'tool_result') {
        const queue = queues.get(block.call_id) ?? [];
        queue.push({ block, entry, at: at++ });
        queues.set(block.call_id, queue);
      }
  return queues;
}

/** A model that the client does not know is not named: it would say at each resume that it could not be restored. */
function assistantLine(block: JsonObject, entry: Entry, w: Writing): JsonObject {
  const model = entry.model?.startsWith('claude-') ? { model: entry.model } : {};
  return w.lines.entry('assistant', entry.time, {
    message: { id: apiId('msg', w.session, w.reply), type: 'message', role: 'assistant', ...model, content: [block], stop_reason: null, stop_sequence: null },
  });
}

function callLine(call: ToolCall, entry: Entry, w: Writing): { line: JsonObject; pending: Pending } {
  const native = nativeCall(call, w.agent, w.cwds);
  let id = call.id;
  if (!isSafeId(id) || w.ids.has(id)) {
    id = apiId('toolu', w.session, w.ids.size);
    if (!isSafeId(call.id) || w.part.has(call.id))
      w.losses.note(entry, 'tool-id', 'changed', `call id ${JSON.stringify(call.id.slice(0, 80))} is written as ${id}`);
  }
  w.ids.add(id);
  w.part.add(call.id);
  if (native.name !== call.name)
    w.losses.count(
      entry,
      'tool-call',
      'changed',
      `${call.name}\0${native.name}`,
      (n) => `${n === 1 ? 'a call' : `${n} calls`} of ${call.name} ${n === 1 ? 'is' : 'are'} written as ${native.name}`,
    );
  const line = assistantLine({ type: 'tool_use', id, name: native.name, input: native.input }, entry, w);
  return { line, pending: { call, native, id, line: line.uuid as string, entry } };
}

function resultLine(p: Pending, found: Queued | undefined, w: Writing): JsonObject {
  if (!found) w.losses.note(p.entry, 'tool-result', 'added', `no result was recorded for a call of ${p.call.name}: an error result stands in its place`);
  const text = found ? plainText(found.block.content) : '[no result was recorded for this call]';
  const failed = !found || found.block.is_error === true || (found.block.exit_code ?? 0) !== 0;
  const content = found ? resultContent(found.block, found.entry, w) : text;
  return w.lines.entry('user', found?.entry.time, {
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: p.id, content, ...(failed ? { is_error: true } : {}) }] },
    toolUseResult: shownResult(p.native, text || '(no output)', failed),
    sourceToolAssistantUUID: p.line,
  });
}

/** A lone text as a string; the API refuses an empty error. */
function resultContent(result: ToolResult, entry: Entry, w: Writing): Json {
  const blocks = result.content.flatMap((block) => apiBlocks(block, entry, w));
  if (!blocks.length) return '(no output)';
  return blocks.length === 1 && blocks[0]?.type === 'text' ? (blocks[0].text as string) : blocks;
}

/** Results of calls that are not in this part of the conversation, and what else stands in a tool's message, as text of the user. */
function* looseResults(entry: Entry, results: Map<string, Queued[]>, w: Writing): Generator<JsonObject> {
  const content: JsonObject[] = [];
  for (const block of entry.content) {
    if (block.type !== 'tool_result') content.push(...apiBlocks(block, entry, w));
    else {
      const queue = results.get(block.call_id);
      const at = queue?.findIndex((queued) => queued.block === block) ?? -1;
      if (at < 0) continue;
      queue?.splice(at, 1);
      w.losses.note(entry, 'tool-result', 'changed', 'a result without its call is told as text');
      content.push({ type: 'text', text: `[result of an earlier tool call]\n${plainText(block.content) || '(no output)'}` });
    }
  }
  if (content.length) yield w.lines.entry('user', entry.time, userMessage(content));
}

function* userLines(entry: Entry, w: Writing): Generator<JsonObject> {
  const meta = entry.role === 'system' || (entry.origin !== 'person' && !entry.summary);
  if (meta && entry.content.every((block) => block.type === 'text' && STALE.test(block.text))) {
    w.losses.note(entry, 'environment', 'left-out', "the source's own description of its environment does not hold here");
    return;
  }
  const content = entry.content.flatMap((block) => apiBlocks(block, entry, w));
  if (!content.length) return;
  w.reply++;
  yield w.lines.entry('user', entry.time, { ...userMessage(content), ...(meta ? { isMeta: true } : { promptSource: 'typed', origin: { kind: 'human' } }) });
}

/** Text of the model; thinking is left out, since it may only go back signed, to the provider that signed it. */
function spoken(block: Block, entry: Entry, w: Writing): string | undefined {
  if (block.type === 'text') return block.text.trim() === '' ? undefined : block.text;
  if (block.type === 'thinking') {
    w.losses.count(
      entry,
      'thinking',
      'left-out',
      '',
      (n) => `${n === 1 ? 'a block' : `${n} blocks`} of thinking: only the provider that signed it takes it back`,
    );
    return undefined;
  }
  const note = `[${plainText([block]) || (block.type === 'unknown' ? block.kind : block.type)}]`.replace(/^\[\[(.*)\]\]$/s, '[$1]');
  w.losses.note(entry, block.type === 'unknown' ? block.kind : block.type, 'left-out', 'a reply cannot hold it here; a note stands in its place');
  return note;
}

/** A block of a user message or a result for the API. */
function apiBlocks(block: Block, entry: Entry, w: Writing): JsonObject[] {
  if (block.type === 'text') return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text }];
  if (block.type === 'image' || block.type === 'file') {
    const made = block.type === 'image' ? imageBlock(block) : fileBlock(block);
    if (made.changed) w.losses.note(entry, block.type, 'changed', `${block.type === 'image' ? 'an image' : 'a file'} ${made.changed}`);
    return [made.block];
  }
  const text = spoken(block, entry, w);
  return text === undefined ? [] : [{ type: 'text', text }];
}

/** A hidden line of the user's role: sent to the model, not shown. */
export const hiddenLine = (lines: Lines, text: string, time?: string): JsonObject => lines.entry('user', time, { ...userText(text), isMeta: true });
