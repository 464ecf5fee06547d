import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { add, purgingStore, reachableText, secret, type Team, team } from '../support/purging.ts';
import { readAll } from '../support/sessions.ts';

vi.setConfig({ testTimeout: 60_000 });

let shared: Team;
beforeEach(() => {
  shared = team();
});
afterEach(() => shared.place.remove());

test('a clone that takes a new name and then finds that others purged sends under the new name', async () => {
  const { place, remote, clone } = shared;
  const value = secret();
  const ann = await clone('ann');
  await add(ann, 'codex-one', `first, with ${value}`);
  await add(ann, 'codex-two', 'another');
  await ann.send(remote);
  const old = await ann.writer();
  // A backup is put back after the clone went on, and hears of what it sent meanwhile.
  const [dir, backup] = [join(place.root, 'ann'), join(place.root, 'backup')];
  cpSync(dir, backup, { recursive: true });
  for (const session of ['codex-one', 'codex-two']) await add(ann, session, 'went on');
  await ann.send(remote);
  rmSync(dir, { recursive: true });
  renameSync(backup, dir);
  const restored = await purgingStore(place, dir);
  for (const session of ['codex-one', 'codex-two']) await add(restored, session, 'restored');
  const handoffs = ['codex-two', 'codex-one'].map((session) => `${old}/${session}`);
  await restored.fetch(remote, { handoffs });
  await (await clone('bob')).purge(remote, { values: [value] });
  const rechecked: string[][] = [];
  const { sent } = await restored.send(remote, handoffs, async (now) => void rechecked.push(now));
  const renewed = await restored.writer();
  expect(renewed).not.toBe(old);
  expect(rechecked).toEqual([[`${renewed}/codex-two`, `${renewed}/codex-one`]]);
  expect(sent.map(({ handoff }) => handoff)).toEqual(rechecked[0]);
  expect((await readAll(await restored.open(`${renewed}/codex-one`))).at(-1)).toContain('restored');
  expect(reachableText(shared.origin)).not.toContain(value);
});
