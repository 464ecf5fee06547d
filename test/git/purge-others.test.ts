import { randomBytes } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { rootId } from '#store/draft.ts';
import type { Remote, Store } from '#store/types.ts';
import { add, everything, purgingStore, reachableText, said, secret, type Team, team } from '../support/purging.ts';
import type { Place } from '../support/repos.ts';
import { readAll } from '../support/sessions.ts';

vi.setConfig({ testTimeout: 120_000 });

let place: Place;
let origin: string;
let remote: Remote;
let clone: Team['clone'];
beforeEach(() => {
  ({ place, origin, remote, clone } = team());
});
afterEach(() => place.remove());

const hook = (name: string, script: string): void => {
  const path = join(origin, 'hooks', name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
};

describe('a remote that does not let everybody do everything', () => {
  test('what this user may not change is left and named, the rest goes', async () => {
    const value = secret();
    const [ann, bob] = [await clone('ann'), await clone('bob')];
    await add(ann, 'codex-ann', value);
    await add(bob, 'codex-bob', value);
    for (const store of [ann, bob]) await store.send(remote);
    const writer = await bob.writer();
    hook('update', `case "$1" in refs/relay/s/${writer}/*) echo "only its owner" >&2; exit 1;; esac`);
    const done = await ann.purge(remote, { values: [value] });
    expect(done.refused).toMatchObject([{ ref: `refs/relay/s/${writer}/codex-bob` }]);
    expect(everything(ann.path)).not.toContain(value);
    expect(place.git(origin, 'cat-file', 'blob', `refs/relay/s/${await ann.writer()}/codex-ann:transcript/main/000/000000.jsonl`)).not.toContain(value);
    expect(place.git(origin, 'cat-file', 'blob', `refs/relay/s/${writer}/codex-bob:transcript/main/000/000000.jsonl`)).toContain(value);
    // It is not fetched again as it is.
    const pulled = await ann.fetch(remote, { days: 1 });
    expect(pulled.refused).toMatchObject([{ handoff: `${writer}/codex-bob` }]);
    expect(everything(ann.path)).not.toContain(value);
  });

  test('nothing is changed where nothing may be', async () => {
    const value = secret();
    const ann = await clone('ann');
    await add(ann, 'codex-ann', value);
    await ann.send(remote);
    hook('update', 'echo "nobody rewrites history here" >&2; exit 1');
    await expect(ann.purge(remote, { values: [value] })).rejects.toMatchObject({ code: 'failed', hint: expect.stringContaining('administers') });
    expect((await readAll(await ann.open('codex-ann'))).join()).toContain(value);
    expect(place.git(ann.path, 'for-each-ref', 'refs/relay-new')).toBe('');
    hook('update', 'exit 0');
    await ann.purge(remote, { values: [value] });
    expect(reachableText(origin)).not.toContain(value);
  });

  test('refs under other names that hold it are named', async () => {
    const ann = await clone('ann');
    await add(ann, 'codex-ann', 'x');
    await ann.send(remote);
    const handoff = `${await ann.writer()}/codex-ann`;
    place.git(origin, 'update-ref', 'refs/pull/7/head', `refs/relay/s/${handoff}`);
    expect((await ann.purge(remote, { handoff })).reachable).toEqual(['refs/pull/7/head']);
  });
});

describe('at the same time', () => {
  test('two purges of two clones and pushes of a third: all of them are done', async () => {
    const values = [secret(), secret()];
    const clones = await Promise.all(['ann', 'bob', 'cy'].map((name) => clone(name)));
    for (const store of clones) {
      await add(store, 'codex-one', `both ${values.join(' and ')}`);
      await store.send(remote);
    }
    const [ann, bob, cy] = clones as [Store, Store, Store];
    const pushes = async (): Promise<void> => {
      for (let i = 0; i < 4; i++) {
        await add(cy, 'codex-one', `cy ${i}`);
        await cy.send(remote);
      }
    };
    await Promise.all([ann.purge(remote, { values: values.slice(0, 1) }), bob.purge(remote, { values: values.slice(1) }), pushes()]);
    for (const value of values) expect(reachableText(origin)).not.toContain(value);
    for (const store of clones) {
      await store.fetch(remote, { days: 1 });
      for (const value of values) expect(everything(store.path)).not.toContain(value);
      expect(place.git(store.path, 'fsck', '--full', '--strict')).toBe('');
    }
    expect((await readAll(await cy.open(`${await cy.writer()}/codex-one`))).length).toBe(5);
    expect(place.git(origin, 'fsck', '--full', '--strict', '--no-dangling')).toBe('');
  });

  test('sessions that grow in the purging clone lose nothing', async () => {
    const value = secret();
    const ann = await clone('ann');
    await add(ann, 'codex-0', value);
    await ann.send(remote);
    const growing = async (session: string): Promise<void> => {
      for (let i = 0; i < 12; i++) await add(ann, session, `line ${i}`);
    };
    const other = await purgingStore(place, join(place.root, 'ann'));
    await Promise.all([growing('codex-0'), growing('codex-1'), growing('codex-2'), other.purge(remote, { values: [value] })]);
    for (const session of ['codex-0', 'codex-1', 'codex-2'])
      expect((await readAll(await ann.open(session))).filter((line) => line.includes('line ')).length).toBe(12);
    expect((await ann.versions('codex-0')).map(({ version }) => version)).toEqual([...Array(13).keys()].map((i) => i + 1));
    expect(everything(ann.path)).not.toContain(value);
    expect(place.git(ann.path, 'fsck', '--full', '--strict')).toBe('');
  });
});

test('a clone that lags behind several purges follows all of them', async () => {
  const values = [secret(), secret()];
  const [ann, bob, cy] = [await clone('ann'), await clone('bob'), await clone('cy')];
  await add(ann, 'codex-ann', `both ${values.join(' and ')}`);
  await add(ann, 'codex-ann', 'second');
  await ann.send(remote);
  const from = `${await ann.writer()}/codex-ann`;
  await cy.fetch(remote, { days: 1 });
  await add(cy, 'codex-cy', `mine, with ${values.join(' and ')}`);
  await ann.purge(remote, { values: values.slice(0, 1) });
  await bob.purge(remote, { values: values.slice(1) });
  await ann.purge(remote, { handoff: from, version: 1 });
  await cy.send(remote);
  for (const text of [everything(cy.path), reachableText(origin)]) for (const value of values) expect(text).not.toContain(value);
  expect((await readAll(await cy.open(`${await cy.writer()}/codex-cy`))).join()).toMatch(/mine, with \[REDACTED:purged:[0-9a-f]{8}\] and \[REDACTED/);
  await cy.fetch(remote, { days: 1 });
  expect((await cy.versions(from)).map(({ version }) => version)).toEqual([2]);
});

describe('what comes back', () => {
  test('is refused by a pull, and no object of it stays', async () => {
    const value = secret();
    const [ann, cy] = [await clone('ann'), await clone('cy')];
    await add(ann, 'codex-ann', value);
    await ann.send(remote);
    const from = `${await ann.writer()}/codex-ann`;
    await cy.fetch(remote, { days: 1 });
    // A clone whose relay knows nothing of tombstones.
    const old = place.clone(origin, 'old');
    place.git(old, 'fetch', '-q', 'origin', `refs/relay/s/${from}:refs/kept`, 'refs/relay/index/*:refs/kept-index/*');
    await ann.purge(remote, { values: [value] });
    place.git(old, 'push', '-q', '--force', 'origin', `refs/kept:refs/relay/s/${from}`);
    const pulled = await cy.fetch(remote, { handoffs: [from] });
    expect(pulled.refused).toMatchObject([{ handoff: from, reason: expect.stringContaining('purged') }]);
    expect(everything(cy.path)).not.toContain(value);
    await ann.purge(remote, { values: [value] });
    expect(reachableText(origin)).not.toContain(value);
  });
});

describe('a forged tombstone', () => {
  /** Puts a tombstone into the index of a writer who never was. */
  function forge(tombstone: object, writer = 'mallory-0a0a0a'): void {
    const id = randomBytes(16).toString('hex');
    const all = {
      format: 'relay-tombstone',
      format_version: 1,
      id,
      by: writer,
      at: new Date().toISOString(),
      handoffs: [],
      commits: [],
      blobs: [],
      ...tombstone,
    };
    const work = place.repo(`forge-${id}`);
    writeFileSync(join(work, 'x'), JSON.stringify(all));
    const blob = place.git(work, 'hash-object', '-w', 'x').trim();
    place.git(work, 'update-index', '--add', '--cacheinfo', `100644,${blob},tombstones/${id}.json`);
    const commit = place.git(work, 'commit-tree', '-m', 'relay: index', place.git(work, 'write-tree').trim()).trim();
    place.git(work, 'push', '-q', '--force', origin, `${commit}:refs/relay/index/${writer}`);
  }

  test('never takes away what a clone has not sent, nor its own sessions', async () => {
    const bob = await clone('bob');
    await add(bob, 'codex-bob', 'sent');
    await bob.send(remote);
    const own = `${await bob.writer()}/codex-bob`;
    const sent = await bob.open(own);
    await add(bob, 'codex-bob', 'not sent');
    const blob = place.git(bob.path, 'rev-parse', `${sent.commit}:transcript/main/000/000000.jsonl`).trim();
    forge({ handoffs: [{ handoff: own, last: 1, gone: true }], commits: [[sent.commit, null]], blobs: [[blob, null]] });
    await bob.fetch(remote, { days: 1 });
    expect(await readAll(await bob.open(own))).toEqual([said('sent'), said('not sent')]);
    await expect(bob.send(remote)).rejects.toMatchObject({ code: 'blocked' });
  });

  test('cannot name what every session begins with, a number that is none, or another writer as who did it', async () => {
    const [bob, cy] = [await clone('bob'), await clone('cy')];
    await add(bob, 'codex-bob', 'x');
    await bob.send(remote);
    const own = `${await bob.writer()}/codex-bob`;
    const { commit } = await bob.open(own);
    forge({ commits: [[rootId('sha1'), null]] }, 'mallory-0a0a0b');
    forge({ handoffs: [{ handoff: own, last: Number.MAX_SAFE_INTEGER, gone: true }], commits: [[commit, null]] }, 'mallory-0a0a0c');
    forge({ by: await bob.writer(), commits: [[commit, null]] }, 'mallory-0a0a0d');
    forge({ commits: [['../../x', null]] }, 'mallory-0a0a0e');
    expect(rootId('sha1')).toBe(place.git(bob.path, 'rev-list', '--max-parents=0', own.replace(/^/, 'refs/relay/s/')).trim());
    expect((await cy.fetch(remote, { days: 1 })).refused).toEqual([]);
    expect(await readAll(await cy.open(own))).toEqual([said('x')]);
    await add(bob, 'codex-bob', 'y');
    expect((await bob.send(remote)).sent).toMatchObject([{ n: 2 }]);
  });

  test('may put placeholders into what was not sent, and nothing else', async () => {
    const [ann, bob] = [await clone('ann'), await clone('bob')];
    await add(ann, 'codex-ann', 'old words');
    await ann.send(remote);
    await bob.fetch(remote, { days: 1 });
    const from = await bob.open(`${await ann.writer()}/codex-ann`);
    await add(bob, 'codex-bob', 'old words, and mine');
    const old = place.git(bob.path, 'rev-parse', `${from.commit}:transcript/main/000/000000.jsonl`).trim();
    // The new form says something else altogether.
    const work = place.repo('other');
    writeFileSync(join(work, 'y'), 'nothing of it\n');
    const now = place.git(work, 'hash-object', '-w', 'y').trim();
    place.git(
      work,
      'push',
      '-q',
      origin,
      `${place.git(work, 'commit-tree', '-m', 'x', place.git(work, 'mktree', '--missing').trim() || '').trim()}:refs/relay/s/mallory-0a0a0a/x`,
    );
    forge({ blobs: [[old, now]], handoffs: [{ handoff: 'mallory-0a0a0a/x', last: 1 }] });
    await bob.fetch(remote, { days: 1 });
    expect(await readAll(await bob.open('codex-bob'))).toEqual([said('old words, and mine')]);
  });
});
