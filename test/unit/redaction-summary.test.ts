import { expect, test } from 'vitest';
import { redactionSummary } from '#flows/redaction-summary.ts';

const finding = (fingerprint: string, record = 'main 0', count = 1, path = '/a') => ({ kind: 'pw', fingerprint, record, path, count });
const report = (...findings: ReturnType<typeof finding>[]) => {
  const total = findings.reduce((sum, one) => sum + one.count, 0);
  return { total, byKind: { pw: total }, findings };
};

test('lists each value once, with its first place, over versions', () => {
  const first = redactionSummary(undefined, report(finding('a'), finding('a', 'main 3', 2), finding('b', 'main 4')));
  expect(first).toEqual({ total: 4, byKind: { pw: 4 }, values: [finding('a', 'main 0', 3), finding('b', 'main 4')] });
  const next = redactionSummary({ ...first, engine: 'x' }, report(finding('b', 'main 9'), finding('c', 'main 9')));
  expect(next).toEqual({ total: 6, byKind: { pw: 6 }, values: [finding('a', 'main 0', 3), finding('b', 'main 4', 2), finding('c', 'main 9')] });
});

test('goes on from a version that lists none', () => {
  expect(redactionSummary({ total: 2, byKind: { gh: 2 }, engine: 'x' }, report(finding('a')))).toEqual({
    total: 3,
    byKind: { gh: 2, pw: 1 },
    values: [finding('a')],
  });
});

test('lists 200 and says how many more there are; places are cut', () => {
  const many = redactionSummary(undefined, report(...Array.from({ length: 230 }, (_, i) => finding(`f${i}`, 'main 0', 1, `/${'x'.repeat(300)}`))));
  expect(many.values).toHaveLength(200);
  expect(many.unlisted).toBe(30);
  expect(many.values?.[0]?.path.length).toBe(200);
});
