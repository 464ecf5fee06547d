import { describe, expect, test } from 'vitest';
import { knownValues, type SecretFile } from '#redact/index.ts';
import { sample } from '../support/samples.ts';
import { timesOf } from '../support/scanning.ts';

const values = (env: Record<string, string>, files: SecretFile[] = []) => knownValues(env, files).map((one) => one.value);

describe('known values', () => {
  test('come from variables with telling names and from passwords in URLs', () => {
    const [a, b, c] = [sample('{an20}'), sample('Tiger{an6}'), sample('{an16}')];
    expect(values({ DEPLOY_TOKEN: a, DB_PASSWORD: b, DATABASE_URL: `postgres://app:${c}@db/x`, EDITOR: sample('{an20}') }).sort()).toEqual([a, b, c].sort());
  });

  test('are no paths, words, numbers, references or short values', () => {
    expect(
      values({
        SSH_KEY: '/home/ann/.ssh/id',
        API_TOKEN: 'production',
        MY_SECRET: '12345678',
        A_TOKEN: 'ab12',
        B_TOKEN: '${OTHER}',
        C_SECRET: 'true',
        D_TOKEN: 'https://x.dev/token',
        E_KEY: 'your-api-key-here',
      }),
    ).toEqual([]);
  });

  test('come from .env, .npmrc and .netrc files, not from templates of them', () => {
    const [a, b, c, d] = [sample('{an20}'), sample('{an12}#{an6}'), sample('{an24}'), sample('{an14}')] as const;
    const files = [
      { name: '.env.local', text: `# x\nPORT=8080\nexport API_KEY=${a} # note\nDB_PASSWORD="${b}"\n` },
      { name: '.env.example', text: `API_KEY=${sample('{an20}')}\n` },
      { name: '.npmrc', text: `//registry.x.dev/:_authToken=${c}\n` },
      { name: '.netrc', text: `machine x login ann password ${d}\n` },
    ];
    expect(values({}, files).sort()).toEqual([a, b, c, d].sort());
  });

  test.each<[string, (v: string) => Record<string, string>]>([
    ['a login for a proxy', (v) => ({ HTTPS_PROXY: `http://ann:${v}@proxy.acme.dev:3128` })],
    ['a login for a proxy, escaped', (v) => ({ https_proxy: `http://ann:${encodeURIComponent(v)}@proxy.acme.dev:3128` })],
    ['a command for SSH', (v) => ({ GIT_SSH_COMMAND: `sshpass -p ${v} ssh -o User=ann` })],
    ['a token of a client', (v) => ({ CLAUDE_CODE_MESSAGING_TOKEN: v })],
    ['a header', (v) => ({ CURL_OPTS: `-H "Authorization: Bearer ${v}"` })],
    ['a database', (v) => ({ DSN: `postgresql://app:${v}@db.acme.dev/main?sslmode=require` })],
    ['a numbered key', (v) => ({ KEY_17: v })],
  ])('come from %s in the environment', (_what, env) => {
    const value = `Qz7${sample('{an14}')}-x9`;
    expect(values(env(value))).toContain(value);
  });

  const base64 = (text: string) => Buffer.from(text).toString('base64');
  test.each<[string, string, (v: string) => string]>([
    ['.env', 'plain', (v) => `A=1\nAPI_KEY=${v}\nB=2`],
    ['.env.local', 'with a carriage return', (v) => `API_KEY=${v}\r\nB=2\r\n`],
    ['.envrc', 'exported', (v) => `export SERVICE_TOKEN='${v}'`],
    ['prod.env', 'quoted', (v) => `DB_PASSWORD="${v}" # note`],
    ['.env', 'without a telling name', (v) => `STAGE_ONE=${v}`],
    ['.env', 'in a URL', (v) => `CACHE=redis://:${v}@cache:6379/0`],
    ['.npmrc', 'token', (v) => `registry=https://r.acme.dev/\n//r.acme.dev/:_authToken=${v}\n`],
    ['.npmrc', 'login', (v) => `//r.acme.dev/:_auth=${base64(`ann:${v}`)}\n`],
    ['.npmrc', 'password', (v) => `//r.acme.dev/:_password="${base64(v)}"\n`],
    ['.yarnrc.yml', 'token', (v) => `npmRegistries:\n  //r.acme.dev:\n    npmAuthToken: "${v}"\n`],
    ['.yarnrc.yml', 'login', (v) => `npmAuthIdent: "ann:${v}"\n`],
    ['.netrc', 'one line', (v) => `machine a.dev login ann password ${v}\n`],
    ['_netrc', 'several lines', (v) => `machine a.dev\n  login ann\n  password "${v}"\n`],
    ['.pgpass', 'line', (v) => `# x\ndb.acme.dev:5432:*:app:${v.replace(':', '\\:')}\n`],
    ['.my.cnf', 'section', (v) => `[client]\nuser = app\npassword = ${v}\n`],
    ['.pypirc', 'section', (v) => `[pypi]\n  username = __token__\n  password = ${v}\n`],
    ['.git-credentials', 'URL', (v) => `https://ann:${v}@git.acme.dev\n`],
    ['credentials', 'of AWS', (v) => `[default]\naws_access_key_id = x\naws_secret_access_key = ${v}\n`],
    ['hosts.yml', 'of gh', (v) => `github.com:\n    user: ann\n    oauth_token: ${v}\n`],
    ['config.json', 'of Docker', (v) => JSON.stringify({ auths: { 'r.acme.dev': { auth: base64(`ann:${v}`) } } })],
    ['config', 'of kubectl', (v) => `users:\n- name: ann\n  user:\n    token: ${v}\n    client-certificate-data: x\n`],
    ['application_default_credentials.json', 'of gcloud', (v) => JSON.stringify({ client_id: 'x', client_secret: v, type: 'authorized_user' })],
    ['msal_token_cache.json', 'of az', (v) => JSON.stringify({ RefreshToken: { 'a-b': { secret: v, environment: 'login.microsoftonline.com' } } })],
    ['credentials.toml', 'of cargo', (v) => `[registry]\ntoken = "${v}"\n`],
    ['credentials', 'of gem', (v) => `---\n:rubygems_api_key: ${v}\n`],
    ['credentials.tfrc.json', 'of Terraform', (v) => JSON.stringify({ credentials: { 'app.terraform.io': { token: v } } })],
    ['.credentials.json', 'of Claude Code', (v) => JSON.stringify({ claudeAiOauth: { accessToken: v, expiresAt: 1, scopes: ['user:inference'] } })],
    ['auth.json', 'of Codex', (v) => JSON.stringify({ OPENAI_API_KEY: v, tokens: null })],
    [
      'local.settings.json',
      'of Azure Functions',
      (v) => JSON.stringify({ Values: { AzureWebJobsStorage: `AccountKey=${v}`, FUNCTIONS_WORKER_RUNTIME: 'node' } }),
    ],
    ['.vault-token', 'alone', (v) => `${v}\n`],
  ])('come from %s: %s', (name, _what, text) => {
    const value = `Qz7${sample('{an24}')}x9`;
    const found = values({}, [{ name, text: text(value) }]);
    expect(found).toContain(value);
    for (const word of ['ann', 'x', 'app', 'authorized_user', 'node', '__token__', 'user:inference', 'github.com']) expect(found).not.toContain(word);
  });

  test('a value may go over several lines, and is also known as it is meant', () => {
    const [a, b] = [sample('Qz7{an12}'), sample('{an12}x9')];
    expect(values({}, [{ name: '.env', text: `SIGNING_SECRET="${a}\n${b}"\nPORT=1\nA_SECRET="${a}\\n${b}"` }])).toEqual([`${a}\n${b}`, `${a}\\n${b}`]);
  });

  test('of a file that its owner names, all values are', () => {
    const value = sample('Qz7{an9}');
    expect(values({}, [{ name: 'x.properties', text: `color=${value}\nhost=db.acme.dev\nmode=production\nport=5432`, all: true }])).toEqual([value]);
    expect(values({}, [{ name: 'x.properties', text: `color=${value}` }])).toEqual([]);
  });

  test('are no ids, hosts, dates, booleans or addresses', () => {
    const text = [
      'AUTH_HOST=auth.acme.dev:8443',
      'TOKEN_URL=https://auth.acme.dev/token',
      'SECRET_ENABLED=disabled-by-default',
      'KEY_DATE=2026-12-01T10:00:00Z',
      'PASSWORD_EMAIL=ann.lee@acme.dev',
      'SESSION=0b0f4c0e-2f0e-4e0a-9b1c-1a2b3c4d5e6f',
      'COMMIT=e3b0c44298fc1c149afbf4c8996fb92427ae41e4',
      'IMAGE=registry.acme.dev/app/web:2024.11.05-abc',
      `NEXT_PUBLIC_MAPS=${sample('{an32}')}`,
      `BUILD_ID=${sample('{an32}')}`,
      'PATH_TO_KEY=/home/ann/.ssh/id_ed25519_2024',
    ].join('\n');
    expect(values({}, [{ name: '.env', text }])).toEqual([]);
  });

  test.each(['A="', "A='", 'password ', 'A=1\n', '"a":', '\\', 'export ', '://a:', 'A="\\"', ' '])(
    'are read in time that is proportional to the length: %j',
    (part) => {
      const read = (text: string): void => {
        for (const name of ['.env', '.netrc', '.pgpass']) values({}, [{ name, text }]);
      };
      const { small, large } = timesOf(part, read, 10_000);
      expect(large).toBeLessThan(Math.max(1000, small * 12));
    },
  );
});
