import { isObject, type Json } from '#lib/json.ts';
import type { Entry } from './conversation.ts';
import type { Loss } from './loss.ts';
import { type Block, callInput, type ResultBlock, type ToolCall, type ToolResult } from './record.ts';

/** Longest account of a call without result, in UTF-16 units; what was called matters more than the rest of its input. */
const CALL_TEXT_MAX = 4000;

/** A tool call of a conversation, where it stands, and the result that belongs to it. */
interface Call {
  id: string;
  entry: number;
  block: ToolCall;
  /** number of the person's request that it belongs to */
  turn: number;
  result?: Result;
}
interface Result {
  entry: number;
  block: ToolResult;
  call?: Call;
}

/**
 * Brings calls and results of a conversation into the form that every model accepts: one result for each call, after it,
 * under an id of its own. What cannot be paired becomes plain text, so that nothing said is lost; messages that follow each
 * other are never merged. A result may stand any number of entries after its call.
 * @returns the same array when nothing had to change, and one line for each change
 */
export function pairCalls(entries: Entry[]): { entries: Entry[]; notes: Loss[] } {
  const { calls, results } = matchCalls(entries);
  const ids = uniqueIds(calls);
  const notes: Loss[] = [];
  const moved = new Map<number, ToolResult[]>();
  const replace = new Map<Block, Block | undefined>();
  for (const call of calls) {
    const id = ids.get(call) as string;
    const where = entries[call.entry] as Entry;
    if (!call.result) {
      replace.set(call.block, { type: 'text', text: unfinishedCall(call.block) });
      notes.push(note(where, 'tool-call', `call ${said(call.id)} of ${call.block.name} has no result on record and is told as text`));
      continue;
    }
    if (id !== call.id) {
      replace.set(call.block, { ...call.block, id });
      notes.push(note(where, 'tool-call', `call id ${said(call.id)} is ${call.id ? 'used more than once' : 'empty'}; this call is now ${id}`));
    }
    const result: ToolResult = id === call.id ? call.result.block : { ...call.result.block, call_id: id };
    if (call.result.entry <= call.entry) {
      replace.set(call.result.block, undefined);
      const after = endOfReply(entries, call.entry);
      moved.set(after, [...(moved.get(after) ?? []), result]);
      notes.push(
        note(entries[call.result.entry] as Entry, 'tool-result', `the result of call ${said(call.id)} did not stand after the call and was moved there`),
      );
    } else if (id !== call.id) replace.set(call.result.block, result);
  }
  const orphans = new Set<Block>();
  for (const result of results) {
    if (result.call) continue;
    orphans.add(result.block);
    notes.push(
      note(entries[result.entry] as Entry, 'tool-result', `result ${said(result.block.call_id)} belongs to no call of this conversation and is told as text`),
    );
  }
  if (!notes.length) return { entries, notes };
  return { entries: rebuild(entries, { replace, orphans, moved }), notes: notes.sort(byRecord) };
}

/** Finds the result of each call: first in reading order, then results that stand before their call. */
export function matchCalls(entries: readonly Entry[]): { calls: Call[]; results: Result[] } {
  const calls: Call[] = [];
  const results: Result[] = [];
  const open = new Map<string, Call[]>();
  let turn = 0;
  entries.forEach((entry, at) => {
    if (entry.role === 'user' && entry.origin === 'person') turn++;
    for (const block of entry.content) {
      if (block.type === 'tool_call') {
        const call: Call = { id: block.id, entry: at, block, turn };
        calls.push(call);
        const waiting = open.get(block.id);
        if (waiting) waiting.push(call);
        else open.set(block.id, [call]);
      } else if (block.type === 'tool_result') {
        const result: Result = { entry: at, block };
        results.push(result);
        join(nextOpen(open.get(block.call_id)), result);
      }
    }
  });
  const early = new Map<string, Result[]>();
  for (const result of results) if (!result.call) early.set(result.block.call_id, [...(early.get(result.block.call_id) ?? []), result]);
  for (const call of calls)
    if (!call.result)
      join(
        call,
        early.get(call.id)?.find((r) => !r.call && r.entry <= call.entry),
      );
  return { calls, results };
}

function join(call: Call | undefined, result: Result | undefined): void {
  if (!call || !result) return;
  call.result = result;
  result.call = call;
}

/** Takes the call that a result answers: of equal ids the first of the newest turn, since a call of an earlier turn was given up. */
function nextOpen(waiting: Call[] | undefined): Call | undefined {
  const newest = waiting?.at(-1)?.turn;
  const at = waiting?.findIndex((call) => call.turn === newest) ?? -1;
  return at < 0 ? undefined : waiting?.splice(at, 1)[0];
}

/** An id for each call that no other call has. The first one keeps its own. */
function uniqueIds(calls: Call[]): Map<Call, string> {
  const used = new Set(calls.map((call) => call.id));
  const given = new Set<string>();
  const ids = new Map<Call, string>();
  for (const call of calls) {
    let id = call.id;
    for (let n = id ? 2 : 1; !id || given.has(id); n++) {
      const next = call.id ? `${call.id}_${n}` : `call_${n}`;
      if (!used.has(next) && !given.has(next)) id = next;
    }
    given.add(id);
    ids.set(call, id);
  }
  return ids;
}

/** The last entry of the reply that entry `at` is part of: parallel calls are not torn apart. */
function endOfReply(entries: Entry[], at: number): number {
  const group = entries[at]?.group;
  let last = at;
  while (group !== undefined && entries[last + 1]?.group === group) last++;
  return last;
}

function rebuild(entries: Entry[], change: { replace: Map<Block, Block | undefined>; orphans: Set<Block>; moved: Map<number, ToolResult[]> }): Entry[] {
  const out: Entry[] = [];
  entries.forEach((entry, at) => {
    out.push(...rebuildEntry(entry, change.replace, change.orphans));
    const results = change.moved.get(at);
    if (results) out.push({ ...from(entry), role: 'tool', origin: 'tool', content: results });
  });
  return out;
}

/** An entry with its changes made. One of role `tool` is split, since it may hold nothing but results. */
function rebuildEntry(entry: Entry, replace: Map<Block, Block | undefined>, orphans: Set<Block>): Entry[] {
  if (!entry.content.some((block) => replace.has(block) || orphans.has(block))) return [entry];
  const parts: { orphan: boolean; content: Block[] }[] = [];
  const add = (orphan: boolean, blocks: Block[]): void => {
    const last = parts.at(-1);
    if (last && last.orphan === orphan) last.content.push(...blocks);
    else parts.push({ orphan, content: blocks });
  };
  for (const block of entry.content) {
    if (orphans.has(block)) add(entry.role === 'tool', resultAsText(block as ToolResult));
    else if (!replace.has(block)) add(false, [block]);
    else {
      const made = replace.get(block);
      if (made) add(false, [made]);
    }
  }
  return parts.map(({ orphan, content }) => (orphan ? { ...from(entry), role: 'user', origin: 'tool', content } : { ...entry, content }));
}

const from = (entry: Entry): Pick<Entry, 'stream' | 'record'> & { time?: string } => ({
  stream: entry.stream,
  record: entry.record,
  ...(entry.time === undefined ? {} : { time: entry.time }),
});

/** A call that nothing is known of but that it was made, as the assistant would tell it. */
function unfinishedCall(call: ToolCall): string {
  const what = describeCall(call);
  return `called ${call.name || 'a tool'}${what ? `: ${what}` : ''}, no result was recorded, not known to have finished`;
}

/** What a call does in one piece of text: its command, path or question where it names one, otherwise its whole input. */
export function describeCall(call: ToolCall, max = CALL_TEXT_MAX): string {
  const input = callInput(call);
  const text = typeof input === 'string' ? input : (mainArgument(input) ?? JSON.stringify(input));
  if (text === '{}' || text === 'null') return '';
  return text.length > max ? `${text.slice(0, max)}…` : text;
}

/** Only where the rest of the input says little more: an edit is more than its path. */
function mainArgument(input: Json): string | undefined {
  if (!isObject(input)) return undefined;
  for (const key of ['command', 'cmd']) {
    const value = input[key];
    if (typeof value === 'string') return value;
    if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join(' ');
  }
  const [only, ...more] = Object.values(input);
  return more.length === 0 && typeof only === 'string' ? only : undefined;
}

function resultAsText(result: ToolResult): ResultBlock[] {
  const head = `Result of a tool call that is not part of this conversation (${result.call_id || 'no id'}${result.is_error ? ', an error' : ''}):`;
  const [first, ...rest] = result.content;
  if (first?.type === 'text') return [{ type: 'text', text: `${head}\n${first.text}` }, ...rest];
  return [{ type: 'text', text: head }, ...result.content];
}

const said = (id: string): string => (id ? `"${id.slice(0, 80)}"` : '(empty)');

const note = (entry: Entry, kind: string, reason: string): Loss => ({
  record: entry.record < 0 ? null : entry.record,
  stream: entry.stream,
  kind,
  action: 'changed',
  reason,
});

const byRecord = (a: Loss, b: Loss): number => (a.record ?? -1) - (b.record ?? -1);
