/** A stretch of a text with its escapes undone, and where each of its characters stands in the text. */
export interface Unescaped {
  text: string;
  /** one more than characters: the last is the end of the stretch */
  places: Uint32Array;
  end: number;
}

/** What begins an escape: of a URL, of JSON and of programs, of HTML. */
export const ESCAPE_MARKS: readonly string[] = ['%2', '%3', '%4', '%5', '%6', '%7', '\\u00', '\\x', '\\/', '&#', '&amp'];

const ESCAPE = /%([2-7][0-9A-Fa-f])|\\{1,8}u00([2-7][0-9A-Fa-f])|\\{1,8}x([2-7][0-9A-Fa-f])|\\{1,8}(\/)|&#(\d{2,3});|&#x([2-7][0-9A-Fa-f]);|&(amp);/gy;
const BEFORE = 1024;
const AFTER = 8192;
const isSpace = (c: number): boolean => c === 32 || (c >= 9 && c <= 13);

const meant = ([, percent, unit, byte, slash, decimal, hex, amp]: RegExpExecArray): string => {
  if (slash) return '/';
  if (amp) return '&';
  return String.fromCharCode(decimal ? Number(decimal) : Number.parseInt((percent ?? unit ?? byte ?? hex) as string, 16));
};

/**
 * The text without white space around an escape at `at`, with all its escapes undone. Undefined: no escape stands there.
 * @param notBefore what was looked at already
 */
export function unescaped(text: string, at: number, notBefore: number): Unescaped | undefined {
  ESCAPE.lastIndex = at;
  if (!ESCAPE.test(text)) return undefined;
  let start = at;
  const low = Math.max(notBefore, at - BEFORE);
  while (start > low && !isSpace(text.charCodeAt(start - 1))) start--;
  const places: number[] = [];
  let out = '';
  let from = start;
  while (from < text.length && from - at < AFTER && !isSpace(text.charCodeAt(from))) {
    ESCAPE.lastIndex = from;
    const first = text.charCodeAt(from);
    const match = first === 37 || first === 92 || first === 38 ? ESCAPE.exec(text) : null;
    places.push(from);
    out += match ? meant(match) : text.charAt(from);
    from += match ? match[0].length : 1;
  }
  return { text: out, places: Uint32Array.from([...places, from]), end: from };
}
