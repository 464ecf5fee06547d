import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/json.ts';
import { createGate, createRedactor, knownValues } from '#redact/index.ts';
import { createRedactor as library } from '#redact/library.ts';
import { createScrubber } from '#redact/scrub.ts';
import { sample, survives } from '../support/samples.ts';

/** Secrets that passed by once, each for a reason of its own. */

const key = randomBytes(32);
const nowhere = () => undefined;
const password = () => sample('Tr0ub{an10}xyz');
const opaque = () => sample('q8Zr{an14}');

describe('a value under a telling name, wrapped in JSON', () => {
  test.each([
    ['a string', (v: string) => ({ password: JSON.stringify(v) })],
    ['a list', (v: string) => ({ password: JSON.stringify([v]) })],
    ['an object', (v: string) => ({ DB_PASSWORD: JSON.stringify({ value: v }) })],
  ])('%s', (_what, make) => {
    const value = password();
    const record = make(value) as unknown as JsonObject;
    expect(survives(value, JSON.stringify(createRedactor({ key }).record(record, 'main 0', nowhere)))).toBe(false);
    expect(createGate({ key }).check(Buffer.from(JSON.stringify(record)), 'a.jsonl')).not.toEqual([]);
  });
});

test('a value that stands bare before the name that tells it, in a text for the library', () => {
  const value = opaque();
  const redactor = library();
  expect(survives(value, redactor.text(`seen ${value} here\n\nexport API_TOKEN=${value}\n`, 'notes'))).toBe(false);
  expect(redactor.report().findings.map(({ record }) => record)).toEqual(expect.arrayContaining(['notes:1', 'notes:3']));
});

test('a purged value written with small digits of URL escapes', () => {
  const value = sample('Q7/x!9@z#{dig2}$k');
  const scrub = createScrubber([value], '[gone]');
  const written = encodeURIComponent(value).replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());
  expect(scrub.mayHold(Buffer.from(written))).toBe(true);
  expect(scrub.text(`a ${written} b`)).toBe('a [gone] b');
});

test('a token in the place of a user in a URL', () => {
  const token = sample('9f8a{hex28}');
  const url = `https://${token}@git.corp.dev/x`;
  const values = (found: readonly { value: string }[]) => found.map(({ value }) => value);
  expect(values(knownValues({ SENTRY_AUTH_TOKEN: url }, []))).toContain(token);
  expect(values(knownValues({}, [{ name: 'secrets.properties', text: `HOOK=${url}\n`, all: true }]))).toContain(token);
});

test.each([
  ['no anchors', { id: 'acme', anchors: [] }],
  ['a short anchor', { id: 'acme', anchors: ['ab'] }],
  ['a flag of its own', { id: 'acme', anchors: ['acme'], flags: 'y' }],
  ['an id that no placeholder has', { id: 'My-Rule', anchors: ['acme'] }],
])('a rule that would do nothing is refused: %s', (_what, rule) => {
  expect(() => library({ rules: [{ pattern: 'acme_[a-z]{4,8}', ...rule }] })).toThrow(/cannot be used/);
});

test('one text twice in a record, stored with more taken out in one place', () => {
  const [first, second] = [opaque(), sample('Zy82{an4}')];
  const text = `value ${first} and ${second} here`;
  const source = { a: text, b: text };
  const [one, two] = ['[REDACTED:pw:00000001]', '[REDACTED:pw:00000002]'];
  const stored = { a: `value ${one} and ${two} here`, b: `value ${one} and ${second} here` };
  const made = JSON.stringify(createRedactor({ key }).record(source, 'main 0', nowhere, stored));
  for (const value of [first, second]) expect(made).not.toContain(value);
});

test('a known value in another script among bytes that are no text', () => {
  const value = `пароль-Гамма-${sample('{dig4}')}-икс`;
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(value)]);
  const line = JSON.stringify({ type: 'raw', base64: bytes.toString('base64') });
  expect(createGate({ key, known: [{ value, kind: 'known' }] }).check(Buffer.from(line), 'transcript/main/000/000000.jsonl')).not.toEqual([]);
});

test('a name in another script above its value, with a telling word far below', () => {
  const value = sample('Xk9v{an10}!');
  const text = `     1→密码\n     2→${value}\n${'so it goes on. '.repeat(60)}\nthe token is new`;
  expect(survives(value, createRedactor({ key }).text(text, 'x'))).toBe(false);
});
