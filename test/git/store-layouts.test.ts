import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { chooseRemote, findRepository } from '#git/repository.ts';
import { withoutUserinfo } from '#git/url.ts';
import { openStore } from '#store/index.ts';
import { makePlace, type Place } from '../support/repos.ts';
import { grow, makeLines, originOf, readAll, storeOf } from '../support/sessions.ts';

vi.setConfig({ testTimeout: 60_000 });

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

/** One repository of each shape, with an origin that takes sessions. Answers the folder to work in. */
const shapes: Record<string, (place: Place) => string> = {
  plain: (place) => place.clone(seeded(place), 'work'),
  'sub-folder': (place) => {
    const dir = place.clone(seeded(place), 'work');
    mkdirSync(join(dir, 'a/b'), { recursive: true });
    return join(dir, 'a/b');
  },
  'linked work tree': (place) => {
    place.git(place.clone(seeded(place), 'main'), 'worktree', 'add', '-q', '../linked');
    return join(place.root, 'linked');
  },
  'bare with work trees': (place) => {
    const bare = place.clone(seeded(place), 'project.git', '--bare');
    place.git(bare, 'worktree', 'add', '-q', '../tree', 'HEAD');
    return join(place.root, 'tree');
  },
  submodule: (place) => {
    const parent = place.repo('parent');
    place.git(parent, 'submodule', '--quiet', 'add', seeded(place), 'sub');
    return join(parent, 'sub');
  },
  'separate git folder': (place) => place.clone(seeded(place), 'work', `--separate-git-dir=${join(place.root, 'elsewhere')}`),
  shallow: (place) => place.clone(`file://${seeded(place)}`, 'work', '--depth=1'),
  blobless: (place) => {
    const origin = seeded(place);
    place.git(origin, 'config', 'uploadpack.allowFilter', 'true');
    return place.clone(`file://${origin}`, 'work', '--filter=blob:none');
  },
  'SHA-256': (place) => place.clone(seeded(place, '--object-format=sha256'), 'work'),
  alternates: (place) => place.clone(seeded(place), 'work', '--shared'),
  'no commit yet': (place) => {
    const dir = place.clone(place.bare('empty.git'), 'work');
    return dir;
  },
  'detached head': (place) => {
    const dir = place.clone(seeded(place), 'work');
    place.git(dir, 'checkout', '-q', '--detach');
    return dir;
  },
};

function seeded(place: Place, ...init: string[]): string {
  const origin = place.bare('seed-origin.git', ...init);
  const seed = place.repo('seed', ...init);
  writeFileSync(join(seed, 'file.txt'), 'content\n');
  place.git(seed, 'add', '.');
  place.git(seed, 'commit', '-q', '-m', 'second');
  place.git(seed, 'push', '-q', origin, 'HEAD:refs/heads/main');
  return origin;
}

describe.each(Object.keys(shapes))('%s', (shape) => {
  test('stores, sends and fetches', async () => {
    const dir = (shapes[shape] as (place: Place) => string)(place);
    const config = place.git(dir, 'config', '--local', '--list');
    const store = await storeOf(place, dir);
    const lines = makeLines(30);
    const { commit } = await store.append('codex-one', grow(lines));
    const remote = originOf(place, dir);
    expect((await store.send(remote)).sent).toMatchObject([{ commit }]);
    const other = await storeOf(place, place.clone(remote.url, 'other'));
    await other.fetch({ name: 'origin', url: remote.url }, { days: 1 });
    expect(await readAll(await other.open('codex-one'))).toEqual(lines);
    expect(place.git(dir, 'config', '--local', '--list')).toBe(config);
    expect(place.git(dir, 'status', '--porcelain')).toBe('');
  });
});

test('a repository is described as git sees it', async () => {
  const origin = seeded(place);
  const main = place.clone(origin, 'main');
  place.git(main, 'worktree', 'add', '-q', '../linked', '-b', 'topic');
  const linked = await findRepository(join(place.root, 'linked'), { ...place.env, GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere/index' });
  expect(linked).toMatchObject({
    commonDir: join(main, '.git'),
    gitDir: join(main, '.git/worktrees/linked'),
    workTree: join(place.root, 'linked'),
    workTrees: [join(place.root, 'linked'), main],
    objectFormat: 'sha1',
  });
  expect(await linked?.branch()).toBe('topic');
  expect(await linked?.remotes()).toEqual([{ name: 'origin', url: origin }]);
  await expect(findRepository(join(main, '.git'), place.env)).rejects.toMatchObject({ code: 'not-a-repository', message: expect.stringMatching(/git folder/) });
  expect(await findRepository(place.root, place.env, { gitDir: join(main, '.git') })).toMatchObject({ commonDir: join(main, '.git') });
  expect(await findRepository(place.root, place.env)).toBeUndefined();
  expect(await (await findRepository(place.clone(place.bare('none.git'), 'none'), place.env))?.branch()).toBe('main');
});

test('the remote: named, followed by the branch, origin, the only one, or a question', async () => {
  const dir = place.repo('repo');
  const at = async (wanted?: string) => {
    const repository = await findRepository(dir, place.env);
    return repository && chooseRemote(repository, wanted);
  };
  await expect(at()).rejects.toMatchObject({ code: 'usage' });
  place.git(dir, 'remote', 'add', 'team', '/srv/team.git');
  expect(await at()).toEqual({ name: 'team', url: '/srv/team.git' });
  place.git(dir, 'remote', 'add', 'fork', 'short:fork.git');
  place.git(dir, 'config', 'url.https://example.com/.insteadOf', 'short:');
  await expect(at()).rejects.toThrow(/team \(\/srv\/team\.git\)|fork/);
  place.git(dir, 'config', 'branch.main.remote', 'fork');
  expect(await at()).toEqual({ name: 'fork', url: 'https://example.com/fork.git' });
  expect(await at('team')).toMatchObject({ name: 'team' });
  expect(await at('https://example.com/x.git')).toEqual({ url: 'https://example.com/x.git' });
  await expect(at('nobody')).rejects.toMatchObject({ code: 'usage' });
});

test.each([
  ['https://ann:hunter2@example.com/a/b.git?token=1', 'https://example.com/a/b.git'],
  ['ssh://git@example.com:22/a.git', 'ssh://example.com:22/a.git'],
  ['git@example.com:a/b.git', 'example.com:a/b.git'],
  ['https://example.com/@scope/a', 'https://example.com/@scope/a'],
  ['/srv/a@b/c.git', '/srv/a@b/c.git'],
  ['../a@b:c', '../a@b:c'],
])('%s is shown as %s', (url, shown) => {
  expect(withoutUserinfo(url)).toBe(shown);
});

test('the users transport settings count for the store: insteadOf and pushurl of the repository', async () => {
  const origin = place.bare('origin.git');
  const other = place.bare('write.git');
  const dir = place.repo('repo');
  place.git(dir, 'config', `url.${place.root}/.insteadOf`, 'made-up://');
  place.git(dir, 'remote', 'add', 'origin', 'made-up://origin.git');
  place.git(dir, 'config', 'remote.origin.pushurl', 'made-up://write.git');
  const store = await storeOf(place, dir);
  await store.append('codex-one', grow(['{}']));
  await store.send({ name: 'origin', url: origin, pushUrls: [other] });
  expect(place.git(other, 'for-each-ref', 'refs/relay').split('\n').filter(Boolean).length).toBe(2);
  expect(place.git(origin, 'for-each-ref')).toBe('');
});

test('nothing is sent where the name of the remote stands for another address than the one that was meant', async () => {
  const [origin, other] = [place.bare('origin.git'), place.bare('other.git')];
  const dir = place.repo('repo');
  place.git(dir, 'remote', 'add', 'origin', origin);
  const store = await storeOf(place, dir);
  await store.append('codex-one', grow(['{}']));
  const meant = { name: 'origin', url: origin };
  const change = (...settings: string[]) => place.git(dir, 'config', ...settings);
  for (const [name = '', value = ''] of [
    ['remote.origin.url', other],
    ['remote.origin.pushurl', other],
    [`url.${other}.pushInsteadOf`, origin],
  ]) {
    const before = readFileSync(join(dir, '.git/config'));
    change(name, value);
    await expect(store.send(meant)).rejects.toMatchObject({ code: 'blocked' });
    writeFileSync(join(dir, '.git/config'), before);
  }
  // A second address of the same remote.
  change('--add', 'remote.origin.url', other);
  await expect(store.send(meant)).rejects.toMatchObject({ code: 'blocked' });
  for (const remote of [origin, other]) expect(place.git(remote, 'for-each-ref')).toBe('');
});

test('settings of the user that would change what relay fetches or pushes have no effect', async () => {
  const origin = place.bare('origin.git');
  const dir = place.repo('repo');
  place.git(dir, 'remote', 'add', '--mirror=fetch', 'origin', origin);
  place.git(place.root, 'config', '--global', 'fetch.prune', 'true');
  place.git(place.root, 'config', '--global', 'push.followTags', 'true');
  place.git(place.root, 'config', '--global', 'core.hooksPath', join(place.root, 'hooks'));
  mkdirSync(join(place.root, 'hooks'));
  writeFileSync(join(place.root, 'hooks/pre-push'), '#!/bin/sh\nexit 1\n');
  writeFileSync(join(place.root, 'hooks/reference-transaction'), '#!/bin/sh\nexit 1\n');
  for (const hook of ['pre-push', 'reference-transaction']) chmodSync(join(place.root, 'hooks', hook), 0o755);
  const store = await storeOf(place, dir);
  await store.append('codex-one', grow(['{}']));
  const remote = { name: 'origin', url: origin };
  place.git(origin, '-c', 'core.hooksPath=/dev/null', 'config', 'core.hooksPath', '/dev/null');
  await store.send(remote);
  await store.fetch(remote, { days: 1 });
  expect(
    place
      .git(store.path, 'for-each-ref', '--format=%(refname)')
      .split('\n')
      .filter((ref) => ref.startsWith('refs/remotes') || ref.startsWith('refs/heads')),
  ).toEqual([]);
  expect((await store.list()).length).toBe(1);
});

test('where the git folder cannot be written the store goes to the users state folder', async () => {
  const dir = place.repo('repo');
  const repository = await findRepository(dir, place.env);
  if (!repository) throw new Error('no repository');
  // A folder that is not there cannot be written by anybody, root included.
  const store = await openStore({ ...repository, commonDir: join(place.root, 'nowhere') }, { env: place.env, home: place.root });
  expect(store.home.startsWith(join(place.root, 'home/state/relay/'))).toBe(true);
  await store.append('codex-one', grow(['{}']));
  expect((await store.list()).length).toBe(1);
});
