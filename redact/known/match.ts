import { type Check, readTo, setReadTo, type Word } from '../engine/layer.ts';
import { ANCHOR, anchored, base64Forms, hexForms, spellings, writtenForm } from './forms.ts';
import type { KnownValue } from './known.ts';

/** In fewer bytes than this an encoded form would be found by chance. */
const ENCODED_FROM = 6;

/** What finds every form in which a value may be written: with escapes, in base64 (all alignments, both alphabets), in hex. */
export function knownForms(known: KnownValue): Word[] {
  const forms = writtenForms(known);
  const bytes = Buffer.from(known.value, 'utf8');
  if (bytes.length < ENCODED_FROM) return forms;
  const rank = known.learned ? 1 : 2;
  for (const text of base64Forms(bytes)) forms.push({ text: text.slice(0, ANCHOR), payload: base64Check(text, rank) });
  for (const text of hexForms(bytes)) forms.push({ text: text.slice(0, ANCHOR), payload: hexCheck(text.toLowerCase(), known.kind, rank) });
  return forms;
}

/** Found by a run of letters that is the same in every form; a value without one by the beginning of each form. */
function writtenForms(known: KnownValue): Word[] {
  const anchor = anchored(known.value, /\w{4,}/g);
  if (anchor) return [{ text: anchor.text, payload: writtenCheck(known, anchor) }];
  const payload = writtenCheck(known, { text: '', at: 0 });
  return spellings(known.value).map((text) => ({ text: text.slice(0, ANCHOR), payload }));
}

/** A shorter known value must not be part of a longer word. */
const FREE_FROM = 16;
const isWord = (text: string, at: number): boolean => at >= 0 && at < text.length && /[\p{L}\p{N}]/u.test(text.charAt(at));
/** What ends so is an escape or a colour code, not a word that goes on. */
const ESCAPED = /(?:%[0-9A-Fa-f]{2}|\\[nrtbf]|\\u[0-9A-Fa-f]{4}|&#?\w{1,8};|\x1b\[[0-9;]{0,9}m)$/;

function isFree(text: string, start: number, end: number, value: string): boolean {
  if (value.length >= FREE_FROM) return true;
  if (isWord(value, value.length - 1) && isWord(text, end)) return false;
  return !isWord(value, 0) || !isWord(text, start - 1) || ESCAPED.test(text.slice(Math.max(0, start - 12), start));
}

function literalCheck({ value, kind, learned }: KnownValue, offset: number): Check {
  return (text, at, _length, found) => {
    const start = at - offset;
    if (start < 0 || !text.startsWith(value, start)) return;
    const end = start + value.length;
    if (isFree(text, start, end, value)) found.hits.push({ start, end, kind, rank: learned ? 1 : 2 });
  };
}

/** The value itself, or with escapes of JSON (at any depth), URLs, HTML or a shell before and behind its anchor. */
function writtenCheck(known: KnownValue, anchor: { text: string; at: number }): Check {
  const { value, kind, learned } = known;
  const literal = literalCheck(known, anchor.at);
  if (/^\w+$/.test(value)) return literal;
  let pattern: RegExp | undefined;
  return (text, at, length, found) => {
    if (text.startsWith(value, at - anchor.at)) return literal(text, at, length, found);
    pattern ??= writtenForm(value, anchor);
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) return;
    const start = at - (match[1] as string).length;
    const end = at + match[0].length;
    if (isFree(text, start, end, value)) found.hits.push({ start, end, kind, rank: learned ? 1 : 2 });
  };
}

const inRun = (c: number): boolean => (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c === 43 || c === 45 || c === 47 || c === 95;
const isBreak = (c: number): boolean => c === 10 || c === 13;

/** Where `form` ends that begins at `at`, line breaks within it passed over; undefined where something else stands there. */
function endOf(text: string, at: number, form: string): number | undefined {
  let end = at;
  for (let i = 0; i < form.length; i++, end++) {
    while (i > 0 && isBreak(text.charCodeAt(end))) end++;
    if (text.charCodeAt(end) !== form.charCodeAt(i)) return undefined;
  }
  return end;
}

/** What stands around the value in the same run would give a part of it away, and is no use without it: the whole run goes. */
function base64Check(value: string, rank: 1 | 2): Check {
  const check: Check = (text, at, _length, found) => {
    if (at < readTo(found, check)) return;
    let end = endOf(text, at, value);
    if (end === undefined) return;
    let start = at;
    while (start > 0 && inRun(text.charCodeAt(start - 1))) start--;
    while (inRun(text.charCodeAt(end))) end++;
    while (text.charCodeAt(end) === 61) end++;
    setReadTo(found, check, end);
    found.hits.push({ start, end, kind: 'b64', rank });
  };
  return check;
}

function hexCheck(value: string, kind: string, rank: 1 | 2): Check {
  return (text, at, _length, found) => {
    const end = at + value.length;
    if (text.slice(at, end).toLowerCase() === value) found.hits.push({ start: at, end, kind, rank });
  };
}
