import type { Form } from './forms.ts';

/** A unit that can be part of a path component. Unknown scripts count by their Unicode class. */
function inComponent(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit < 128)
    return (
      (unit >= 48 && unit <= 57) ||
      (unit >= 65 && unit <= 90) ||
      (unit >= 97 && unit <= 122) ||
      unit === 95 ||
      unit === 45 ||
      unit === 43 ||
      unit === 64 ||
      unit === 37 ||
      unit === 126
    );
  if (unit >= 0xd800 && unit <= 0xdfff) return true;
  return /[\p{L}\p{N}\p{M}\p{Pc}]/u.test(text.charAt(at));
}

/** Does a path that ends before `at` end there, or does its last component go on? */
function ends(text: string, at: number): boolean {
  if (at >= text.length) return true;
  if (text.charCodeAt(at) === 46) {
    // A full stop ends a sentence where nothing of a name follows.
    const next = text.charCodeAt(at + 1);
    return at + 1 >= text.length || !(inComponent(text, at + 1) || next === 46 || next === 47 || next === 92);
  }
  return !inComponent(text, at);
}

const ESCAPE_BEFORE = /(?:\\[nrtbf]|(?:\x1b|\\u001b|\\x1b|\\033|\\e)\[[0-9;]{0,12}m)$/;
const OPTION_BEFORE = /(?:^|[\s"'`=,;(])-[A-Za-z]$/;
const DIFF_BEFORE = /(?:^|[\r\n]|\\n)[+-]$/;
const FILE_BEFORE = /(?:^|[^A-Za-z])file:\/\/$/i;
/** Chinese, Japanese and Korean are written without spaces: a run of them before a slash is prose, unless it is a component itself. */
const PROSE_BEFORE = /(?:^|[^\p{L}\p{N}\p{M}_.~/\\-])[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]{1,16}$/u;

/** white space, quotes, and what commonly stands before a path */
const COMMON_BEFORE = new Uint8Array(65536);
for (const char of '\t\n\r "\'`=([,<>|;') COMMON_BEFORE[char.charCodeAt(0)] = 1;

/** Can a path start at `at`, that is, is it no part of a longer one? */
function starts(text: string, at: number, strict: boolean): boolean {
  if (at === 0) return true;
  const unit = text.charCodeAt(at - 1);
  if (COMMON_BEFORE[unit]) return true;
  const before = text.slice(Math.max(0, at - 20), at);
  // `C:/home` is a Windows path, not the one that is looked for
  if (unit === 58) return !/(?:^|[^A-Za-z0-9])[A-Za-z]:$/.test(before);
  if (ESCAPE_BEFORE.test(before)) return true;
  if (strict) return false;
  if (unit === 47) return isInFileUrl(text, at);
  if (OPTION_BEFORE.test(before) || DIFF_BEFORE.test(before) || PROSE_BEFORE.test(before)) return true;
  // `$` would make an escape of the token; `.`, `~`, `}`, `)`, `*`, `?` and a backslash belong to a longer path
  if (unit === 36 || unit === 46 || unit === 92 || unit === 125 || unit === 41 || unit === 42 || unit === 63) return false;
  return !inComponent(text, at - 1);
}

const isAlnum = (unit: number): boolean => (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);

function dashFits(text: string, start: number, end: number): boolean {
  const before = start ? text.charCodeAt(start - 1) : 32;
  if (isAlnum(before) || before === 36 || before === 45 || before === 46 || before === 95 || before > 127) return false;
  const after = end < text.length ? text.charCodeAt(end) : 32;
  return !isAlnum(after) && after !== 95 && after < 128;
}

/** Is the path at [start, end) a whole one, written in this form? */
export function fits(text: string, start: number, end: number, form: Form, strict: boolean): boolean {
  if (form === 'dash') return dashFits(text, start, end);
  return ends(text, end) && starts(text, start, strict);
}

/** Does a place stand right behind `file://`? */
export const isInFileUrl = (text: string, start: number): boolean =>
  text.charCodeAt(start - 1) === 47 && FILE_BEFORE.test(text.slice(Math.max(0, start - 9), start));
