import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Learned, lessonsOf, type Part, untilNothingIsLearned } from '#flows/learned.ts';
import type { KnownValue, Redactor } from '#redact/index.ts';
import { sample } from '../support/samples.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'relay-lessons-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Lines of 10 bytes, with the value in some of them. */
function part(name: string, lines: readonly string[], from = 0): Part {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => `${line.padEnd(39)}\n`).join(''));
  return { path, from };
}
const LINE = 40;

/** Learns `value` at a line of a part and answers whether it was missed before. */
async function missed(parts: readonly Part[], at: { part: number; line: number }, checked = false): Promise<boolean> {
  const taught: KnownValue[] = [];
  const lessons = lessonsOf({ learned: () => taught, learnedCount: () => taught.length } as unknown as Redactor);
  taught.push({ value, kind: 'pw', learned: true });
  lessons.note(at.part, at.line * LINE);
  return (await lessons.missed(parts, () => checked)).length > 0;
}

const value = sample('{an20}');
const told = `K=${value}`;

test.each([
  ['an earlier line', [value, told], 0, 1, true],
  ['an earlier line, in base64', [Buffer.from(value).toString('base64'), told], 0, 1, true],
  ['the line itself and later ones', [told, value], 0, 0, false],
  ['an earlier line of what was read before', ['x', value, told], 2, 2, true],
])('in %s', async (_where, lines, from, line, expected) => {
  expect(await missed([part('a', lines, from * LINE)], { part: 0, line })).toBe(expected);
});

test('a part read before counts as a whole; of one read later, what was not read this time', async () => {
  const bare = part('a', ['x', value]);
  const teaches = part('b', [told]);
  expect(await missed([bare, teaches], { part: 1, line: 0 })).toBe(true);
  expect(await missed([teaches, bare], { part: 0, line: 0 })).toBe(false);
  expect(await missed([teaches, part('c', [value, 'x'], LINE)], { part: 0, line: 0 })).toBe(true);
});

test('a value that was looked for earlier is missed only in what is read now', async () => {
  expect(await missed([part('a', [value, 'x', told], LINE)], { part: 0, line: 2 }, true)).toBe(false);
  expect(await missed([part('b', ['x', value, told], LINE)], { part: 0, line: 2 }, true)).toBe(true);
});

test('passes are repeated with what was learned, and not for ever', async () => {
  const known: KnownValue[] = [];
  let passes = 0;
  const learn = () => {
    passes++;
    throw new Learned([{ value: sample('{an20}'), kind: 'pw' }]);
  };
  expect(await untilNothingIsLearned(async () => (known.length < 2 ? learn() : 'done'), known)).toBe('done');
  expect(passes).toBe(2);
  await expect(untilNothingIsLearned(async () => learn(), known)).rejects.toMatchObject({ code: 'secret-left' });
});
