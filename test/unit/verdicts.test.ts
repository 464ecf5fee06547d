import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openVerdicts } from '#flows/verdicts.ts';

const key = randomBytes(32);
const id = (n: number): string => n.toString(16).padStart(40, '0');
let home: string;
const open = (known: string[] = [], by = 'rules 1') => openVerdicts(home, key, { by, known });
const file = (): string => join(home, 'verdicts.json');

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'relay-verdicts-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const judged = async (ids: number[], known?: string[], by?: string): Promise<void> => {
  const verdicts = await open(known, by);
  for (const one of ids) verdicts.clean(id(one));
  await verdicts.save();
};
const areClean = async (ids: number[], known?: string[], by?: string): Promise<boolean[]> => {
  const verdicts = await open(known, by);
  return ids.map((one) => verdicts.isClean(id(one)));
};

describe('verdicts', () => {
  it('hold for the same rules and known values, and are nobody else’s to read', async () => {
    await judged([1, 2], ['first known value']);
    await judged([3], ['first known value']);
    expect(await areClean([1, 2, 3, 4], ['first known value'])).toEqual([true, true, true, false]);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readFileSync(file(), 'utf8')).not.toContain('known value');
    expect(readdirSync(home)).toEqual(['verdicts.json']);
  });

  it('hold for fewer known values, not for another one', async () => {
    await judged([1], ['first known value', 'second known value']);
    await judged([2], ['second known value']);
    expect(await areClean([1, 2], ['second known value'])).toEqual([true, true]);
    expect(await areClean([1, 2], ['first known value', 'second known value'])).toEqual([true, false]);
    expect(await areClean([1, 2], ['third known value'])).toEqual([false, false]);
  });

  it('mean nothing to other rules', async () => {
    await judged([1]);
    expect(await areClean([1], [], 'rules 2')).toEqual([false]);
    await judged([2], [], 'rules 2');
    expect(await areClean([1, 2], [], 'rules 2')).toEqual([false, true]);
  });

  it.each(['', '{', '[]', '{"by":"rules 1","runs":[{"known":[],"ids":["x"]}]}', '{"by":"rules 1"}', '\u0000\u0000'])(
    'a file %j is as good as none',
    async (text) => {
      writeFileSync(file(), text);
      expect(await areClean([1])).toEqual([false]);
      await judged([1]);
      expect(await areClean([1])).toEqual([true]);
    },
  );

  it('are no more than 100,000', async () => {
    await judged(Array.from({ length: 60_000 }, (_, i) => i));
    await judged(
      Array.from({ length: 60_000 }, (_, i) => 60_000 + i),
      ['a known value'],
    );
    expect(statSync(file()).size).toBeLessThan(5_000_000);
    expect(await areClean([119_999, 0])).toEqual([true, true]);
    expect(await areClean([59_999])).toEqual([false]);
  });

  it('that cannot be written leave nothing behind', async () => {
    mkdirSync(file());
    await expect(judged([1])).rejects.toThrow();
    expect(readdirSync(home)).toEqual(['verdicts.json']);
  });

  it('are not written where nothing is new', async () => {
    await judged([]);
    expect(existsSync(file())).toBe(false);
  });
});
