import { type Hit, matchEnd, type Range } from './ranges.ts';

/** What one scan of a text collects. */
export interface Found {
  hits: Hit[];
  /** placeholders that stand in the text already */
  masks: Range[];
  /** how deep text that is wrapped (base64, hex) or escaped is still opened */
  depth: number;
  /** see readTo; most texts need no map */
  read?: Map<unknown, number>;
  /** where the checks that come after the pass want to look */
  gated?: Map<Gated, number[]>;
  /** stretches behind words that often have a secret near them */
  near?: Range[];
  /** something was met that may stand within a word: a colour, an invisible character, a continuation */
  inline: boolean;
  /** what to look at again without numbers and signs before its lines: a word stood at the end of its line, and its secret may stand on the next */
  open?: Range[];
  /** where a token stands up to the end of its line, and may go on in the next behind a number or a sign */
  torn?: Range[];
  /** the next line feed behind the word that was met last */
  feed?: number;
  /** the scan itself, for what is encoded in the text */
  again: (text: string, depth: number) => Hit[];
}

export const nothingFound = (depth: number, again: Found['again']): Found => ({ hits: [], masks: [], depth, inline: false, again });

/** Longer than this no rest of a line is. */
const REST_MAX = 256;
/** How far behind a word that ends its line its secret may stand, in UTF-16 units. */
const REACH = 320;
/** How far in front of it a value may stand that is in parts. */
const AHEAD = 160;

/** For checks that open nothing. */
export const nothingYet = (): Found => nothingFound(0, () => []);

/** Notes a telling word that ends at `end`. `rest`: what may follow it on its line for its secret to stand on the next. */
export function tell(text: string, end: number, rest: RegExp, found: Found): void {
  found.near = noted(found.near, Math.max(0, end - AHEAD), end + REACH);
  if (reachesLineEnd(text, end, rest, found)) found.open = noted(found.open, end, end + REACH);
  else if (endsInToken(text, end, found)) found.torn = noted(found.torn, end, end + REACH);
}

/** Characters of a token. */
const TOKEN_END = /[A-Za-z0-9_+/=.-]{16}/y;
/** So much of a token stands at the end of a line when it goes on in the next one. */
const ENDS = 16;
export function isTokenEnd(text: string, end: number): boolean {
  if (end < ENDS) return false;
  return matchEnd(TOKEN_END, text, end - ENDS) >= 0;
}
const endsInToken = (text: string, end: number, { feed = end }: Found): boolean =>
  feed - end >= ENDS && feed - end <= REST_MAX && isTokenEnd(text, text.charCodeAt(feed - 1) === 13 ? feed - 1 : feed);

/** A token up to the end of its line may go on in the next. */
const TO_LINE_END = /\S{12,140}\n/y;

/** Notes the beginning of a token at `at`, which may be in parts. */
export function tellToken(text: string, at: number, found: Found): void {
  found.near = noted(found.near, at, at + REACH);
  if (reachesLineEnd(text, at, TO_LINE_END, found)) found.torn = noted(found.torn, at, at + REACH);
}

function reachesLineEnd(text: string, end: number, rest: RegExp, found: Found): boolean {
  if (found.feed === undefined || found.feed < end) {
    const feed = text.indexOf('\n', end);
    found.feed = feed < 0 ? text.length : feed;
  }
  return found.feed - end <= REST_MAX && matchEnd(rest, text, end) >= 0;
}

/** Notes a stretch of lines that belong together. */
export function tellAround(start: number, end: number, found: Found): void {
  found.near = noted(found.near, start, end);
  found.open = noted(found.open, start, end);
}

/** Words are met nearly in order, and many stand close together. */
function noted(all: Range[] = [], start: number, end: number): Range[] {
  const last = all[all.length - 1];
  if (last && start <= last.end && end >= last.start) {
    last.start = Math.min(last.start, start);
    last.end = Math.max(last.end, end);
  } else all.push({ start, end });
  return all;
}

/** How far a check has read already: a text made of anchors would else cost the square of its length. */
export const readTo = (found: Found, check: unknown): number => found.read?.get(check) ?? 0;
export function setReadTo(found: Found, check: unknown, end: number): void {
  found.read ??= new Map();
  found.read.set(check, end);
}

/** Looks at a text where one of its literals stands, and adds what it finds. Reads a bounded stretch. */
export type Check = (text: string, at: number, length: number, found: Found) => void;

/** A check that costs too much to be made at each place: it comes after the pass, with all its places in the text. */
export interface Gated {
  /** Does this place come into question? Told at once. */
  wants?(text: string, place: number): boolean;
  /** @param found what else was found, in order and apart: it need not be found again */
  find(text: string, places: readonly number[], found: readonly Hit[]): Hit[];
}

/** Notes a place for a check that comes after the pass. */
export const gate =
  (rule: Gated): Check =>
  (text, at, _length, found) => {
    if (rule.wants && !rule.wants(text, at)) return;
    found.gated ??= new Map();
    const places = found.gated.get(rule);
    if (places) places.push(at);
    else found.gated.set(rule, [at]);
  };

/** A literal (small letters; ASCII case is folded) and what it starts. */
export interface Word {
  text: string;
  payload: Check;
}

/** A group of checks that the engine runs beside the others in the same pass. */
export interface Layer {
  /** part of the engine's id: another one for whatever finds something else */
  readonly id: string;
  /** what it knows at present, where that grows with use: a verdict depends on it, a stored line does not */
  readonly state?: string;
  readonly words: readonly Word[];
  /** Looks once at the whole text after the words. */
  whole?(text: string, found: Found): void;
}
