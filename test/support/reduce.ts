import { isDeepStrictEqual } from 'node:util';
import { inflateSync } from 'node:zlib';

// biome-ignore lint/suspicious/noExplicitAny: messages as the clients send them
type Any = any;

/** What a model gets to see, told alike for every client. Calls are counted from 0, so that pairing can be compared across ids. */
export type Seen =
  | { kind: 'text'; role: 'user' | 'assistant'; text: string }
  | { kind: 'image'; role: 'user'; data: string }
  | { kind: 'call'; role: 'assistant'; call: number; name: string; input: Any }
  | { kind: 'result'; role: 'tool'; call: number; text: string; images: string[]; error?: boolean };

/** Text that a client puts in by itself at each request, so that it says nothing about the history. */
const CONTEXT =
  /^\s*<(system-reminder|environment_context|user_instructions|permissions instructions|collaboration_mode|skills_instructions|model_switch|personality_spec)>|^# AGENTS\.md instructions for /;

/** What Codex puts in the place of a picture that it cannot read. */
const UNREADABLE = 'image content omitted because it could not be processed';

/** Messages of an Anthropic request, without system text, reminders and thinking. */
export function reduceClaude(messages: Any[]): Seen[] {
  const seen: Seen[] = [];
  const calls = counter();
  for (const { role, content } of messages) {
    if (role === 'system') continue;
    for (const block of typeof content === 'string' ? [{ type: 'text', text: content }] : content) {
      if (block.type === 'text' && !CONTEXT.test(block.text)) seen.push({ kind: 'text', role, text: block.text.trimEnd() });
      if (block.type === 'image') seen.push({ kind: 'image', role, data: block.source.data });
      if (block.type === 'tool_use') seen.push({ kind: 'call', role, call: calls.made(block.id), name: block.name, input: block.input });
      if (block.type === 'tool_result')
        seen.push({ kind: 'result', role: 'tool', call: calls.of(block.tool_use_id), ...parts(block.content), error: block.is_error === true });
    }
  }
  return inCallOrder(seen);
}

/** Input of an OpenAI Responses request, without developer messages, context and reasoning. */
export function reduceCodex(input: Any[]): Seen[] {
  const seen: Seen[] = [];
  const calls = counter();
  for (const item of input) {
    if (item.type === 'message' && item.role !== 'developer' && item.role !== 'system') {
      for (const part of item.content) {
        if (part.type === 'input_image') seen.push({ kind: 'image', role: item.role, data: base64(part.image_url) });
        else if (part.text === UNREADABLE) seen.push({ kind: 'image', role: item.role, data: UNREADABLE });
        else if (!CONTEXT.test(part.text)) seen.push({ kind: 'text', role: item.role, text: part.text.trimEnd() });
      }
    }
    if (item.type === 'function_call' || item.type === 'custom_tool_call')
      seen.push({ kind: 'call', role: 'assistant', call: calls.made(item.call_id), name: item.name, input: parsed(item.arguments ?? item.input) });
    if (item.type === 'function_call_output' || item.type === 'custom_tool_call_output')
      seen.push({ kind: 'result', role: 'tool', call: calls.of(item.call_id), ...parts(item.output) });
  }
  return inCallOrder(seen);
}

/** System and developer text of a request: an importer may hand it on, under whatever role the other service has for it. */
export function contextOf(request: Any): Set<string> {
  const texts = (content: Any): string[] =>
    typeof content === 'string' ? [content] : (content ?? []).flatMap((part: Any) => (typeof part.text === 'string' ? [part.text] : []));
  const items: Any[] = request?.messages ?? request?.input ?? [];
  return new Set(
    items.filter((item) => item.role === 'system' || item.role === 'developer').flatMap((item) => texts(item.content).map((text) => text.trimEnd())),
  );
}

/** Numbers calls in the order they were made; a repeated id is a new call. */
function counter(): { made(id: string): number; of(id: string): number } {
  const numbers = new Map<string, number>();
  let next = 0;
  return {
    made(id) {
      numbers.set(id, next);
      return next++;
    },
    of: (id) => numbers.get(id) ?? -1,
  };
}

function parts(content: Any): { text: string; images: string[] } {
  if (typeof content === 'string') return { text: content.trimEnd(), images: [] };
  const list: Any[] = content ?? [];
  const texts = list.flatMap((part) => (typeof part.text === 'string' && part.text !== UNREADABLE ? [part.text] : []));
  const images = list.flatMap((part) => {
    if (part.text === UNREADABLE) return [UNREADABLE];
    if (part.image_url) return [base64(part.image_url)];
    return part.type === 'image' ? [part.source?.data ?? part.data] : [];
  });
  return { text: texts.join('\n').trimEnd(), images };
}

const base64 = (url: string): string => url.slice(url.indexOf(',') + 1);

function parsed(value: Any): Any {
  if (typeof value !== 'string') return value;
  try {
    const inner = JSON.parse(value);
    return typeof inner === 'object' && inner !== null ? inner : value;
  } catch {
    return value;
  }
}

/** Results of parallel calls come in the order they were finished; sorted by call they can be compared. */
function inCallOrder(seen: Seen[]): Seen[] {
  const out = [...seen];
  for (let from = 0; from < out.length; from++) {
    let to = from;
    while (out[to]?.kind === 'result') to++;
    if (to - from > 1) out.splice(from, to - from, ...out.slice(from, to).sort((a, b) => (a as { call: number }).call - (b as { call: number }).call));
    from = Math.max(from, to);
  }
  return out;
}

export interface Comparison {
  /** same: by the agent that recorded it, so all must be equal. other: names of tools may be mapped and results wrapped. */
  mode: 'same' | 'other';
  /** text that may stand in the request beside the expected: where the importer says where it comes from, and the source's own context */
  extra?(text: string): boolean;
}

/**
 * Compares what should have reached a model with what did.
 * @returns one line for each difference; empty when every text, call, result and image is there, in order, under its role and paired alike
 */
export function compareRequest(expected: Seen[], actual: Seen[], how: Comparison): string[] {
  const want = how.mode === 'same' ? expected : joined(toldAsText(expected).filter((item) => !isClientsOwn(item)));
  const got =
    how.mode === 'same'
      ? actual
      : joined(
          toldAsText(actual).filter((item) => !isClientsOwn(item)),
          how.extra,
        );
  const differences: string[] = [];
  let i = 0;
  let j = 0;
  while (i < want.length || j < got.length) {
    const [w, g] = [want[i], got[j]];
    if (w && g && matches(w, g, how)) {
      i++;
      j++;
      continue;
    }
    if (g?.kind === 'text' && how.extra?.(g.text)) {
      j++;
      continue;
    }
    const { skipped, added } = nextMatch(want.slice(i, i + WINDOW), got.slice(j, j + WINDOW), how);
    for (const item of want.slice(i, i + skipped)) differences.push(`missing: ${tell(item)}`);
    for (const item of got.slice(j, j + added)) if (item.kind !== 'text' || !how.extra?.(item.text)) differences.push(`unexpected: ${tell(item)}`);
    i += skipped;
    j += added;
  }
  return differences;
}

/**
 * Compares what should have reached a model with what did, where the conversation was too large for it: the first request
 * and the whole last turn must be there as they were.
 */
export function compareCut(expected: Seen[], actual: Seen[], how: Comparison): string[] {
  const isAsked = (item: Seen) => item.kind === 'text' && item.role === 'user' && !isClientsOwn(item) && !how.extra?.(item.text);
  const first = expected.find(isAsked);
  const last = expected.findLastIndex(isAsked);
  if (!first) return ['the conversation holds no request'];
  const from = actual.findLastIndex((item) => matches(expected[last] as Seen, item, how));
  const lost = actual.some((item) => matches(first, item, how)) ? [] : [`missing: ${tell(first)}`];
  if (from < 0) return [...lost, `missing: ${tell(expected[last] as Seen)}`];
  return [...lost, ...compareRequest(numbered(expected.slice(last)), numbered(actual.slice(from)), how)];
}

/** A part of a conversation with its calls counted from 0. */
function numbered(items: Seen[]): Seen[] {
  const numbers = new Map<number, number>();
  for (const item of items) if (item.kind === 'call') numbers.set(item.call, numbers.size);
  return items.map((item) => (item.kind === 'call' || item.kind === 'result' ? { ...item, call: numbers.get(item.call) ?? -1 } : item));
}

const WINDOW = 60;

/** How far to go on in both lists to the nearest pair that matches; to the end of both where there is none. */
function nextMatch(want: Seen[], got: Seen[], how: Comparison): { skipped: number; added: number } {
  for (let distance = 1; distance <= want.length + got.length; distance++) {
    for (let skipped = 0; skipped <= distance; skipped++) {
      const [w, g] = [want[skipped], got[distance - skipped]];
      if (w && g && matches(w, g, how)) return { skipped, added: distance - skipped };
    }
  }
  return { skipped: want.length, added: got.length };
}

function matches(want: Seen, got: Seen, { mode }: Comparison): boolean {
  if (want.kind !== got.kind || want.role !== got.role) return false;
  if (want.kind === 'text' && got.kind === 'text') return sameText(want.text, got.text);
  if (want.kind === 'image' && got.kind === 'image') return sameImage(want.data, got.data);
  if (want.kind === 'result' && got.kind === 'result') {
    if (want.call !== got.call || !want.images.every((image) => got.images.some((other) => sameImage(image, other)))) return false;
    if (mode === 'same') return sameText(want.text, got.text) && want.error === got.error;
    return sameText(want.text, got.text, true);
  }
  if (want.kind === 'call' && got.kind === 'call') {
    if (want.call !== got.call) return false;
    if (mode === 'same') return want.name === got.name && sameInput(want.input, got.input);
    return sameTool(want.name, got.name) && holdsInput(want.input, got.input);
  }
  return false;
}

/** The same picture, or the client's note in its place where the picture itself is broken. */
const sameImage = (want: string, got: string): boolean => want === got || (got === UNREADABLE && isBrokenPng(Buffer.from(want, 'base64')));

function isBrokenPng(bytes: Buffer): boolean {
  const data: Buffer[] = [];
  try {
    for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
      if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
    }
    inflateSync(Buffer.concat(data));
    return false;
  } catch {
    return true;
  }
}

/** Redaction leaves placeholders; what stood there is not known here. */
const PLACEHOLDER = /\[REDACTED:[a-z0-9_-]+:[0-9a-f]{8}\]/gi;

/** The same text, but for placeholders; `within`: the actual may say more before and after. */
function sameText(want: string, got: string, within = false): boolean {
  if (want === got || (within && got.includes(want)) || isShortened(want, got) || isShortened(got, want)) return true;
  const pieces = got.split(PLACEHOLDER);
  if (pieces.length < 2) return false;
  const pattern = pieces.map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[\\s\\S]*?');
  return new RegExp(`^${pattern}$`).test(want);
}

/** Codex itself takes the middle out of long outputs that it sends: what it left must be what stood there. */
function isShortened(short: string, whole: string): boolean {
  const [start, end, ...more] = short.split(/…\d+ (?:chars|tokens) truncated…/);
  return start !== undefined && end !== undefined && more.length === 0 && whole.startsWith(start) && whole.endsWith(end);
}

const sameInput = (want: Any, got: Any): boolean => isDeepStrictEqual(want, got) || sameText(JSON.stringify(want), JSON.stringify(got));

/** Tool names of one client under which another knows the same tool, and the prefix that marks a foreign one. */
function sameTool(want: string, got: string): boolean {
  const bare = got.replace(/^mcp__[a-z0-9-]+?__/, '');
  const safe = want.replace(/[^a-zA-Z0-9_-]/g, '_');
  return bare === want || bare === safe || got === safe || (SHELLS.has(want) === SHELLS.has(got) && SHELLS.has(want));
}
const SHELLS = new Set(['Bash', 'shell', 'exec_command', 'shell_command']);

/** Every string of the expected input is in the actual one, wherever it stands there. */
function holdsInput(want: Any, got: Any): boolean {
  if (isDeepStrictEqual(want, got)) return true;
  // ["bash", "-lc", "npm test"] is a command line to other shells' tools.
  if (Array.isArray(want?.command)) return holdsInput(want.command.at(-1), got);
  const have = leaves(got).join('\n');
  return leaves(want).every((leaf) => have.includes(leaf) || sameText(leaf, have));
}

function leaves(value: Any): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(leaves);
}

/** Results that a client makes up at each resume for a call that has none on record. */
const INVENTED_RESULT = /^\[Tool call interrupted|^aborted$|^\[Tool result missing/;
export const isInvented = (item: Seen): boolean => item.kind === 'result' && INVENTED_RESULT.test(item.text);
/** How relay tells such a call to another agent. */
const UNFINISHED = /^called (\S+?):? [\s\S]*no result was recorded/;

/** Calls without a result, in whichever way they are told, as one short text each. */
function toldAsText(items: Seen[]): Seen[] {
  const unfinished = new Set(items.flatMap((item) => (item.kind === 'result' && isInvented(item) ? [item.call] : [])));
  const numbers = new Map<number, number>();
  const out: Seen[] = [];
  const told = (name: string) => out.push({ kind: 'text', role: 'assistant', text: `(unfinished call of ${name})` });
  for (const item of items) {
    const name = item.kind === 'text' && item.role === 'assistant' ? UNFINISHED.exec(item.text)?.[1] : undefined;
    if (name !== undefined) told(name);
    else if (item.kind === 'call' && unfinished.has(item.call)) told(item.name);
    else if (item.kind === 'call') {
      numbers.set(item.call, numbers.size);
      out.push({ ...item, call: numbers.size - 1 });
    } else if (item.kind === 'result') {
      if (!unfinished.has(item.call)) out.push({ ...item, call: numbers.get(item.call) ?? -1 });
    } else out.push(item);
  }
  return out;
}

/** What a client says about itself in a user's or the assistant's name. Another client does not say it, and no person or model did. */
function isClientsOwn(item: Seen): boolean {
  if (item.kind !== 'text') return false;
  return item.text === 'No response requested.' || /^<turn_aborted>|^<\/?image\b|^\[Image: source: /.test(item.text);
}

/** Neighbouring texts of one role as one: whether they are one message or two is up to the client. */
function joined(items: Seen[], extra?: (text: string) => boolean): Seen[] {
  const out: Seen[] = [];
  for (const item of items) {
    const last = out.at(-1);
    const apart = item.kind === 'text' && extra?.(item.text);
    if (item.kind === 'text' && !apart && last?.kind === 'text' && last.role === item.role && !extra?.(last.text))
      out[out.length - 1] = { ...last, text: `${last.text}\n${item.text}` };
    else out.push(item);
  }
  return out;
}

/** One item in a line. */
export function tell(item: Seen): string {
  const short = (text: string) => JSON.stringify(text.length > 200 ? `${text.slice(0, 140)} … ${text.slice(-50)}` : text);
  if (item.kind === 'text') return `${item.role} text ${short(item.text)}`;
  if (item.kind === 'image') return `${item.role} image of ${item.data.length} characters`;
  if (item.kind === 'call') return `call ${item.call} of ${item.name} ${short(JSON.stringify(item.input))}`;
  return `result of call ${item.call}${item.error ? ', an error' : ''}${item.images.length ? `, ${item.images.length} images` : ''} ${short(item.text)}`;
}
