import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createGate, createRedactor } from '#redact/index.ts';
import { type RememberedValue, remember, rememberedLayer } from '#redact/known/remembered.ts';
import { sample } from '../support/samples.ts';

const key = randomBytes(32);
const keep = (...values: string[]) => values.map((value) => remember(key, { value, kind: 'pw' }) as RememberedValue);
const redactorWith = (...values: string[]) => createRedactor({ key, layers: [rememberedLayer(key, keep(...values))] });

const VALUES: Record<string, () => string> = {
  'a word with digits': () => sample('Tiger{an8}'),
  'symbols inside': () => `${sample('Tiger{an4}')},;=/${sample('{an6}')}`,
  'symbols at both ends': () => `!$${sample('{an8}')}.?`,
  'a space inside': () => `${sample('Tiger{an4}')} ${sample('{an6}')}`,
  'a quote and a backslash': () => `${sample('Tig{an6}')}"\\${sample('{an6}')}`,
};
const PLACES: Record<string, (value: string) => string> = {
  alone: (v) => v,
  'in quotes': (v) => `he said '${v}' and "${v}"`,
  'behind =': (v) => `x=${v}&y=1`,
  'in a URL': (v) => `see https://example.com/a/${v}/b`,
  "at a sentence's end": (v) => `We use ${v}. Then`,
  'in brackets': (v) => `f(${v}), [${v}]`,
  'behind an escape': (v) => `line\\n${v}\\n`,
  'in another script': (v) => `пароль${v}口令`,
  'in JSON': (v) => JSON.stringify({ note: [v] }),
};

describe.each(Object.entries(VALUES))('a remembered value with %s', (_what, make) => {
  test.each(Object.entries(PLACES))('is found %s, by redactor and gate', (_place, write) => {
    const value = make();
    const redactor = redactorWith(value);
    const made = redactor.text(write(value), 'x');
    expect(made).toContain('[REDACTED:pw:');
    expect(made.includes(value) || made.includes(JSON.stringify(value).slice(1, -1))).toBe(false);
    const gate = createGate({ key, layers: [rememberedLayer(key, keep(value))] });
    expect(gate.check(Buffer.from(write(value)), 'x').length).toBeGreaterThan(0);
    expect(gate.check(Buffer.from(made), 'x')).toEqual([]);
  });
});

describe('remembered values', () => {
  test('hold nothing of the value', () => {
    const value = sample('{an24}');
    expect(remember(key, { value, kind: 'gh' })).toEqual({ kind: 'gh', length: 24, print: expect.stringMatching(/^[0-9a-f]{64}$/), start: expect.any(Number) });
    expect(JSON.stringify(keep(value))).not.toContain(value.slice(0, 4));
  });

  test('are learned where they are found, so that all their forms are', () => {
    const value = sample('{an24}');
    const redactor = redactorWith(value);
    redactor.text(`use ${value}`, 'x');
    expect(redactor.learned().map((one) => one.value)).toEqual([value]);
    expect(redactor.text(Buffer.from(value).toString('base64'), 'x')).toMatch(/^\[REDACTED:b64:/);
  });

  test('leave other text of their length alone, and parts of words', () => {
    const value = sample('{an12}');
    const redactor = redactorWith(value);
    const text = `${sample('{an12}')} x${value} ${value}x ${value.slice(0, -1)}`;
    expect(redactor.text(text, 'x')).toBe(text);
  });

  test('are of no use under another key', () => {
    const value = sample('{an24}');
    const redactor = createRedactor({ key, layers: [rememberedLayer(randomBytes(32), keep(value))] });
    expect(redactor.text(value, 'x')).toBe(value);
  });

  test('are not kept where they are short or begin in no ASCII', () => {
    for (const value of ['shrt7', 'ключ-ключ-7', ' leading 123']) expect(remember(key, { value, kind: 'pw' })).toBeUndefined();
  });

  test('change the id of a gate, whose verdict depends on them, and not that of lines', () => {
    const layers = () => ({ key, layers: [rememberedLayer(key, keep(sample('{an24}')))] });
    expect(createGate(layers()).id).not.toBe(createGate(layers()).id);
    expect(createRedactor(layers()).id).toBe(createRedactor(layers()).id);
  });
});
