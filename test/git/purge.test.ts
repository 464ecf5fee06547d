import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Remote, Store } from '#store/types.ts';
import { add, everything, files, purgingStore, reachableText, said, secret, type Team, team } from '../support/purging.ts';
import type { Place } from '../support/repos.ts';
import { grow, readAll, version } from '../support/sessions.ts';

vi.setConfig({ testTimeout: 60_000 });

let place: Place;
let origin: string;
let remote: Remote;
let clone: Team['clone'];
beforeEach(() => {
  ({ place, origin, remote, clone } = team());
});
afterEach(() => place.remove());

const purged = (store: Store, value: string) => store.purge(remote, { values: [value] });
const nowhere = (store: Store, value: string): void => {
  expect(everything(store.path)).not.toContain(value);
  expect(files(store.home)).not.toContain(value);
};
/** Bob goes on with a version of Ann's in a session of his own. */
const goOn = async (bob: Store, from: string, ...texts: string[]) =>
  bob.append('codex-bob', async (base, writer) => {
    const stream = writer.stream(
      'main',
      base?.streams[0]?.records ?? 0,
      '{"type":"stream","format":"relay-session","version":1,"stream":"main","agent":"codex"}',
    );
    for (const text of texts) stream.write(said(text));
    const parent = await bob.open(from);
    return version({ parent: parent.commit, manifest: { agent: 'codex', lineage: { handoff: parent.handoff, version: parent.n, commit: parent.commit } } });
  });

describe('a value', () => {
  test('is taken out of every version here and on the remote, and out of nothing else', async () => {
    const value = secret();
    const ann = await clone('ann');
    await add(ann, 'codex-one', 'first', `the key is ${value}, keep it`);
    await add(ann, 'codex-one', 'second');
    await add(ann, 'codex-two', 'nothing of it');
    await ann.send(remote);
    const before = await ann.versions('codex-one');
    const other = (await ann.versions('codex-two')).map(({ commit }) => commit);
    const done = await purged(ann, value);
    expect(done.handoffs).toEqual([{ handoff: `${await ann.writer()}/codex-one`, gone: false, versions: [1, 2], here: true, remote: true }]);
    nowhere(ann, value);
    expect(reachableText(origin)).not.toContain(value);
    const after = await ann.versions('codex-one');
    expect(after.map(({ version, date, records }) => [version, date, records])).toEqual(before.map(({ version, date, records }) => [version, date, records]));
    expect((await ann.versions('codex-two')).map(({ commit }) => commit)).toEqual(other);
    const lines = await readAll(await ann.open('codex-one'));
    expect(lines[1]).toMatch(/the key is \[REDACTED:purged:[0-9a-f]{8}\], keep it/);
    const { manifest } = await ann.open('codex-one');
    expect(manifest.redactions).toMatchObject({ total: expect.any(Number), ...{} });
    expect(place.git(ann.path, 'fsck', '--full', '--strict')).toBe('');
    expect(place.git(origin, 'fsck', '--full', '--strict', '--no-dangling')).toBe('');
    // Nothing new: everything that the clone has is on the remote.
    expect(await ann.unsent(remote)).toEqual([]);
    expect((await add(ann, 'codex-one', 'third')).n).toBe(3);
    expect((await ann.send(remote)).sent).toMatchObject([{ n: 3 }]);
  });

  test('goes in a stale clone too, and out of what was not sent there yet', async () => {
    const value = secret();
    const [ann, told] = [await clone('ann'), [] as string[]];
    await add(ann, 'codex-one', `the key is ${value}`);
    await ann.send(remote);
    const from = `${await ann.writer()}/codex-one`;
    const bob = await clone('bob', told);
    const cy = await clone('cy');
    for (const store of [bob, cy]) await store.fetch(remote, { days: 1 });
    await goOn(bob, from, 'from here', `as you said: ${value}`);
    await bob.send(remote);
    await goOn(bob, from, 'mine alone', `once more ${value}`);
    await purged(ann, value);
    expect(reachableText(origin)).not.toContain(value);
    expect((await bob.send(remote)).sent).toMatchObject([{ handoff: `${await bob.writer()}/codex-bob`, n: 2 }]);
    expect(reachableText(origin)).not.toContain(value);
    expect(told).toEqual([value]);
    nowhere(bob, value);
    expect((await readAll(await bob.open('codex-bob'))).join()).toContain('mine alone');
    const done = await cy.fetch(remote, { days: 1 });
    expect(done.purged.map(({ handoff }) => handoff)).toContain(from);
    nowhere(cy, value);
    expect(await readAll(await cy.open(from))).toEqual(await readAll(await ann.open(from)));
  });

  test('is seen in every place where it can stand', async () => {
    const value = `va"l\\${secret()}`;
    const ann = await clone('ann');
    const attachment = Buffer.from(`notes\n${value}\n`);
    await ann.append('codex-one', async (base, writer) => {
      const sha256 = writer.attachment(attachment);
      const long = `${'x'.repeat(200_000)} ${value}`;
      const stream = writer.stream(
        'main',
        base?.streams[0]?.records ?? 0,
        '{"type":"stream","format":"relay-session","version":1,"stream":"main","agent":"codex"}',
      );
      stream.write(said(long, {}, (bytes) => writer.attachment(bytes)));
      stream.write(said(`url ${encodeURIComponent(value)} base64 ${Buffer.from(`user:${value}`).toString('base64')} json ${JSON.stringify({ a: value })}`));
      return version({
        subject: `relay: ${value}`,
        manifest: { agent: 'codex', files: [{ name: `${value}.txt`, sha256, bytes: attachment.length }], redactions: { total: 0, byKind: {} } },
        files: { files: [{ path: value }] },
        card: { agent: 'codex', session: 'one', title: `about ${value}`, author: `Ann ${value} <ann@example.com>`, updated: new Date().toISOString() },
      });
    });
    await ann.send(remote);
    await purged(ann, value);
    for (const text of [everything(ann.path), reachableText(origin)]) {
      expect(text).not.toContain(value.slice(-12));
      expect(text).not.toContain(Buffer.from(`r:${value}`).toString('base64').slice(4, 24));
    }
    const opened = await ann.open('codex-one');
    const [file] = opened.manifest.files as { sha256: string; bytes: number; name: string }[];
    expect((await opened.attachment(file?.sha256 ?? '')).toString()).toMatch(/^notes\n\[REDACTED:purged:[0-9a-f]{8}\]\n$/);
    expect((await opened.attachment(file?.sha256 ?? '')).length).toBe(file?.bytes);
    const [first = ''] = await readAll(opened);
    const attached = JSON.parse(first).attached as [string, string, string][];
    expect((await opened.attachment(attached[0]?.[1] ?? '')).toString()).toMatch(/REDACTED:purged/);
    expect(opened.manifest.redactions).toMatchObject({ byKind: { purged: expect.any(Number) } });
    expect((await ann.list())[0]?.title).toMatch(/^about \[REDACTED:purged/);
  });

  test('takes the whole handoff with it where it stands in a name', async () => {
    const value = secret();
    const ann = await clone('ann');
    await add(ann, `codex-${value}`, 'x');
    await add(ann, 'codex-two', 'y');
    await ann.send(remote);
    const done = await purged(ann, value);
    expect(done.uneditable).toEqual([`${await ann.writer()}/codex-${value}`]);
    nowhere(ann, value);
    expect(reachableText(origin)).not.toContain(value);
    expect((await ann.list()).map(({ handoff }) => handoff)).toEqual([`${await ann.writer()}/codex-two`]);
  });
});

describe('a handoff', () => {
  test('goes with its card, its copies and its objects; a fork of it stays without it', async () => {
    const ann = await clone('ann');
    await add(ann, 'codex-one', 'to be purged');
    await add(ann, 'codex-one', 'and this');
    await ann.send(remote);
    const from = `${await ann.writer()}/codex-one`;
    const blob = place.git(ann.path, 'rev-parse', `refs/relay/s/${from}:transcript/main/000/000000.jsonl`).trim();
    const [bob, cy] = [await clone('bob'), await clone('cy')];
    for (const store of [bob, cy]) await store.fetch(remote, { days: 1 });
    await goOn(bob, from, 'from here');
    await bob.send(remote);
    await goOn(bob, from, 'mine alone');
    const done = await ann.purge(remote, { handoff: from });
    expect(done).toMatchObject({ handoffs: [{ handoff: from, gone: true, versions: [1, 2] }], goOn: [`${await bob.writer()}/codex-bob`], refused: [] });
    expect(reachableText(origin)).not.toContain('to be purged');
    expect((await ann.list()).map(({ handoff }) => handoff)).toEqual([`${await bob.writer()}/codex-bob`]);
    await expect(ann.open(from)).rejects.toThrow(/was purged by/);
    expect((await bob.send(remote)).sent).toMatchObject([{ n: 2 }]);
    await cy.fetch(remote, { days: 1 });
    for (const store of [ann, bob, cy]) expect(() => place.git(store.path, 'cat-file', '-e', blob)).toThrow();
    expect(reachableText(origin)).not.toContain('to be purged');
    expect(await readAll(await bob.open('codex-bob'))).toHaveLength(2);
    expect((await bob.open('codex-bob')).manifest.lineage).toBeUndefined();
    // Named again, it goes on with a new number.
    expect(await ann.withdrawn()).toEqual(new Set([from]));
    expect((await add(ann, 'codex-one', 'anew')).n).toBe(3);
    expect((await ann.withdrawn()).size).toBe(0);
    expect((await ann.send(remote)).sent).toMatchObject([{ handoff: from, n: 3 }]);
    await cy.fetch(remote, { days: 1 });
    expect(await readAll(await cy.open(from))).toEqual([said('anew')]);
    await expect(cy.open(`${from}@1`)).rejects.toThrow(/was purged/);
  });

  test('of somebody else is not sent any more by its owner, and stays with them', async () => {
    const [ann, bob] = [await clone('ann'), await clone('bob')];
    await add(bob, 'codex-bob', 'of bob');
    await bob.send(remote);
    const handoff = `${await bob.writer()}/codex-bob`;
    await ann.purge(remote, { handoff });
    expect(reachableText(origin)).not.toContain('of bob');
    await add(bob, 'codex-bob', 'unsent');
    await expect(bob.send(remote)).rejects.toMatchObject({ code: 'blocked', message: expect.stringContaining(handoff) });
    expect(reachableText(origin)).not.toContain('of bob');
    expect(await readAll(await bob.open(handoff))).toEqual([said('of bob'), said('unsent')]);
    await bob.fetch(remote, { days: 1 });
    await expect(bob.send(remote)).rejects.toMatchObject({ code: 'blocked' });
    const by = await ann.writer();
    expect(await bob.heldBack()).toMatchObject([{ handoff, by, gone: true, last: 1 }]);
    expect(await bob.list()).toMatchObject([{ handoff, state: 'own', purged: { by } }]);
    await bob.purge(remote, { handoff });
    expect(await bob.heldBack()).toEqual([]);
    expect(everything(bob.path)).not.toContain('of bob');
    expect((await bob.send(remote)).sent).toEqual([]);
  });

  test('does not come back from a copy of the clone', async () => {
    const ann = await clone('ann');
    await add(ann, 'codex-one', 'to be purged');
    await ann.send(remote);
    cpSync(join(place.root, 'ann'), join(place.root, 'copy'), { recursive: true });
    await ann.purge(remote, { handoff: `${await ann.writer()}/codex-one` });
    const copy = await purgingStore(place, join(place.root, 'copy'));
    await copy.append('codex-one', async (base, writer) => grow([said('more')])(base, writer));
    await copy.send(remote);
    expect(reachableText(origin)).not.toContain('to be purged');
    expect(everything(copy.path)).not.toContain('to be purged');
  });
});

describe('what a pull is told', () => {
  test('names what went, what was edited and what is kept all the same, and no handoff that only went on from it', async () => {
    const value = secret();
    const [ann, bob] = [await clone('ann'), await clone('bob')];
    for (const text of ['one', value]) await add(ann, 'codex-one', text);
    await add(ann, 'codex-two', 'two');
    await ann.send(remote);
    const [one, two] = [`${await ann.writer()}/codex-one`, `${await ann.writer()}/codex-two`];
    await bob.fetch(remote, { days: 1 });
    await goOn(bob, two, 'from here');
    await bob.send(remote);
    const own = `${await bob.writer()}/codex-bob`;
    await purged(ann, value);
    const told = async () =>
      (await bob.fetch(remote, { days: 1 })).purged.map(({ handoff, gone, versions, edited, kept }) => ({ handoff, gone, versions, edited, kept }));
    expect(await told()).toEqual([{ handoff: one, gone: false, versions: [], edited: [2], kept: false }]);
    await ann.purge(remote, { handoff: one, version: 1 });
    expect(await told()).toEqual([{ handoff: one, gone: false, versions: [1], edited: [], kept: false }]);
    await ann.purge(remote, { handoff: two });
    expect(await told()).toEqual([{ handoff: two, gone: true, versions: [], edited: [], kept: false }]);
    expect((await bob.list()).map(({ handoff }) => handoff).sort()).toEqual([one, own].sort());
    await ann.purge(remote, { handoff: own });
    expect(await told()).toEqual([{ handoff: own, gone: true, versions: [], edited: [], kept: true }]);
    expect(await told()).toEqual([]);
  });
});

describe('a version', () => {
  test('that never was is an error, one that was purged is not', async () => {
    const ann = await clone('ann');
    for (const text of ['one', 'two']) await add(ann, 'codex-one', text);
    await ann.send(remote);
    const handoff = `${await ann.writer()}/codex-one`;
    for (const dryRun of [true, false])
      for (const version of [0, 9])
        await expect(ann.purge(remote, { handoff, version }, { dryRun })).rejects.toMatchObject({
          code: 'not-found',
          message: expect.stringContaining('@1, @2'),
        });
    await ann.purge(remote, { handoff, version: 2 });
    expect(await ann.purge(remote, { handoff, version: 2 })).toMatchObject({ tombstone: null, handoffs: [] });
  });

  test('goes, the later ones keep numbers and content, and its number is not used again', async () => {
    const ann = await clone('ann');
    const seen = await clone('cy');
    for (const text of ['one', 'two', 'three']) {
      await ann.append('codex-one', async (_, writer) => {
        writer.stream('main', 0, '{"type":"stream","format":"relay-session","version":1,"stream":"main","agent":"codex"}').write(said(text));
        return version();
      });
      await ann.send(remote);
    }
    const handoff = `${await ann.writer()}/codex-one`;
    await seen.fetch(remote, { days: 1 });
    expect((await ann.purge(remote, { handoff, version: 2 })).handoffs).toMatchObject([{ gone: false, versions: [2] }]);
    await seen.fetch(remote, { days: 1 });
    for (const store of [ann, seen]) {
      expect((await store.versions(handoff)).map(({ version }) => version)).toEqual([1, 3]);
      expect(everything(store.path)).not.toContain('"two"');
      await expect(store.open(`${handoff}@2`)).rejects.toThrow(/@2 was purged/);
    }
    await ann.purge(remote, { handoff, version: 3 });
    await expect(ann.open(`${handoff}@3`)).rejects.toThrow(/@3 was purged/);
    expect((await add(ann, 'codex-one', 'four')).n).toBe(4);
    await ann.send(remote);
    await seen.fetch(remote, { days: 1 });
    expect((await seen.versions(handoff)).map(({ version }) => version)).toEqual([1, 4]);
  });
});
