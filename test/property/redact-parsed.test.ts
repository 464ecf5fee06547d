import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '#lib/json.ts';
import { type LiteralVisitor, mapLiterals } from '../../redact/json/literals.ts';
import { mapParsed } from '../../redact/json/parsed.ts';

/** JSON as people and programs write it: members twice, numbers in any form, keys that are numbers, escapes nobody needs. */
const literal = fc.oneof(
  fc.string({ maxLength: 6 }).map((text) => JSON.stringify(text)),
  fc.constantFrom(
    '"s"',
    '"a s"',
    '"\\u0073"',
    '"\\u0022s"',
    '"\\"s\\""',
    '"\\\\"',
    '"s\\\\"',
    '"\\ud800s"',
    '"é"',
    '"7"',
    '"name"',
    '"value"',
    '"--s"',
    '"__proto__"',
    '""',
  ),
);
const number = fc.constantFrom('0', '-0', '12', '1.50', '1e3', '1E400', '12345678901234567890', '123456');
const space = fc.constantFrom('', ' ', '\n');
const { document } = fc.letrec<{ document: string; list: string; object: string }>((tie) => ({
  document: fc.oneof({ maxDepth: 4 }, literal, number, fc.constantFrom('true', 'null'), tie('list'), tie('object')),
  list: fc.tuple(fc.array(tie('document'), { maxLength: 4 }), space).map(([items, gap]) => `[${items.join(`,${gap}`)}]`),
  object: fc
    .tuple(fc.array(fc.tuple(literal, tie('document')), { maxLength: 4 }), space)
    .map(([members, gap]) => `{${gap}${members.map(([key, value]) => `${key}:${gap}${value}`).join(',')}}`),
}));

/** Takes every s out, and numbers of four digits and more; notes what it was asked, for which it needs all that stands before. */
function visitor(asked: string[]): LiteralVisitor {
  return {
    string(value, name, path) {
      asked.push(`${path.join('/')} ${name} ${value}`);
      return value.replaceAll('s', '[x]');
    },
    key: (value) => value.replaceAll('s', '[y]'),
    scalar: (raw) => (/^\d{4,}$/.test(raw) ? '[z]' : undefined),
  };
}

describe('a text that was parsed', () => {
  test('becomes what it becomes literal by literal, or is left to that', () => {
    let told = 0;
    let runs = 0;
    fc.assert(
      fc.property(document, (text) => {
        const [one, two]: [string[], string[]] = [[], []];
        const made = mapParsed(text, JSON.parse(text) as Json, visitor(one));
        const expected = mapLiterals(text, visitor(two));
        runs++;
        if (made === undefined) return;
        told++;
        expect(made).toBe(expected);
        expect(one.sort()).toEqual(two.sort());
      }),
      { numRuns: 3000 },
    );
    expect(told / runs).toBeGreaterThan(0.4);
  });

  test.each([
    ['a member that another hides', '{"a":"s","a":"b"}'],
    ['the same, behind quotation marks written as escapes', '{"a":"s","a":"\\u0022\\u0022\\u0022\\u0022"}'],
    ['a number that is not written as its value is', '{"pin":12345678901234567890}'],
    ['a number that goes', '{"pin":123456}'],
    ['deep nesting', `${'['.repeat(6000)}"s"${']'.repeat(6000)}`],
    ['keys that a value has in another order', '{"b":"s","1":"s"}'],
  ])('is left to that for %s', (_what, text) => {
    expect(mapParsed(text, JSON.parse(text) as Json, visitor([]))).toBeUndefined();
  });
});
