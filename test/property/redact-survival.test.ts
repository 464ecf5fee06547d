import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '#lib/json.ts';
import { createGate, createRedactor, pathMap, redactStream } from '#redact/index.ts';
import { survives } from '../support/samples.ts';
import { coreOf, PLANTS, type Planted } from '../support/secret-plants.ts';

const key = Buffer.alloc(32, 7);
const never = () => undefined;
const paths = pathMap({ home: '/home/ann', roots: [{ token: 'PROJECT', path: '/home/ann/proj' }] });

/** Ways to put a value into another, as clients, tools and programs do. */
const WRAPS: ((value: string) => Json)[] = [
  (value) => JSON.stringify({ output: value, exit_code: 0 }),
  (value) => JSON.stringify([value]),
  (value) => JSON.stringify(JSON.stringify(value)),
  (value) => JSON.stringify({ name: 'NOTE', value }, null, 2),
  (value) => ({ text: value }),
  (value) => ['echo', value],
  (value) => ({ [value]: 1 }),
  (value) => `first line\n${value}\nlast line`,
  (value) => `\u001b[32m${value}\u001b[0m`,
  (value) => `看 ${value} 。`,
];
const nested = (value: Json, steps: readonly number[]): Json =>
  steps.reduce<Json>((inner, step) => (WRAPS[step] as (value: string) => Json)(typeof inner === 'string' ? inner : JSON.stringify(inner)), value);

const planted = fc.constantFrom(...PLANTS).map((plant) => plant());
/** Amid other text quotes are told from code as far as they have backslashes of six levels. */
const levels = (how: readonly number[]): number => how.reduce((sum, step) => sum + (step === 2 ? 2 : step < 4 ? 1 : 0), 0);
const steps = fc.array(fc.nat(WRAPS.length - 1), { maxLength: 5 }).filter((how) => levels(how) <= 5);
const asRecord = (value: Json): JsonObject => JSON.parse(JSON.stringify({ type: 'x', message: { content: [value] }, n: 1 })) as JsonObject;

const gone = ({ secret }: Planted, text: string): void => {
  if (survives(coreOf(secret), text)) expect.fail(`a secret is left in ${text.length} characters`);
};
/** Escapes that a reader of JSON undoes: any character may be written so. */
const escaped = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"/g, (literal) =>
    literal.replace(/\\u[0-9a-f]{4}|\\.|[A-Za-z0-9]/g, (one, at: number) =>
      one.length > 1 || at % 3 ? one : `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  );

const PLACEHOLDERS = /\[REDACTED:[a-z0-9]{1,12}:[0-9a-f]{8}\]/;
/** Is `after` the same text with placeholders for parts of it? */
function onlyPlaceholders(before: string, after: string): boolean {
  const parts = after.split(PLACEHOLDERS);
  if (parts.length === 1) return before === after;
  let at = (parts[0] as string).length;
  if (!before.startsWith(parts[0] as string)) return false;
  for (const part of parts.slice(1, -1)) {
    const next = before.indexOf(part, at + 1);
    if (next < 0) return false;
    at = next + part.length;
  }
  const last = parts[parts.length - 1] as string;
  return before.endsWith(last) && before.length - last.length >= at;
}

describe('a planted secret', () => {
  test('is gone at any depth of lists, objects, keys and JSON in JSON, and the gate finds nothing', () => {
    const gate = createGate({ key });
    fc.assert(
      fc.property(planted, steps, (plant, how) => {
        const redactor = createRedactor({ key, paths });
        const made = redactor.record(asRecord(nested(plant.text, how)), 'main 0', never);
        const line = JSON.stringify(made);
        gone(plant, line);
        expect(gate.check(Buffer.from(line), 'transcript/main/000/000000.jsonl')).toEqual([]);
        expect(redactor.report().total).toBeGreaterThan(0);
        gone(plant, JSON.stringify(redactor.report()));
        expect(createRedactor({ key, paths }).record(made, 'main 0', never)).toBe(made);
      }),
      { numRuns: 1500 },
    );
  });

  test('is gone in a line however its characters are escaped, and the line stays JSON', () => {
    fc.assert(
      fc.property(planted, steps, (plant, how) => {
        const record = asRecord(nested(plant.text, how));
        const made = createRedactor({ key }).line(escaped(JSON.stringify(record)), 'main 0', never);
        expect(JSON.parse(made)).toEqual(createRedactor({ key }).record(record, 'main 0', never));
        gone(plant, JSON.stringify(JSON.parse(made)));
      }),
      { numRuns: 1500 },
    );
  });

  test('is taken out of a text, and all else stays as it was', () => {
    const text = fc
      .tuple(fc.string({ maxLength: 20 }), planted, fc.string({ maxLength: 20 }))
      .map(([a, plant, b]) => ({ ...plant, text: `${a}\n${plant.text}\n${b}` }));
    fc.assert(
      fc.property(text, (plant) => {
        const made = createRedactor({ key }).text(plant.text, 'title');
        gone(plant, made);
        expect(onlyPlaceholders(plant.text, made)).toBe(true);
        expect(createRedactor({ key }).text(made, 'title')).toBe(made);
      }),
      { numRuns: 1500 },
    );
  });

  test('is gone from a stream wherever its chunks end', () => {
    const part = fc.oneof(
      { weight: 3, arbitrary: planted.map((plant) => ({ plant, text: plant.text })) },
      { weight: 2, arbitrary: fc.string({ maxLength: 300 }).map((text) => ({ text })) },
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 30 }), (parts, cuts) => {
        const bytes = Buffer.from(parts.map(({ text }) => text).join('\n'), 'utf8');
        const stream = redactStream(createRedactor({ key }));
        const out: Buffer[] = [];
        let from = 0;
        for (const cut of cuts) {
          out.push(...stream.push(bytes.subarray(from, from + cut)));
          from += cut;
        }
        out.push(...stream.push(bytes.subarray(from)), ...stream.end());
        const made = Buffer.concat(out).toString('utf8');
        for (const one of parts) if ('plant' in one) gone(one.plant as Planted, made);
      }),
      { numRuns: 600 },
    );
  });
});
