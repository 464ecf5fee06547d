import { isSampleToken } from '../context/judge.ts';
import { type Check, tellToken } from '../engine/layer.ts';
import type { Rule } from '../rules/rule.ts';

/** The end of a terminal colour code or of an escape: its letter is no letter of a word. */
const ESCAPE_BEFORE = /(?:\x1b\[[0-9;]{0,9}m|\\[nrtbf]|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|%[0-9A-Fa-f]{2})$/;

/** A shorter mark stands by chance within what programs count and sign by. */
const TELLING = 6;
const IN_WORD = /[A-Za-z0-9]/;

function boundary({ notAfter, back, anchors }: Rule): RegExp | undefined {
  const short = back === undefined && anchors.some((mark) => mark.length < TELLING && /^[a-z0-9]/.test(mark));
  return notAfter ?? (short ? IN_WORD : undefined);
}

/** Does the mark here begin a token, which may be in parts? A shorter one stands in too many words. */
const beginsToken = (text: string, at: number, length: number): boolean => length >= 4 || (length === 3 && '_-.'.includes(text.charAt(at + 2)));

/** The check that a rule makes where one of its marks stands. */
export function shape(rule: Rule): Check {
  const notAfter = boundary(rule);
  const { pattern, back = 0, check = (value: string) => !isSampleToken(value), kind } = rule;
  return (text, at, length, found) => {
    if (rule.long || beginsToken(text, at, length)) tellToken(text, at, found);
    let from = at;
    if (typeof back === 'number') from = at - back;
    else while (at - from < back[1] && from > 0 && text.charCodeAt(from - 1) >= 48 && text.charCodeAt(from - 1) <= 57) from--;
    const last = found.hits[found.hits.length - 1];
    // Inside what this rule took already: nothing new, and a text made of anchors would cost the square of its length.
    if (last && last.kind === kind && from >= last.start && at < last.end) return;
    if (from < 0 || (typeof back !== 'number' && at - from < back[0])) return;
    if (notAfter && from > 0 && notAfter.test(text.charAt(from - 1)) && !ESCAPE_BEFORE.test(text.slice(Math.max(0, from - 12), from))) return;
    pattern.lastIndex = from;
    const match = pattern.exec(text);
    if (!match) return;
    const value = match[1] ?? match[0];
    if (!check(value)) return;
    const start = match[1] === undefined ? from : from + match[0].lastIndexOf(value);
    found.hits.push({ start, end: start + value.length, kind, rank: 1 });
  };
}
