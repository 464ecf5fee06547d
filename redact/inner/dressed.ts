import { SCRIPT_STARTS } from '../context/names.ts';
import { type Check, type Found, isTokenEnd, type Word } from '../engine/layer.ts';
import type { Range } from '../engine/ranges.ts';
import { asItIs, type Cuts, cutsOf, type Stripped, stripped } from './strip.ts';

/** Longer texts are scanned as they stand only. */
const LONGEST = 4_000_000;

/** Invisible characters, from one to the other. */
const INVISIBLE_RANGES: readonly (readonly [number, number])[] = [
  ...[0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180e, 0xfeff].map((one) => [one, one] as const),
  ...([
    [0x200b, 0x200f],
    [0x202a, 0x202e],
    [0x2060, 0x2064],
    [0x2066, 0x206f],
    [0xfe00, 0xfe0f],
  ] as const),
];
const INVISIBLE = INVISIBLE_RANGES.map((range) => range.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('-')).join('');
/** Colours and other sequences of a terminal, as bytes or written out (`\u001b[0m`, `\e[0m`, `\033[0m`). */
const TERMINAL =
  '(?:\\x1b|\\x9b|\\\\{1,4}(?:u001b|x1b|e|033))(?:\\[[0-9;:?]{0,24}[A-Za-z]|\\][^\\x07\\x1b]{0,300}(?:\\x07|\\x1b\\\\)|[()][A-Z0-9])|\\x9b[0-9;]{0,24}[A-Za-z]';
/** What stands between the letters of UTF-16 and UTF-32 that was read as bytes; elsewhere a NUL ends a text. */
const WIDE = '(?<=\\0[^\\0])\\0{1,3}|\\0{1,3}(?=[^\\0]\\0)';
const INLINE = new RegExp(`[${INVISIBLE}]{1,64}|${WIDE}|${TERMINAL}|\\\\\\r?\\n`, 'g');
/** The characters that begin what stands within words. */
export const INLINE_UNITS: string = String.fromCharCode(
  ...[0, 0x1b, 0x9b],
  ...INVISIBLE_RANGES.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i)),
);

const inline: Check = (text, at, length, found) => {
  if (!found.inline && (length > 1 || INLINE_UNITS.includes(text.charAt(at)))) found.inline = true;
};

/** What tells that there is something to be taken off. */
export const dressWords: readonly Word[] = [SCRIPT_STARTS.charAt(0), '\\\n', '\\u001b', '\\x1b', '\\e[', '\\033'].map((text) => ({ text, payload: inline }));

const NUMBER = '[ \\t]{0,8}[\\[(L]?\\d{1,6}[\\])]?(?:[ \\t]{0,4}[│|→:·]|[:=-]|\\t|[ ]{2})[ ]?';
/** With dashes, as around a match, only behind the name of a file: tokens have dashes, too. */
const PLACE = '(?:[\\w@./+-]{1,200}:\\d{1,6}:|[\\w@+-]{0,100}[./][\\w@./+-]{0,200}-\\d{1,6}-)(?:\\d{1,5}[:-])?';
const TIME = '(?:[\\w.-]{1,40}\\t[\\w .-]{1,60}\\t)?\\[?\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d[.,\\d]{0,10}(?:Z|[+-]\\d\\d:?\\d\\d)?\\]?[ ]';
const SERVICE = '[\\w.-]{1,40}[ ]{1,12}\\|[ ]';
const SIGN = '[ \\t]{0,8}(?:[+<>|│┃▏*#]|//|--[ ]|;)[ ]?|-(?!-)';
/** What a program or a person put before each line: its number, its place, the time, the sign of a diff, a quote or a comment. */
const PREFIX = new RegExp(`(?:${TIME}|${PLACE}|${NUMBER}|${SERVICE}|${SIGN}){1,2}`, 'y');

/** Two literals that make one, where the characters of a token stand on both sides. */
const JOINT = /(["'`])[ \t]{0,8}(?:[+.&][ \t]{0,8}(?:\\?\r?\n[ \t]{0,40})?|\\?\r?\n[ \t]{0,40}(?:[+.&][ \t]{0,8})?)\1(?=[A-Za-z0-9_+/=.-])/g;
/** No joint is longer. */
const JOINT_MAX = 128;
const TOKEN = /[A-Za-z0-9_+/=.-]/;
/** How a token goes on in the next line. */
const GOES_ON = /(?![A-Z]?[a-z]{1,20}(?:[^A-Za-z0-9_+/=-]|$))[A-Za-z0-9_+/.-]{4,200}=?=?(?:["'`,;)\s]|$)/y;
/** Lines from here on may have been wrapped at the edge of a page. */
const FULL = 56;

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

/** What stands before the lines of some stretches. */
function prefixes(text: string, stretches: readonly Range[]): Cuts {
  const cuts: Cuts = [];
  let done = 0;
  for (const { start: first, end } of stretches) {
    let torn = false;
    // A token that is torn into many lines goes on behind the stretch.
    for (let start = Math.max(done, lineStart(text, first - BEFORE)); start < text.length && (start <= end || torn); start = done) {
      PREFIX.lastIndex = start;
      const prefix = PREFIX.exec(text)?.[0];
      if (prefix) cuts.push(start, start + prefix.length);
      const feed = text.indexOf('\n', start);
      torn = feed > 0 && isTokenEnd(text, feed);
      done = feed < 0 ? text.length : feed + 1;
    }
  }
  return cuts;
}

/** The line feeds between the parts of a token that did not fit into a line. */
function wraps(text: string): Cuts {
  const cuts: Cuts = [];
  let start = 0;
  for (let feed = text.indexOf('\n'); feed >= 0; feed = text.indexOf('\n', start)) {
    const end = feed > 0 && text.charCodeAt(feed - 1) === 13 ? feed - 1 : feed;
    if (end - start >= FULL && feed + 1 < text.length && text.charCodeAt(feed + 1) > 42 && isTokenEnd(text, end)) {
      GOES_ON.lastIndex = feed + 1;
      if (GOES_ON.test(text)) cuts.push(end, feed + 1);
    }
    start = feed + 1;
  }
  return cuts;
}

function joints(text: string, stretches: readonly Range[]): Cuts {
  const cuts: Cuts = [];
  let done = 0;
  for (const stretch of stretches) {
    let { start, end } = stretch;
    // Behind a joint there may be another.
    for (start = Math.max(start, done); start < end; start = done) {
      const base = start;
      const found = cutsOf(text.slice(base, end + JOINT_MAX), JOINT, (at) => base + at > 0 && base + at < end && TOKEN.test(text.charAt(base + at - 1)));
      for (const place of found) cuts.push(base + place);
      done = end;
      if (found.length) end = Math.min(text.length, base + (found.at(-1) as number) + AFTER);
    }
  }
  return cuts;
}

/** Around a place where something was taken away, in UTF-16 units. */
const BEFORE = 128;
const AFTER = 320;

/** The text without its dress, one way of undressing after the other: a number may stand in colours. `open`: what of it to look at. */
function undressed(text: string, found: Found): { bare: Stripped; open: Range[] } | undefined {
  let bare = asItIs(text);
  const open: Range[] = [];
  const strip = (cuts: Cuts) => {
    if (cuts.length) bare = stripped(bare.text, cuts, bare);
  };
  /** Looks again wherever something was cut out. */
  const stripAndLook = (cuts: Cuts) => {
    for (let i = 0; i < cuts.length; i += 2) {
      const at = bare.place(cuts[i] as number);
      open.push({ start: at, end: at + AFTER });
    }
    strip(cuts);
  };
  if (found.inline) stripAndLook(cutsOf(text, INLINE));
  if (found.near) {
    if (found.open) open.push(...found.open);
    strip(prefixes(bare.text, apart(bare, [...open, ...(found.torn ?? [])])));
    stripAndLook(joints(bare.text, apart(bare, found.near)));
  }
  stripAndLook(wraps(bare.text));
  return open.length ? { bare, open } : undefined;
}

const byStart = (a: Range, b: Range): number => a.start - b.start;
const inOrder = (all: readonly Range[]): readonly Range[] =>
  all.every((one, i) => !i || byStart(all[i - 1] as Range, one) <= 0) ? all : [...all].sort(byStart);

/** Stretches of the text as they stand in the undressed one: in order and apart. */
function apart({ text, find }: Stripped, stretches: readonly Range[]): Range[] {
  const out: Range[] = [];
  for (const { start, end } of inOrder(stretches)) {
    const from = find(start);
    const to = Math.min(text.length, find(end));
    const last = out[out.length - 1];
    if (last && from <= last.end) last.end = Math.max(last.end, to);
    else out.push({ start: from, end: to });
  }
  return out;
}

/** What of the undressed text to scan: from blank to blank, and only where something was cut out. */
function windows(bare: Stripped, open: readonly Range[]): Range[] {
  const out: Range[] = [];
  for (const { start, end } of apart(bare, open)) {
    const from = Math.max(0, start - BEFORE);
    const last = out[out.length - 1];
    if (last && from <= last.end + BEFORE) last.end = Math.max(last.end, end);
    else out.push({ start: from, end });
  }
  return out
    .map(({ start, end }) => ({ start: start && blankBefore(bare.text, start), end: blankBehind(bare.text, end) }))
    .filter(({ start, end }) => bare.place(end) - bare.place(start) > end - start);
}

/** A token that stands across the edge of a stretch goes in whole; what is longer than this is none. */
const LONGEST_TOKEN = 8000;
const BLANK = /\s/;
const isBlank = (unit: number): boolean => unit <= 32 || (unit > 127 && BLANK.test(String.fromCharCode(unit)));
function blankBefore(text: string, at: number): number {
  const low = Math.max(0, at - LONGEST_TOKEN);
  let from = at;
  while (from > low && !isBlank(text.charCodeAt(from - 1))) from--;
  return from;
}
function blankBehind(text: string, at: number): number {
  const high = Math.min(text.length, at + LONGEST_TOKEN);
  let to = at;
  while (to < high && !isBlank(text.charCodeAt(to))) to++;
  return to;
}

/**
 * Scans a text once more without what stands around and in its words: terminal colours, invisible characters, line numbers, the
 * signs of diffs and quotes, continuations, joints of literals, and the line feeds in a token that was wrapped. Only where that may tell
 * something else than the text as it stands.
 */
export function inDress(text: string, found: Found): void {
  if (found.depth <= 0 || text.length > LONGEST) return;
  const made = undressed(text, found);
  if (!made) return;
  const { bare, open } = made;
  for (const { start, end } of windows(bare, open))
    for (const hit of found.again(bare.text.slice(start, end), found.depth - 1))
      found.hits.push({ ...hit, start: bare.place(start + hit.start), end: bare.place(start + hit.end - 1) + 1 });
}
