import { rules as preset } from '@secretlint/secretlint-rule-preset-recommend';
import { describe, expect, test } from 'vitest';
import { createEngine } from '../../redact/engine/engine.ts';
import { rules } from '../../redact/rules/index.ts';
import { DROPPED, GATES, ruleName } from '../../redact/shapes/secretlint.ts';
import { pem, sample, survives } from '../support/samples.ts';
import { clearedBy, timesOf } from '../support/scanning.ts';

const engine = createEngine();
const found = (text: string, name = '') => engine.scan(text, name).map((hit) => text.slice(hit.start, hit.end));
const cleared = (text: string): string => clearedBy(engine, text);

describe('rules', () => {
  const hits = rules.flatMap((rule) => rule.hits.map((template) => [rule.kind, template] as const));
  test.each(hits)('%s: %s is found, alone and in a line', (_kind, template) => {
    for (let i = 0; i < 5; i++) {
      const text = sample(template);
      expect(found(text)).not.toEqual([]);
      expect(found(`x ${text}\nnext`)).not.toEqual([]);
      expect(found(`\u001b[32m${text}\u001b[0m`)).not.toEqual([]);
    }
  });

  const misses = rules.flatMap((rule) => rule.misses.map((template) => [rule.kind, template] as const));
  test.each(misses)('%s: %s is left alone', (_kind, template) => {
    for (let i = 0; i < 5; i++) expect(found(sample(template))).toEqual([]);
  });

  test('kinds are short and start no rule themselves', () => {
    for (const { kind } of rules) {
      expect(kind).toMatch(/^[a-z0-9]{1,12}$/);
      expect(found(`[REDACTED:${kind}:0a1b2c3d] token=[REDACTED:${kind}:0a1b2c3d]`)).toEqual([]);
    }
  });

  test('every rule of the preset runs, but for the off switch and the one on file names', () => {
    const names = preset.map((rule) => ruleName(rule.meta.id)).sort();
    expect([...GATES.map((gate) => gate.rule), ...DROPPED].sort()).toEqual(names);
  });

  test.each([
    ['sk-ant-api03-{url93}AA', 'ant'],
    ['sk-proj-{url120}', 'oai'],
    ['sk-or-v1-{hex64}', 'openrouter'],
    ['sk-lf-{hex8}-{hex4}-{hex4}-{hex4}-{hex12}', 'langfuse'],
    ['sk_live_{an24}', 'stripe'],
    ['glpat-{an20}', 'gl'],
    ['hf_{an34}', 'hf'],
    ['sk-{hex32}', 'sk'],
    ['acme_live_{an32}', 'svc'],
  ])('%s is called %s', (template, kind) => expect(engine.scan(sample(template), '').map((hit) => hit.kind)).toEqual([kind]));

  test('a token that the preset knows as well is taken whole', () => {
    const vercel = sample('vcp_{an24}');
    expect(found(`deploy with ${vercel} now`)).toEqual([vercel]);
  });
});

const secret = () => sample('Q7{an14}x9');
const NAMED: [string, (value: string) => string][] = [
  ['environment file', (v) => `A=1\nDB_PASSWORD=${v}\nB=2`],
  ['quoted', (v) => `API_KEY="${v}"`],
  ['YAML', (v) => `db:\n  password: ${v}\n`],
  ['YAML list', (v) => `- name: DB_PASSWORD\n  value: "${v}"\n`],
  ['JSON', (v) => `{"client_secret": "${v}"}`],
  ['JSON in a string', (v) => `body: "{\\"access_token\\":\\"${v}\\"}"`],
  ['code', (v) => `const apiKey = '${v}';`],
  ['Go', (v) => `password := "${v}"`],
  ['option', (v) => `docker login --password ${v} registry`],
  ['netrc', (v) => `machine x login ann password ${v}`],
  ['XML', (v) => `<add key="DB_PASSWORD" value="${v}" />`],
  ['HTML entities', (v) => `&quot;password&quot;:&quot;${v}&quot;`],
  ['terminal colours', (v) => `\u001b[36mDB_PASSWORD\u001b[39m=\u001b[32m${v}\u001b[39m`],
  ['prose', (v) => `the admin password is ${v}, use it`],
  ['Chinese', (v) => `密码是 ${v}，用它登录`],
  ['Chinese colon', (v) => `密码：${v}`],
  ['query', (v) => `GET /x?access_token=${v}&a=1`],
  ['cookie', (v) => `Cookie: theme=dark; session=${v}${v}; a=b`],
  ['connection string', (v) => `Server=sql1;User Id=sa;Password=${v};Encrypt=true`],
  ['base64 of a document', (v) => `echo ${Buffer.from(`{"a":1,"password":"${v}"}`).toString('base64')} | base64 -d`],
];

describe('names', () => {
  test.each(NAMED)('%s', (_where, write) => {
    for (let i = 0; i < 5; i++) {
      const value = secret();
      const text = write(value);
      expect(survives(value, cleared(text))).toBe(false);
      expect(cleared(text)).not.toBe(text);
      if (text.includes('base64')) expect(cleared(text)).toBe('echo # | base64 -d');
    }
  });

  test.each([
    'const token = await getToken();',
    'password: string | null',
    'password := r.FormValue("password")',
    'apiKey: process.env.API_KEY,',
    'token: ${{ secrets.GITHUB_TOKEN }}',
    'max_tokens: 200000, input_tokens=123456',
    'secretName: database-credentials-v2',
    'The password must contain at least 12 characters.',
    '密码长度至少 12 位',
    'PASSWORD=********',
    'api_key = "your-api-key-here"',
    'if (password === undefined) return;',
    'const password = result.groups?.password;',
    'self.token = self.load_token2',
    'git@github.com:a/b.git uuid 0b0f4c0e-2f0e-4e0a-9b1c-1a2b3c4d5e6f',
  ])('left alone: %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  test.each(['NEXTAUTH_SECRET', 'MINIO_ROOT_PASSWORD', 'SHARED_SECRET', 'PAGERDUTY_TOKEN', 'MAXMIND_LICENSE_KEY', 'INPUTS_TOKEN'])(
    '%s tells a secret',
    (name) => {
      const value = secret();
      expect(found(`${name}=${value}`)).toEqual([value]);
    },
  );
  test.each(['maxTokens', 'max_tokens', 'nextToken', 'NEXT_PAGE_TOKEN', 'totalTokens'])('%s tells none', (name) => {
    expect(found(`${name}=${secret()}`)).toEqual([]);
  });

  test('a value is judged by the key it stands under', () => {
    const value = secret();
    expect(found(value, 'password')).toEqual([value]);
    expect(found(value, 'description')).toEqual([]);
    expect(found(value, 'tokenType')).toEqual([]);
  });
});

describe('private keys', () => {
  const block = pem();
  const body = block.split('\n').slice(1, -1).join('');
  test.each([
    ['whole', block],
    ['cut off', `${block.slice(0, 500)}\n[output truncated]`],
    ['without its begin', block.slice(100)],
    ['without its begin, escaped', block.slice(100).replaceAll('\n', '\\n')],
    ['escaped', JSON.stringify({ key: block })],
    [
      'numbered',
      block
        .split('\n')
        .map((line, i) => `${String(i + 1).padStart(6)}\t${line}`)
        .join('\n'),
    ],
    ['in a diff', block.replace(/^/gm, '+')],
    ['of PGP', pem('PGP ').replaceAll('PRIVATE KEY', 'PRIVATE KEY BLOCK')],
  ])('%s', (_form, text) => {
    const left = cleared(`before\n${text}\nafter`);
    for (let i = 80; i + 40 < Math.min(body.length, 380); i += 40) expect(left).not.toContain(body.slice(i, i + 16));
    expect(left).toMatch(/^before\n/);
    expect(left).toMatch(/\nafter$/);
  });

  test('the markers in the source of a program are no key', () => {
    const dashes = '-'.repeat(5);
    expect(
      found(
        `const BEGIN = '${dashes}BEGIN PRIVATE KEY${dashes}';\nfunction parse(text) { return text.slice(BEGIN.length); }\nconst END = '${dashes}END PRIVATE KEY${dashes}';`,
      ),
    ).toEqual([]);
  });
});

describe('hostile texts', () => {
  const repeated = [
    '-----BEGIN RSA PRIVATE KEY-----',
    '-----END RSA PRIVATE KEY-----',
    'eyJ',
    'token=',
    'password is ',
    'cookie=',
    'cookie: a',
    '://',
    '://a:',
    'AAAAAAAAAAAAAAAAAAAAA',
    'c2VjcmV0',
    'sk-ant-api03-',
    'bearer ',
    'basic a',
    '{"a":',
    '[REDACTED:pw:00000000]',
    '"',
    '\\"',
    'xoxb-1-',
    'npm_',
    '密码是',
    'hooks.slack.com/services/',
  ];
  test.each(repeated)('takes time in proportion to the length: %s', (part) => {
    const { small, large } = timesOf(part, (text) => engine.scan(text, ''));
    expect(large).toBeLessThan(Math.max(400, small * 10));
  });

  test('no comment in a text switches the search off', () => {
    const token = sample('ghp_{an36}');
    for (const off of [
      'secretlint-disable',
      '/* secretlint-disable */',
      'gitleaks:allow',
      'secretlint-disable-line',
      '// secretlint-disable @secretlint/secretlint-rule-github',
    ])
      expect(survives(token, cleared(`${off}\n${token} ${off}`))).toBe(false);
  });
});
