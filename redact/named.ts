import { isSecret, type Manner } from './judge.ts';
import type { Hit } from './ranges.ts';

/** Parts of names that tell a secret. Small letters; each is an anchor. */
export const NAME_PARTS: readonly string[] = [
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'pwd',
  '_pass',
  'secret',
  'token',
  'apikey',
  'api_key',
  'api-key',
  'accesskey',
  'access_key',
  'access-key',
  'privatekey',
  'private_key',
  'private-key',
  'credential',
  '_key',
  '_pat',
  'authkey',
  'adminkey',
  'encryptionkey',
  'signingkey',
  'masterkey',
  'servicekey',
  'licensekey',
  'storagekey',
  'servicerolekey',
  'extpat',
  'sessionid',
  'session=',
  '_sid',
  'connect.sid',
  'npmauth',
  'npm_auth',
  '密码',
  '口令',
  '密钥',
  '令牌',
];

/** Names that hold such a part and tell something else: counts, types, ids, files, hashes … */
const HARMLESS = new RegExp(
  [
    'public|pass(?:ed|es|ing|_?through|_depth)|prompt|completion|hash|version|header|prefix|suffix|regex|pattern|strength|reset|forgot|rotation|primary|foreign|partition|unique|index|cursor|digest|checksum',
    '(?:^|[_.-])(?:max|min|num|count|total|input|output|cached?|reserved|next|page|sha)[_.-]',
    '_?types?$|key_?ids?$|(?:^|[^a-z])ids?$|[a-z]Id$|name$|path$|file$|url$|uri$|length|size$|expir|ttl|limit|usage|budget|label|placeholder|hint|policy|field',
    'sort_?key|arn$|ref$|tokens$|estimat|tokeniz|storage_?key$|storage_?account|lookup|query_?key|i18n|translation|keyboard|hotkey|shortcut|monkey|turkey|whiskey|sshkey$',
  ].join('|'),
  'i',
);
/** The same before a capital; in one case only, or it would be the beginning of `MINIO_…`, `NEXTAUTH_…`, `SHARED_…`. */
const COUNTED = /(?:^|[_.-])(?:max|min|num|count|total|input|output|cached?|reserved|next|page|sha)(?=[A-Z])/;
const PART = new RegExp(NAME_PARTS.map((part) => part.replace(/[.=]/g, '\\$&')).join('|'), 'i');

const verdicts = new Map<string, boolean>();
/** Is this the name of a secret (a JSON key, an option, a variable)? */
export function isSecretName(name: string): boolean {
  if (name.length < 2 || name.length > 88) return false;
  let verdict = verdicts.get(name);
  if (verdict === undefined) {
    const plain = name.replace(/^-+/, '');
    verdict = PART.test(plain) && !HARMLESS.test(plain) && !COUNTED.test(plain);
    if (verdicts.size < 20_000) verdicts.set(name, verdict);
  }
  return verdict;
}

/** Names whose value may be a bare number. */
export const isPasswordName = (name: string): boolean => /(?:^|[_.-]|[a-z](?=P))(?:password|passwd|passphrase|passcode|pwd)$/i.test(name);

const CLOSING = '(?:\\\\{0,6}["\'`\\]]|&(?:quot|#34|#x27|#39);|\\x1b\\[[0-9;]{0,8}m|\\)){0,3}';
const SEPARATOR = new RegExp(
  `${CLOSING}(?:[ \\t]{0,8}(?::=|={1,3}>?|\\?=|[:：]|是|为|\\|)[ \\t]{0,8}|(?:[",\\s]|\\\\n){1,40}value["'\\\\]{0,4}[ \\t]{0,3}[:=][ \\t]{0,3}|,[ \\t]{0,3}(?=\\\\{0,4}["'])|[ ]is[ ]:?|[ \\t]{1,4})`,
  'y',
);
const OPENING = /(?:\x1b\[[0-9;]{0,8}m){0,2}(\\{0,6}["'`]|&(?:quot|#34);)?(?:Bearer )?/y;
const BARE = /[^\s"'`,;<>(){}[\]|\\&\x1b，。；、）]{1,600}/y;
const BARE_ENV = /[^\s"'`<>\\\x1b]{1,600}/y;
const LOGIN_BEFORE = /login[ \t]+\S{1,64}\s{1,4}$/;
/** How far a name reaches to the left and to the right of the part that was found. */
const LEFT = 48;
const RIGHT = 40;
const VALUE_MAX = 1200;

const inName = (c: number): boolean => (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c === 95 || c === 45 || c === 46;

interface Name {
  text: string;
  start: number;
  end: number;
}

function nameAround(text: string, at: number, length: number): Name {
  let start = at;
  let end = at + length;
  const low = Math.max(0, at - LEFT);
  while (start > low && inName(text.charCodeAt(start - 1))) start--;
  if (text.charCodeAt(end - 1) === 61) end--;
  else {
    const high = Math.min(text.length, end + RIGHT);
    while (end < high && inName(text.charCodeAt(end))) end++;
  }
  return { text: text.slice(start, end), start, end };
}

function quotedValue(text: string, start: number, quote: string): string | undefined {
  const end = text.slice(start, start + VALUE_MAX + quote.length).indexOf(quote);
  if (end < 0) return undefined;
  const value = text.slice(start, start + end);
  return /\n|\\n/.test(value) ? undefined : value;
}

function bareValue(text: string, start: number, env: boolean): string | undefined {
  const pattern = env ? BARE_ENV : BARE;
  pattern.lastIndex = start;
  const value = pattern.exec(text)?.[0];
  if (value === undefined) return undefined;
  const next = text.charCodeAt(start + value.length);
  // A call or an index: code, not a value.
  if (next === 40 || next === 91) return undefined;
  return value.replace(/[.,;:!?]+$/, '');
}

/** The secret after a telling name at `at`: `password = "…"`, `TOKEN=…`, `--password …`, YAML, JSON, prose. */
export function namedValue(text: string, at: number, length: number): Hit | undefined {
  const name = nameAround(text, at, length);
  if (!isSecretName(name.text)) return undefined;
  SEPARATOR.lastIndex = name.end;
  const separator = SEPARATOR.exec(text)?.[0];
  if (!separator) return undefined;
  const flag = text.charCodeAt(name.start) === 45;
  const env = separator === '=' && /^[A-Z][A-Z0-9_]+$/.test(name.text);
  // Only white space between: a command line option, or a .netrc.
  if (separator.trim() === '' && !flag && !LOGIN_BEFORE.test(text.slice(Math.max(0, name.start - 90), name.start))) return undefined;
  OPENING.lastIndex = name.end + separator.length;
  const opening = OPENING.exec(text);
  const quote = opening?.[1];
  const start = name.end + separator.length + (opening?.[0].length ?? 0);
  const value = quote ? quotedValue(text, start, quote) : bareValue(text, start, env);
  const how: Manner = { quoted: quote !== undefined, env, flag };
  if (value === undefined || !isSecret(value, name.text, how)) return undefined;
  return { start, end: start + value.length, kind: 'pw', rank: 0 };
}
