import type { Hit } from './ranges.ts';

/** No key is longer; a search for the end goes no further. */
const WINDOW = 40_000;
const BEGIN = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/y;
const END = /-----END [A-Z0-9 ]{0,30}PRIVATE KEY/y;
/** A line of key material: also numbered (cat -n), in a diff, with `\n` written out. */
const LINE =
  /(?:\\{0,8}[nr]|[\r\n])*[ \t]*(?:\d{1,6}[\t│|:→]|[+\->|] ?)?[ \t]*(?:[A-Za-z0-9+/=]{1,100}|(?:Proc-Type|DEK-Info|Version|Comment):[^\n\\]{0,100})(?=\\{1,8}[nr]|[\r\n]|$|["'])/y;

/** A private key block that begins at `at`: to its end, or, where it was cut off, as far as lines look like key material. */
export function pemBlock(text: string, at: number): Hit | undefined {
  BEGIN.lastIndex = at;
  const begin = BEGIN.exec(text);
  if (!begin) return undefined;
  const from = at + begin[0].length;
  const window = text.slice(from, from + WINDOW);
  const end = window.indexOf('-----END ');
  const next = window.indexOf('-----BEGIN ');
  if (end >= 0 && (next < 0 || next > end)) {
    const close = text.slice(from + end + 9, from + end + 89).indexOf('-----');
    return { start: at, end: from + end + 9 + (close < 0 ? 0 : close + 5), kind: 'pem', rank: 1 };
  }
  let to = from;
  while (to - from < WINDOW) {
    LINE.lastIndex = to;
    const line = LINE.exec(text)?.[0];
    if (!line) break;
    to += line.length;
  }
  return { start: at, end: to, kind: 'pem', rank: 1 };
}

const inBody = (c: number): boolean =>
  (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c === 43 || c === 47 || c === 61 || c === 10 || c === 13 || c === 92 || c === 9 || c === 32;

/** The body before an END line at `at` whose BEGIN was cut off. */
export function pemTail(text: string, at: number, notBefore: number): Hit | undefined {
  END.lastIndex = at;
  if (!END.test(text)) return undefined;
  const low = Math.max(notBefore, at - WINDOW);
  let start = at;
  while (start > low && inBody(text.charCodeAt(start - 1))) start--;
  return at - start > 60 ? { start, end: at, kind: 'pem', rank: 1 } : undefined;
}
