import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Remote, Store } from '#store/types.ts';
import { add, everything, reachableText, secret, type Team, team } from '../support/purging.ts';
import type { Place } from '../support/repos.ts';
import { readAll } from '../support/sessions.ts';
import { sideStore } from '../support/side-store.ts';

vi.setConfig({ testTimeout: 60_000 });

let place: Place;
let origin: string;
let remote: Remote;
let clone: Team['clone'];
beforeEach(() => {
  ({ place, origin, remote, clone } = team());
});
afterEach(() => place.remove());

const purged = (store: Store, value: string, dryRun = false) => store.purge(remote, { values: [value] }, { dryRun });
const refsOf = (path: string): string[] => place.git(path, 'for-each-ref', '--format=%(objectname) %(refname)').split('\n').filter(Boolean).sort();
const branch = (ref: string): string => place.git(origin, 'update-ref', ref, place.git(origin, 'for-each-ref', '--format=%(objectname)', '--count=1').trim());

/** Ann has sent a session that holds a value, and Bob, who fetched it, has said it in one of his own. */
async function both(value: string): Promise<{ ann: Store; bob: Store }> {
  const [ann, bob] = [await clone('ann'), await clone('bob')];
  await add(ann, 'codex-ann', `it is ${value}`);
  await ann.send(remote);
  await bob.fetch(remote, { days: 1 });
  await add(bob, 'codex-bob', `mine, ${value}`);
  return { ann, bob };
}

describe('refs of the remote', () => {
  test('the user’s own branches stay, whatever they are called', async () => {
    const value = secret();
    const ann = await clone('ann');
    await add(ann, 'codex-one', 'x');
    await ann.send(remote);
    const own = [`relay/fix-${value}`, `relay/s/${value}`, `relay/index/fix/${value}`, `relay-store/${value}`].map((name) => `refs/heads/${name}`);
    for (const ref of own) branch(ref);
    const before = refsOf(origin);
    for (const dryRun of [true, false]) expect(await purged(ann, value, dryRun)).toMatchObject({ tombstone: null, handoffs: [], refs: [] });
    expect(refsOf(origin)).toEqual(before);
  });

  test.each(['refs/relay', 'relay-store', 'relay/s', 'heads/relay', 'index/'])('the place itself is no name that holds %s', async (value) => {
    const ann = await clone('ann');
    await add(ann, 'codex-one', 'x');
    await ann.send(remote);
    branch('refs/heads/relay-store/s/bob-0a0a0a/codex-two');
    const before = refsOf(origin);
    expect(await purged(ann, value)).toMatchObject({ handoffs: [], refs: [] });
    expect(refsOf(origin)).toEqual(before);
  });

  test('relay’s own whose name holds the value go, and are told', async () => {
    const value = secret();
    const ann = await clone('ann');
    await add(ann, 'codex-one', 'x');
    await ann.send(remote);
    const own = [`refs/relay/index/${value}-0a0a0a`, `refs/relay/s/Of.Old/${value}`, `refs/heads/relay/s/Of.Old/${value}`];
    for (const ref of own) branch(ref);
    const expected = expect.arrayContaining(own.map((ref) => ({ ref, gone: true })));
    expect((await purged(ann, value, true)).refs).toEqual(expected);
    const done = await purged(ann, value);
    expect([done.refs, done.tombstone]).toEqual([expected, expect.any(String)]);
    expect(refsOf(origin).join()).not.toContain(value);
    expect(await purged(ann, value)).toMatchObject({ tombstone: null, refs: [] });
  });
});

describe('files of the clone', () => {
  const FILES = {
    'config.jsonc': '// mine\n{"redact":{"paranoid":true}}\n',
    'accepted.json': '{"store.remote":"accepted"}\n',
    'learned.json': '{"version":1,"key":"0a0a0a0a","values":[{"kind":"purged","length":9,"print":"learned","start":1}]}\n',
    'exposed.json': '{"version":1,"searched":[],"exposed":[]}\n',
    'consent.json': '{"consent":true}\n',
  };

  test.each(['config', 'paranoid', 'writer', 'accepted', 'learned', 'settled', 'exposed', 'searched', 'consent', 'tombstones', 'remotes'])(
    'keep their form and their settings with the value %s',
    async (value) => {
      const ann = await clone('ann');
      await add(ann, 'codex-one', 'x');
      await add(ann, 'codex-two', `it is "${value}"`);
      await ann.send(remote);
      await ann.purge(remote, { handoff: `${await ann.writer()}/codex-one` });
      await ann.key();
      for (const [name, text] of Object.entries(FILES)) writeFileSync(join(ann.home, name), text);
      const kept = [...Object.keys(FILES), 'writer.json', 'remotes.json', 'key'];
      const read = () => kept.map((name) => readFileSync(join(ann.home, name), 'latin1'));
      const [before, gone] = [read(), await ann.withdrawn()];
      const { settings } = await purged(ann, value);
      expect(read()).toEqual(before);
      expect(await ann.withdrawn()).toEqual(gone);
      expect(settings).toEqual(value === 'paranoid' ? [join(ann.home, 'config.jsonc')] : []);
      expect((await readAll(await ann.open('codex-two'))).join()).toContain('[REDACTED:purged:');
    },
  );

  test('say the value no more where they say names, and what was purged before stays known', async () => {
    const value = secret();
    const ann = await clone('ann');
    await add(ann, `codex-${value}`, 'to be purged');
    await ann.send(remote);
    const handoff = `${await ann.writer()}/codex-${value}`;
    const { commit } = await ann.open(handoff);
    writeFileSync(join(ann.home, 'exposed.json'), `${JSON.stringify({ version: 1, searched: [], exposed: [{ handoff, commit }] })}\n`);
    const imports = join(place.env.XDG_STATE_HOME ?? '', 'relay/imports.jsonl');
    mkdirSync(join(imports, '..'), { recursive: true });
    writeFileSync(imports, `{"from":"a","version":"${handoff}@1"}\n{"from":"b","version":"other"}\n`);
    writeFileSync(join(ann.home, 'verdicts.json'), JSON.stringify({ by: value, runs: [] }));
    await purged(ann, value);
    expect(JSON.parse(readFileSync(join(ann.home, 'exposed.json'), 'utf8'))).toMatchObject({ exposed: [{ commit }] });
    expect(readFileSync(imports, 'utf8')).toMatch(/^\{"from":"a","version":"[^"]*\[REDACTED:purged:[^"]*@1"\}\n\{"from":"b","version":"other"\}\n$/);
    expect(existsSync(join(ann.home, 'verdicts.json'))).toBe(false);
    const tombstones = readFileSync(join(ann.home, 'tombstones.json'), 'utf8');
    expect(tombstones).toContain(commit);
    for (const name of ['exposed.json', 'tombstones.json']) expect(readFileSync(join(ann.home, name), 'utf8')).not.toContain(value);
  });

  test('of what was purged by name before, the name goes too, here and on the remote', async () => {
    const value = secret();
    const ann = await clone('ann');
    await add(ann, `codex-${value}`, 'to be purged');
    await ann.send(remote);
    const { commit } = await ann.open(`codex-${value}`);
    const writer = await ann.writer();
    await ann.purge(remote, { handoff: `${writer}/codex-${value}` });
    expect((await purged(ann, value)).refs).toEqual([{ ref: `refs/relay/index/${writer}`, gone: false }]);
    for (const text of [everything(ann.path), readFileSync(join(ann.home, 'tombstones.json'), 'utf8'), reachableText(origin)]) {
      expect(text).not.toContain(value);
      expect(text).toContain(commit);
    }
    expect((await purged(ann, value)).refs).toEqual([]);
  });

  test('are left alone by what another clone purged, caches aside', async () => {
    const value = secret();
    const { ann, bob } = await both(value);
    const text = JSON.stringify({ allow: value });
    for (const name of ['config.jsonc', 'exposed.json', 'verdicts.json', `state/${value}.json`]) writeFileSync(join(bob.home, name), text);
    await purged(ann, value);
    await bob.fetch(remote, { days: 1 });
    expect(everything(bob.path)).not.toContain(value);
    for (const name of ['config.jsonc', 'exposed.json']) expect(readFileSync(join(bob.home, name), 'utf8')).toBe(text);
    for (const name of ['verdicts.json', `state/${value}.json`]) expect(existsSync(join(bob.home, name))).toBe(false);
  });
});

test('a look changes nothing of what others purged', async () => {
  const value = secret();
  const { ann, bob } = await both(value);
  await purged(ann, value);
  const own = () => refsOf(bob.path).filter((line) => line.includes(' refs/relay/'));
  const before = own();
  expect((await purged(bob, 'something else', true)).handoffs).toEqual([]);
  expect([own(), existsSync(join(bob.home, 'tombstones.json'))]).toEqual([before, false]);
  expect(everything(bob.path)).toContain(value);
  await purged(bob, 'something else');
  expect(everything(bob.path)).not.toContain(value);
});

describe('several remotes', () => {
  /** Bob learned of Ann's purge and was stopped before he followed it. */
  async function stopped(value: string): Promise<Store> {
    const { ann, bob } = await both(value);
    await purged(ann, value);
    await bob.fetch(remote, { days: 1 });
    return bob;
  }
  const unsettle = (store: Store): void => {
    const path = join(store.home, 'tombstones.json');
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"settled":true', '"settled":false'));
  };
  const settled = (store: Store): boolean => !readFileSync(join(store.home, 'tombstones.json'), 'utf8').includes('"settled":false');

  test('what one of them says is followed with that one only', async () => {
    const bob = await stopped(secret());
    unsettle(bob);
    const other: Remote = { url: place.bare('other.git') };
    await bob.fetch(other, { days: 1 });
    expect(settled(bob)).toBe(false);
    await bob.purge(other, { values: ['something else'] });
    expect(settled(bob)).toBe(false);
    await bob.fetch(remote, { days: 1 });
    expect(settled(bob)).toBe(true);
  });

  test('or with the same one at another address', async () => {
    const bob = await stopped(secret());
    unsettle(bob);
    await bob.fetch({ url: `file://${origin}` }, { days: 1 });
    expect(settled(bob)).toBe(true);
  });

  test('of others that had it, name or address is said, and how many are forgotten', async () => {
    const value = secret();
    const ann = await clone('ann');
    await add(ann, 'codex-ann', `it is ${value}`);
    const [mirror, lost] = [{ url: place.bare('mirror.git') }, { url: place.bare('lost.git') }];
    for (const one of [remote, mirror, lost]) await ann.send(one);
    const path = join(ann.home, 'remotes.json');
    const known = Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, { url: string }>);
    writeFileSync(path, JSON.stringify(Object.fromEntries(known.filter(([, { url }]) => url !== lost.url))));
    expect(await purged(ann, value)).toMatchObject({ elsewhere: [mirror.url], forgotten: 1 });
    expect(reachableText(origin)).not.toContain(value);
  });
});

test('what was sent is told with the blobs of each version; a damaged one is passed over', async () => {
  const ann = await clone('ann');
  for (const text of ['one', 'two', 'three']) await add(ann, 'codex-ann', text);
  await ann.send(remote);
  const handoff = `${await ann.writer()}/codex-ann`;
  const side = sideStore(join(place.root, 'ann'));
  const commits = (await ann.versions(handoff)).map(({ commit }) => commit);
  const blobs = (commit: string): string[] => [...new Set(side.git(['ls-tree', '-r', '--format=%(objectname)', commit]).split('\n'))].sort();
  const sent = await ann.sent();
  expect(sent.map((one) => ({ ...one, blobs: [...one.blobs].sort() }))).toEqual(
    commits.map((commit, i) => ({ handoff, version: i + 1, commit, blobs: blobs(commit) })),
  );
  const tip = commits.at(-1) as string;
  side.move(side.ref('refs/relay-remote/**'), side.commit(side.treeWith(tip, 'session.json', '{"version":"x"}'), [tip]));
  expect((await ann.sent()).map(({ commit }) => commit)).toEqual(commits);
});
