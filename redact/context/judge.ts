import { withoutPlaceholders } from '../placeholder.ts';
import { isPasswordName, wordsOf } from './names.ts';

/** A longer value is judged by so many of its first characters. */
const SHOWN = 256;
/** No value beside a name is longer. */
const LONGEST = 1200;

/** Times that each UTF-16 unit stands in a text; beyond Latin letters two may share a place, which matters little. */
const COUNTS = new Uint16Array(256);

/** Shannon entropy in bits per character, of a text's beginning where it is long. */
export function entropy(whole: string): number {
  const text = whole.slice(0, SHOWN);
  COUNTS.fill(0);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i) % COUNTS.length;
    COUNTS[unit] = (COUNTS[unit] as number) + 1;
  }
  let bits = 0;
  for (const count of COUNTS) if (count) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** References and templates: what stands for a value that is elsewhere. */
const TEMPLATE = new RegExp(
  [
    '^\\$(?:\\w+|env:\\w+|[@*#?!.]|this|self)(?:[^\\w!#%^&*@]|$)',
    '\\$\\{|\\$\\(|\\{\\{|<%|#\\{|%\\{|@\\{|&lt;[\\w-]+&gt;',
    '^<.*>$|^\\[.*\\]$|^\\{[\\w.:-]*\\}$|^%\\w+%$|^%[a-z]$|^%\\(|^!(?:Ref|Sub|GetAtt|vault|secret|env|reference|include)\\b|^:\\w+$|^&lt;.*&gt;?$',
    '^(?:process\\.env|os\\.environ|env\\.|config\\.|import\\.meta|var\\.|data\\.|local\\.|module\\.|secrets\\.|inputs\\.|params\\.|self\\.|this\\.|cls\\.|@Microsoft\\.KeyVault)',
  ].join('|'),
);
/** Characters that stand for others, in one case: x and X in turn may come by chance, as may four amid random ones. */
const CROSSED = /^(?:x{3}|X{3})(?![A-Za-z0-9])|x{6}|X{6}|(?:\b|_)(?:x{4}|X{4})|(?:x{4}|X{4})(?:\b|_)/;
/** What says that it is none, wherever it stands. */
const BLANKED =
  /^(?:\*+$|\.{3,}|-{3,}|0{6,}|#{4,}|_{3,})|\.\.\.|…|\*\*\*|•{2,}|●{2,}|example|your[-_ ]|placeholder|redacted|[-_]here$|change.?me|1234567|abcdefg/i;
/** Words that people write where a secret would stand. */
const SAMPLE_WORDS =
  /your|my|the|some|new|old|api|app|access|secret|private|client|auth|key|token|password|passwd|passphrase|passwort|pass|pwd|value|string|here|goes|change|me|replace|with|insert|enter|put|set|todo|tbd|fixme|none|null|undefined|true|false|nil|empty|hidden|masked|testing|tests?|example|sample|dummy|fake|mock|demo|foo|bar|baz|abc|xyz|required|optional|unset|not|missing|invalid|valid|wrong|correct|secure|strong|generated|random|variable|name|super|very|login|this|that|yes|no|is|an?/gi;

/** True for text that stands for a secret without being one. Placeholders of our own count as nothing. */
export function isStandIn(value: string): boolean {
  const rest = withoutPlaceholders(value);
  if (rest === '' || TEMPLATE.test(rest) || CROSSED.test(rest) || BLANKED.test(rest)) return true;
  return rest.length <= 48 && /^(?:\d{0,4}[-_. ]+)*(?:\d{0,4}|!)$/.test(rest.replace(SAMPLE_WORDS, '-'));
}

/** Stand-ins inside a value whose shape is a provider's: fewer, since the shape speaks for itself. */
const SAMPLE_TOKEN = /x{6,}|\*{3,}|\.\.\.|example|redacted|your[-_]|placeholder|0{12,}|1234567890abcdef|abcdefghijklmnop/i;
export const isSampleToken = (value: string): boolean => SAMPLE_TOKEN.test(withoutPlaceholders(value));

/** Letters and digits mixed with some disorder: an opaque token, not a word. */
export const isOpaque = (value: string): boolean => !isStandIn(value) && /\d/.test(value) && /[A-Za-z]/.test(value) && entropy(value) > 3;

/**
 * How a value was written down beside its name: in quotes; as the whole rest of a line or of an environment variable; after an
 * option; bare among other text; as what a sentence says of the name; after nothing but a gap, or in a list.
 */
export type Manner = 'quoted' | 'line' | 'flag' | 'bare' | 'said' | 'gap';

const WORDS = /^[a-z]+(?:[._-][a-z]+)*$/i;
/** Words of names; "password1" is what a variable is called. */
const TELLING =
  /^(?:pass\w*|pwd|secrets?|tokens?|keys?|auth\w*|login|users?|username|names?|type|field|input|form|values?|valid\w*|tests?|prompt|label|text|errors?|required|hash\w*|url|config\w*|env|args?|opts?|params?)$/;
const isTelling = (v: string): boolean => wordsOf(v).some((word) => TELLING.test(word));
const REFERENCE =
  /^(?:https?:|file:|s3:|gs:|arn:|urn:|op:\/\/|vault:|ssm:|env:|ref\+|data:|secret:|keyring:|keychain:|projects\/|[A-Za-z]:\\|\.{1,2}\/|~\/|@[\w-]+\/|[\w-]+\/\d{8}\/[\w-]+\/\w+\/aws4_request)/;
const PATH = /^\/(?:[\w.@+-]+\/)*[\w.@+-]*$/;
const CODE = /^[\w$.:<>?*&]+\(.*\)?[;,]?$|^[\w$]+\[[^\]]*\]|[;{]$|=>|::|\(\)|^[A-Za-z_][\w.]*<.*>|->/;
/** The source of a regular expression. */
const PATTERN = /\\[wdsbWDSB.[\]]|\[\^|\(\?[:=!<]|[\])][*+?{]/;
/** Algorithms, versions, measures and dates. */
const TECHNICAL =
  /^(?:v?\d+(?:[.:,/-]\d+)*[a-z%]{0,5}|\d{4}-\d\d-\d\d\S*|\d+-[a-z]+|(?:sha|md|aes|rsa|utf|base|oauth|https?|ipv|argon|bcrypt|pbkdf|scrypt|rfc|ed|hs|rs|es|u?int|float|web|ecma|python|node|java|php|vue|step|user|level|line|page|version|hmac|pkcs|tls|x|k|h|s)-?\d{1,4}\S{0,8}|[a-z]+)$/i;
const CODE_NAME = /^[A-Z]{1,6}-?\d{1,5}$/;
const isTechnical = (v: string): boolean => (TECHNICAL.test(v) && !isMotley(v)) || CODE_NAME.test(v);

/** Nobody can say it: capitals and small letters change too often for words, or vowels are missing. */
function isMotley(v: string): boolean {
  if (v.length < 12) return false;
  const words = v.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  return (
    (words.length > 3 && words.join('').length / words.length < (v.length < 16 ? 2.6 : 3.4)) ||
    words.some((word) => /(?!htt|htm|tml)[bcdfghjklmnpqrstvwxz]{5}/i.test(word))
  );
}
const isJumble = (v: string): boolean => isMotley(v) && /^[A-Za-z+/=_-]+$/.test(v);

/** Words with at most two digits behind each: the name of something. */
function isIdentifier(v: string): boolean {
  if (!/[-_.]/.test(v) && (isMotley(v) || /\d[A-Za-z][^\d]*\d+[A-Za-z]/.test(v))) return false;
  const parts = v.match(/[A-Z]?[a-z]+|[A-Z]+|\d+|[^A-Za-z\d]/g) ?? [];
  let letters = 0;
  return parts.every(
    (part) =>
      /^(?:[A-Z][a-z]+|[a-z]{2,}|[A-Z]{2,}|\d{1,2}|(?:19|20)\d\d|256|384|448|512|1024|2048|4096|25519|[-_.:$#@])$/.test(part) ||
      (/^[A-Za-z]$/.test(part) && ++letters < 2),
  );
}

/** What people write in place of a password in a URL or a command. */
export const isCommonWord = (value: string): boolean => /^(?:pass(?:word|wd)?|pw|pwd|secret|token|x{3,}|\*+|\.+|user|admin|\d{1,5})$/i.test(value);

const MEMBER = /^!{0,2}[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$#][\w$]*|\[\w*\])+$/;

const isMember = (v: string): boolean =>
  MEMBER.test(v) &&
  v
    .replace(/^!+/, '')
    .split(/\??\./)
    .every((part) => part.length < 32 && isIdentifier(part));
/** A path without a beginning: names of folders and files. */
const isPlace = (v: string): boolean => /^[\w@.-]+(?:\/[\w@.-]+)+$/.test(v) && v.split('/').every(isIdentifier);
export const isPath = (v: string): boolean => REFERENCE.test(v) || isPlace(v) || (PATH.test(v) && !(v.length >= 20 && entropy(v) > 4.2 && /\d/.test(v)));

/** How many of small letters, capitals, digits and symbols a value has. */
const kindsOf = (v: string): number => [/\d/, /[a-z]/, /[A-Z]/, /[^A-Za-z0-9_.\-/:]/].filter((kind) => kind.test(v)).length;

/** Looks like a secret even where nothing but its neighbourhood says so. */
export function isStriking(value: string): boolean {
  const v = value.slice(0, SHOWN);
  if (v.length < 8 || isStandIn(v) || isTechnical(v) || !(/\d|[!#$%^&*@+~]/.test(v) || isJumble(v)) || isPath(v) || isMember(v)) return false;
  if (isIdentifier(v) && (isTelling(v) || !/\d{2}/.test(v))) return false;
  if (CODE.test(v) || PATTERN.test(v) || /^[\w.-]{1,24}=/.test(v) || /^[^[]*\]|^[^(]*\)/.test(v) || /^[\w.-]+@[\w-]+\.[\w.-]+$/.test(v)) return false;
  return (
    isJumble(v) ||
    (kindsOf(v) >= 3 && entropy(v) > 2.5) ||
    (v.length >= 16 && /\d/.test(v) && /[a-z]/i.test(v) && entropy(v) > 3 && !/^[a-z]+\d{0,3}(?:[-_.][a-z\d]+)+$/i.test(v)) ||
    isUuid(v)
  );
}
const isUuid = (v: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(v);

/** Four groups of four letters: how one mail provider gives out passwords for programs. */
const APP_PASSWORD = /^(?:[a-z]{4} ){3}[a-z]{4}$/;
/** The words of a wallet or a diceware passphrase. */
const PHRASE = /^(?:[a-z]{3,9}[-]){3,11}[a-z]{3,9}$/;

function isPassword(v: string, manner: Manner): boolean {
  if (manner === 'said')
    return (
      !/^[[(]/.test(v) &&
      !isTechnical(v) &&
      !(isIdentifier(v) && isTelling(v)) &&
      (/\d|[!#$%^&*@+~]/.test(v) || isJumble(v)) &&
      kindsOf(v) >= 2 &&
      entropy(v) > 2
    );
  if (isIdentifier(v) && isTelling(v)) return false;
  if (/^\d+$/.test(v)) return manner !== 'bare' && v.length >= 6 && v.length <= 32 && entropy(v) > 2;
  if (manner === 'bare' && !/\d|[^A-Za-z0-9_.\-/:]/.test(v) && !isJumble(v)) return false;
  if (manner === 'bare' && (CODE.test(v) || (isIdentifier(v) && !/\d{2}/.test(v)))) return false;
  return kindsOf(v) >= 2 && entropy(v) > 2;
}

function isToken(v: string, manner: Manner): boolean {
  if (manner === 'bare' && CODE.test(v)) return false;
  if (isIdentifier(v) && !(v.length >= 16 && entropy(v) > 4)) return false;
  if (v.length < 12) return manner !== 'bare' && v.length >= 8 && kindsOf(v) >= 3 && entropy(v) > 2.5 && !isTechnical(v);
  if (!/\d/.test(v)) return isJumble(v);
  if (/^[\w-]+\.[\w.-]+$/.test(v) && entropy(v) < 3.8) return false;
  return entropy(v) > (v.length >= 20 ? 3 : 3.2) || (kindsOf(v) >= 3 && entropy(v) > 2.9);
}

/**
 * Does a value beside a telling name look like a secret? Words, identifiers, references, numbers and stand-ins do not.
 */
export function isSecret(value: string, name: string, manner: Manner): boolean {
  if (value.length > LONGEST || (value.length > SHOWN && /\s/.test(value))) return false;
  const v = value.slice(0, SHOWN);
  if (manner === 'quoted' && APP_PASSWORD.test(v) && isPasswordName(name)) return true;
  if (v.length < 6 || /\s/.test(v) || (WORDS.test(v) && !isJumble(v) && !PHRASE.test(v))) return false;
  if (isStandIn(v) || isPath(v) || PATTERN.test(v)) return false;
  if (/^(?:[\d.,:]+[.,:][\d.,:]*|0x[0-9a-f]{1,8})$/i.test(v)) return false;
  if (manner === 'gap') return isStriking(v);
  const password = isPasswordName(name);
  if (PHRASE.test(v)) return password && manner !== 'bare' && !isTelling(v);
  if (/^\d+$/.test(v) && !password) return false;
  if (manner !== 'quoted' && manner !== 'flag' && isMember(v) && !(password && manner === 'line' && /\d\d/.test(v) && !isTelling(v))) return false;
  return password ? isPassword(v, manner) : manner === 'said' ? isStriking(v) : isToken(v, manner);
}
