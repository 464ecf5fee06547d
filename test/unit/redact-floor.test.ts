import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/json.ts';
import { createRedactor, fingerprints, pathMap } from '#redact/index.ts';
import { createAllow } from '#redact/settings/allow.ts';
import { sample } from '../support/samples.ts';

const key = randomBytes(32);
const other = randomBytes(32);
const nowhere = () => undefined;
/** What nothing but the environment tells. */
const word = () => sample('harmless{an3}');
const known = (...values: string[]) => values.map((value) => ({ value, kind: 'known' }));

function storedAndSource(make: (value: string) => JsonObject) {
  const value = word();
  const source = make(value);
  const stored = createRedactor({ key, known: known(value) }).record(source, 'main 0', nowhere);
  return { value, source, stored };
}

const SHAPES: Record<string, (value: string) => JsonObject> = {
  'the whole of a string': (v) => ({ a: v }),
  'a part of a text': (v) => ({ a: `use ${v}, then ${v}.` }),
  'nested JSON': (v) => ({ a: JSON.stringify({ b: { c: [`x ${v}`] } }) }),
  'a key': (v) => ({ map: { [v]: 1, other: 2 } }),
  'several strings': (v) => ({ a: v, b: [v, { c: `-${v}-` }] }),
};

describe('what was stored before is a floor', () => {
  test.each(Object.entries(SHAPES))('for %s', (_what, make) => {
    const { value, source, stored } = storedAndSource(make);
    expect(JSON.stringify(stored)).not.toContain(value);
    for (const redactor of [createRedactor({ key }), createRedactor({ key: other })]) {
      expect(redactor.record(source, 'main 0', nowhere, stored)).toEqual(stored);
      expect(redactor.report().total).toBeGreaterThan(0);
      // It is taken out wherever else it stands, too.
      expect(redactor.text(`so ${value} it is`, 'main 1')).not.toContain(value);
    }
  });

  test('for numbers, which are no numbers then', () => {
    const stored = createRedactor({ key }).record({ password: 482_913 }, 'main 0', nowhere);
    expect(createRedactor({ key: other }).record({ password: 482_913 }, 'main 0', nowhere, stored)).toEqual(stored);
  });

  test('for lines that are kept as they stand, texts and bytes', () => {
    const value = word();
    const before = createRedactor({ key, known: known(value) });
    const line = `{"a" : "x ${value}"}`;
    const storedLine = before.line(line, 'main 0', nowhere);
    expect(createRedactor({ key }).line(line, 'main 0', nowhere, storedLine)).toBe(storedLine);
    const text = `a\n${value}\nb`;
    const storedText = before.text(text, 'x');
    expect(createRedactor({ key }).text(text, 'x', '', storedText)).toBe(storedText);
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text)]);
    const storedBytes = before.bytes(bytes, 'x');
    expect(createRedactor({ key }).bytes(bytes, 'x', storedBytes).equals(storedBytes)).toBe(true);
  });

  test('in one step with paths', () => {
    const value = word();
    const paths = pathMap({ home: '/home/ann', roots: [{ token: 'PROJECT', path: '/home/ann/proj' }] });
    const source = { a: `/home/ann/proj/x ${value} \${HOME}` };
    const stored = createRedactor({ key, paths, known: known(value) }).record(source, 'main 0', nowhere);
    expect(createRedactor({ key, paths }).record(source, 'main 0', nowhere, stored)).toEqual(stored);
  });

  test('and only adds: what is found now goes too', () => {
    const { source, stored } = storedAndSource((v) => ({ a: v, b: 'to be found' }));
    const made = createRedactor({ key, known: known('to be found') }).record(source, 'main 0', nowhere, stored);
    expect(made).toEqual({ a: stored.a, b: `[REDACTED:known:${fingerprints(key)('to be found')}]` });
  });
});

describe('what was stored before is no floor', () => {
  test('where the source says something else', () => {
    const { value, source, stored } = storedAndSource((v) => ({ a: v, b: 'same' }));
    const edited = { ...source, b: 'not the same' };
    const redactor = createRedactor({ key });
    expect(redactor.record(edited, 'main 0', nowhere, stored)).toEqual(edited);
    expect(redactor.text(value, 'x')).toBe(value);
  });

  test('where the value is allowed now', () => {
    const { value, source, stored } = storedAndSource((v) => ({ a: `x ${v}`, b: v }));
    const allowed = createAllow({ fingerprints: [`known:${fingerprints(key)(value)}`], patterns: [], paths: [] }, fingerprints(key));
    expect(createRedactor({ key, allowed }).record(source, 'main 0', nowhere, stored)).toEqual(source);
  });

  test('for a placeholder that stands in the source itself', () => {
    const source = { a: `[REDACTED:pw:${'0'.repeat(8)}] stands here` };
    const redactor = createRedactor({ key });
    expect(redactor.record(source, 'main 0', nowhere, source)).toEqual(source);
    expect(redactor.report().total).toBe(0);
  });
});

test('what is learned at the end of a record is taken out at its beginning', () => {
  const value = sample('Tiger{an9}');
  const made = createRedactor({ key }).record({ a: `so ${value} it is`, b: { password: value } }, 'main 0', nowhere);
  expect(JSON.stringify(made)).not.toContain(value);
});
