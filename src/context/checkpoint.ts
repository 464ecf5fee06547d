import type { Conversation, Entry, Fitted } from '#session/conversation.ts';
import { plainText } from '#session/record.ts';
import { brief, hasPlan } from './brief.ts';
import { constraints } from './constraints.ts';
import { shortenEntry } from './shorten.ts';
import { add, type Size, sizeOf, total, within } from './tokens.ts';
import { firstRequest, isRequest, safeCuts } from './turns.ts';

/** Parts of the limit: the last turns as they are; what the client itself had put in; what stays free for the brief. */
const TAIL = 0.65;
const CLIENT_TEXT = 0.15;
const BRIEF = 0.2;

/** Who knows what an entry weighs. */
type Weigh = (entry: Entry) => Size;

/** What the parts of a plan are made from. */
interface Session {
  entries: readonly Entry[];
  /** indices before which the conversation may be cut */
  cuts: boolean[];
  first: number;
  weigh: Weigh;
  limit: Size;
}

/**
 * The plan for a conversation that is over the limit.
 * @returns the plan, or nothing when what is never cut weighs more than the limit; `least` is the weight of that
 */
export function checkpoint(conversation: Conversation, limit: Size, weigh: Weigh, source: string): { fitted?: Fitted; least: Size } {
  const { entries } = conversation;
  const session: Session = { entries, cuts: safeCuts(entries), first: firstRequest(entries), weigh, limit };
  const request = entries[session.first];
  const text = neverCut(session, source);
  const least = sizeOf(summaryEntry(text, ''));
  if (request) add(least, weigh(request));
  if (!within(least, limit)) return { least };
  const rest = minus(limit, least);
  const tailFrom = lastTurns(session, rest);
  const tail = entries.slice(tailFrom);
  const older = olderTurns(session, tailFrom, minus(rest, sum(tail, weigh)), rest);
  const view = older.kept.length ? [...older.kept, ...tail] : tail;
  const cut = [...earlierSummary(conversation), ...entries.slice(0, older.from)];
  const lead = [summaryEntry(text, ''), ...(request && older.from > session.first ? [request] : []), ...older.kept];
  const free = minus(limit, sum([...lead, ...tail], weigh));
  lead[0] = withBrief(text, cut, request, hasPlan(view), free);
  return { fitted: { history: entries.slice(0, tailFrom), lead, tail, size: sum([...lead, ...tail], weigh) }, least };
}

const minus = (a: Size, b: Size): Size => ({ tokens: a.tokens - b.tokens, items: a.items - b.items, bytes: a.bytes - b.bytes });
const times = (a: Size, part: number): Size => ({ tokens: a.tokens * part, items: a.items * part, bytes: a.bytes * part });
const least = (a: Size, b: Size): Size => ({ tokens: Math.min(a.tokens, b.tokens), items: Math.min(a.items, b.items), bytes: Math.min(a.bytes, b.bytes) });

const sum = (entries: readonly Entry[], weigh: Weigh): Size => total(entries.map(weigh));

/** A summary that the source's client made and that is no entry of the conversation itself. */
const earlierSummary = ({ entries, view, sealed }: Conversation): Entry[] =>
  sealed ? [] : view.filter((entry) => entry.summary && !entries.some((other) => other.record === entry.record && other.stream === entry.stream));

/** The beginning of the summary: what it is, system text verbatim, the user's constraints. */
function neverCut({ entries, first, weigh, limit }: Session, source: string): string {
  const parts = [
    `[relay] The earlier part of this conversation with ${source} is not shown here; it stands whole in the session file. ` +
      'This extract was made by rule, without a model: it may be incomplete. The first request follows it verbatim, then older turns with tool results shortened, then the last turns as they were.',
  ];
  const system = systemTexts(entries, weigh, limit);
  if (system.length) parts.push(`## System text\n${system.join('\n\n')}`);
  const bound = constraints(entries, entries[first]);
  if (bound.length) parts.push(`## The user's constraints, in their own words\n${bound.map((said) => `- ${said}`).join('\n')}`);
  return parts.join('\n\n');
}

/** System text, each once. What the source's client put in by itself only up to a share: it speaks of another client and machine. */
function systemTexts(entries: readonly Entry[], weigh: Weigh, limit: Size): string[] {
  const texts = new Set<string>();
  let room = limit.tokens * CLIENT_TEXT;
  for (const entry of entries) {
    if (entry.role !== 'system') continue;
    const text = plainText(entry.content);
    if (!text || texts.has(text)) continue;
    if (entry.origin === 'harness') {
      const { tokens, bytes } = weigh(entry);
      if (tokens > room || bytes > limit.bytes * CLIENT_TEXT) continue;
      room -= tokens;
    }
    texts.add(text);
  }
  return [...texts];
}

const summaryEntry = (never: string, told: string): Entry => ({
  role: 'user',
  origin: 'relay',
  summary: true,
  stream: 'main',
  record: -1,
  content: [{ type: 'text', text: told ? `${never}\n\n${told}` : never }],
});

/** The summary with as much of the brief as there is room for. */
function withBrief(never: string, cut: readonly Entry[], request: Entry | undefined, planned: boolean, free: Size): Entry {
  const bare = summaryEntry(never, '');
  const limit = minus(sizeOf(bare), times(free, -1));
  for (let part = 1; part > 0.3; part -= 0.2) {
    const made = summaryEntry(never, brief(cut, request, planned, { tokens: free.tokens * part, bytes: free.bytes * part }));
    if (within(sizeOf(made), limit)) return made;
  }
  return bare;
}

/**
 * Where the part begins that the model gets as it is: as many whole turns as fit; of a last turn that is too long
 * by itself, as many of its last steps. The number of entries when not even one step fits.
 */
function lastTurns(session: Session, rest: Size): number {
  const { entries, cuts } = session;
  const most = times(rest, 1 - BRIEF);
  const turnStart = (at: number): boolean => cuts[at] === true && isRequest(entries[at] as Entry);
  const turns = backwards(session, entries.length, least(most, times(session.limit, TAIL)), turnStart);
  if (turns < entries.length) return turns;
  const lastTurn = backwards(session, entries.length, most, turnStart);
  if (lastTurn < entries.length) return entries.findLastIndex((_, at) => turnStart(at));
  return backwards(session, entries.length, least(most, times(session.limit, TAIL)), (at) => cuts[at] === true);
}

/** The earliest index before `end` at which `stop` holds and from which everything up to `end` fits; `end` when there is none. */
function backwards({ entries, weigh }: Session, end: number, most: Size, stop: (at: number) => boolean): number {
  const size: Size = { tokens: 0, items: 0, bytes: 0 };
  let found = end;
  for (let at = end - 1; at >= 0; at--) {
    add(size, weigh(entries[at] as Entry));
    if (!within(size, most)) break;
    if (stop(at)) found = at;
  }
  return found;
}

/**
 * Older turns before `end`, with long results shortened, as many as there is room for: whole turns, but of the turn that
 * `end` lies in (one that is too long by itself) its request and its last steps.
 */
function olderTurns(session: Session, end: number, room: Size, rest: Size): { kept: Entry[]; from: number } {
  const { entries, cuts, first, weigh } = session;
  const free = minus(room, { ...times(rest, BRIEF), items: 0 });
  const kept: Entry[] = [];
  const size: Size = { tokens: 0, items: 0, bytes: 0 };
  const split = end > 0 && !(end < entries.length && isRequest(entries[end] as Entry));
  // Index of the request of the split turn; without one, nothing lies behind it.
  const opener = split ? entries.slice(0, end).findLastIndex(isRequest) : end;
  let asked = split && opener > first ? shortenEntry(entries[opener] as Entry) : undefined;
  if (asked && !within(weigh(asked), free)) asked = undefined;
  if (asked) add(size, weigh(asked));
  let steps: Entry[] = [];
  let from = end;
  for (let at = end - 1; at >= 0; at--) {
    const entry = at === first ? (entries[at] as Entry) : asked && at === opener ? asked : shortenEntry(entries[at] as Entry);
    // The first request and that of a split turn are counted already.
    if (at !== first && entry !== asked) add(size, weigh(entry));
    if (!within(size, free)) break;
    steps.push(entry);
    const whole = isRequest(entries[at] as Entry) || at === first;
    if (!cuts[at] || !(whole || at > opener)) continue;
    kept.push(...steps);
    steps = [];
    from = at;
  }
  kept.reverse();
  if (asked && from > opener) kept.unshift(asked);
  return { kept, from };
}
