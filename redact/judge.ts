import { withoutPlaceholders } from './placeholder.ts';

/** Shannon entropy in bits per character. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** References, templates and the words people write where a secret would stand. */
const STAND_IN = new RegExp(
  [
    '^[$]|^%(?:[A-Za-z_(](?![0-9A-Fa-f]))',
    '\\$\\{|\\$\\(|\\{\\{',
    '^<.*>$|^\\[.*\\]$|^%[A-Z_]+%$',
    '^(?:x{3,}|\\*{3,}|\\.{3,}|-{3,}|0{6,}|1234|abc|foo|bar|test|example|sample|dummy|fake|mock|demo|change.?me|replace|insert|enter|put|todo|none|null|undefined|true|false|nil|empty|redacted|hidden|masked|secret|password|token|your|my[-_]|<|process\\.env|os\\.environ|env\\.|config\\.|import\\.meta)',
    'your[-_ ]|placeholder|example\\.|[-_]here$|\\.\\.\\.|xxxx|example|redacted|\\*\\*\\*',
  ].join('|'),
  'i',
);

/** True for text that stands for a secret without being one. Placeholders of our own count as nothing. */
export function isStandIn(value: string): boolean {
  const rest = withoutPlaceholders(value);
  return rest === '' || STAND_IN.test(rest);
}

/** Stand-ins inside a value whose shape is a provider's: fewer, since the shape speaks for itself. */
const SAMPLE_TOKEN = /x{6,}|\*{3,}|\.\.\.|example|redacted|your[-_]|placeholder|0{12,}|1234567890abcdef|abcdefghijklmnop/i;
export const isSampleToken = (value: string): boolean => SAMPLE_TOKEN.test(withoutPlaceholders(value));

/** Letters and digits mixed with some disorder: an opaque token, not a word. */
export const isOpaque = (value: string): boolean => !isStandIn(value) && /\d/.test(value) && /[A-Za-z]/.test(value) && entropy(value) > 3;

/** How a value was written down beside its name. */
export interface Manner {
  quoted: boolean;
  /** NAME=value in capitals, as in an environment file */
  env: boolean;
  /** --name value */
  flag: boolean;
}

const WORDS = /^[a-z]+(?:[._-][a-z]+)*$/i;
const CAMEL = /^[a-z]+(?:[A-Z][a-z]+)+$/;
const REFERENCE = /^(?:https?:|file:|s3:|gs:|arn:|urn:|\.{0,2}\/|~\/|@)/;
/** What people write in place of a password in a URL or a command. */
export const isCommonWord = (value: string): boolean => /^(?:pass(?:word|wd)?|pw|pwd|secret|token|x{3,}|\*+|\.+|user|admin|\d{1,5})$/i.test(value);

const MEMBER = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/;
const PASSWORD_NAME = /pass|pwd|密码|口令/i;

const mixedWord = (v: string): boolean =>
  /[a-z]/.test(v) && /[A-Z]/.test(v) && v.length >= 16 && entropy(v) > (v.length < 20 ? 3.7 : 4.2) && !/[._-]/.test(v) && !CAMEL.test(v);

function isPassword(v: string, how: Manner): boolean {
  const kinds = [/\d/, /[a-z]/, /[A-Z]/, /[^A-Za-z0-9_.\-/:]/].map((re) => re.test(v));
  if (!how.quoted && !how.env && !how.flag && !kinds[0] && !kinds[3] && !mixedWord(v)) return false;
  return kinds.filter(Boolean).length >= 2 && entropy(v) > 2;
}

/**
 * Does a value beside a telling name look like a secret? Words, identifiers, references, numbers and stand-ins do not.
 */
export function isSecret(value: string, name: string, how: Manner): boolean {
  const v = value;
  if (v.length < 6 || v.length > 1200 || isStandIn(v) || /\s/.test(v)) return false;
  if (/^(?:[\d.,:]+|0x[0-9a-f]{1,8})$/i.test(v)) return false;
  if (WORDS.test(v) && !mixedWord(v)) return false;
  if (REFERENCE.test(v)) return false;
  if (!how.quoted && !how.flag && (/^(?:self|this|cls)\./.test(v) || (MEMBER.test(v.replaceAll('?.', '.')) && !/\d/.test(v)))) return false;
  if (PASSWORD_NAME.test(name)) return isPassword(v, how);
  if (v.length < 12) return false;
  if (!/\d/.test(v)) return /[A-Z]/.test(v) && /[a-z]/.test(v) && v.length >= 20 && entropy(v) > 4;
  if (/^[\w-]+\.[\w.-]+$/.test(v) && entropy(v) < 3.8) return false;
  return entropy(v) > (v.length >= 20 ? 3 : 3.2);
}
