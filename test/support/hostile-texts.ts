import { rules } from '#redact/rules/index.ts';
import { seeded } from './generate.ts';
import { PLANTS } from './secret-plants.ts';

/** A text made to be slow, deep or odd, of about `size` UTF-16 units. `known`: a value that the redactor looks for. */
export type Hostile = (size: number, random: () => number, known: string) => string;

const filled = (part: string, size: number): string => part.repeat(Math.max(1, Math.ceil(size / part.length))).slice(0, Math.max(size, part.length));
const again =
  (part: string): Hostile =>
  (size) =>
    filled(part, size);
const drawn = (size: number, random: () => number, alphabet: string): string =>
  Array.from({ length: size }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('');
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const HEX = '0123456789abcdef';
const dashes = '-'.repeat(5);
const words = (random: () => number, size: number, alphabet: string): string => {
  const out: string[] = [];
  for (let at = 0, length = 1; at < size; at += length + 1, length = (length % 90) + 1) out.push(drawn(length, random, alphabet));
  return out.join(' ');
};
const nestedString = (size: number): string => {
  let text = '"';
  while (text.length * 2 < size) text = JSON.stringify(text);
  return text;
};
const base64Of = (text: string): string => Buffer.from(text).toString('base64');

/** By name. Patterns and parsers of any redaction have met such texts. */
export const HOSTILE: Readonly<Record<string, Hostile>> = {
  'begin marks': again(`${dashes}BEGIN `),
  'keys without an end': again(`${dashes}BEGIN RSA PRIVATE KEY${dashes}\n`),
  'ends of keys': again(`QUJD\n${dashes}END RSA PRIVATE KEY${dashes}\n`),
  base64: (size, random) => drawn(size, random, BASE64),
  'base64 in lines': (size, random) => drawn(size, random, BASE64).replace(/.{76}/g, '$&\n'),
  'base64 of text': (size) => base64Of(filled('password of nobody. ', size * 0.75)),
  'base64 of base64': (size) => base64Of(base64Of(base64Of(filled('ghp_ ', size * 0.42)))),
  hex: (size, random) => drawn(size, random, HEX),
  'deep JSON': (size) => `${'['.repeat(Math.min(10_000, size / 2))}${']'.repeat(Math.min(10_000, size / 2))}`,
  'short strings': (size) => JSON.stringify(new Array(Math.ceil(size / 5)).fill('ab')),
  'many keys': (size) => JSON.stringify(Object.fromEntries(Array.from({ length: Math.ceil(size / 12) }, (_, i) => [`k${i}`, i]))),
  'strings in strings': nestedString,
  'logins without a host': again('://a:'),
  'logins of one character': again('://a:b@'),
  'names of passwords': again('password='),
  'names of passwords in quotes': again('password="'),
  'names and names': again('token secret api_key password '),
  cookies: again('cookie: a=b; '),
  'pairs of a cookie': (size) => `Cookie: ${filled('a=b;', size)}`,
  'token marks': again('eyJ'),
  'token parts': again('eyJhbGciOi.'),
  'key marks': again('sk-'),
  'marks of all rules': (size) => filled(rules.flatMap((rule) => rule.anchors).join(''), size),
  'marks of all rules with spaces': (size) => filled(rules.flatMap((rule) => rule.anchors).join(' '), size),
  'short tokens': (size, random) => filled(`ghp_${drawn(20, random, BASE64)} `, size),
  'planted secrets': (size) => filled(`${PLANTS.map((plant) => plant().text).join('\n')}\n`, size),
  'bearer marks': again('Authorization: Bearer Basic '),
  'quotes and backslashes': again('\\"\'`\\\\'),
  backslashes: again('\\'),
  'open quotes': again('"'),
  'begun placeholders': again('[REDACTED:'),
  placeholders: again('[REDACTED:pw:01234567]'),
  'placeholders as passwords': again('password=[REDACTED:pw:01234567]x'),
  'lone surrogates': again('\ud800a\udc00'),
  NULs: again('\0'),
  'terminal codes': again('\u001b[32m\u001b[1;31mx\u001b[0m'),
  'names and values': again('key: value, '),
  YAML: again('- a: &a [*a, *b]\n  password: |\n    x\n'),
  'the known value': (size, _random, known) => filled(known, size),
  'parts of the known value': (size, _random, known) => filled(known.slice(0, -1), size),
  'the known value in URLs': (size, _random, known) => filled(`%${known}%2F`, size),
  'a period': again('q7w3e9'),
  digits: again('9'),
  'numbers of JSON': (size) => `[${filled('-1.5e300,', size)}0]`,
  'right to left': again('\u202eשלום\u0301\u0301\u0301 '),
  'marks upon marks': (size) => `a${filled('\u0301', size)}`,
  'characters outside the plane': (size) => `x${filled('😀𝒜', size)}`,
  'ideographs with names': again('密码是token'),
  'carriage returns': again('line of words\r'),
  'Windows paths': again('C:\\Users\\ann\\proj\\'),
  'home and home': again('/home/ann'),
  'project paths': again('/home/ann/proj/a.ts:1 '),
  'path tokens': again('${HOME}'),
  'begun path tokens': again('${'),
  'words of every length': (size, random) => words(random, size, BASE64),
  'words with dashes': (size, random) => words(random, size, 'abc-_.'),
  'escapes of URLs': again('%41%2f%3a'),
  'escapes of JSON': again('\\u0041\\u002f'),
  'escapes of HTML': again('&#65;&amp;&quot;'),
  addresses: again('a.b+c@d.example, 10.0.0.1 '),
  'one letter': again('a'),
  'letters and digits': again('Aa0'),
  'zeros and dashes': again('00000000-0000-0000-'),
  'white space': again(' \t\n'),
};

/** A family's text, the same for the same seed. */
export const hostileText = (name: string, size: number, seed: string, known: string): string =>
  (HOSTILE[name] as Hostile)(size, seeded(`${seed} ${name}`), known);
