import type { Found } from './layer.ts';
import type { Range } from './ranges.ts';
import { type Cuts, cutsOf, type Stripped, stripped } from './strip.ts';

/** Longer texts are scanned as they stand only. */
const LONGEST = 4_000_000;

const INVISIBLE = '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufe00-\\ufe0f\\ufeff';
/** Colours and other sequences of a terminal, as bytes or written out (`\u001b[0m`, `\e[0m`, `\033[0m`). */
const TERMINAL =
  '(?:\\x1b|\\x9b|\\\\{1,4}(?:u001b|x1b|e|033))(?:\\[[0-9;:?]{0,24}[A-Za-z]|\\][^\\x07\\x1b]{0,300}(?:\\x07|\\x1b\\\\)|[()][A-Z0-9])|\\x9b[0-9;]{0,24}[A-Za-z]';
const INLINE = new RegExp(`[${INVISIBLE}]{1,64}|${TERMINAL}|\\\\\\r?\\n`, 'g');
const ANY_INVISIBLE = new RegExp(`[${INVISIBLE}]`);
const BEYOND_ASCII = /[^\x00-\x7f]/;
/** What each of the others begins with. */
const MARK = /[\x1b\x9b]|\\(?:\r?\n|u001b|x1b|e\[|033)/;

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
const TOKEN = /[A-Za-z0-9_+/=.-]/;
/** So much of a token stands at the end of a line when it goes on in the next one, as GOES_ON says. */
const ENDS = 16;
const GOES_ON = /(?![A-Z]?[a-z]{1,20}(?:[^A-Za-z0-9_+/=-]|$))[A-Za-z0-9_+/.-]{4,200}=?=?(?:["'`,;)\s]|$)/y;
/** Lines from here on may have been wrapped at the edge of a page. */
const FULL = 56;

const hasInline = (text: string): boolean =>
  text.includes('\x1b') || (text.includes('\\') && MARK.test(text)) || (BEYOND_ASCII.test(text) && (ANY_INVISIBLE.test(text) || text.includes('\x9b')));

function prefixes(text: string): Cuts {
  const cuts: Cuts = [];
  for (let start = 0; start >= 0; ) {
    PREFIX.lastIndex = start;
    const prefix = PREFIX.exec(text)?.[0];
    if (prefix) cuts.push(start, start + prefix.length);
    const feed = text.indexOf('\n', start);
    start = feed < 0 ? -1 : feed + 1;
  }
  return cuts;
}

function isTokenEnd(text: string, end: number): boolean {
  for (let at = end - 1; at >= end - ENDS; at--) if (!TOKEN.test(text.charAt(at))) return false;
  return true;
}

/** The line feeds between the parts of a token that did not fit into a line. */
function wraps(text: string): Cuts {
  const cuts: Cuts = [];
  let start = 0;
  for (let feed = text.indexOf('\n'); feed >= 0; feed = text.indexOf('\n', start)) {
    const end = text.charCodeAt(feed - 1) === 13 ? feed - 1 : feed;
    if (end - start >= FULL && text.charCodeAt(feed + 1) > 42 && isTokenEnd(text, end)) {
      GOES_ON.lastIndex = feed + 1;
      if (GOES_ON.test(text)) cuts.push(end, feed + 1);
    }
    start = feed + 1;
  }
  return cuts;
}

const joints = (text: string): Cuts => cutsOf(text, JOINT, (start) => start > 0 && TOKEN.test(text.charAt(start - 1)));

/** Around a place where something was taken away, in UTF-16 units. */
const BEFORE = 240;
const AFTER = 600;

/** The text without its dress, one way of undressing after the other: a number may stand in colours. `open`: what of it to look at. */
function undressed(text: string, found: Found): { bare: Stripped; open: Range[] } | undefined {
  let bare: Stripped | undefined;
  const open: Range[] = [];
  const strip = (cuts: Cuts, everywhere = true) => {
    if (!cuts.length) return;
    if (everywhere)
      for (let i = 0; i < cuts.length; i += 2) {
        const at = bare ? bare.place(cuts[i] as number) : (cuts[i] as number);
        open.push({ start: at, end: at + AFTER });
      }
    bare = stripped(bare?.text ?? text, cuts, bare);
  };
  if (hasInline(text)) strip(cutsOf(text, INLINE));
  if (found.telling) {
    if (found.open || bare) {
      strip(prefixes(bare?.text ?? text), false);
      if (bare) open.push(...(found.open ?? []));
    }
    strip(joints(bare?.text ?? text));
  }
  strip(wraps(bare?.text ?? text));
  return bare && open.length ? { bare, open } : undefined;
}

/** Stretches of the undressed text, in order, apart, and from blank to blank. */
function windows({ text, find }: Stripped, open: readonly Range[]): Range[] {
  const out: Range[] = [];
  for (const { start, end } of [...open].sort((a, b) => a.start - b.start)) {
    const from = Math.max(0, find(start) - BEFORE);
    const to = Math.min(text.length, find(end));
    const last = out[out.length - 1];
    if (last && from <= last.end + BEFORE) last.end = Math.max(last.end, to);
    else out.push({ start: from, end: to });
  }
  return out.map(({ start, end }) => ({ start: start && blankBefore(text, start), end: blankBehind(text, end) }));
}

/** A token that stands across the edge of a stretch goes in whole; what is longer than this is none. */
const LONGEST_TOKEN = 8000;
const BLANK = /\s/;
function blankBefore(text: string, at: number): number {
  const low = Math.max(0, at - LONGEST_TOKEN);
  let from = at;
  while (from > low && !BLANK.test(text.charAt(from - 1))) from--;
  return from;
}
function blankBehind(text: string, at: number): number {
  const high = Math.min(text.length, at + LONGEST_TOKEN);
  let to = at;
  while (to < high && !BLANK.test(text.charAt(to))) to++;
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
