import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makePlace, type Place } from '../support/repos.ts';
import { grow, HEADER, makeLines, readAll, storeOf, version } from '../support/sessions.ts';

vi.setConfig({ testTimeout: 60_000 });

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const tree = (store: string, commit: string): Map<string, string> =>
  new Map(
    place
      .git(store, 'ls-tree', '-r', commit)
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.split('\t')[1] as string, line.split(/\s/)[2] as string]),
  );

test('a version comes back as it was stored', async () => {
  const store = await storeOf(place, place.repo('repo'));
  const lines = makeLines(2000);
  const image = Buffer.from([0, 1, 2, 250, 10, 13]);
  let sha = '';
  const done = await store.append('codex-one', async (base, writer) => {
    expect(base).toBeNull();
    const main = writer.stream('main', 0, HEADER);
    for (const line of lines) main.write(line);
    writer.stream('agent/a_x.1', 0, HEADER).write('{"ü":"\u2028"}');
    sha = writer.attachment(image);
    expect(writer.attachment(image)).toBe(sha);
    return version({ manifest: { agent: 'codex', cwd: 'packages/a' }, files: [{ path: 'a', state: 'clean' }] });
  });
  expect(done).toMatchObject({ n: 1, appended: true });
  const opened = await store.open(`${await store.writer()}/codex-one`);
  expect(opened.manifest).toMatchObject({ agent: 'codex', cwd: 'packages/a', version: 1, handoff: `${await store.writer()}/codex-one` });
  expect(opened.files).toEqual([{ path: 'a', state: 'clean' }]);
  expect(opened.state).toEqual({ at: 1 });
  expect(opened.streams).toEqual([
    { name: 'main', records: 2000 },
    { name: 'agent/a_x.1', records: 1 },
  ]);
  expect(await readAll(opened)).toEqual(lines);
  expect(await readAll(opened, 'main', 1500)).toEqual(lines.slice(1500));
  expect(await readAll(opened, 'agent/a_x.1')).toEqual(['{"ü":"\u2028"}']);
  expect(await opened.attachment(sha)).toEqual(image);
  await expect(opened.attachment('0'.repeat(64))).rejects.toMatchObject({ code: 'not-found' });
  const paths = [...tree(store.path, done.commit).keys()];
  expect(paths).toContain('transcript/main/000/000000.jsonl');
  expect(paths).toContain('transcript/agent/a_5fx.1/000/000000.jsonl');
  expect(paths).toContain(`attachments/${sha.slice(0, 2)}/${sha}`);
  expect(place.git(store.path, 'cat-file', '-p', done.commit)).toContain('\nrelay: A session\n\nRelay-Format: 1\nRelay-Session: one\n');
  expect(place.git(store.path, 'fsck', '--full', '--strict')).toBe('');
});

test('appending leaves earlier segments alone and cuts as one pass over all lines would', async () => {
  const store = await storeOf(place, place.repo('repo'));
  const lines = makeLines(3000);
  let commit = '';
  const trees: Map<string, string>[] = [];
  for (let i = 0; i < lines.length; i += 250) {
    ({ commit } = await store.append('codex-steps', grow(lines.slice(i, i + 250))));
    trees.push(tree(store.path, commit));
  }
  const whole = await store.append('codex-whole', grow(lines));
  const segments = (all: Map<string, string>) => [...all].filter(([path]) => path.startsWith('transcript/'));
  expect(segments(trees.at(-1) as Map<string, string>)).toEqual(segments(tree(store.path, whole.commit)));
  expect(segments(trees.at(-1) as Map<string, string>).length).toBeGreaterThan(5);
  for (const [i, before] of trees.slice(0, -1).entries()) {
    const closed = segments(before).slice(0, -1);
    const after = trees[i + 1] as Map<string, string>;
    for (const [path, blob] of closed) expect(after.get(path)).toBe(blob);
  }
  const opened = await store.open(`${await store.writer()}/codex-steps`);
  expect(opened.n).toBe(12);
  expect(await readAll(opened)).toEqual(lines);
});

test('a stream can go on from any record, shrink, or end', async () => {
  const store = await storeOf(place, place.repo('repo'));
  const lines = makeLines(1500);
  const name = `${await store.writer()}/codex-one`;
  await store.append('codex-one', async (_base, writer) => {
    for (const line of lines) (lines[0] === line ? writer.stream('side', 0, HEADER) : { write() {} }).write(line);
    const main = writer.stream('main', 0, HEADER);
    for (const line of lines) main.write(line);
    return version();
  });
  let kept = 1500;
  for (const keep of [1500, 1499, 900, 901, 300, 1, 0]) {
    const extra = makeLines(3, `keep ${keep}`);
    const before = (await readAll(await store.open(name))).slice(0, keep);
    kept = Math.min(keep, kept);
    await store.append('codex-one', async (_base, writer) => {
      const main = writer.stream('main', keep, HEADER);
      for (const line of extra) main.write(line);
      return version();
    });
    const opened = await store.open(name);
    expect(await readAll(opened)).toEqual([...before, ...extra]);
    expect(opened.streams).toEqual([{ name: 'main', records: keep + 3 }]);
    kept = keep + 3;
    const segments = (opened.manifest.streams as { segments: number[][] }[])[0]?.segments ?? [];
    expect([...tree(store.path, opened.commit).keys()].filter((path) => path.startsWith('transcript/')).length).toBe(segments.length);
    await store.append('codex-one', async (base, writer) => {
      const main = writer.stream('main', base?.streams[0]?.records ?? 0, HEADER);
      for (const line of lines.slice(0, 1500 - keep)) main.write(line);
      return version();
    });
  }
  await store.append('codex-one', async (_base, writer) => {
    writer.stream('main', 2, HEADER);
    return version();
  });
  expect((await readAll(await store.open(name))).length).toBe(2);
  await expect(
    store.append('codex-one', async (_base, writer) => {
      writer.stream('main', 3, HEADER);
      return version();
    }),
  ).rejects.toThrow('holds 2 records');
});

test('attachments stay while a record stays and go with a rewritten session', async () => {
  const store = await storeOf(place, place.repo('repo'));
  const first = await store.append('codex-one', async (_base, writer) => {
    writer.attachment(Buffer.from('picture'));
    writer.stream('main', 0, HEADER).write('{"n":1}');
    return version();
  });
  const attachments = (commit: string) => [...tree(store.path, commit).keys()].filter((path) => path.startsWith('attachments/')).length;
  expect(attachments(first.commit)).toBe(1);
  expect(attachments((await store.append('codex-one', grow(['{"n":2}']))).commit)).toBe(1);
  const anew = await store.append('codex-one', async (_base, writer) => {
    writer.stream('main', 0, HEADER);
    return version();
  });
  expect(attachments(anew.commit)).toBe(0);
});

test('nothing new makes no commit, a failing build stores nothing', async () => {
  const store = await storeOf(place, place.repo('repo'));
  expect(await store.append('codex-one', async () => null)).toEqual({ ref: '', commit: '', n: 0, appended: false });
  const first = await store.append('codex-one', grow(makeLines(10)));
  expect(await store.append('codex-one', async () => null)).toMatchObject({ commit: first.commit, n: 1, appended: false });
  const objects = () => place.git(store.path, 'cat-file', '--batch-all-objects', '--batch-check', '--unordered').split('\n').length;
  const before = objects();
  const fails = store.append('codex-one', async (_base, writer) => {
    const main = writer.stream('main', 0, HEADER);
    for (const line of makeLines(6000, 'secret')) main.write(line);
    await writer.drained();
    throw new Error('a secret is left');
  });
  await expect(fails).rejects.toThrow('a secret is left');
  expect(objects()).toBe(before);
  expect(readdirSync(store.path, { recursive: true }).filter((name) => /tmp_|\.lock$|crash/.test(String(name)))).toEqual([]);
  expect((await store.append('codex-one', grow(['{}']))).n).toBe(2);
});

test('state belongs to one commit only', async () => {
  const store = await storeOf(place, place.repo('repo'));
  const name = `${await store.writer()}/codex-one`;
  await store.append('codex-one', grow(['{}'], { state: 1 }));
  await store.append('codex-one', grow(['{}'], { state: 2 }));
  expect((await store.open(name)).state).toBe(2);
  expect((await store.open(`${name}@1`)).state).toBeNull();
});

test('versions are opened by number, time, commit and unique beginning', async () => {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const store = await storeOf(place, place.repo('repo'), () => now);
  const name = `${await store.writer()}/codex-one`;
  const commits: string[] = [];
  for (let i = 0; i < 3; i++) {
    commits.push((await store.append('codex-one', grow([`{"n":${i}}`]))).commit);
    now += 3_600_000;
  }
  await store.append('codex-other', grow(['{}']));
  expect((await store.versions(name)).map(({ version, commit, date, records, redactions }) => ({ version, commit, date, records, redactions }))).toEqual(
    commits.map((commit, i) => ({ version: i + 1, commit, date: `2026-01-01T0${i}:00:00.000Z`, records: i + 1, redactions: 2 })),
  );
  expect((await store.open(`${name}@2`)).commit).toBe(commits[1]);
  expect((await store.open(`${name}@{2026-01-01 01:30:00 +0000}`)).commit).toBe(commits[1]);
  expect(await store.open((commits[0] as string).slice(0, 10))).toMatchObject({ commit: commits[0], handoff: name, n: 1 });
  expect((await store.open('codex-on')).commit).toBe(commits[2]);
  await expect(store.open('codex-')).rejects.toMatchObject({ code: 'ambiguous' });
  await expect(store.open(`${name}@4`)).rejects.toMatchObject({ code: 'not-found' });
  await expect(store.open('nobody/nothing')).rejects.toMatchObject({ code: 'not-found' });
});

test('a fork goes on from the version it came from', async () => {
  const store = await storeOf(place, place.repo('repo'));
  const first = await store.append('codex-one', grow(['{"n":1}']));
  await store.append('codex-fork', async (base, writer) => {
    expect(base).toBeNull();
    const main = writer.stream('main', 0, HEADER);
    main.write('{"n":1}');
    main.write('{"n":2}');
    return version({ parent: first.commit });
  });
  const fork = await store.open(`${await store.writer()}/codex-fork`);
  expect(fork.n).toBe(1);
  expect(place.git(store.path, 'rev-parse', `${fork.commit}^`).trim()).toBe(first.commit);
  expect((await store.versions(fork.handoff)).map(({ version }) => version)).toEqual([1]);
  const root = place.git(store.path, 'rev-list', '--max-parents=0', '--all').trim();
  expect(root).toMatch(/^[0-9a-f]{40}$/);
});

test('the users repository stays as it was and what lies beside it is private', async () => {
  const repo = place.repo('repo');
  const look = () => [
    place.git(repo, 'status', '--porcelain', '--ignored'),
    place.git(repo, 'for-each-ref'),
    place.git(repo, 'count-objects', '-v'),
    readFileSync(join(repo, '.git/config'), 'utf8'),
  ];
  const before = look();
  const store = await storeOf(place, repo);
  expect(existsSync(join(repo, '.git/relay'))).toBe(false);
  expect(await store.list()).toEqual([]);
  await store.append('codex-one', grow(['{}']));
  expect((await store.key()).length).toBe(32);
  expect((await store.key()).equals(await (await storeOf(place, repo)).key())).toBe(true);
  expect(look()).toEqual(before);
  expect(store.home).toBe(join(repo, '.git/relay'));
  expect(statSync(store.home).mode & 0o777).toBe(0o700);
  for (const file of ['key', 'writer.json', 'state/codex-one.json']) expect(statSync(join(store.home, file)).mode & 0o777).toBe(0o600);
  expect(await store.writer()).toMatch(/^ann-example-[0-9a-f]{6}$/);
});
