import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/json.ts';
import { createGate, createRedactor, pathMap } from '#redact/index.ts';
import { encodeRecord, parseLine, toRecord } from '#session/codec.ts';
import type { Draft } from '#session/record.ts';
import { survives } from '../support/samples.ts';
import { coreOf, PLANTS } from '../support/secret-plants.ts';

const key = Buffer.alloc(32, 7);
const never = () => undefined;
const gate = createGate({ key });
const paths = pathMap({ home: '/home/ann', roots: [{ token: 'PROJECT', path: '/home/ann/proj' }] });

const WORDS = [
  '/home/ann/proj/a.ts',
  '${HOME}',
  'token',
  'secret',
  ':',
  '=',
  '"',
  '\\',
  '\n',
  '{',
  '}',
  '[',
  ']',
  'value',
  'name',
  '--password',
  'password',
  '[REDACTED:pw:01234567]',
  '[REDACTED:',
  'cookie: ',
  '://',
  '@',
  'x',
  ' ',
  'é',
  '密码是',
  '\ud800',
  'secretlint-disable\n',
  'gitleaks:allow',
  'AKIA',
  'eyJ',
  'basic ',
  'bearer ',
];
const noise = fc.array(fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 8 })), { maxLength: 8 }).map((parts) => parts.join(''));
const planted = fc.constantFrom(...PLANTS).map((plant) => {
  const { text, secret } = plant();
  return [text, secret] as const;
});
const keys = fc.oneof(fc.constantFrom('password', 'token', 'value', 'name', 'data', 'text', '__proto__', 'apiKey', '0', 'constructor'), noise);
const tree = (leaf: fc.Arbitrary<string>) =>
  fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.integer(),
      fc.constant(null),
      fc.array(tie('node'), { maxLength: 4 }),
      fc.dictionary(keys, tie('node'), { maxKeys: 4 }),
      tie('nested'),
    ),
    nested: tie('node').map((value) => JSON.stringify(value)),
  })).node as fc.Arbitrary<unknown>;
const asRecord = (value: unknown): JsonObject => JSON.parse(JSON.stringify({ type: 'x', message: value })) as JsonObject;
const draft: Draft = { type: 'event', kind: 'unknown' };

describe('redaction of records', () => {
  test('the gate finds nothing in what the redactor left, however the record is built', () => {
    fc.assert(
      fc.property(
        tree(
          fc.oneof(
            noise,
            planted.map(([text]) => text),
            fc.tuple(noise, planted, noise).map(([a, [b], c]) => a + b + c),
          ),
        ),
        (value) => {
          const redacted = createRedactor({ key, paths }).record(asRecord(value), 'main 0', never);
          const line = JSON.stringify(redacted);
          expect(gate.check(Buffer.from(line), 'transcript/main/000/000000.jsonl')).toEqual([]);
          expect(gate.check(Buffer.from(line), 'attachments/x')).toEqual([]);
          const parsed = parseLine(Buffer.from(line));
          if (!('line' in parsed)) throw new Error('the redacted line does not parse');
          const record = encodeRecord(toRecord(draft, parsed.line), () => '');
          expect(gate.check(Buffer.from(record), 'transcript/main/000/000000.jsonl')).toEqual([]);
        },
      ),
      { numRuns: 1500 },
    );
  });

  test('nothing that was planted survives, in a value, nested JSON or a line that does not serialise back', () => {
    fc.assert(
      fc.property(planted, fc.integer({ min: 0, max: 3 }), fc.boolean(), ([text, secret], depth, odd) => {
        let value: unknown = text;
        for (let i = 0; i < depth; i++) value = JSON.stringify({ output: value });
        const redactor = createRedactor({ key, paths });
        const line = JSON.stringify({ type: 'x', message: { content: [value] }, n: 1 });
        const out = odd
          ? redactor.line(line.replace('"n":1', '"n": 1.0'), 'main 0', never)
          : JSON.stringify(redactor.record(JSON.parse(line), 'main 0', never));
        expect(() => JSON.parse(out)).not.toThrow();
        expect(survives(coreOf(secret), out)).toBe(false);
        expect(redactor.report().total).toBeGreaterThan(0);
        expect(survives(coreOf(secret), JSON.stringify(redactor.report()))).toBe(false);
      }),
      { numRuns: 800 },
    );
  });

  test('a second redaction changes nothing, and unchanged values come back as they are', () => {
    fc.assert(
      fc.property(
        tree(
          fc.oneof(
            noise,
            planted.map(([text]) => text),
          ),
        ),
        (value) => {
          const once = createRedactor({ key }).record(asRecord(value), 'main 0', never);
          const again = createRedactor({ key });
          expect(again.record(once, 'main 0', never)).toBe(once);
          expect(again.report().total).toBe(0);
        },
      ),
      { numRuns: 1500 },
    );
  });

  test('a second redaction changes nothing where keys hold what is learned later', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(noise, planted, noise, fc.oneof(noise, fc.integer())), { minLength: 1, maxLength: 3 }), (rows) => {
        const record = Object.fromEntries(rows.map(([before, [, secret], after, value]) => [before + secret + after, value]));
        const once = createRedactor({ key }).record(asRecord([record, rows.map(([, [text]]) => text)]), 'main 0', never);
        expect(createRedactor({ key }).record(once, 'main 0', never)).toBe(once);
      }),
      { numRuns: 600 },
    );
  });

  test('a line and its value are treated alike', () => {
    fc.assert(
      fc.property(
        tree(
          fc.oneof(
            noise,
            planted.map(([text]) => text),
          ),
        ),
        (value) => {
          const record = asRecord(value);
          const text = JSON.stringify(record);
          const byLine = createRedactor({ key }).line(text, 'main 0', never);
          expect(byLine).toBe(JSON.stringify(createRedactor({ key }).record(record, 'main 0', never)));
        },
      ),
      { numRuns: 1500 },
    );
  });
});
