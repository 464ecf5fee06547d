import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queuesOf } from '#hooks/queue.ts';
import { filesOf, type HookedLab, type HooksState, hookedLab, hookFile, takeQueued, writeScript } from '../support/hooked.ts';
import type { Person } from '../support/lab.ts';
import { requires } from '../support/requires.ts';
import { tool } from '../support/tools.ts';

/** What becomes of an install when others change the same files, and what status says of it. */
let w: HookedLab;

beforeAll(() => {
  w = hookedLab();
});
afterAll(() => w.done());

const states = async (top: string) => (await w.state(top)).hooks.map((one) => one.state);

describe('install', () => {
  it('says what follows from it', async () => {
    const top = w.fresh();
    expect((await w.hooks(top, 'install')).stdout).toMatch(/\nFrom now on each commit here is recorded .* relay log HEAD\n$/);
    expect((await w.hooks(top, 'install', '--pre-push')).stdout).toMatch(
      /relay log HEAD\ngit push sends along what is new in the sessions that you have shared\.\n$/,
    );
    expect((await w.hooks(top, 'status')).stdout).not.toContain('From now on');
  });
});

describe('status', () => {
  it('says that nothing is installed, and what to type', async () => {
    expect(await w.hooks(w.fresh(), 'status')).toMatchObject({ code: 0, stdout: 'Git’s hooks do not tell relay of commits: relay hooks install\n' });
  });

  it('says how many events wait', async () => {
    const top = w.fresh();
    await w.install(top);
    w.worker.beIn(join(top, '.git'));
    w.git(w.ann, top, 'commit', '-q', '--allow-empty', '-m', 'One');
    expect((await w.hooks(top, 'status')).stdout).toContain('1 event to be recorded\n');
    // Those that a git folder could not take count, too.
    const [beside, apart] = queuesOf(join(top, '.git'), w.ann);
    cpSync(beside, apart, { recursive: true });
    expect((await w.state(top)).waiting).toBe(2);
  });

  it('says what was changed, what is gone, and what is set up in another way since', async () => {
    const top = w.fresh();
    await w.install(top);
    appendFileSync(hookFile(top, 'post-commit'), 'echo more\n');
    rmSync(hookFile(top, 'post-rewrite'));
    expect(await states(top)).toEqual(['changed', 'gone']);
    expect((await w.hooks(top, 'status')).stdout).toMatch(
      /^post-commit\s+in place \(the file was changed since\)\n.*\npost-rewrite\s+gone: run relay hooks install again\n/,
    );
    expect((await w.state(top)).installed).toBe(false);
    await w.install(top);
    expect(await states(top)).toEqual(['ok', 'ok']);
    expect(readFileSync(hookFile(top, 'post-commit'), 'utf8')).toMatch(/^#!\/bin\/sh\n# relay [\s\S]*\necho more\n$/);

    mkdirSync(join(top, 'other'));
    w.git(w.ann, top, 'config', 'core.hooksPath', 'other');
    expect(await states(top)).toEqual(['outdated', 'outdated']);
    await w.hooks(top, 'install', '--yes');
    expect((await w.state(top)).hooks.map(({ path }) => path)).toEqual([join(top, 'other/post-commit'), join(top, 'other/post-rewrite')]);
    expect(existsSync(hookFile(top, 'post-rewrite'))).toBe(false);
  });

  it('says that what the hooks call is gone, or of another version; install mends it', async () => {
    const top = w.fresh();
    await w.install(top);
    const shim = join(top, '.git/hooks/relay.sh');
    const good = readFileSync(shim, 'utf8');
    writeFileSync(shim, good.replace(/^node=.*$/m, "node='/another/node'"));
    expect(await w.state(top)).toMatchObject({ installed: true, shim: 'old', starts: expect.stringContaining("node='/another/node'") });
    writeFileSync(shim, `${good}:\n`);
    expect(await w.state(top)).not.toHaveProperty('starts');
    expect(await w.state(top)).toMatchObject({ installed: true, shim: 'old' });
    rmSync(shim);
    expect(await w.state(top)).toMatchObject({ installed: false, shim: 'gone' });
    await w.install(top);
    expect(readFileSync(shim, 'utf8')).toBe(good);
  });
});

requires('newest git')('status after git was upgraded', () => {
  it('says that hooks are set up in another way now; install moves them to the settings', async () => {
    const top = w.fresh();
    const before = filesOf(top);
    await w.install(top);
    const bob: Person = { ...w.ann, env: { ...w.ann.env, PATH: `${tool('newest git')}:${w.ann.env.PATH}` } };
    const { git } = await w.json<{ git: HooksState }>(bob, top, 'hooks', 'status');
    expect(git).toMatchObject({ installed: false, hooks: [{ state: 'outdated' }, { state: 'outdated' }] });
    expect((await w.json<{ git: HooksState }>(bob, top, 'hooks', 'install')).git).toMatchObject({ installed: true });
    expect(existsSync(hookFile(top, 'post-commit'))).toBe(false);
    w.worker.beIn(join(top, '.git'));
    w.git(bob, top, 'commit', '-q', '--allow-empty', '-m', 'One');
    expect(takeQueued(join(top, '.git'))).toHaveLength(1);
    await w.relay(bob, top, 'hooks', 'uninstall');
    expect(filesOf(top)).toEqual(before);
  });
});

describe('uninstall', () => {
  it('takes out its own lines only, where others have changed the file', async () => {
    const top = w.fresh();
    writeScript(hookFile(top, 'post-commit'), '#!/bin/sh\necho one\n');
    await w.install(top);
    appendFileSync(hookFile(top, 'post-commit'), 'echo two\n');
    appendFileSync(hookFile(top, 'post-rewrite'), 'echo three\n');
    w.git(w.ann, top, 'config', 'a.b', 'c');
    expect(await w.hooks(top, 'uninstall')).toMatchObject({ code: 0 });
    expect(readFileSync(hookFile(top, 'post-commit'), 'utf8')).toBe('#!/bin/sh\necho one\necho two\n');
    expect(readFileSync(hookFile(top, 'post-rewrite'), 'utf8')).toBe('#!/bin/sh\necho three\n');
  });

  it('leaves a hook alone that somebody has put into the place of its own, and says where the one before is', async () => {
    const top = w.fresh();
    const program = `#!${process.execPath}\n`;
    for (const event of ['post-commit', 'post-rewrite']) writeScript(hookFile(top, event), program);
    await w.install(top);
    writeScript(hookFile(top, 'post-commit'), '#!/bin/sh\nnew\n');
    rmSync(hookFile(top, 'post-rewrite'));
    const kept = `${hookFile(top, 'post-commit')}.before-relay`;
    expect((await w.hooks(top, 'uninstall')).stdout).toContain(`${kept} is the hook from before.`);
    expect([hookFile(top, 'post-commit'), kept, hookFile(top, 'post-rewrite')].map((path) => readFileSync(path, 'utf8'))).toEqual([
      '#!/bin/sh\nnew\n',
      program,
      program,
    ]);
  });

  it('asks where committed lines, or hooks of other repositories, would go; what only this clone has needs no asking', async () => {
    const top = w.fresh();
    w.git(w.ann, top, 'config', 'core.hooksPath', '.githooks');
    await w.relay(w.ann, top, 'hooks', 'install', '--yes');
    expect(await w.hooks(top, 'uninstall')).toMatchObject({ code: 0 });
    await w.relay(w.ann, top, 'hooks', 'install', '--yes');
    w.git(w.ann, top, 'add', '.githooks');
    w.git(w.ann, top, 'commit', '-q', '-m', 'Hooks');
    const before = filesOf(top);
    const asked = await w.hooks(top, 'uninstall');
    expect(asked).toMatchObject({ code: 3, stdout: '' });
    expect(asked.stderr).toMatch(/\.githooks\/post-rewrite are committed: whoever shares them with you loses them with your next commit\.\n.*--yes/);
    expect((await w.relay(w.ann, top, 'init', '--remove')).stderr).toContain('whoever shares them with you loses them');
    expect(filesOf(top)).toEqual(before);
    expect(await w.relay(w.ann, top, 'hooks', 'uninstall', '--yes')).toMatchObject({ code: 0 });
    expect(existsSync(join(top, '.githooks/post-commit'))).toBe(false);

    const [other, folder] = [w.fresh(), join(w.ann.home, 'all-hooks')];
    w.git(w.ann, other, 'config', '--global', 'core.hooksPath', folder);
    try {
      await w.relay(w.ann, other, 'hooks', 'install', '--yes');
      const lost = await w.hooks(other, 'uninstall');
      expect(lost).toMatchObject({ code: 3, stderr: expect.stringContaining('so all your repositories for which it is set so lose relay’s hooks') });
      expect(await w.relay(w.ann, other, 'hooks', 'uninstall', '--yes')).toMatchObject({ code: 0 });
    } finally {
      w.git(w.ann, other, 'config', '--global', '--unset', 'core.hooksPath');
    }
  });

  it('is done once; relay init --remove does it too', async () => {
    const top = w.fresh();
    const before = filesOf(top);
    expect((await w.hooks(top, 'uninstall')).stdout).toBe('There was nothing to take out.\n');
    await w.install(top);
    expect(filesOf(top)).not.toEqual(before);
    expect(await w.relay(w.ann, top, 'init', '--remove', '--yes')).toMatchObject({ code: 0 });
    expect(filesOf(top)).toEqual(before);
    expect(existsSync(join(top, '.git/relay'))).toBe(false);
  });

  it.each([
    ['relay hooks uninstall', ['hooks', 'uninstall']],
    ['relay init --remove', ['init', '--remove', '--yes']],
  ])('by %s needs neither settings nor a store that can be read', async (_, args) => {
    const top = w.fresh();
    const before = filesOf(top);
    await w.install(top);
    const store = join(top, '.git/relay/store.git');
    mkdirSync(store);
    writeFileSync(join(store, 'HEAD'), 'no ref');
    for (const path of [join(top, '.relayrc'), join(top, '.git/relay/config.jsonc')]) writeFileSync(path, '{ "push": ');
    expect(await w.relay(w.ann, top, ...args)).toMatchObject({ code: 0, stderr: '' });
    rmSync(join(top, '.relayrc'));
    expect(filesOf(top)).toEqual(before);
    expect(existsSync(store)).toBe(args[0] === 'hooks');
  });

  it('asks first what relay init --remove would delete, though nothing of it can be read', async () => {
    const top = w.fresh();
    mkdirSync(join(top, '.git/relay/store.git'), { recursive: true });
    writeFileSync(join(top, '.git/relay/store.git/HEAD'), 'no ref');
    writeFileSync(join(top, '.relayrc'), '{');
    expect(await w.relay(w.ann, top, 'init', '--remove')).toMatchObject({ code: 3, stderr: expect.stringContaining('and your sessions as stored here.') });
    expect(existsSync(join(top, '.git/relay/store.git/HEAD'))).toBe(true);
  });

  it('finds its files after the clone was moved', async () => {
    const top = w.fresh();
    const before = filesOf(top);
    await w.install(top);
    const moved = join(w.root, 'moved clone');
    renameSync(top, moved);
    w.worker.beIn(join(moved, '.git'));
    w.git(w.ann, moved, 'commit', '-q', '--allow-empty', '-m', 'One');
    expect(takeQueued(join(moved, '.git'))).toMatchObject([{ cwd: moved }]);
    expect(await states(moved)).toEqual(['ok', 'ok']);
    await w.hooks(moved, 'uninstall');
    expect(filesOf(moved)).toEqual(before);
  });
});

describe('simple-git-hooks, which deletes what it does not know', () => {
  const set = (top: string): void => {
    writeFileSync(join(top, 'package.json'), '{"devDependencies":{"simple-git-hooks":"2"}}');
    writeScript(hookFile(top, 'pre-commit'), '#!/bin/sh\necho own >>"${GIT_DIR:-.git}/own-ran"\n');
  };

  it('both run in linked work trees too, and hooks that come later', async () => {
    const top = w.fresh();
    set(top);
    await w.install(top);
    w.worker.beIn(join(top, '.git'));
    const tree = join(w.root, 'tree [1]');
    w.git(w.ann, top, 'worktree', 'add', '-q', '-b', 'other', tree);
    writeScript(hookFile(top, 'post-commit'), '#!/bin/sh\necho later >>"$GIT_DIR/own-ran"\n');
    w.git(w.ann, tree, 'commit', '-q', '--allow-empty', '-m', 'One');
    expect(takeQueued(join(top, '.git'))).toMatchObject([{ cwd: tree }]);
    expect(readFileSync(join(w.git(w.ann, tree, 'rev-parse', '--git-dir'), 'own-ran'), 'utf8')).toBe('own\nlater\n');
  });

  it('a copy of the clone runs its own hooks, not those of the first', async () => {
    const top = w.fresh();
    set(top);
    await w.install(top);
    w.worker.beIn(join(top, '.git'));
    const copy = join(w.root, 'copy');
    cpSync(top, copy, { recursive: true, verbatimSymlinks: true });
    w.git(w.ann, copy, 'commit', '-q', '--allow-empty', '-m', 'One');
    expect(readFileSync(join(copy, '.git/own-ran'), 'utf8')).toBe('own\n');
    expect(takeQueued(join(top, '.git'))).toEqual([]);
  });
});

describe('files that a team shares', () => {
  it('a line that a teammate has put in is not put in again, and not taken out', async () => {
    const remote = w.bare('team');
    const top = w.project(w.ann, 'team-ann', remote);
    mkdirSync(join(top, '.githooks'));
    writeScript(join(top, '.githooks/post-commit'), '#!/bin/sh\n:\n');
    w.git(w.ann, top, 'config', 'core.hooksPath', '.githooks');
    expect(await w.hooks(top, 'install', '--yes')).toMatchObject({ code: 0 });
    w.git(w.ann, top, 'add', '.');
    w.git(w.ann, top, '-c', 'core.hooksPath=/dev/null', 'commit', '-q', '-m', 'Hooks');
    w.git(w.ann, top, 'push', '-q');
    const other = w.clone(w.ann, 'team-bob', remote);
    w.git(w.ann, other, 'config', 'core.hooksPath', '.githooks');
    const before = filesOf(other);
    w.git(w.ann, other, 'commit', '-q', '--allow-empty', '-m', 'Without relay');
    expect(await w.hooks(other, 'install')).toMatchObject({ code: 0, stderr: '' });
    const { '.git/hooks/relay.sh': called, '.git/hooks/relay.json': done, ...others } = filesOf(other);
    expect(others).toEqual(before);
    expect([called, done]).not.toContain(undefined);
    w.worker.beIn(join(other, '.git'));
    w.git(w.ann, other, 'commit', '-q', '--allow-empty', '-m', 'With relay');
    expect(takeQueued(join(other, '.git'))).toHaveLength(1);
    await w.hooks(other, 'uninstall');
    expect(filesOf(other)).toEqual(before);
  });
});

requires('git-lfs')('git-lfs', () => {
  it('sends its objects and relay is called; files are as before', async () => {
    const env = { ...w.ann.env, PATH: `${tool('git-lfs')}:${w.ann.env.PATH}` };
    const bob: Person = { ...w.ann, env };
    const remote = w.bare('lfs');
    const top = w.project(bob, 'lfs', remote);
    w.git(bob, top, 'lfs', 'install', '--local');
    w.git(bob, top, 'lfs', 'track', '*.bin');
    const before = filesOf(top);
    expect(await w.relay(bob, top, 'hooks', 'install', '--pre-push')).toMatchObject({ code: 0 });
    w.worker.beIn(join(top, '.git'));
    writeFileSync(join(top, 'large.bin'), 'x'.repeat(10_000));
    w.git(bob, top, 'add', '.');
    w.git(bob, top, 'commit', '-q', '-m', 'Large');
    expect(takeQueued(join(top, '.git'))).toHaveLength(1);
    w.git(bob, top, 'push', '-q', 'origin', 'main');
    expect(w.git(bob, remote, 'cat-file', '-p', 'main:large.bin')).toContain('git-lfs.github.com');
    expect(
      execFileSync('find', [join(remote, 'lfs/objects'), '-type', 'f'], { encoding: 'utf8' })
        .trim()
        .split('\n'),
    ).toHaveLength(1);
    // Without git-lfs its hook fails, after relay's lines.
    expect(spawnSync('git', ['hook', 'run', 'post-commit'], { cwd: top, env: w.ann.env }).status).toBe(2);
    expect(takeQueued(join(top, '.git'))).toHaveLength(1);
    await w.relay(bob, top, 'hooks', 'uninstall');
    rmSync(join(top, 'large.bin'));
    expect(filesOf(top)).toEqual(before);
    expect(spawnSync('git', ['lfs', 'install', '--local'], { cwd: top, env }).status).toBe(0);
  });
});

it('settings that are a link stay one', async () => {
  const tools = tool('newest git');
  if (!tools) return;
  const bob: Person = { ...w.ann, env: { ...w.ann.env, PATH: `${tools}:${w.ann.env.PATH}` } };
  const top = w.fresh();
  renameSync(join(top, '.git/config'), join(top, '.git/real-config'));
  symlinkSync('real-config', join(top, '.git/config'));
  const before = filesOf(top);
  await w.relay(bob, top, 'hooks', 'install');
  expect(w.git(bob, top, 'config', 'hook.relay-post-commit.event')).toBe('post-commit');
  await w.relay(bob, top, 'hooks', 'uninstall');
  expect(filesOf(top)).toEqual(before);
});
