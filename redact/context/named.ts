import { type Hit, matchEnd, type Range } from '../engine/ranges.ts';
import { FORMS, type Form, isFlag, WRAP } from './forms.ts';
import { isSecret, type Manner } from './judge.ts';
import { isSecretName } from './names.ts';

/** How far a name reaches to the left and to the right of the part that was found. */
const LEFT = 48;
const RIGHT = 40;
const VALUE_MAX = 1200;

const inName = (c: number): boolean =>
  (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c === 95 || c === 45 || c === 46 || (c >= 0xc0 && c <= 0x24f);

export interface Name extends Range {
  text: string;
}

export function nameAround(text: string, at: number, length: number): Name {
  let start = at;
  let end = at + length;
  const low = Math.max(0, at - LEFT);
  while (start > low && inName(text.charCodeAt(start - 1))) start--;
  // The letter of an escape such as \n is none of the name's.
  if (start < at && text.charCodeAt(start - 1) === 92) start++;
  // In a script without spaces the value may follow at once.
  const high = text.charCodeAt(end - 1) > 0x2fff ? end : Math.min(text.length, end + RIGHT);
  while (end < high && inName(text.charCodeAt(end))) end++;
  // The end of a sentence is no part of a name.
  while (end > at + length && text.charCodeAt(end - 1) === 46) end--;
  return { text: text.slice(start, end), start, end };
}

const OPENING = new RegExp(
  `(?:!!\\w{1,8} |&\\w{1,16} (?!&))?(?:\\*{1,2}|__|(?:${WRAP})(?=\\\\{0,63}["'\`])|\\{(?=[^{}\\s]{4,128}\\}[;"'\\s]))?(?:(\\\\{0,63}["'\`]|&(?:quot|#34|#x22|#39|#x27|apos);))?(?:(?:Bearer|Basic) )?`,
  'y',
);
const BARE = /[^\s"'`,;<>(){}[\]|\\&\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]{1,1200}/y;
const BARE_ENV = /[^\s"'`<>\\]{1,1200}/y;
/** The rest of a line without any space: nothing else can be part of it. A comment may follow. */
const REST = /[^\s"'`]\S{3,1200}/y;
const LINE_END = /^[ \t]{0,8}(?:\r?\n|$|[ \t][#;])/;

interface Value extends Range {
  text: string;
  manner: Manner;
}

function quotedValue(text: string, start: number, quote: string): Value | undefined {
  let end = text.indexOf(quote, start);
  while (quote.length === 1 && end > start && text.charCodeAt(end - 1) === 92 && end - start < VALUE_MAX) end = text.indexOf(quote, end + 1);
  if (end < 0 || end - start > VALUE_MAX) return undefined;
  const value = text.slice(start, end);
  return /\n|\\n/.test(value) ? undefined : { text: value, start, end, manner: 'quoted' };
}

const textTo = (end: number, text: string, start: number): string => (end < 0 ? '' : text.slice(start, end));

/** Only blanks, a list's dash, a diff's sign, or the words that set a variable stand before the name on its line. */
const LINE_START = /(?:^|\n)(?:[ \t]{0,24}(?:\d{1,6}[\t:│→|])?[ \t+-]{0,24})(?:\$ |> |\+ )?(?:export |set |declare -x |ENV |ARG |local |readonly |- )?["']?$/;

/** The same where line feeds are written as escapes: a file of settings within JSON within a text. */
const ESCAPED_START = /\\{1,63}[nr](?:export |set |declare -x |ENV |ARG )?$/;
const ESCAPED_REST = /[^\s"'`\\]{4,1200}(?=\\{1,63}[nr"'])/y;

function bareValue(text: string, start: number, name: Name, separator: string, manner: Manner): Value | undefined {
  const env = separator === '=' && IN_CAPITALS.test(name.text);
  if (/^["']?[ \t]*[=:]/.test(separator) && LINE_START.test(text.slice(Math.max(0, name.start - 64), name.start))) {
    const rest = textTo(matchEnd(REST, text, start), text, start);
    if (rest && LINE_END.test(text.slice(start + rest.length, start + rest.length + 10)) && !/[;{(,]$|^[\w$.]+[([]|^[{[]|[,;&][\w.-]+[=:]/.test(rest))
      return { text: rest, start, end: start + rest.length, manner: 'line' };
  }
  if (env && ESCAPED_START.test(text.slice(Math.max(0, name.start - 80), name.start))) {
    const rest = textTo(matchEnd(ESCAPED_REST, text, start), text, start);
    if (rest) return { text: rest, start, end: start + rest.length, manner: 'line' };
  }
  const value = textTo(matchEnd(env ? BARE_ENV : BARE, text, start), text, start);
  if (!value) return undefined;
  const next = text.charCodeAt(start + value.length);
  // A call or an index: code, not a value.
  if (next === 40 || next === 91) return undefined;
  let length = value.length;
  while (length > 0 && '.,;:?'.includes(value.charAt(length - 1))) length--;
  const plain = value.slice(0, length);
  return { text: plain, start, end: start + plain.length, manner: env ? 'line' : manner };
}

/** The value that begins at `at`, as it was written. */
export function valueAt(text: string, at: number, name: Name, separator: string, manner: Manner): Value | undefined {
  OPENING.lastIndex = at;
  const opening = OPENING.exec(text);
  const start = at + (opening?.[0].length ?? 0);
  if (!opening?.[1]) return bareValue(text, start, name, separator, manner);
  const value = quotedValue(text, start, opening[1]);
  return value && (manner === 'gap' || manner === 'said') ? { ...value, manner } : value;
}

/** Words that no rule takes for a secret, and calls. What is behind a wrapping call is looked at. */
const PLAIN = /(?!(?:new|Bearer|Basic) )(?=\S{1,11}(?:\s|$))[A-Za-z]+(?:[._-][A-Za-z]+)*[;,]?(?:\s|$)/y;
const CALL = /[A-Za-z_$][\w$.]*[([](?![\\"'`])/y;
const IN_CAPITALS = /^[A-Z][A-Z0-9_]+$/;

/** Is what stands here a word or a call? Most of what follows a name is, and is told at once. */
export function isPlainValue(text: string, at: number, name: Name): boolean {
  PLAIN.lastIndex = at;
  if (PLAIN.test(text)) return true;
  CALL.lastIndex = at;
  return CALL.test(text) && !IN_CAPITALS.test(name.text);
}

const byNext = new Map<string, readonly Form[]>();
/** The forms that may follow a name where this character stands behind it. */
function formsAt(next: string): readonly Form[] {
  let forms = byNext.get(next);
  if (!forms) {
    forms = FORMS.filter(({ starts }) => starts.includes(next));
    byNext.set(next, forms);
  }
  return forms;
}

const NAME_AGAIN = /[\w.-]{2,40}(?==)/y;
/** What is itself a name with a value is looked at from that name. */
function isNamedItself(text: string, at: number): boolean {
  const end = matchEnd(NAME_AGAIN, text, at);
  return end > at && isSecretName(text.slice(at, end));
}

/** The secret after a telling name: `password = "…"`, `TOKEN=…`, `--password …`, YAML, JSON, XML. */
export function namedValue(text: string, name: Name): Hit | undefined {
  const next = text.charAt(name.end);
  for (const { after, manner, quotes, where } of formsAt(next)) {
    const start = matchEnd(after, text, name.end);
    if (start <= name.end || (where && !where(text, name)) || isPlainValue(text, start, name) || isNamedItself(text, start)) continue;
    const how = manner === 'bare' && isFlag(text, name) ? 'flag' : manner;
    const value = valueAt(text, start, name, text.slice(name.end, start), how);
    if (!value || isNamedItself(text, value.start) || (quotes && value.manner !== 'quoted' && value.manner !== 'gap')) continue;
    if (isSecret(value.text, name.text, value.manner)) return { start: value.start, end: value.end, kind: 'pw', rank: 0 };
  }
  return undefined;
}
