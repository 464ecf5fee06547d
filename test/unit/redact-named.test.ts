import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/json.ts';
import { createRedactor } from '#redact/index.ts';
import { isStandIn, isStriking } from '../../redact/context/judge.ts';
import { isPasswordName, isSecretName } from '../../redact/context/names.ts';
import { INNOCENT } from '../support/innocent.ts';
import { NOTATIONS } from '../support/notations.ts';
import { sample, survives } from '../support/samples.ts';
import { written } from '../support/written.ts';

const key = randomBytes(32);
/** As the output of a tool, by a redactor that has learned nothing yet. */
const redacted = (text: string): string => {
  const record = createRedactor({ key }).record({ message: { content: text } } as JsonObject, 'main 0', () => undefined);
  return (record as { message: { content: string } }).message.content;
};

describe('secrets that are told by their context', () => {
  const families = [...new Set(NOTATIONS.map(([family]) => family))];
  test.each(families)('%s: 98 in 100 go, whatever the notation', (family) => {
    const missed: string[] = [];
    let count = 0;
    for (const [, kinds, template] of NOTATIONS.filter(([one]) => one === family))
      for (const kind of kinds) {
        const { text, forms } = written(template, kind);
        const out = redacted(text);
        count++;
        if (forms.some((form) => survives(form, out))) missed.push(`${kind} ${template}`);
      }
    expect(missed.length / count, missed.join('\n')).toBeLessThanOrEqual(0.02);
  });

  test.each(NOTATIONS.map(([, kinds, template]) => [template, kinds] as const))('%s', (template, kinds) => {
    const gone = [1, 2, 3].map(() => {
      const { text, forms } = written(template, kinds.charAt(0));
      const out = redacted(text);
      return !forms.some((form) => survives(form, out));
    });
    expect(gone).toContain(true);
  });
});

describe('texts that speak of secrets and hold none', () => {
  const numbered = (text: string) =>
    text
      .split('\n')
      .map((line, i) => `     ${i + 2}\t${line}`)
      .join('\n');
  test.each(INNOCENT)('%s', (template) => {
    const text = sample(template);
    expect(redacted(text)).toBe(text);
    for (const dressed of [`     1\tfoo\n${numbered(text)}\n     9\tbar`, text.replace(/^/gm, '+'), text.replace(/^/gm, '> ')])
      expect(redacted(dressed)).toBe(dressed);
  });
});

test.each([
  ['DB_PASSWORD', true],
  ['DB_PASSWORD_V2', true],
  ['spring.datasource.password', true],
  ['MINIO_SECRET_KEY', true],
  ['SHARED_SECRET', true],
  ['NEXTAUTH_SECRET', true],
  ['CACHE_PASSWORD', true],
  ['PAGERDUTY_TOKEN', true],
  ['userPwd', true],
  ['X-Functions-Key', true],
  ['password_reset_token', true],
  ['AZURE_STORAGE_PRIMARY_KEY', true],
  ['storePassword', true],
  ['密码', true],
  ['secretName', false],
  ['token_url', false],
  ['tokenizer', false],
  ['max_tokens', false],
  ['nextPageToken', false],
  ['passwordless', false],
  ['minipass', false],
  ['public_key', false],
  ['primaryKey', false],
  ['cacheKey', false],
  ['i18n_key', false],
  ['secretsmanager', false],
  ['password.go', false],
  ['monkey', false],
])('is %s the name of a secret? %s', (name, expected) => {
  expect(isSecretName(name)).toBe(expected);
});

test.each([
  ['db_pass', true],
  ['PASSWORD_OLD', true],
  ['пароль', true],
  ['token', false],
])('is %s the name of a password? %s', (name, expected) => {
  expect(isPasswordName(name)).toBe(expected);
});

test.each([
  ['changeme', true],
  ['ChangeMe123!', true],
  ['your-api-key-here', true],
  ['test1234', true],
  ['${DB_PASSWORD}', true],
  ['{{ .Values.x }}', true],
  ['<token>', true],
  ['$TOKEN', true],
  ['************', true],
  ['fooBarcelona77', false],
  ['testing-the-Limits9', false],
  ['$ecret42!x', false],
])('is %s a stand-in? %s', (value, expected) => {
  expect(isStandIn(value)).toBe(expected);
});

test.each([
  'getUserById2',
  'OAuth2Client',
  'v1.2.3-beta.1',
  '2026-03-04T10:11:12Z',
  'src/auth/token2.ts',
  'user1.token2',
  'SHA-256',
  'ann@corp.dev',
  'total=21',
  'useState(x1)',
])('nothing about %s strikes the eye', (value) => {
  expect(isStriking(value)).toBe(false);
});

describe('names beside values in JSON', () => {
  const secret = () => sample('Wq7{an14}');
  test.each([
    ['a header', (v: string) => ({ headers: { Authorization: `Token ${v}` } })],
    ['a list of names and values', (v: string) => ({ rawHeaders: ['Host', 'x', 'X-Auth-Token', v] })],
    ['a parameter of a stack', (v: string) => ({ Parameters: [{ ParameterKey: 'DbPassword', ParameterValue: v }] })],
    ['a stored parameter', (v: string) => ({ Name: '/prod/db/password', Type: 'SecureString', Value: v })],
    ['an output of a plan', (v: string) => ({ db_password: { sensitive: true, type: 'string', value: v } })],
    ['the login of a registry', (v: string) => ({ auths: { 'reg.corp.dev': { auth: Buffer.from(`ci:${v}`).toString('base64') } } })],
  ])('%s', (_where, make) => {
    const value = secret();
    const out = JSON.stringify(createRedactor({ key }).record(make(value) as unknown as JsonObject, 'main 0', () => undefined));
    expect(survives(value, out)).toBe(false);
    expect(survives(Buffer.from(`ci:${value}`).toString('base64'), out)).toBe(false);
  });
});
