import { isDisorderly } from '../context/disorder.ts';
import { isOpaque, isStandIn } from '../context/judge.ts';
import { isSecretName } from '../context/names.ts';
import { createEngine, type Engine } from '../engine/engine.ts';
import { drawnIn, isSettingsFile } from './drawn.ts';
import { pairsOf, type SecretFile } from './secret-files.ts';

/** A value that is known to be secret, or was learned to be one. Lives in memory only. */
export interface KnownValue {
  value: string;
  kind: string;
  /** found in this run, not given */
  learned?: boolean;
}

const SHORTEST = 8;
const LONGEST = 4000;
/** More words than this are a pass phrase. */
const WORDS_MAX = 3;

const WORDS = /^[A-Za-z]?[a-z]+(?:[ ._-][A-Za-z]?[a-z]+)*$|^[A-Z]+(?:[ ._-][A-Z]+)*$/;
/** Numbers, dates, versions; host names and addresses; e-mail addresses; colours and the like have too few characters anyway. */
const PLAIN = /^(?:\d{1,11}|[\d.,:/ T-]+Z?|(?:[a-z0-9-]{1,63}\.)+[a-z]{2,24}(?::\d{1,5})?|[\w.+-]+@[\w.-]+\.[a-z]{2,24})$/;
const PATH = /^(?:file:\/\/|~|\.{1,2})?\/|^[A-Za-z]:\\|^\.{1,2}$/;
const URL_WITHOUT_LOGIN = /^[a-z][a-z0-9+.-]{1,20}:\/\/[^@]*$/i;

/** Words, paths, plain numbers, hosts, addresses and references are no secrets even under a secret's name. */
export function worthKnowing(value: string): boolean {
  if (value.length < SHORTEST || value.length > LONGEST || isStandIn(value) || PLAIN.test(value) || URL_WITHOUT_LOGIN.test(value)) return false;
  // A random value may begin with a slash, too.
  if (PATH.test(value) && !value.split(/[/\\]/).some(isDisorderly)) return false;
  return !WORDS.test(value) || value.split(/[ ._-]/).length > WORDS_MAX;
}

/** Names that tell a secret in an environment or a settings file, though they would not in prose. */
const NAME =
  /(?:^|[_.-])(?:key|pass|pwd|pw|auth|pin|salt|seed|cred|creds|dsn|webhook|cookie|jwt|bearer|pat|psk|mnemonic|ident|key-data|signature)[_.-]?\d*$|^(?:account|secret)Key$/i;
const HARMLESS_NAME = /public|primary|foreign|sort|partition|index|cache|shortcut/i;
/** What is said to be public or to name something, however random it looks. */
const NAMES_SOMETHING = /public|(?:^|[_.-])id$|[a-z]Id$|hash|digest|checksum|integrity|fingerprint|version/i;
const looksSecret = (name: string, value: string): boolean => isDisorderly(value) && !NAMES_SOMETHING.test(name);
const tells = (name: string, value: string): boolean => isSecretName(name) || (NAME.test(name) && !HARMLESS_NAME.test(name) && isOpaque(value));

/** A login is secret for its password. */
const passwordOf = (value: string): string => /^[^\s:/]{1,200}:(\S+)$/.exec(value)?.[1] ?? value;

/** What a login in base64 says: the password, and `user:password`. Nothing where it is no text. */
function inBase64(value: string): string[] {
  if (value.length < 12 || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return [];
  const text = Buffer.from(value, 'base64').toString('latin1');
  return /^[\t\n\r\x20-\x7e]+$/.test(text) ? [passwordOf(text), text] : [];
}

/** `Name=value;Name=value`, as in a connection string or behind a URL. */
const INNER = /(?:^|[;&?\s])([A-Za-z][\w.-]{1,40})=([^;&\s"']{4,4000})/g;
/** A token in the place of the user's name. */
const LONE = /:\/\/([^\s:@/]{8,256})@/g;
const USERINFO = /:\/\/[^\s:@/]{0,256}:([^\s@/]{4,256})@/g;

function unquoted(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What is known of the place of a value: all values there are secret; it is a file for secrets; it is one of settings such as .env. */
interface Place {
  all?: boolean;
  file?: boolean;
  settings?: boolean;
}

/** The secrets in one value, by its name and by what the rules say. */
function* secretsIn(name: string, value: string, engine: Engine, how: Place): Generator<string> {
  for (const [, password = ''] of value.matchAll(USERINFO)) yield* [password, unquoted(password)];
  for (const [, user = ''] of value.matchAll(LONE)) if (how.all || tells(name, user) || isDisorderly(user)) yield* [user, unquoted(user)];
  if (/:\/\/[^\s/]*@/.test(value)) return;
  const inner = [...value.matchAll(INNER)].flatMap(([, part = '', of = '']) => (tells(part, of) ? [of] : []));
  yield* inner;
  const told = how.all || tells(name, value);
  if (!told && how.settings) for (const one of drawnIn(name, value)) yield* [one, ...inBase64(one)];
  else if (told || (how.file && !inner.length && looksSecret(name, value))) {
    yield* [value, ...inBase64(value)];
    if (/auth|ident/i.test(name)) yield passwordOf(value);
  }
  for (const { start, end, kind } of engine.scan(value, '')) if (kind !== 'b64') yield value.slice(start, end);
}

/**
 * Values that must never leave: of environment variables and files, selected by their names, by the rules, and in .env files by how random they look; never
 * printed and never stored.
 * Shorter than 8 characters, words, paths and the like are left to the rules.
 */
export function knownValues(env: Record<string, string | undefined>, files: readonly SecretFile[]): KnownValue[] {
  const engine = createEngine();
  const out = new Set<string>();
  const add = (name: string, value: string, how: Place) => {
    for (const one of secretsIn(name, value, engine, how)) if (worthKnowing(one)) out.add(one);
  };
  for (const [name, value] of Object.entries(env)) if (value) add(name, value, {});
  for (const file of files)
    for (const [name, value] of pairsOf(file)) add(name, value, { all: file.all === true, file: true, settings: isSettingsFile(file.name) });
  return [...out].map((value) => ({ value, kind: 'known' }));
}
