/** What comes before "key" in the name of a secret, where the two are not joined by an underscore. */
const KEYS = [
  ...['api', 'access', 'private', 'secret', 'auth', 'app', 'application', 'admin', 'encryption', 'decryption', 'signing', 'signature', 'master', 'service'],
  ...['servicerole', 'role', 'license', 'licence', 'account', 'shared', 'subscription', 'function', 'functions', 'deploy', 'session', 'server', 'root'],
  ...['hmac', 'aes', 'jwt', 'cookie', 'webhook', 'unseal', 'recovery', 'cipher', 'crypto', 'security', 'symmetric', 'integration', 'write', 'client'],
  ...['activation', 'preshared', 'radius', 'tls', 'ssl', 'bot', 'developer'],
];
/** Passwords, tokens and keys in other languages; ASCII case is folded by the automaton, other letters are not. */
const PASSWORD_ABROAD = [
  ...['密码', '密碼', '口令', 'パスワード', '暗証番号', '비밀번호', '암호', 'ароль', 'passwort', 'kennwort', 'contraseña', 'contrasena', 'mot de passe'],
  ...['senha', 'wachtwoord', 'lösenord', 'hasło', 'heslo', 'jelszó', 'şifre', 'salasana', 'adgangskode', 'parola', 'mật khẩu', 'סיסמה', 'كلمة المرور'],
];
const TOKEN_ABROAD = ['密钥', '密鑰', '金鑰', '私钥', '秘钥', '令牌', '凭证', '授权码', 'トークン', '秘密鍵', '토큰', '비밀키', 'окен'];

/** Parts of names that tell a secret. Small letters; each is an anchor. */
export const NAME_PARTS: readonly string[] = [
  ...[
    'pass',
    'pwd',
    'pw',
    'psk',
    'secret',
    'token',
    'credential',
    'creds',
    '_key',
    '_pat',
    '_salt',
    '_pepper',
    '_sk',
    'masterauth',
    'community',
    'clave',
    '-key',
  ],
  ...['npm_auth', 'npmauth', 'extpat', 'githubpat', 'gitlabpat', 'azurepat', 'userpat'],
  ...KEYS.flatMap((word) => ['', ' ', '-', '.'].map((joint) => `${word}${joint}key`)),
  ...PASSWORD_ABROAD.filter((word) => !word.startsWith('pass')),
  ...TOKEN_ABROAD,
];

const ABROAD = new RegExp([...PASSWORD_ABROAD, ...TOKEN_ABROAD].join('|'), 'i');
const PASSWORD =
  /^clave$|(?:password|passwd|passphrase|passcode|pwd|pw|psk)s?$|(?<!\b(?:get|mini|buy|by|com|encom|tres|over|under|sur|multi|single|double|first|second|two|one|n|re))pass$/;
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

function tells(name: string): boolean {
  if (ABROAD.test(name)) return true;
  const words = headOf(name);
  const head = words[words.length - 1] ?? '';
  const before = words[words.length - 2] ?? '';
  if (PASSWORD.test(head)) return true;
  if (/tokens?$/.test(head)) return !OTHER_TOKEN.test(before) && (head !== 'tokens' || AUTH_TOKENS.test(before));
  if (head === 'salt' || head === 'pepper' || head === 'sk') return /^[A-Z\d_]+$/.test(name);
  return (SECRET.test(head) && !OTHER_SECRET.test(before)) || isKey(name, head, before);
}

const verdicts = new Map<string, boolean>();
/** Is this the name of a secret (a JSON key, an option, a variable)? Its last word decides: a `token_url` is none. */
export function isSecretName(name: string): boolean {
  if (name.length < 2 || name.length > 88) return false;
  let verdict = verdicts.get(name);
  if (verdict === undefined) {
    verdict = tells(name);
    if (verdicts.size < 20_000) verdicts.set(name, verdict);
  }
  return verdict;
}

const ABROAD_PASSWORD = new RegExp(PASSWORD_ABROAD.join('|'), 'i');
/** Names whose value may be weak: words with a digit, a bare number. */
export function isPasswordName(name: string): boolean {
  const words = headOf(name);
  return PASSWORD.test(words[words.length - 1] ?? '') || ABROAD_PASSWORD.test(name);
}
