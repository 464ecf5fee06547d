import { describe, expect, test } from 'vitest';
import { knownValues } from '#redact/index.ts';
import { sample } from '../support/samples.ts';

/** Names that say nothing. */
const NAMES = ['FEATURE_COLOR', 'STAGE_ONE', 'SLOT', 'THEME', 'X'];
const taken = (name: string, value: string, file = '.env.local') => knownValues({}, [{ name: file, text: `${name}=${value}` }]).map((one) => one.value);

/** What would be missed everywhere else if it were taken out, by what it is. */
const HARMLESS: Record<string, string> = {
  words: 'production disabled-by-default localStorage some_long_variable_name MiniLM useOAuth2Flow Bearer commonjs2 CustomerServiceEndpoint',
  versions: '1.2.3-beta.4+build5 v20.11.1 ^1.2.3 >=18.0.0 7.5.0-SNAPSHOT 2024.3.1.Final jdk-21.0.4+7 v1.4.2-14-g1a2b3c4d v1.2.3-rc.1',
  regions: 'eu-central-1 us-east-1a ap-southeast-2,eu-west-1 sandbox2.eu1 northamerica-northeast2',
  models: `gpt-4o-mini gpt-4o-2024-08-06 claude-opus-4-5 claude-3-5-sonnet-20241022 us.anthropic.claude-3-5-sonnet-20241022-v2:0 Qwen2.5-Coder-32B-Instruct
    llama-3.1-8b-instruct-q4_K_M all-MiniLM-L6-v2 text-embedding-3-large BAAI/bge-large-en-v1.5 mistralai/Mistral-7B-Instruct-v0.3 deepseek-r1-0528
    @cf/meta/llama-3.1-8b-instruct-fp8 gemini-2.0-flash-thinking-exp-01-21`,
  images: `node:20-alpine postgres:16.4-alpine3.20 registry.acme.dev/app/web:2024.11.05-abc ghcr.io/acme/web:v1.2.3-rc.1 nvidia/cuda:12.4.1-cudnn-devel-ubuntu22.04
    python3.12-slim-bookworm k8s.gcr.io/pause:3.9 web-7d9f8b6c5d-x2x4z`,
  hosts: 'db.acme.dev:5432 localhost:3000 smtp.mail2.acme.dev:587 2001:db8::1/64 10.0.0.0/8 00:1A:2B:3C:4D:5E 12345-abcdef.apps.googleusercontent.com',
  URLs: 'https://auth.acme.dev/v2/token http://localhost:3000,http://127.0.0.1:5173 redis://cache:6379/0 s3://bucket2/prefix1',
  paths:
    '/var/lib/app2/data ./config/app.v2.json ~/projects/web2/.cache src/**/*.test.ts C:\\Users\\ann\\app2 projects/p1/locations/us-central1/keyRings/main2',
  addresses: 'ann.lee2@acme.dev ci+build42@acme.dev',
  times: '2026-12-01T10:00:00Z 20261201T101500Z 2026-12-01 1h30m00s 24h7d12m PT15M30S %Y-%m-%dT%H:%M:%S Europe/Berlin UTC+02:00',
  numbers: '1234567890 512MB 10GiB 0.0.0.0:8080 pool=10&timeout=30s user=ann1;mode=rw2',
  colours: '#aabbcc #a1b2c3ff rgb(12,34,56) 0x1f4e79',
  machines: 'linux/amd64 x86_64 arm64v8 t3.2xlarge m5.2xlarge x64-mingw-ucrt ubuntu-24.04-arm macos-14-xlarge A100-SXM4-80GB RTX4090 Windows2022',
  algorithms:
    'HS256 AES-256-GCM TLS_AES_256_GCM_SHA384 PBKDF2WithHmacSHA256 ECDHE-RSA-AES128-GCM-SHA256 RSA-OAEP-256 ed25519 secp256k1 prime256v1 powerpc64le-unknown-linux-gnu utf8mb4_unicode_ci',
  ids: `i-0abc123def4567890 vpc-0a1b2c3d arn:aws:iam::123456789012:role/Deploy2 my-project-382911 acme-prod-7f9c2d G-AB12CD34EF UA-12345678-1
    0b0f4c0e-2f0e-4e0a-9b1c-1a2b3c4d5e6f e3b0c44298fc1c149afbf4c8996fb92427ae41e4 a1b2c3d4 sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855`,
  settings:
    '--max-old-space-size=4096 -Xmx512m -Dspring.profiles=prod2 application/vnd.api+json ^v\\d+\\.\\d+$ {"a":"b2c3"} [1,2,3] pgbouncer6432 @acme/web2@1.2.3 workspaces/* std=c++11 buffer@^6.0.3 @acme/acme6@^6.0.2',
};
const harmless = Object.entries(HARMLESS).flatMap(([what, values]) => values.split(/\s+/).map((value) => [what, value] as const));

describe('values of .env files', () => {
  test('there are enough of them here', () => expect(harmless.length).toBeGreaterThan(100));
  test.each(harmless)('%s stay: %s', (_what, value) => expect(taken('X', value)).toEqual([]));

  test.each(['MAPS_PUBLIC', 'CLIENT_ID', 'tenantId', 'ASSET_HASH', 'APP_VERSION', 'CDN_TAG', 'IMAGE', 'MODEL', 'REGION', 'GIT_COMMIT'])(
    'what is called %s stays, however random',
    (name) => expect(taken(name, sample('{an15}'))).toEqual([]),
  );

  const drawn = Array.from({ length: 60 }, (_, i) => [NAMES[i % NAMES.length] as string, 10 + (i % 15)] as const);
  test.each(drawn)('under %s a random one of %i characters goes', (name, length) => {
    // Of ten characters one in twenty looks like a word with a number.
    const values = Array.from({ length: 20 }, () => sample(`{an${length}}`));
    expect(values.filter((value) => taken(name, value).includes(value)).length).toBeGreaterThanOrEqual(length < 12 ? 15 : 18);
  });

  test.each([
    ['an', 10, 0.93],
    ['an', 15, 0.98],
    ['low', 10, 0.88],
    ['low', 16, 0.96],
    ['up', 16, 0.96],
    ['b32', 16, 0.96],
    ['b64', 16, 0.95],
    ['url', 22, 0.96],
    ['az', 16, 0.95],
    ['hex', 16, 0.98],
    ['hex', 32, 1],
    ['hex', 64, 1],
  ] as const)('of those with the characters %s and %i long, so large a share goes: %d', (characters, length, share) => {
    const values = Array.from({ length: 600 }, () => sample(`{${characters}${length}}`));
    expect(values.filter((value) => taken('X', value).includes(value)).length / values.length).toBeGreaterThanOrEqual(share);
  });

  test.each(['P@$$w0rd9', 'Summer2024!', 'Blue!Kiwi', 'Tr0ub4dor&3', 's3cr3tpass'])('a password that somebody chose goes: %s', (value) => {
    expect(taken('X', value)).toEqual([value]);
  });

  test('in a list, and behind a user’s name, they go by themselves', () => {
    const [a, b] = [sample('Qz7{an12}'), sample('{an13}k9X')];
    expect(taken('X', `${a},${b}`)).toEqual(expect.arrayContaining([a, b]));
    expect(taken('X', `ann:${a}`)).toContain(a);
  });

  test.each(['.env', '.env.local', 'prod.env', '.dev.vars', '.envrc', 'secrets.yml'])('so in %s', (file) => {
    const value = sample('Qz7{an12}');
    expect(knownValues({}, [{ name: file, text: `X: ${value}` }]).map((one) => one.value)).toEqual([value]);
  });

  test.each(['1pt', '1a', 'aB', 'Ab1', 'a=b&', 'a1-', 'x1,', '!a', '%Y', '0a:', 'AB', '**/', 'P1T'])(
    'are judged in time that is proportional to the length: %j',
    (part) => {
      for (const end of ['', '!', '_', 'abcd'])
        for (const length of [400, 4000]) {
          const start = performance.now();
          taken('X', part.repeat(length / part.length) + end);
          expect(performance.now() - start).toBeLessThan(200);
        }
    },
  );

  test('not in an environment or another file, where much is random and no secret', () => {
    const value = sample('Qz7{an12}');
    expect(knownValues({ X: value }, [{ name: 'config', text: `X=${value}` }])).toEqual([]);
  });
});
