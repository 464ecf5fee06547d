import { isObject, type Json } from '#lib/json.ts';
import type { Entry } from '#session/conversation.ts';
import { describeCall } from '#session/pairs.ts';
import { callInput, plainText, type ToolCall, type ToolResult } from '#session/record.ts';
import { decisions } from './constraints.ts';
import { clip, shortenText } from './shorten.ts';
import { estimateTokens, measure } from './tokens.ts';
import { isRequest } from './turns.ts';

/** Room that something may take. */
interface Room {
  tokens: number;
  bytes: number;
}

/** A longer request is told by its head and tail when there is no room for all of it. In UTF-16 units. */
const REQUEST_SHORT = 1200;

/**
 * What was cut, told by rule: no model is asked, and the same entries always give the same text.
 * Every part has a share of the room; the requests, newest first, take what the others leave.
 * @param cut entries that the model no longer gets
 * @param first the first request, which stands elsewhere
 * @param planned true: a newer plan is still in view
 */
export function brief(cut: readonly Entry[], first: Entry | undefined, planned: boolean, room: Room): string {
  const facts = collect(cut, first);
  const left = { ...room };
  const plan = section('Last plan', planned ? [] : facts.plan, share(room, 0.15), left);
  const summary = facts.summary
    ? section('Summary by the earlier client', [shortenText(facts.summary, Math.floor(room.tokens * 0.15))], share(room, 0.2), left)
    : '';
  const files = section('Files', fileLines(facts), share(room, 0.1), left);
  const errors = section('Errors met, newest last', facts.errors, share(room, 0.1), left);
  const tools = section('Tools used', toolLines(facts), share(room, 0.05), left);
  const decided = section('Decisions', facts.decisions, share(room, 0.15), left);
  const requests = requestSection(facts.requests, left);
  return [requests, decided, plan, files, errors, tools, summary].filter(Boolean).join('\n\n');
}

const share = (room: Room, part: number): Room => ({ tokens: room.tokens * part, bytes: room.bytes * part });

interface Facts {
  requests: string[];
  decisions: string[];
  errors: string[];
  plan: string[];
  summary: string;
  changed: Set<string>;
  read: Set<string>;
  /** by tool: how often called, how often it failed */
  tools: Map<string, { calls: number; failed: number }>;
}

function collect(cut: readonly Entry[], first: Entry | undefined): Facts {
  const facts: Facts = { requests: [], decisions: [], errors: [], plan: [], summary: '', changed: new Set(), read: new Set(), tools: new Map() };
  const calls = new Map<string, ToolCall>();
  const decided = new Set<string>();
  for (const entry of cut) {
    if (entry.summary) facts.summary = plainText(entry.content) || facts.summary;
    else if (entry !== first && isRequest(entry)) {
      const said = plainText(entry.content);
      if (said) facts.requests.push(said);
    }
    for (const block of entry.content) {
      if (block.type === 'tool_call') {
        calls.set(block.id, block);
        addCall(facts, block);
      } else if (block.type === 'tool_result') addResult(facts, block, calls.get(block.call_id));
      else if (block.type === 'text' && entry.role === 'assistant') for (const said of decisions(block.text)) decided.add(shortenText(said, 300));
    }
  }
  facts.decisions = [...decided];
  return facts;
}

function addCall(facts: Facts, call: ToolCall): void {
  const used = facts.tools.get(call.name) ?? { calls: 0, failed: 0 };
  used.calls++;
  facts.tools.set(call.name, used);
  const input = callInput(call);
  const plan = planLines(input);
  if (plan.length) facts.plan = plan;
  const files = /edit|write|patch|create|replace/i.test(call.name) ? facts.changed : facts.read;
  for (const path of paths(input)) {
    // Taken out and put in again: the newest stands last.
    files.delete(path);
    files.add(path);
  }
}

function addResult(facts: Facts, result: ToolResult, call: ToolCall | undefined): void {
  if (!result.is_error && !result.exit_code) return;
  if (call) (facts.tools.get(call.name) as { failed: number }).failed++;
  const text = plainText(result.content).trim();
  const line = text.split('\n', 1)[0] ?? '';
  facts.errors.push(
    `${call ? `${call.name} ${oneLine(describeCall(call, 120))}` : 'a tool'}: ${clip(oneLine(line), 200) || `exit code ${result.exit_code ?? 'unknown'}`}`,
  );
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Paths that a call names, under the names that tools give them, or in the heads of a patch. */
function paths(input: Json): string[] {
  if (typeof input === 'string') return patchPaths(input);
  if (!isObject(input)) return [];
  const out: string[] = [];
  for (const key of ['file_path', 'filePath', 'path', 'notebook_path', 'filename']) if (typeof input[key] === 'string') out.push(input[key]);
  for (const key of ['input', 'patch']) if (typeof input[key] === 'string') out.push(...patchPaths(input[key]));
  return out;
}

const patchPaths = (text: string): string[] =>
  text.startsWith('*** Begin Patch') ? [...text.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map((match) => match[1] as string) : [];

/** A to-do list or plan in the input of a call: a list of objects that have a state and say something. */
function planLines(input: Json): string[] {
  if (!isObject(input)) return [];
  for (const list of Object.values(input)) {
    if (!Array.isArray(list) || !list.length) continue;
    const lines = list.map((item) => {
      if (!isObject(item) || typeof item.status !== 'string') return undefined;
      const text = [item.content, item.step, item.title, item.subject, item.text].find((value) => typeof value === 'string');
      return text === undefined ? undefined : `[${item.status}] ${text}`;
    });
    if (lines.every((line) => line !== undefined)) return lines as string[];
  }
  return [];
}

/** True when a plan stands in one of the entries. */
export const hasPlan = (entries: readonly Entry[]): boolean =>
  entries.some((entry) => entry.content.some((block) => block.type === 'tool_call' && planLines(callInput(block)).length > 0));

const fileLines = (facts: Facts): string[] => [
  ...[...facts.read].filter((path) => !facts.changed.has(path)).map((path) => `read ${path}`),
  ...[...facts.changed].map((path) => `changed ${path}`),
];

const toolLines = (facts: Facts): string[] =>
  [...facts.tools].map(([name, { calls, failed }]) => `${name}: ${calls} ${calls === 1 ? 'call' : 'calls'}${failed ? `, ${failed} failed` : ''}`);

/** Lines under a heading, as many of the last ones as there is room for. */
function section(title: string, lines: string[], room: Room, left: Room): string {
  const kept = takeLast(
    lines.map((line) => `- ${line}`),
    room,
  );
  if (!kept.length) return '';
  const omitted = lines.length - kept.length;
  const text = `## ${title}\n${omitted ? `(${omitted} earlier left out here)\n` : ''}${kept.join('\n')}`;
  spend(left, text);
  return text;
}

function requestSection(requests: string[], room: Room): string {
  const texts = requests.map((said, i) => `[request ${i + 2}]\n${said}`);
  let kept = takeLast(texts, room, 0.3);
  if (kept.length < texts.length)
    kept = takeLast(
      texts.map((text) => shortenText(text, REQUEST_SHORT)),
      room,
    );
  if (!kept.length) return '';
  const omitted = texts.length - kept.length;
  return `## Later requests, in the user's own words\n${omitted ? `(${omitted} earlier left out here; they are in the session file)\n` : ''}${kept.join('\n\n')}`;
}

/** The longest run of last texts that has room, with a heading. `each`: no single one may take more than this part of it. */
function takeLast(texts: string[], room: Room, each = 1): string[] {
  const left = { tokens: room.tokens - 30, bytes: room.bytes - 150 };
  const most = left.tokens * each;
  let from = texts.length;
  while (from > 0) {
    const { tokens, bytes } = measure(texts[from - 1] as string);
    if (tokens + 2 > Math.min(left.tokens, most) || bytes + 2 > left.bytes) break;
    left.tokens -= tokens + 2;
    left.bytes -= bytes + 2;
    from--;
  }
  return texts.slice(from);
}

function spend(left: Room, text: string): void {
  left.tokens -= estimateTokens(text) + 4;
  left.bytes -= measure(text).bytes + 4;
}
