import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rememberedValues, rememberValues } from '#flows/remembered.ts';
import { remember } from '#redact/known/remembered.ts';
import type { Store } from '#store/types.ts';
import { sample } from '../support/samples.ts';

let home: string;
let store: Store;
const key = randomBytes(32);
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'relay-remembered-'));
  store = { home } as Store;
});
afterEach(() => rmSync(home, { recursive: true }));

const file = () => join(home, 'learned.json');
const written = () => JSON.parse(readFileSync(file(), 'utf8'));
const values = (count: number) => Array.from({ length: count }, () => ({ value: sample('{an24}'), kind: 'pw' }));

test('writes no value, for this user only, and each once', async () => {
  const [one] = values(1);
  await rememberValues(store, key, [one as { value: string; kind: string }]);
  await rememberValues(store, key, [one as { value: string; kind: string }]);
  expect(await rememberedValues(store, key)).toEqual([{ kind: 'pw', length: 24, print: expect.any(String), start: expect.any(Number) }]);
  expect(readFileSync(file(), 'utf8')).not.toContain(one?.value.slice(0, 5));
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test('writers at once lose nothing of each other', async () => {
  const all = Array.from({ length: 12 }, () => values(5));
  await Promise.all(all.map((some) => rememberValues(store, key, some)));
  expect(await rememberedValues(store, key)).toHaveLength(60);
});

test('forgets the oldest beyond 500', async () => {
  await rememberValues(store, key, values(300));
  const first = (await rememberedValues(store, key))[0];
  await rememberValues(store, key, values(300));
  const now = await rememberedValues(store, key);
  expect(now).toHaveLength(500);
  expect(now).not.toContainEqual(first);
});

test('never forgets what was purged for what is found', async () => {
  const [purged, found] = values(2) as [{ value: string; kind: string }, { value: string; kind: string }];
  await rememberValues(store, key, [purged, found]);
  await rememberValues(store, key, [{ ...purged, kind: 'purged' }]);
  await rememberValues(store, key, [purged, ...values(600)]);
  const now = await rememberedValues(store, key);
  expect(now.filter(({ kind }) => kind === 'purged').map(({ print }) => print)).toEqual([remember(key, purged)?.print]);
  expect(now).toHaveLength(501);
  expect(now).not.toContainEqual(remember(key, found));
});

test('what was purged has a bound of its own', async () => {
  await rememberValues(store, key, values(10));
  await rememberValues(
    store,
    key,
    values(2100).map((one) => ({ ...one, kind: 'purged' })),
  );
  expect(await rememberedValues(store, key)).toHaveLength(2010);
});

test('keeps what a later relay wrote', async () => {
  await rememberValues(store, key, values(1));
  const later = { ...written(), version: 2, more: { a: 1 }, values: [...written().values, { sort: 'new', of: 'it' }] };
  writeFileSync(file(), JSON.stringify(later));
  await rememberValues(store, key, values(1));
  expect(await rememberedValues(store, key)).toHaveLength(2);
  expect(written()).toMatchObject({ version: 2, more: { a: 1 }, values: expect.arrayContaining([{ sort: 'new', of: 'it' }]) });
});

test.each([
  ['a file that is no JSON', '{"values": ['],
  ['digests of another key', JSON.stringify({ version: 1, key: '00000000', values: [{ kind: 'pw', length: 9, print: 'a'.repeat(64), start: 1 }] })],
  ['values of another shape', JSON.stringify({ version: 1, values: 'none' })],
])('begins anew after %s', async (_what, text) => {
  writeFileSync(file(), text);
  expect(await rememberedValues(store, key)).toEqual([]);
  await rememberValues(store, key, values(1));
  expect(await rememberedValues(store, key)).toHaveLength(1);
});
