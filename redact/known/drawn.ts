import { entropy, isStandIn } from '../context/judge.ts';

/** Values of this length on are judged; of EASY on two kinds of characters are enough. In UTF-16 units. */
const SHORTEST = 8;
const EASY = 10;
const LONGEST = 400;
const LIST_MAX = 4000;
const BITS = 2.5;

/** What says by its name that it is public, or that it tells which thing is meant, however random it looks. */
const NAMES_SOMETHING =
  /public|publishable|hash|digest|checksum|integrity|fingerprint|version|(?:^|[_.-])(?:ids?|uuid|guid|sha\d*|commit|rev|revision|ref|build|release|etag|tag|image|model|region|zone|branch|arn)$|[a-z]Id$/i;

/** Files that hold settings of a program for one place: what is drawn at random there is a secret, whatever it is called. */
const SETTINGS_FILE = /^\.env|\.env$|^\.dev\.vars|^\.?secrets?\./;
export const isSettingsFile = (file: string): boolean => SETTINGS_FILE.test(file);

/** Whole values that say where or which something is. */
const HARMLESS = new RegExp(
  [
    // colours, addresses of machines, times
    '^#?[0-9a-f]{3,15}$|^(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}$|^[0-9a-f:]*::?[0-9a-f:.]*(?:\\/\\d{1,3})?$|^\\d{4}-?\\d\\d-?\\d\\d(?:[T ]\\S*)?$',
    // UUIDs, commits, digests that say so
    '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^[0-9a-f]{40}$|(?:^|[@:])(?:sha\\d{1,3}|md5)[:-]',
    // e-mail addresses, options of programs, patterns of dates and of text, JSON
    '^[\\w.+-]+@[\\w.-]+\\.[a-z]{2,24}$|^--?[a-z][\\w-]*(?:=|$)|^-(?:X[a-z]|XX:|D)|%[A-Za-z][-/:.]?%|^\\^|\\$$|\\\\[wdsb.]|^[[{<(]|[\\])}>]$',
    // lists of names and values, each judged by itself; globs
    '^\\w+=[\\w.-]*(?:[&;,]\\w+=[\\w.-]*)*$|\\*\\*\\/|\\/\\*\\.',
    // public keys of SSH
    '^AAAA[BCE][23]',
    // ids that providers give out for everybody to see
    '^(?:i|vpc|subnet|sg|ami|vol|snap|eni|rtb|igw|nat|eipalloc|acl|lt|fs|tgw|vpce)-[0-9a-f]{8,17}$|^arn:|^urn:|^(?:pk|price|prod|plan|acct)_|^(?:G|GTM|UA|AW)-[A-Z0-9-]{4,14}$',
  ].join('|'),
  'i',
);
/** `openssl rand -hex`; of 40 digits it may as well be a commit. */
const HEX = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{16,256}$/i;

const SEPARATORS = /[^\p{L}\p{N}]+/u;
/** Symbols that passwords have inside and names have not. */
const SYMBOL = /[!&]|\^(?!\d)|[!-'?`|~]{2}/;

/** A short word or abbreviation with its number: `alpine3`, `SHA256`, `utf8mb4`, `k8s`, `32B`, `2xlarge`, `4o`, `x86`, `v1beta2`; the end of a commit. */
const SHORT_PART =
  /^(?:v?\d{1,4}[a-z]{1,2}|\d{1,2}xlarge|\d{1,4}[A-Z]{1,3}|[a-z]{2,}\d{0,4}(?:[a-z]{1,4}\d{0,2})?|[a-z]{1,3}\d{1,3}[a-z]{0,4}|[A-Z]{1,6}\d{0,4}|(?:(?:[A-Z]?[a-z]{2,}|[A-Z]{2,})\d{0,4}){1,2})$/;
const SHORT = 9;
const isShort = (part: string): boolean => part.length <= SHORT && SHORT_PART.test(part);
const COMMIT = /^g?[0-9a-f]{6,12}$/;
/** Also times: `24h7d12m`. */
const NUMBER = /^(?:[A-Za-z]+\d{1,8}|\d+|(?:\d{1,6}[a-z]{1,2}){2,}|P[\dDHMTSWY]+)$/i;

/** Letters that no language of names puts side by side, or without a vowel. */
const UNSAYABLE = /[jqvxz][bcdfghjklmnpqrtwxz]|[bcdfghjklmpqrtvwxz][jqx]|[bcdfghjklmnpqrstvwxz]{4}|^[^aeiouy]+$/i;
const SHORTHAND = /sql|html?|https?|xml|nginx|vscode|jwt|mqtt|ssh/gi;
const isSayable = (word: string): boolean => !UNSAYABLE.test(word.replace(SHORTHAND, 'i'));
const wordsIn = (part: string): string[] => part.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];

/** Letters alone are words, unless capitals change too often for it, or nobody could say them. */
function isWords(part: string): boolean {
  if (!/^\p{L}+$/u.test(part)) return false;
  if (part.length < EASY - 2) return true;
  const words = wordsIn(part);
  if (words.length < 3) return true;
  return part.length / words.length >= 3 && words.filter((word) => !isSayable(word)).length < 2;
}

/** Endings and marks of two letters at most that names have. */
const MARK = /^(?:v|x|le|be)$/;

/** Words with a number or two between or behind them: `PBKDF2WithHmacSHA256`, `oauth2callback`. One short word may be amid capitals: the O of `useOAuth2Flow`. */
function isNumbered(part: string): boolean {
  const words = wordsIn(part);
  const numbers = part.match(/\d+/g) ?? [];
  if (words.join('').length + numbers.join('').length < part.length || numbers.length > 2 || words.length > 4) return false;
  const mixed = /[a-z]/.test(part) && /[A-Z]/.test(part);
  const short = words.filter((word) => word.length < 3 && !MARK.test(word));
  const strange = words.filter((word) => word.length > 2 && !isSayable(word) && !(mixed && /^[A-Z]{3,5}$/.test(word)));
  return strange.length === 0 && short.length <= (mixed ? 1 : 0);
}
const isPart = (part: string): boolean => isWords(part) || isShort(part) || COMMIT.test(part) || NUMBER.test(part) || isNumbered(part);

/** Is it made of what programs, models, images, hosts and places are called? */
function isNamed(value: string): boolean {
  const parts = value.split(SEPARATORS).filter(Boolean);
  const odd = parts.filter((part) => !isPart(part));
  if (!odd.length) return true;
  // The last parts of a name that something was given by a machine: `web-7d9f8b6c5d-x2x4z`.
  return odd.every((part) => /^[a-z0-9]{1,5}$/.test(part)) && parts.some((part) => /^[a-z]{3,}$/.test(part));
}

const kindsOf = (value: string): number => [/\d/, /[a-z]/, /[A-Z]/, /[!-)<>?@[-^`{-~]/].filter((kind) => kind.test(value)).length;

/**
 * Does a value of a settings file look as if it had been drawn at random, or chosen as a password? Not words, names with numbers, versions, regions, models,
 * images, hosts, paths, ids, dates and colours, which would be missed everywhere else; nor what its name calls public.
 */
function looksDrawn(name: string, value: string): boolean {
  if (value.length < SHORTEST || value.length > LONGEST || /\s/.test(value) || NAMES_SOMETHING.test(name) || isStandIn(value)) return false;
  if (HEX.test(value)) return value.length !== 40;
  if (HARMLESS.test(value) || entropy(value) <= BITS) return false;
  const kinds = kindsOf(value);
  if (kinds < 2 || (value.length < EASY && kinds < 3)) return false;
  return (kinds >= 3 && SYMBOL.test(value)) || !isNamed(value);
}

/** What of a value looks drawn: the whole, items of a list, the password of `user:password`. */
export function* drawnIn(name: string, value: string): Generator<string> {
  if (value.length > LIST_MAX || value.includes('-----BEGIN')) return;
  const password = HARMLESS.test(value) ? value : (/^[\w.@-]{1,64}:(?![/\\])(\S+)$/.exec(value)?.[1] ?? value);
  for (const part of new Set([value, ...value.split(/[\s,;|]+/), password])) if (looksDrawn(name, part)) yield part;
}
