import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makePlace, type Place } from '../support/repos.ts';
import { grow, makeLines, originOf, readAll, storeOf } from '../support/sessions.ts';

vi.setConfig({ testTimeout: 60_000 });

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

test('two people push different sessions at the same moment, many rounds: all arrive', async () => {
  const origin = place.bare('origin.git');
  const clones = ['ann', 'bob'].map((name) => place.clone(origin, name));
  const stores = await Promise.all(clones.map((dir) => storeOf(place, dir)));
  const remote = originOf(place, clones[0] as string);
  const rounds = 15;
  for (let round = 0; round < rounds; round++) {
    await Promise.all(
      stores.map(async (store) => {
        await store.append(`codex-r${round}`, grow([`{"round":${round}}`]));
        await store.send(remote);
      }),
    );
  }
  const third = await storeOf(place, place.clone(origin, 'carol'));
  expect((await third.fetch(remote, { days: 1 })).updated.length).toBe(2 * rounds);
  expect((await third.list()).length).toBe(2 * rounds);
  expect(place.git(origin, 'fsck', '--full', '--strict', '--no-dangling')).toBe('');
}, 120_000);

test('a copied clone takes a name of its own and goes on as a fork', async () => {
  const origin = place.bare('origin.git');
  const dir = place.clone(origin, 'ann');
  const remote = originOf(place, dir);
  const ann = await storeOf(place, dir);
  await ann.append('codex-one', grow(['{"n":1}']));
  await ann.send(remote);
  cpSync(dir, join(place.root, 'copy'), { recursive: true });
  const copy = await storeOf(place, join(place.root, 'copy'));
  expect(await copy.writer()).not.toBe(await ann.writer());
  const fork = await copy.append('codex-one', async (base, writer) => {
    expect(base).toBeNull();
    return grow(['{"n":1}', '{"n":"copy"}'])(base, writer);
  });
  await ann.append('codex-one', grow(['{"n":"ann"}']));
  await ann.send(remote);
  expect((await copy.send(remote)).sent).toMatchObject([{ handoff: `${await copy.writer()}/codex-one`, n: 1 }]);
  expect(place.git(copy.path, 'rev-list', '--count', fork.commit).trim()).toBe('3');
  const bob = await storeOf(place, place.clone(origin, 'bob'));
  await bob.fetch(remote, { days: 1 });
  const tails = await Promise.all((await bob.list()).map(async ({ handoff }) => (await readAll(await bob.open(handoff))).at(-1)));
  expect(tails.sort()).toEqual(['{"n":"ann"}', '{"n":"copy"}']);
});

test('a clone whose own chain went on elsewhere sends its part as a fork under a new name', async () => {
  const origin = place.bare('origin.git');
  const dir = place.clone(origin, 'ann');
  const remote = originOf(place, dir);
  const ann = await storeOf(place, dir);
  await ann.append('codex-one', grow(['{"n":1}']));
  await ann.send(remote);
  const old = await ann.writer();
  // A backup of the clone is put back after the original went on and was lost.
  cpSync(dir, join(place.root, 'backup'), { recursive: true });
  await ann.append('codex-one', grow(['{"n":"lost"}']));
  await ann.send(remote);
  rmSync(dir, { recursive: true });
  renameSync(join(place.root, 'backup'), dir);
  const restored = await storeOf(place, dir);
  await restored.append('codex-one', grow(['{"n":"restored"}']));
  const { sent } = await restored.send(remote);
  const renewed = await restored.writer();
  expect(renewed).not.toBe(old);
  expect(sent).toMatchObject([{ handoff: `${renewed}/codex-one` }]);
  const bob = await storeOf(place, place.clone(origin, 'bob'));
  await bob.fetch(remote, { days: 1 });
  expect(await readAll(await bob.open(`${old}/codex-one`))).toEqual(['{"n":1}', '{"n":"lost"}']);
  expect(await readAll(await bob.open(`${renewed}/codex-one`))).toEqual(['{"n":1}', '{"n":"restored"}']);
  expect(await readAll(await restored.open(`${old}/codex-one`))).toEqual(['{"n":1}', '{"n":"lost"}']);
  expect((await restored.list()).map(({ handoff, state }) => `${handoff} ${state}`).sort()).toEqual(
    [`${old}/codex-one fetched`, `${renewed}/codex-one own`].sort(),
  );
  expect((await restored.send(remote)).sent).toEqual([]);
  await restored.append('codex-one', grow(['{"n":"more"}']));
  expect((await restored.send(remote)).sent).toMatchObject([{ handoff: `${renewed}/codex-one`, n: sent[0] ? sent[0].n + 1 : 0 }]);
});

test('a fresh clone at the same path goes on under its old name with its own chains', async () => {
  const origin = place.bare('origin.git');
  const dir = place.clone(origin, 'ann');
  const remote = originOf(place, dir);
  const first = await storeOf(place, dir);
  const lines = makeLines(20);
  await first.append('codex-one', grow(lines));
  await first.send(remote);
  const writer = await first.writer();
  rmSync(dir, { recursive: true });
  place.clone(origin, 'ann');
  const again = await storeOf(place, dir);
  expect(await again.writer()).toBe(writer);
  const next = await again.append('codex-one', async (base, write) => {
    expect(base?.n).toBe(1);
    return grow(['{"n":"next"}'])(base, write);
  });
  expect(next.n).toBe(2);
  expect((await again.send(remote)).sent).toMatchObject([{ handoff: `${writer}/codex-one`, n: 2 }]);
  expect(await readAll(await again.open('codex-one'))).toEqual([...lines, '{"n":"next"}']);
});

test('a session that grows while its push is under way stays pending', async () => {
  const origin = place.bare('origin.git');
  const dir = place.clone(origin, 'ann');
  const remote = originOf(place, dir);
  const ann = await storeOf(place, dir);
  await ann.append('codex-one', grow(makeLines(3000)));
  const sending = ann.send(remote);
  const writer = await ann.writer();
  const grown = await ann.append('codex-one', grow(['{}']));
  await sending;
  const there = place.git(origin, 'rev-parse', `refs/relay/s/${writer}/codex-one`).trim();
  expect(await ann.unsent(remote)).toEqual(there === grown.commit ? [] : [`${writer}/codex-one`]);
  await ann.send(remote);
  expect(place.git(origin, 'rev-parse', `refs/relay/s/${writer}/codex-one`).trim()).toBe(grown.commit);
});
