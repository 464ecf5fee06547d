import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makePlace, type Place } from '../support/repos.ts';
import { grow, makeLines, originOf, readAll, storeOf, version } from '../support/sessions.ts';

vi.setConfig({ testTimeout: 60_000 });

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

async function twoClones(...bare: string[]) {
  const origin = place.bare('origin.git', ...bare);
  const seed = place.clone(origin, 'ann');
  place.git(seed, 'commit', '-q', '--allow-empty', '-m', 'first');
  place.git(seed, 'push', '-q', 'origin', 'HEAD');
  const bob = place.clone(origin, 'bob');
  return { origin, ann: await storeOf(place, seed), bob: await storeOf(place, bob), annDir: seed, bobDir: bob, remote: originOf(place, seed) };
}

test('a session sent by one clone is listed, fetched and read in another', async () => {
  const { origin, ann, bob, remote } = await twoClones();
  const lines = makeLines(800);
  await ann.append('codex-one', grow(lines));
  const handoff = `${await ann.writer()}/codex-one`;
  expect(await ann.unsent(remote)).toEqual([handoff]);
  const sent = await ann.send(remote);
  expect(sent.sent).toMatchObject([{ handoff, n: 1 }]);
  expect(sent.bytes).toBeGreaterThan(50_000);
  expect(await ann.unsent(remote)).toEqual([]);

  await bob.fetch(remote, {});
  expect(await bob.list()).toMatchObject([
    { handoff, version: 1, agent: 'codex', title: 'A session', author: 'Ann Example <ann@example.com>', records: 800, state: 'remote' },
  ]);
  const { updated } = await bob.fetch(remote, { days: 30 });
  expect(updated).toEqual([{ handoff, commit: sent.sent[0]?.commit, rewritten: false }]);
  expect(await bob.list()).toMatchObject([{ handoff, state: 'fetched' }]);
  expect(await readAll(await bob.open(handoff))).toEqual(lines);
  expect((await bob.fetch(remote, { days: 30 })).updated).toEqual([]);
  expect(
    place
      .git(origin, 'for-each-ref', '--format=%(refname)')
      .split('\n')
      .filter((ref) => ref.includes('relay')).length,
  ).toBe(2);
  expect(place.git(origin, 'fsck', '--full', '--strict')).toBe('');
});

test('a second send without anything new sends nothing', async () => {
  const { ann, remote } = await twoClones();
  await ann.append('codex-one', grow(makeLines(50)));
  await ann.send(remote);
  expect(await ann.send(remote)).toEqual({ sent: [], bytes: 0 });
  expect(await ann.outgoing(remote)).toEqual([]);
});

test('what outgoing lists is what the remote gets', async () => {
  const { origin, ann, remote } = await twoClones();
  await ann.append('codex-one', grow(makeLines(300)));
  await ann.append('codex-two', grow(makeLines(300, 'b')));
  const before = new Set(objectsOf(origin));
  const handoff = `${await ann.writer()}/codex-one`;
  const outgoing = await ann.outgoing(remote, [handoff]);
  await ann.send(remote, [handoff]);
  const got = objectsOf(origin).filter((id) => !before.has(id));
  expect(new Set(outgoing.map((object) => object.id).filter((id) => !before.has(id)))).toEqual(new Set(got));
  expect(
    outgoing
      .filter((object) => object.type === 'blob')
      .map((object) => object.path.replace(/.*\//, ''))
      .sort(),
  ).toEqual(expect.arrayContaining(['codex-one.json', 'files.json', 'session.json', '000000.jsonl']));
  expect(outgoing.some((object) => object.path.includes('codex-two'))).toBe(false);
  let bytes = 0;
  for await (const object of ann.contents(outgoing.map((one) => one.id))) bytes += object.bytes.length;
  expect(bytes).toBeGreaterThan(300_000);
  expect((await ann.unsent(remote)).length).toBe(1);

  // One more version: only what is new.
  await ann.append('codex-one', grow(makeLines(10, 'c')));
  const next = await ann.outgoing(remote, [handoff]);
  expect(next.filter((object) => object.path.startsWith('transcript/')).length).toBe(1);
});

const objectsOf = (repo: string): string[] => place.git(repo, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)').split('\n').filter(Boolean);

test('two remotes each get everything, and no title of a session that did not go there', async () => {
  const { ann, remote } = await twoClones();
  const second = place.bare('second.git');
  await ann.append('codex-one', grow(makeLines(20)));
  await ann.append('codex-two', grow(makeLines(20, 'b'), { card: { ...version().card, title: 'Kept away' } }));
  const one = `${await ann.writer()}/codex-one`;
  await ann.send(remote);
  const toSecond = await ann.send({ url: second }, [one]);
  expect(toSecond.sent.map((sent) => sent.handoff)).toEqual([one]);
  const cards = place.git(second, 'grep', '-c', 'title', `refs/relay/index/${await ann.writer()}`);
  expect(cards.split('\n').filter(Boolean).length).toBe(1);
  expect(place.git(second, 'for-each-ref', '--format=%(refname)', 'refs/relay/s').trim()).toBe(`refs/relay/s/${one}`);
});

test('offline says so', async () => {
  const { ann, bob, origin, remote } = await twoClones();
  await ann.append('codex-one', grow(['{}']));
  renameSync(origin, `${origin}.away`);
  await expect(ann.send(remote)).rejects.toMatchObject({ code: 'offline' });
  await expect(bob.fetch(remote, { handoffs: ['ann/codex-one'] })).rejects.toThrow('cannot reach origin');
  await expect(bob.fetch({ url: 'http://user:hunter2@127.0.0.1:9/x.git' }, {})).rejects.toThrow(/^cannot reach http:\/\/127\.0\.0\.1:9\/x\.git: /);
});

test('a host that refuses refs/relay leads to ordinary branches, which a pull reads too', async () => {
  const { ann, bob, origin, remote } = await twoClones();
  place.git(origin, 'config', 'receive.hideRefs', 'refs/relay');
  await ann.append('codex-one', grow(makeLines(5)));
  await expect(ann.send(remote)).rejects.toMatchObject({ code: 'consent', exitCode: 3, hint: expect.stringContaining('--namespace refs/heads/relay') });
  const sent = await ann.send({ ...remote, namespace: 'refs/heads/relay' });
  expect(sent.sent.length).toBe(1);
  expect(place.git(origin, 'for-each-ref', '--format=%(refname)', 'refs/heads/relay').trim().split('\n').length).toBe(2);
  expect((await bob.fetch(remote, { days: 1 })).updated.length).toBe(1);
});

test('branches step aside where a branch named relay exists', async () => {
  const { ann, bob, origin, annDir, remote } = await twoClones();
  place.git(annDir, 'push', '-q', 'origin', 'HEAD:refs/heads/relay');
  await ann.append('codex-one', grow(makeLines(5)));
  const branches = { ...remote, namespace: 'refs/heads/relay' };
  await ann.send(branches);
  expect(place.git(origin, 'for-each-ref', '--format=%(refname)', 'refs/heads/relay-store').trim().split('\n').length).toBe(2);
  expect(await ann.unsent(branches)).toEqual([]);
  await ann.append('codex-one', grow(makeLines(5)));
  expect((await ann.send(branches)).sent.length).toBe(1);
  expect((await bob.fetch(remote, { days: 1 })).updated.length).toBe(1);
});

test('a handoff that is gone is kept and marked, a rewritten one is reported and its old tip kept', async () => {
  const { ann, bob, origin, remote } = await twoClones();
  await ann.append('codex-one', grow(makeLines(5)));
  await ann.append('codex-two', grow(makeLines(5)));
  await ann.send(remote);
  await bob.fetch(remote, { days: 1 });
  const writer = await ann.writer();
  place.git(origin, 'update-ref', '-d', `refs/relay/s/${writer}/codex-one`);
  const old = (await bob.open(`${writer}/codex-two`)).commit;

  const tree = place.git(origin, 'rev-parse', `${old}^{tree}`).trim();
  const other = place.git(origin, 'commit-tree', '-m', 'other', tree).trim();
  place.git(origin, 'update-ref', `refs/relay/s/${writer}/codex-two`, other);
  const cards = join(place.root, 'cards');
  place.git(place.root, 'clone', '-q', origin, cards);
  place.git(cards, 'fetch', '-q', 'origin', `refs/relay/index/${writer}`);
  place.git(cards, 'checkout', '-q', 'FETCH_HEAD');
  for (const path of place.git(cards, 'ls-files').trim().split('\n')) {
    const card = JSON.parse(place.git(cards, 'show', `HEAD:${path}`));
    place.git(
      cards,
      'update-index',
      '--add',
      '--cacheinfo',
      `100644,${hashOf(cards, JSON.stringify({ ...card, commit: path.includes('two') ? other : 'f'.repeat(40) }))},${path}`,
    );
  }
  place.git(cards, 'commit', '-q', '-m', 'cards');
  place.git(cards, 'push', '-q', 'origin', `HEAD:refs/relay/index/${writer}`);

  const { updated } = await bob.fetch(remote, { days: 1 });
  expect(updated).toEqual([{ handoff: `${writer}/codex-two`, commit: other, rewritten: true }]);
  const list = await bob.list();
  expect(list.find((card) => card.session === 'one' && card.handoff.endsWith('codex-one'))?.state).toBe('gone');
  expect((await readAll(await bob.open(`${writer}/codex-one`))).length).toBe(5);
  expect(place.git(bob.path, 'for-each-ref', '--format=%(objectname)', 'refs/relay-backup').trim()).toBe(old);
});

const hashOf = (repo: string, text: string): string => {
  writeFileSync(join(repo, 'card.json'), text);
  return place.git(repo, 'hash-object', '-w', 'card.json').trim();
};

test('a server without atomic pushes still gets everything', async () => {
  const { ann, origin, remote } = await twoClones();
  place.git(origin, 'config', 'receive.advertiseAtomic', 'false');
  await ann.append('codex-one', grow(makeLines(5)));
  expect((await ann.send(remote)).sent.length).toBe(1);
  expect(place.git(origin, 'for-each-ref', 'refs/relay').trim().split('\n').length).toBe(2);
});

test('a remote that was made anew gets everything again', async () => {
  const { ann, origin, remote } = await twoClones();
  await ann.append('codex-one', grow(makeLines(5)));
  await ann.send(remote);
  rmSync(origin, { recursive: true });
  place.bare('origin.git');
  expect((await ann.send(remote)).sent.length).toBe(1);
  expect(place.git(origin, 'for-each-ref', 'refs/relay').trim().split('\n').length).toBe(2);
});

test('git gc and pack-refs between all steps lose nothing', async () => {
  const { ann, bob, annDir, bobDir, origin, remote } = await twoClones();
  const clean = () => {
    for (const repo of [ann.path, bob.path, annDir, bobDir, origin]) {
      if (!existsSync(repo)) continue;
      place.git(repo, 'reflog', 'expire', '--expire=now', '--all');
      place.git(repo, '-c', 'gc.pruneExpire=now', 'gc', '-q', '--prune=now');
      place.git(repo, 'pack-refs', '--all');
    }
  };
  const lines = makeLines(600);
  for (let i = 0; i < 3; i++) {
    await ann.append('codex-one', grow(lines.slice(i * 200, i * 200 + 200)));
    clean();
    await ann.outgoing(remote);
    clean();
    await ann.send(remote);
    clean();
    await bob.fetch(remote, { days: 1 });
    clean();
    expect(await readAll(await bob.open('codex-one'))).toEqual(lines.slice(0, i * 200 + 200));
  }
});

test('many versions: packs are joined, every version still opens', async () => {
  const { ann, remote } = await twoClones();
  for (let i = 0; i < 70; i++) await ann.append('codex-one', grow([`{"n":${i}}`]));
  expect(readdirSync(join(ann.path, 'objects/pack')).filter((name) => name.endsWith('.pack')).length).toBeLessThan(64);
  await ann.send(remote);
  expect((await readAll(await ann.open('codex-one@35'))).length).toBe(35);
  expect(place.git(ann.path, 'fsck', '--full', '--strict', '--no-dangling')).toBe('');
});

test('a thousand handoffs are listed in less than a second', async () => {
  const { ann, bob, remote } = await twoClones();
  const { writer } = { writer: await ann.writer() };
  const { commit } = await ann.append('codex-0', grow(['{}']));
  // As quick as a test needs it: the same version under a thousand names.
  execFileSync('git', [`--git-dir=${ann.path}`, 'update-ref', '--stdin'], {
    env: place.env,
    input: Array.from({ length: 999 }, (_, i) => `create refs/relay/s/${writer}/codex-${i + 1} ${commit}\n`).join(''),
  });
  await ann.send(remote);
  const began = performance.now();
  expect((await ann.list()).length).toBe(1000);
  expect(performance.now() - began).toBeLessThan(1000);
  await bob.fetch(remote, {});
  const again = performance.now();
  expect((await bob.list()).length).toBe(1000);
  expect(performance.now() - again).toBeLessThan(1000);
  expect((await bob.fetch(remote, { days: 1 })).updated.length).toBe(1000);
});
