import { isUtf8 } from 'node:buffer';

/** A stretch of a text that says another text in base64 or hex. */
export interface Wrapped {
  start: number;
  end: number;
  inner: string;
  /** characters of the stretch and the bytes of `inner` that they make */
  ratio: readonly [characters: number, bytes: number];
}

/** Fewer bytes hold no secret with what tells it. */
const SHORTEST = 16;
/** Characters that are decoded to see whether this is text at all. */
const TASTE = 32;

/** For each character of base64, at which places within a group of four it stands where the group says printable ASCII. */
const PLACES = new Uint8Array(128);
[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].forEach((one, value) => {
  const first = value >= 8 && value < 32 ? 1 : 0;
  const second = value % 16 >= 2 && value % 16 < 8 ? 2 : 0;
  const third = value % 4 < 2 ? 4 : 0;
  PLACES[one.charCodeAt(0)] = first | second | third;
});
const [A, FOUR, SEVEN] = [65, 52, 55];
const GROUPS = 5;

/** Five groups of four that say printable ASCII, but for one: it may hold a line feed, or a letter that is not English. */
function printsAscii(text: string, from: number): boolean {
  let misses = 0;
  for (let at = from; at < from + 4 * GROUPS; at += 4) {
    const fits =
      (PLACES[text.charCodeAt(at)] as number) & 1 && (PLACES[text.charCodeAt(at + 1)] as number) & 2 && (PLACES[text.charCodeAt(at + 2)] as number) & 4;
    if (!fits && ++misses > 1) return false;
  }
  return true;
}

/** UTF-16, as PowerShell encodes its commands: every other byte is 0. */
const printsUtf16 = (text: string, from: number): boolean =>
  text.charCodeAt(from + 4) === A && /^.[AQgw][AB].A[A-Za-z0-9+/][A-Za-z0-9+/]A.[AQgw][AB].A/.test(text.slice(from, from + 13));

/** Chinese, Japanese and Korean characters take three bytes each, so one fills a group. */
const printsWide = (text: string, from: number): boolean => /^(?:[4-7][IJKLYZabopqr4567][CGKOSWaeimquy26+][A-Za-z0-9+/]){2}/.test(text.slice(from, from + 8));

const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f\ufffd]/;

/** What bytes say as text, up to the first that is none. */
function said(bytes: Buffer): string {
  const wide = bytes.length >= 8 && bytes[1] === 0 && bytes[3] === 0 && bytes[0] !== 0;
  const text = bytes.toString(wide ? 'utf16le' : isUtf8(bytes) ? 'utf8' : 'latin1');
  const end = text.search(CONTROL);
  return end < 0 ? text : text.slice(0, end);
}

/** Does base64 that is read from here say text? Asked often, so the letters are looked at before anything is decoded. */
function looksPrinted(text: string, from: number, end: number): boolean {
  if (end - from < 4 * GROUPS) return false;
  const first = text.charCodeAt(from);
  if (!printsAscii(text, from) && !printsUtf16(text, from) && !(first >= FOUR && first <= SEVEN && printsWide(text, from))) return false;
  const bytes = Buffer.from(text.slice(from, Math.min(end, from + TASTE)), 'base64');
  // A character may be cut off at the end.
  return said(bytes).length * 2 >= SHORTEST;
}

const isSeparator = (c: number): boolean => c === 47 || c === 45 || c === 95 || c === 43;
/** In base64 of text its two signs are rare, so a name or a path of short parts is none. */
const PART = 20;

/** Where base64 begins in a run: at one of its first characters, since its beginning may be cut off, or behind a separator. -1: nowhere. */
function beginning(text: string, start: number, end: number): number {
  if (looksPrinted(text, start, end)) return start;
  let part = start;
  while (part + PART <= end) {
    let at = part + PART - 1;
    while (at >= part && !isSeparator(text.charCodeAt(at))) at--;
    if (at < part) {
      const first = part === start ? 1 : 0;
      for (let from = part + first; from <= part + 3 * first; from++) if (looksPrinted(text, from, end)) return from;
      at = part + PART;
      while (at < end && !isSeparator(text.charCodeAt(at))) at++;
    }
    part = at + 1;
  }
  return -1;
}

/** Lines of base64 are broken at a width of at least this, all but the last at the same. */
const WIDTH = 48;
const BREAK = /\\{0,4}\r?\\{0,4}n[ \t]{0,8}|\r?\n[ \t]{0,8}/y;
const LINE = /[A-Za-z0-9+/]*/y;

/** The end of the lines that a run begins, where it is one of several of equal width; else the end of the run. */
function lastLine(text: string, start: number, end: number): number {
  const width = end - start;
  if (width < WIDTH) return end;
  let last = end;
  for (;;) {
    BREAK.lastIndex = last;
    const gap = BREAK.exec(text)?.[0].length;
    if (!gap) return last;
    LINE.lastIndex = last + gap;
    const line = LINE.exec(text)?.[0].length ?? 0;
    if (!line || line > width) return last;
    last += gap + line;
    if (line < width) return last;
  }
}

function inBase64(text: string, start: number, end: number): Wrapped | undefined {
  const from = beginning(text, start, end);
  if (from < 0) return undefined;
  let last = lastLine(text, start, end);
  const inner = said(Buffer.from(text.slice(from, last).replace(/\\{1,4}[rn]|\s/g, ''), 'base64'));
  if (inner.length < SHORTEST) return undefined;
  while (text.charCodeAt(last) === 61) last++;
  return { start: from, end: last, inner, ratio: [4, 3] };
}

const isHex = (c: number): boolean => (c >= 48 && c <= 57) || (c >= 97 && c <= 102) || (c >= 65 && c <= 70);

/** The first digits of printable characters in hex are 2 to 7. */
function inHex(text: string, start: number, end: number): Wrapped | undefined {
  const from = text.charCodeAt(start + 1) === 120 ? start + 2 : start;
  for (let i = from; i < from + 2 * SHORTEST; i += 2) {
    const digit = text.charCodeAt(i);
    if ((digit < 50 || digit > 55) && !(digit === 48 && /[9adAD]/.test(text.charAt(i + 1)))) return undefined;
  }
  let last = from;
  while (last < end && isHex(text.charCodeAt(last))) last++;
  const inner = said(Buffer.from(text.slice(from, last), 'hex'));
  return inner.length < SHORTEST ? undefined : { start: from, end: last, inner, ratio: [2, 1] };
}

/** What a run of 24 or more characters says in hex or base64; undefined where that is no text. */
export const unwrap = (text: string, start: number, end: number): Wrapped | undefined => inHex(text, start, end) ?? inBase64(text, start, end);

const LOGIN = /^[a-z][\w.@+-]{1,63}:([^\s:]{8,128})$/i;
const NO_LOGIN = /^(?:sha\d*|md5|urn|arn|uuid|id|v\d+|https?|file|node|npm|git|user|cursor|key|type|[a-z]+connection):/i;

/** `name:password`, as in the headers and files that carry both in base64. */
export function isLogin(text: string): boolean {
  const password = LOGIN.exec(text.trim())?.[1];
  if (!password || NO_LOGIN.test(text)) return false;
  return [/\d/, /[a-z]/, /[A-Z]/, /[^\w.-]/].filter((part) => part.test(password)).length >= 3;
}
