import { copyOf } from '../copy.ts';
import { holdsPlaceholder } from '../placeholder.ts';

/** What comes before "key" in the name of a secret, where the two are not joined by an underscore. */
const KEYS = [
  ...['api', 'access', 'private', 'secret', 'auth', 'app', 'application', 'admin', 'encryption', 'decryption', 'signing', 'signature', 'master', 'service'],
  ...['servicerole', 'role', 'license', 'licence', 'account', 'shared', 'subscription', 'function', 'functions', 'deploy', 'session', 'server', 'root'],
  ...['hmac', 'aes', 'jwt', 'cookie', 'webhook', 'unseal', 'recovery', 'cipher', 'crypto', 'security', 'symmetric', 'integration', 'write', 'client'],
  ...['activation', 'preshared', 'radius', 'tls', 'ssl', 'bot', 'developer'],
];
/** Passwords, tokens and keys in other languages. */
const PASSWORD_ABROAD = [
  'passwort',
  'kennwort',
  'contrasena',
  'contraseña',
  'mot de passe',
  'senha',
  'lösenord',
  'jelszó',
  'şifre',
  'hasło',
  'wachtwoord',
  'heslo',
  'salasana',
  'adgangskode',
  'parola',
  'clave',
];
/** Those in other scripts are found by what they begin with: all their letters would make the automaton several times as large. */
const PASSWORD_SCRIPTS = [
  '密码',
  '密碼',
  '口令',
  'パスワード',
  '暗証番号',
  '비밀번호',
  '암호',
  'пароль',
  'Пароль',
  'ПАРОЛЬ',
  'סיסמה',
  'كلمة المرور',
  'ật khẩu',
];
const TOKEN_SCRIPTS = ['密钥', '密鑰', '金鑰', '私钥', '秘钥', '令牌', '凭证', '授权码', 'トークン', '秘密鍵', '토큰', '비밀키', 'токен', 'Токен'];

/** Parts of names that tell a secret. Small letters; each is an anchor. */
export const NAME_PARTS: readonly string[] = [
  ...['pass', 'pwd', 'pw', 'psk', 'secret', 'token', 'credential', 'creds', '_key', '_pat', '_salt', '_pepper', '_sk', 'masterauth', 'community', '-key'],
  ...['npm_auth', 'npmauth', 'extpat', 'githubpat', 'gitlabpat', 'azurepat', 'userpat'],
  ...KEYS.flatMap((word) => ['', ' ', '-', '.'].map((joint) => `${word}${joint}key`)),
  ...PASSWORD_ABROAD.filter((word) => !word.startsWith('pass')).map((word) => (/[a-z ]{4,}/.exec(word) ?? [word])[0]),
];

const SCRIPT_NAMES = [...PASSWORD_SCRIPTS, ...TOKEN_SCRIPTS];
/** What names in other scripts begin with; ł is the only other letter of theirs that no English name has. */
export const SCRIPT_STARTS = [...new Set([...SCRIPT_NAMES.map((name) => name.charAt(0)), 'ł'])].join('');
const LATIN = 0x250;
/** The name of a secret in another script that stands here. */
export const scriptName = (text: string, at: number): string | undefined =>
  text.charCodeAt(at) < LATIN ? undefined : SCRIPT_NAMES.find((name) => text.startsWith(name, at));

const PASSWORDS_ABROAD = new RegExp(`(?:^|[^a-z])(?:${PASSWORD_ABROAD.join('|')})|${PASSWORD_SCRIPTS.join('|')}`, 'i');
const TOKENS_ABROAD = new RegExp(TOKEN_SCRIPTS.join('|'));
const PASSWORD =
  /(?:password|passwd|passphrase|passcode|pwd|pw|psk)s?$|(?<!\b(?:get|mini|buy|by|com|encom|tres|over|under|sur|multi|single|double|first|second|two|one|n|re))pass$/;
/** Where to look for it. */
const OTHER_SECRET = /^(?:existing|external|pull)$/;
const SECRET = /(?:secret|token|credential|cred|apikey|npmauth)s?$|community$|^(?:pat|masterauth)$/;
/** Numbers of them, parts of a language, and what leads to the next page. */
const OTHER_TOKEN =
  /^(?:next|page|pagination|continuation|cursor|cancel|cancellation|stop|pad|eos|bos|unk|sep|cls|mask|special|max|min|num|total|input|output|prompt|completion|cache|cached|reserved|design|syntax|json|css|word|sub|start|end|first|last|prev)$/;
const AUTH_TOKENS = /^(?:auth|api|access|refresh|bearer|secret|deploy)$/;
const OTHER_KEY =
  /^(?:public|publishable|pub|foreign|partition|unique|index|sort|cache|query|object|lookup|i|n|translation|idempotency|row|range|map|dict|group|host|ssh|registry|config|settings?|state|shard|route|routing|item|column|field|property|hot|arrow|press|result|json|message|label|dedup|sql|table|metric|gpg|hash|etag|param|attr|attribute|lang|locale|menu|event|data|file|path|s|any|by|the|no|is|has)$/;
/** These may be the key of an account where the name is that of an environment variable. */
const OTHER_KEY_IN_CODE = /^(?:primary|secondary|storage)$/;
/** What may follow the word that tells. */
const QUALIFIER =
  /^(?:prod|production|dev|development|stag|stage|staging|test|testing|live|sandbox|local|default|old|new|backup|main|current|previous|primary|secondary|b|base|enc|encoded|encrypted|raw|plain|plaintext|clear|text|str|string|val|value|env|var|data|arg|param|binary|pem|confirm|confirmation|again|repeat|v|us|eu|[a-d])$/;

/** The words of a name in any spelling: snake, kebab, dotted, camel, with digits. */
export const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);

/** The words up to the one that says what the value is: `DB_PASSWORD_V2` -> db, password. */
function headOf(name: string): string[] {
  const words = wordsOf(name);
  while (words.length > 1 && QUALIFIER.test(words[words.length - 1] as string)) words.pop();
  return words;
}

function isKey(name: string, head: string, before: string): boolean {
  if (head !== 'key' && head !== 'keys') return KEYS.some((word) => head === `${word}key`);
  if (OTHER_KEY.test(before)) return false;
  if (OTHER_KEY_IN_CODE.test(before)) return /^[A-Z\d_]+$/.test(name) && name.split('_').length > 2;
  return KEYS.includes(before) || (before !== '' && /_key\w*$/i.test(name)) || /^x-/i.test(name);
}

type Verdict = 'password' | 'secret' | 'other';

function judged(name: string): Verdict {
  // A key that held a secret is a text, not a name; the words of its placeholder say nothing of what stands under it.
  if (name.length < 2 || name.length > LONGEST || holdsPlaceholder(name)) return 'other';
  if (PASSWORDS_ABROAD.test(name)) return 'password';
  const words = headOf(name);
  const head = words[words.length - 1] ?? '';
  if (PASSWORD.test(head)) return 'password';
  return tells(name, head, words[words.length - 2] ?? '') ? 'secret' : 'other';
}

function tells(name: string, head: string, before: string): boolean {
  if (TOKENS_ABROAD.test(name)) return true;
  if (/tokens?$/.test(head)) return !OTHER_TOKEN.test(before) && (head !== 'tokens' || AUTH_TOKENS.test(before));
  if (head === 'salt' || head === 'pepper' || head === 'sk') return /^[A-Z\d_]+$/.test(name);
  return (SECRET.test(head) && !OTHER_SECRET.test(before)) || isKey(name, head, before);
}

const LONGEST = 88;
const REMEMBERED = 20_000;
const verdicts = new Map<string, Verdict>();
function verdictOn(name: string): Verdict {
  const known = verdicts.get(name);
  if (known) return known;
  const verdict = judged(name);
  if (verdicts.size < REMEMBERED) verdicts.set(copyOf(name), verdict);
  return verdict;
}

/** Is this the name of a secret (a JSON key, an option, a variable)? Its last word decides: a `token_url` is none. */
export const isSecretName = (name: string): boolean => verdictOn(name) !== 'other';
/** Is it the name of one whose value may be weak: words with a digit, a bare number? */
export const isPasswordName = (name: string): boolean => verdictOn(name) === 'password';
