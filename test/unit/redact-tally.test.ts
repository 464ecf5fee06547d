import { expect, test } from 'vitest';
import { createRedactor } from '#redact/index.ts';
import { tally } from '#redact/tally.ts';

test('what is found is counted, each value and place once; what is in no finding any more is counted too, and told', () => {
  const { add, done, has } = tally();
  for (let n = 0; n < 100_000; n++) add('gh', '0a1b2c3d', `line ${n}`, '');
  expect(done()).not.toHaveProperty('unlisted');
  add('gh', '0a1b2c3d', 'line 7', '');
  for (const path of ['/a', '/a', '/b']) add('pw', '0a1b2c3e', 'line 100000', path);
  const { total, byKind, findings, unlisted } = done();
  expect([total, byKind, findings.length, unlisted]).toEqual([100_004, { gh: 100_001, pw: 3 }, 100_000, 3]);
  expect(findings.reduce((sum, one) => sum + one.count, 0) + (unlisted ?? 0)).toBe(total);
  expect(['0a1b2c3d', '0a1b2c3e', '0a1b2c3f'].map(has)).toEqual([true, true, false]);
  expect(findings[7]).toEqual({ kind: 'gh', fingerprint: '0a1b2c3d', record: 'line 7', path: '', count: 2 });
});

test('a redactor says of each value whether it found it', () => {
  const known = ['amber-badger-48213377', 'violet-otter-81734'].map((value) => ({ value, kind: 'known' }));
  const redactor = createRedactor({ key: Buffer.alloc(32), known });
  redactor.text('it is amber-badger-48213377', 'a text');
  expect(known.map(({ value }) => redactor.found(value))).toEqual([true, false]);
});
