import { isSecret, type Manner } from './judge.ts';
import type { Hit, Range } from './ranges.ts';

/** How far a name reaches to the left and to the right of the part that was found. */
const LEFT = 48;
const RIGHT = 40;
const VALUE_MAX = 1200;

const inName = (c: number): boolean => (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c === 95 || c === 45 || c === 46;

export interface Name extends Range {
  text: string;
}

export function nameAround(text: string, at: number, length: number): Name {
  let start = at;
  let end = at + length;
  const low = Math.max(0, at - LEFT);
  while (start > low && inName(text.charCodeAt(start - 1))) start--;
  // In a script without spaces the value may follow at once.
  const high = text.charCodeAt(end - 1) > 0x2fff ? end : Math.min(text.length, end + RIGHT);
  while (end < high && inName(text.charCodeAt(end))) end++;
  // The end of a sentence is no part of a name.
  while (end > at + length && text.charCodeAt(end - 1) === 46) end--;
  return { text: text.slice(start, end), start, end };
}

const QUOTE = `(?:\\\\{0,15}["'\`]|&(?:quot|#34|#x22|#39|#x27|apos);)`;
/** What may close a name: quotes, brackets, emphasis, the tags of a table. */
const CLOSE = `(?:${QUOTE}|[\\])]|\\*{1,2}|__|</?(?:b|strong|code|td|th|dt|dd|label|span)>){0,4}`;
const GAP = '[ \\t]{0,24}';
const TYPE = `(?:[&*]?(?:'static )?(?:const )?[A-Za-z_][\\w.<>|?]{0,32}(?: ?\\| ?(?:None|null|undefined))?(?:\\[\\w{0,6}\\])?)`;
/** Calls that only wrap a text. */
const WRAP = String.raw`(?:(?:new )?(?:\[\]byte|String|String\.from|String::from|Some|Ok|SecretStr|SecretString|Secret(?:::new)?|SecureString|Buffer\.from|bytes|bytearray|sensitive|PASSWORD|quote|str|b64encode|base64\.b64encode|btoa)\(|[rbuN@$]{1,2}(?=["']))`;

interface Form {
  /** from the end of the name to the value (or its quote); flag y */
  after: RegExp;
  manner: Manner;
  /** The value must stand in quotes. */
  quotes?: true;
  /** May this form follow this name here? */
  where?: (text: string, name: Name) => boolean;
}

const form = (source: string): RegExp => new RegExp(source, 'y');
const isFlag = (text: string, name: Name): boolean => text.charCodeAt(name.start) === 45;
/** Words after which a name and its value stand side by side; so do they where the name begins the line. */
const DIRECTIVE =
  /(?:^|[\n;&|({])[ \t]{0,16}(?:\$ |> |# )?(?:(?:ENV|ARG|set|set -\w{1,3}|setenv|setx|export|setq|define|#define|git config(?: --\w+)?|config|user|username|login) (?:\S{1,64}\s{1,4})?)?$/i;
/** In a .netrc the login comes first. */
const afterLogin = (text: string, name: Name): boolean => /login[ \t]+\S{1,64}\s{1,4}$/.test(text.slice(Math.max(0, name.start - 90), name.start));
const besideName = (text: string, name: Name): boolean => isFlag(text, name) || DIRECTIVE.test(text.slice(Math.max(0, name.start - 100), name.start));
/** A heading: nothing but words before the name on its line. */
const isHeading = (text: string, name: Name): boolean =>
  name.text.length <= 24 && /(?:^|\n)[ \t#*>"-]{0,12}(?:[A-Z]?[a-z]+ ){0,4}$/.test(text.slice(Math.max(0, name.start - 60), name.start));
/** "pass" is a verb as well, and a path is no name. */
const mayFollow = (text: string, name: Name): boolean => !/^pass$/i.test(name.text) && text.charCodeAt(name.start - 1) !== 47;
const isPart = (text: string, name: Name): boolean => /name=["']$/.test(text.slice(Math.max(0, name.start - 6), name.start));
const isRow = (text: string, name: Name): boolean => /(?:^|\n)[ \t]{0,16}$/.test(text.slice(Math.max(0, name.start - 17), name.start));

/** Ways from a name to its value, the more telling ones first. */
const FORMS: readonly Form[] = [
  // const name: string = "…", name string = "…", char name[] = "…"
  { after: form(`(?:\\[\\w{0,8}\\])?(?:\\??:[ ]?${TYPE}|[ ]${TYPE})?[ ]{0,8}=[ ]?(?=${WRAP}?["'\`])`), manner: 'quoted', quotes: true },
  { after: form(`${CLOSE}${GAP}(?:[:：]\\*{2}|:=|={1,3}>?|[?+|]{1,2}=|!={1,2}|[:：]|-{1,2}>|→|—|–|\\||│|┃|是|为|は|が|는|은)${GAP}`), manner: 'bare' },
  // key="name" value="…", name: X then value: … on the next line, default = "…" in the block of a variable
  { after: form(`(?:${QUOTE}[^}<>]{0,100}?|[,\\s]{1,40})\\b(?:value|content|default|ParameterValue)(?:["'\\\\]{0,4})${GAP}[:=]${GAP}`), manner: 'bare' },
  {
    after: form(
      `${CLOSE}(?:[ \\t][^<>\\n]{0,80})?(?:>|&gt;)(?:\\s{0,12}<(?:value|string)>)?(?:<!\\[CDATA\\[)?\\s{0,12}(?=[^\\s<>]{6,400}(?:<|&lt;|\\]\\]>|\\s{1,12}<))`,
    ),
    manner: 'line',
  },
  { after: form(`(?:${QUOTE})?</key>\\s{0,12}<string>`), manner: 'quoted' },
  { after: form(`\\(\\s?(?=["'\`])`), manner: 'quoted', quotes: true },
  { after: form(`\\)?\\.(?:to(?:Be|Equal|StrictEqual)|isEqualTo|equals|eq)\\((?=["'\`])`), manner: 'quoted', quotes: true },
  { after: form(`${CLOSE}${GAP}(?:\\|\\||\\?\\?|\\?:|or|:-)${GAP}`), manner: 'bare' },
  { after: form(`${CLOSE},[ \\t]{0,24}(?=\\\\{0,4}["'\`])`), manner: 'gap', quotes: true },
  { after: form(`(?:${QUOTE})?[ \\t]{1,12}(?=["'])`), manner: 'quoted', quotes: true, where: besideName },
  { after: form('["\'][ \\t]{1,4}(?=["\'])'), manner: 'gap', quotes: true },
  { after: form('[ \\t]{1,24}'), manner: 'flag', where: (text, name) => isFlag(text, name) || afterLogin(text, name) },
  { after: form('[ \\t]{1,40}'), manner: 'gap', where: mayFollow },
  { after: form(`\\n[ \\t]{1,8}`), manner: 'gap', where: besideName },
  // the value on a line of its own: a block of YAML, a part of a form, a page that was copied
  { after: form(`${CLOSE}:[ ]?(?:[|>][+-]?\\d?)?[ \\t]{0,8}\\r?\\n[ \\t]{1,24}(?:- )?(?=[^\\s:]{6,400}[ \\t]{0,8}(?:\\r?\\n|$))`), manner: 'line' },
  { after: form(`${CLOSE}(?:\\r?\\n){1,2}(?=\\S{8,400}[ \\t]{0,8}(?:\\r?\\n|$))`), manner: 'gap', where: isHeading },
  { after: form(`["']\\r?\\n\\r?\\n(?=\\S{6,400}\\r?\\n)`), manner: 'line', where: isPart },
  { after: form(`,(?=[^\\s,]{6,400}[ \\t]{0,8}(?:\\r?\\n|$))`), manner: 'gap', where: isRow },
];

const OPENING = new RegExp(
  `(?:!!\\w{1,8} |&\\w{1,16} (?!&))?(?:\\*{1,2}|__|(?:${WRAP})(?=\\\\{0,15}["'\`])|\\{(?=[^{}\\s]{4,128}\\}[;"'\\s]))?(?:(\\\\{0,15}["'\`]|&(?:quot|#34|#x22|#39|#x27|apos);))?(?:(?:Bearer|Basic) )?`,
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

function exec(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** Only blanks, a list's dash, a diff's sign, or the words that set a variable stand before the name on its line. */
const LINE_START = /(?:^|\n)(?:[ \t]{0,24}(?:\d{1,6}[\t:│→|])?[ \t+-]{0,24})(?:\$ |> |\+ )?(?:export |set |declare -x |ENV |ARG |local |readonly |- )?["']?$/;

function bareValue(text: string, start: number, name: Name, separator: string, manner: Manner): Value | undefined {
  const env = separator === '=' && /^[A-Z][A-Z0-9_]+$/.test(name.text);
  if (/^["']?[ \t]*[=:]/.test(separator) && LINE_START.test(text.slice(Math.max(0, name.start - 64), name.start))) {
    const rest = exec(REST, text, start);
    if (rest && LINE_END.test(text.slice(start + rest.length, start + rest.length + 10)) && !/[;{(,]$|^[\w$.]+[([]|^[{[]|[,;&][\w.-]+[=:]/.test(rest))
      return { text: rest, start, end: start + rest.length, manner: 'line' };
  }
  const value = exec(env ? BARE_ENV : BARE, text, start);
  if (value === undefined) return undefined;
  const next = text.charCodeAt(start + value.length);
  // A call or an index: code, not a value.
  if (next === 40 || next === 91) return undefined;
  const plain = value.replace(/[.,;:?]+$/, '');
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

/** The secret after a telling name: `password = "…"`, `TOKEN=…`, `--password …`, YAML, JSON, XML. */
export function namedValue(text: string, name: Name): Hit | undefined {
  for (const { after, manner, quotes, where } of FORMS) {
    const separator = exec(after, text, name.end);
    if (!separator || (where && !where(text, name))) continue;
    const how = manner === 'bare' && isFlag(text, name) ? 'flag' : manner;
    const value = valueAt(text, name.end + separator.length, name, separator, how);
    if (!value || (quotes && value.manner !== 'quoted' && value.manner !== 'gap')) continue;
    if (isSecret(value.text, name.text, value.manner)) return { start: value.start, end: value.end, kind: 'pw', rank: 0 };
  }
  return undefined;
}
