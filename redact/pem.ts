import type { Hit } from './ranges.ts';

/** No key is longer; a search for the end goes no further. */
const WINDOW = 40_000;
const SHORTEST = 16;
const BEGIN = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/y;
const END = /-----END [A-Z0-9 ]{0,30}PRIVATE KEY/y;
/** A line of key material: also numbered (cat -n), in a diff, with `\n` written out, and (whole lines only) with a space for the line feed, as in titles. */
const LINE =
  /(?:\\{0,8}[nr]|[\r\n])*[ \t]*(?:\d{1,6}[\t│|:→]|[+\->|] ?)?[ \t]*(?:([A-Za-z0-9+/=]{1,100})|(?:Proc-Type|DEK-Info|Version|Comment):[^\n\\]{0,100})(?=\\{1,8}[nr]|[\r\n]|$|["'…]|(?<=[A-Za-z0-9+/=]{32}) )/y;

/** Mostly characters of base64, white space, escapes and line numbers; not the code between two constants. */
const isBody = (text: string): boolean => (text.match(/[^A-Za-z0-9+/=\s\\:,.-]/g)?.length ?? 0) * 12 <= text.length && /[A-Za-z0-9+/]{16}/.test(text);

/** A private key block that begins at `at`: to its end, or, where it was cut off, as far as lines look like key material. */
export function pemBlock(text: string, at: number): Hit | undefined {
  BEGIN.lastIndex = at;
  const begin = BEGIN.exec(text);
  if (!begin) return undefined;
  const from = at + begin[0].length;
  const window = text.slice(from, from + WINDOW);
  const end = window.indexOf('-----END ');
  const next = window.indexOf('-----BEGIN ');
  if (end >= 0 && (next < 0 || next > end) && isBody(window.slice(0, end))) {
    const close = text.slice(from + end + 9, from + end + 89).indexOf('-----');
    return { start: at, end: from + end + 9 + (close < 0 ? 0 : close + 5), kind: 'pem', rank: 1 };
  }
  const to = bodyEnd(text, from);
  // The marker alone, as in the source of a program, is no key.
  return to - from < SHORTEST ? undefined : { start: at, end: to, kind: 'pem', rank: 1 };
}

/** How far lines look like key material. All but the last are equally long, so a shorter one is the last. */
function bodyEnd(text: string, from: number): number {
  let to = from;
  let width = 0;
  while (to - from < WINDOW) {
    LINE.lastIndex = to;
    const line = LINE.exec(text);
    if (!line?.[0]) break;
    to += line[0].length;
    const length = line[1]?.length ?? 0;
    // A `+` that begins a line may have been taken for the mark of a diff.
    if (length < width - 2) break;
    width = Math.max(width, length);
  }
  return to;
}

const BREAK_BEFORE = /(?:[\r\n]|\\{1,8}[nr])+$/;
const BODY_LINE = /^[ \t]*(?:\d{1,6}[\t│|:→]|[+\->|] ?)?[ \t]*([A-Za-z0-9+/=]+)$/;
/** Longer than any line of a key with its number. */
const LINE_MAX = 140;
const FULL_LINE = 40;

/** The line that ends at `end`: where it begins, and where the line before it ends. */
function lineBefore(text: string, end: number, low: number): { start: number; previous: number } {
  const window = text.slice(Math.max(low, end - LINE_MAX), end);
  const cut = Math.max(window.lastIndexOf('\n'), window.lastIndexOf('\r'), window.search(/\\[nr](?!.*\\[nr])/) + 1);
  if (cut < 0 || (cut === 0 && !/^[\r\n]/.test(window))) return { start: end - window.length, previous: end - window.length };
  const start = end - window.length + cut + 1;
  const gap = BREAK_BEFORE.exec(text.slice(Math.max(low, start - 20), start))?.[0].length ?? 1;
  return { start, previous: start - gap };
}

/** The body before an END line at `at` whose BEGIN was cut off. The first line may be cut too. */
export function pemTail(text: string, at: number, notBefore: number): Hit | undefined {
  END.lastIndex = at;
  if (!END.test(text)) return undefined;
  const low = Math.max(notBefore, at - WINDOW);
  let start = at;
  let end = at - (BREAK_BEFORE.exec(text.slice(Math.max(low, at - 20), at))?.[0].length ?? 0);
  for (let last = true; end > low; last = false) {
    const line = lineBefore(text, end, low);
    const body = BODY_LINE.exec(text.slice(line.start, end))?.[1];
    if (!body || !(last || body.length >= FULL_LINE || isMixed(body))) break;
    start = line.start;
    if (line.previous >= end || (!last && body.length < FULL_LINE)) break;
    end = line.previous;
  }
  return at - start > 60 ? { start, end: at, kind: 'pem', rank: 1 } : undefined;
}

const isMixed = (text: string): boolean => /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text);
