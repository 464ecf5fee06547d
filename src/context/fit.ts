import { RelayError } from '#lib/errors.ts';
import type { Conversation, Entry, Fitted } from '#session/conversation.ts';
import { checkpoint } from './checkpoint.ts';
import { add, measure, type Size, sizeOf, total, within } from './tokens.ts';

/** What the target's model takes, as its adapter says (Adapter.window). */
export interface Budget {
  /** context window */
  tokens: number;
  /** of these, kept free for the model's own output */
  reserve: number;
  maxItems: number;
  maxBytes: number;
}

export interface FitOptions {
  /** how the source's agent is called, e.g. Claude Code */
  source?: string;
  /** text that the import puts in besides (see orientation.ts); room is left for it */
  orientation?: string;
}

/** `refitted`: the source's own view did not fit (or is sealed), and `lead` begins with a summary that relay made. */
export type Refitted = Fitted & { refitted: boolean };

/** Estimates of tokens are up to a fifth off, and the target's client adds items and bytes of its own. */
const SAFE = 0.8;

/** What may be used of a budget: (window - reserve) x 0.8, less what is put in besides. */
export function limitOf(budget: Budget, besides = ''): Size {
  const extra = besides ? measure(besides) : { tokens: 0, bytes: 0 };
  return {
    tokens: Math.floor((budget.tokens - budget.reserve) * SAFE) - extra.tokens,
    items: Math.floor(budget.maxItems * SAFE) - (besides ? 1 : 0),
    bytes: Math.floor(budget.maxBytes * SAFE) - extra.bytes,
  };
}

/**
 * Plans what of a conversation the next model gets. Nothing is shortened while the source's own view fits. Over budget,
 * the older part is cut: it stays whole in the file, and in the model's view a summary, the first request, older turns with
 * shortened results and the last turns verbatim stand for it. Never cut: system text, the first request, what the user
 * forbade or demanded. Time grows with the length of the conversation.
 * @throws RelayError `over-budget`, naming the least budget, when that alone does not fit
 */
export function fit(conversation: Conversation, budget: Budget, options: FitOptions = {}): Refitted {
  const limit = limitOf(budget, options.orientation);
  const known = new Map<Entry, Size>();
  const size = (entry: Entry): Size => {
    const found = known.get(entry) ?? sizeOf(entry);
    known.set(entry, found);
    return found;
  };
  if (!conversation.sealed) {
    const whole = sizeWithin(conversation.view, size, limit);
    if (whole) return { ...asAtSource(conversation, whole), refitted: false };
  }
  const all = conversation.sealed || conversation.view !== conversation.entries ? sizeWithin(conversation.entries, size, limit) : undefined;
  if (all) return { history: [], lead: [], tail: conversation.entries, size: all, refitted: false };
  const { fitted, least } = checkpoint(conversation, limit, size, options.source ?? 'another agent');
  if (fitted) return { ...fitted, refitted: true };
  throw overBudget(least, limit, budget);
}

/** The size of all entries, or nothing as soon as it is over the limit: a long session is not measured to its end for that. */
function sizeWithin(entries: readonly Entry[], weigh: (entry: Entry) => Size, limit: Size): Size | undefined {
  const sum = total([]);
  for (const entry of entries) {
    add(sum, weigh(entry));
    if (!within(sum, limit)) return undefined;
  }
  return within(sum, limit) ? sum : undefined;
}

/** The source's own view: its summary and kept messages in front of what came after; what lies before stays for people. */
function asAtSource({ entries, view }: Conversation, size: Size): Fitted {
  if (view === entries) return { history: [], lead: [], tail: entries, size };
  let same = 0;
  while (same < view.length && same < entries.length && sameRecord(view.at(-1 - same) as Entry, entries.at(-1 - same) as Entry)) same++;
  const lead = view.slice(0, view.length - same);
  const shown = new Set(lead.filter((entry) => entry.summary).map(keyOf));
  const history = entries.slice(0, entries.length - same).filter((entry) => !(entry.summary && shown.has(keyOf(entry))));
  return { history, lead, tail: same ? view.slice(-same) : [], size };
}

const keyOf = (entry: Entry): string => `${entry.stream} ${entry.record}`;
/** A summary ends what came after it, also where it is an entry of the conversation too. */
const sameRecord = (a: Entry, b: Entry): boolean =>
  !a.summary && (a === b || (a.record >= 0 && a.record === b.record && a.stream === b.stream && a.role === b.role));

function overBudget(least: Size, limit: Size, budget: Budget): RelayError {
  const short: string[] = [];
  if (least.tokens > limit.tokens) short.push(`${least.tokens} tokens (there is room for ${Math.max(0, limit.tokens)})`);
  if (least.items > limit.items) short.push(`${least.items} items (there is room for ${Math.max(0, limit.items)})`);
  if (least.bytes > limit.bytes) short.push(`${least.bytes} bytes (there is room for ${Math.max(0, limit.bytes)})`);
  const tokens = budget.tokens + Math.max(0, Math.ceil((least.tokens - limit.tokens) / SAFE));
  return new RelayError(
    'over-budget',
    `The parts of this session that are never cut (system text, first request, the user's constraints) need ${short.join(', ')}.`,
    least.tokens > limit.tokens
      ? `The least window is ${tokens} tokens. Import into an agent that has it, or set agents.<agent>.window to ${tokens} if yours does.`
      : 'Import into an agent that takes larger requests.',
  );
}
