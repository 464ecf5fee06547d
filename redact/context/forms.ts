import type { Manner } from './judge.ts';
import type { Name } from './named.ts';

/** A quote as it may be written; also escaped or as an entity. */
const QUOTE = `(?:\\\\{0,63}["'\`]|&(?:quot|#34|#x22|#39|#x27|apos);)`;
/** What may close a name: quotes, brackets, emphasis, the tags of a table. */
const CLOSE = `(?:${QUOTE}|[\\])}]|\\*{1,2}|__|</?(?:b|strong|code|td|th|dt|dd|label|span)>){0,4}`;
const GAP = '[ \\t]{0,24}';
const TYPE = `(?:[&*]?(?:'static )?(?:const )?[A-Za-z_][\\w.<>|?]{0,32}(?: ?\\| ?(?:None|null|undefined))?(?:\\[\\w{0,6}\\])?)`;
/** Calls that only wrap a text. */
export const WRAP = String.raw`(?:(?:new )?(?:\[\]byte|String|String\.from|String::from|Some|Ok|SecretStr|SecretString|Secret(?:::new)?|SecureString|Buffer\.from|bytes|bytearray|sensitive|PASSWORD|quote|str|b64encode|base64\.b64encode|btoa)\(|[rbuN@$]{1,2}(?=["']))`;

export interface Form {
  /** the characters that `after` may begin with: most forms are told to be wrong by one */
  starts: string;
  /** from the end of the name to the value (or its quote); flag y */
  after: RegExp;
  manner: Manner;
  /** The value must stand in quotes. */
  quotes?: true;
  /** May this form follow this name here? */
  where?: (text: string, name: Name) => boolean;
}

const form = (source: string, flags = 'y'): RegExp => new RegExp(source, flags);
export const isFlag = (text: string, name: Name): boolean => text.charCodeAt(name.start) === 45;
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

const BLANKS = ' \t';
const SPACES = ' \t\r\n';
const QUOTES = '\\"\'`&';
/** What CLOSE may begin with. */
const CLOSING = `${QUOTES}])}*_<`;

/** Ways from a name to its value, the more telling ones first. */
export const FORMS: readonly Form[] = [
  // const name: string = "…", name string = "…", char name[] = "…"
  { starts: `[?:= `, after: form(`(?:\\[\\w{0,8}\\])?(?:\\??:[ ]?${TYPE}|[ ]${TYPE})?[ ]{0,8}=[ ]?(?=${WRAP}?["'\`])`), manner: 'quoted', quotes: true },
  {
    starts: `${CLOSING}${BLANKS}.:：=?+|!-→—–│┃はが「『“是为는은`,
    after: form(
      `${CLOSE}${GAP}(?:\\.{2,40} ?)?(?:[:：]\\*{2}|:=|={1,3}>?|[?+|]{1,2}=|!={1,2}|[:：]|-{1,2}>|→|—|–|\\||│|┃|[はが]?[「『“]|是|为|は|が|는|은)${GAP}`,
    ),
    manner: 'bare',
  },
  // key="name" value="…", name: X then value: … on the next line, default = "…" in the block of a variable
  {
    starts: `${QUOTES}${SPACES},`,
    after: form(`(?:${QUOTE}[^}<>]{0,100}?|[,\\s]{1,40})\\b(?:value|content|default|ParameterValue)(?:["'\\\\]{0,4})${GAP}[:=]${GAP}`),
    manner: 'bare',
  },
  // name = { … value = "…" }
  {
    starts: `${CLOSING} :=`,
    after: form(`${CLOSE}[ ]?(?:[:=]|=>)[ ]?\\{?\\s{1,24}(?:[\\w"']{1,32}[ ]?[:=][^\\n]{0,60}\\n[ \\t]{1,24}){0,2}["']?value["']?[ ]?[:=][ ]?`),
    manner: 'bare',
  },
  {
    starts: `${CLOSING}${BLANKS}>&`,
    after: form(
      `${CLOSE}(?:[ \\t][^<>\\n]{0,80})?(?:>|&gt;)(?:\\s{0,12}<(?:value|string)>)?(?:<!\\[CDATA\\[)?\\s{0,12}(?=[^\\s<>]{6,400}(?:<|&lt;|\\]\\]>|\\s{1,12}<))`,
    ),
    manner: 'line',
  },
  { starts: `${QUOTES}<`, after: form(`(?:${QUOTE})?</key>\\s{0,12}<string>`), manner: 'quoted' },
  // the value on the next line, where its opening quote tells it: name =\n    "…", name = (\n    "…"\n)
  { starts: `${CLOSING} \t:=`, after: form(`${CLOSE}${GAP}(?::=|[:=])[ ]?\\(?[ \\t]{0,8}\\r?\\n[ \\t]{1,40}(?=["'\`])`), manner: 'quoted', quotes: true },
  { starts: '({', after: form(`[({]\\s?(?=["'\`])`), manner: 'quoted', quotes: true },
  { starts: `${CLOSING}=`, after: form(`${CLOSE}=>\\s{1,8}string\\(\\d{1,4}\\) (?=")`), manner: 'quoted', quotes: true },
  {
    starts: QUOTES,
    after: form(`${QUOTE}\\)\\.(?:type|fill|send_?keys|setValue|pressSequentially|inputText|val)\\((?=["'\`])`, 'iy'),
    manner: 'quoted',
    quotes: true,
  },
  { starts: ').', after: form(`\\)?\\.(?:to(?:Be|Equal|StrictEqual)|isEqualTo|equals|eq)\\((?=["'\`])`), manner: 'quoted', quotes: true },
  { starts: `${CLOSING}${BLANKS}|?o:`, after: form(`${CLOSE}${GAP}(?:\\|\\||\\?\\?|\\?:|or(?= ["'])|:-)${GAP}`), manner: 'bare' },
  { starts: `${CLOSING}:=,`, after: form(`[:=]?${CLOSE},[ \\t]{0,24}(?=\\\\{0,4}["'\`])`), manner: 'gap', quotes: true },
  { starts: `${QUOTES}${BLANKS}`, after: form(`(?:${QUOTE})?[ \\t]{1,12}(?=["'])`), manner: 'quoted', quotes: true, where: besideName },
  { starts: `"'`, after: form('["\'][ \\t]{1,4}(?=["\'])'), manner: 'gap', quotes: true },
  { starts: ',', after: form(',[ ]{1,4}(?!-)'), manner: 'flag', where: isFlag },
  { starts: BLANKS, after: form('[ \\t]{1,24}'), manner: 'flag', where: (text, name) => isFlag(text, name) || afterLogin(text, name) },
  { starts: BLANKS, after: form('[ \\t]{1,40}(?:\\d[ ])?'), manner: 'gap', where: mayFollow },
  // in HTML: <td>Password</td><td>…</td>, <b>Password:</b> …<br>
  { starts: `${CLOSING}:：${SPACES}<`, after: form(`${CLOSE}[:：]?\\s{0,4}(?:</?\\w[^<>\\n]{0,60}>\\s{0,8}){1,4}(?=[^\\s<>]{6,400}\\s{0,8}<)`), manner: 'gap' },
  // user / password: ann / …
  { starts: ':：', after: form('[:：][ ]?[\\w.@+-]{1,64}[ ]?[/|][ ]?'), manner: 'gap' },
  { starts: '\n', after: form(`\\n[ \\t]{1,8}`), manner: 'gap', where: besideName },
  // the value on a line of its own: a block of YAML, a part of a form, a page that was copied
  {
    starts: `${CLOSING}:`,
    after: form(`${CLOSE}:[ ]?(?:[|>][+-]?\\d?)?[ \\t]{0,8}\\r?\\n[ \\t]{1,24}(?:- )?(?=[^\\s:]{6,400}[ \\t]{0,8}(?:\\r?\\n|$))`),
    manner: 'line',
  },
  { starts: `${CLOSING}\r\n`, after: form(`${CLOSE}(?:\\r?\\n){1,2}(?=\\S{8,400}[ \\t]{0,8}(?:\\r?\\n|$))`), manner: 'gap', where: isHeading },
  { starts: `"'`, after: form(`["']\\r?\\n\\r?\\n(?=\\S{6,400}\\r?\\n)`), manner: 'line', where: isPart },
  { starts: ',', after: form(`,(?=[^\\s,]{6,400}[ \\t]{0,8}(?:\\r?\\n|$))`), manner: 'gap', where: isRow },
];
