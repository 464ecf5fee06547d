import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesOf, type HookedLab, hookedLab, hookFile, takeQueued, writeScript } from '../support/hooked.ts';

/** Hooks that are there and that git does not call, since of their mode or since it looks elsewhere, do not count as working. */
let w: HookedLab;

beforeAll(() => {
  w = hookedLab();
});
afterAll(() => w.done());

const states = async (top: string): Promise<string[]> => (await w.state(top)).hooks.map(({ event, state }) => `${event} ${state}`);
const doctor = async (top: string): Promise<string> => {
  // It ends with 1 where something is broken.
  const { stdout } = await w.relay(w.ann, top, 'doctor', '--json');
  const { repository } = JSON.parse(stdout) as { repository: { check: string; state: string; found: string; fix: string | null }[] };
  return repository.flatMap(({ check, ...one }) => (check === 'git hooks' ? [`${one.state}: ${one.found} ${one.fix}`] : [])).join('\n');
};

describe('a hook that is not executable', () => {
  /** Status, doctor and hooks status tell; an install mends it. */
  async function isTold(top: string, path: string): Promise<void> {
    expect(await w.state(top)).toMatchObject({ installed: false, hooks: [{ state: 'off', path }, { state: 'ok' }] });
    expect((await w.hooks(top, 'status')).stdout).toMatch(/^post-commit +not executable, so git does not call it: run relay hooks install again\n/);
    expect((await w.relay(w.ann, top, 'status')).stdout).toContain(`NOT RECORDING: relay’s post-commit hook in ${path} is not executable`);
    expect(await doctor(top)).toBe(`broken: relay’s post-commit hook in ${path} is not executable, so git does not call it. relay hooks install`);
    await w.install(top);
    expect(await w.state(top)).toMatchObject({ installed: true });
    w.worker.beIn(join(top, '.git'));
    w.git(w.ann, top, 'commit', '-q', '--allow-empty', '-m', 'One');
    expect(takeQueued(join(top, '.git'))).toHaveLength(1);
  }

  it('of relay alone', async () => {
    const top = w.fresh();
    const before = filesOf(top);
    await w.install(top);
    chmodSync(hookFile(top, 'post-commit'), 0o644);
    await isTold(top, hookFile(top, 'post-commit'));
    expect(lstatSync(hookFile(top, 'post-commit')).mode & 0o777).toBe(0o755);
    await w.hooks(top, 'uninstall');
    expect(filesOf(top)).toEqual(before);
  });

  it('of the user’s, too: relay is called, theirs stays switched off and gets its mode back', async () => {
    const top = w.fresh();
    const path = hookFile(top, 'post-commit');
    writeScript(path, '#!/bin/sh\necho ran >>own-ran\n');
    await w.install(top);
    chmodSync(path, 0o640);
    await isTold(top, path);
    expect(filesOf(top)).not.toHaveProperty('own-ran');
    await w.hooks(top, 'uninstall');
    expect(`${(lstatSync(path).mode & 0o777).toString(8)} ${readFileSync(path, 'utf8')}`).toBe('640 #!/bin/sh\necho ran >>own-ran\n');
  });

  it('in the folder that stands in for the hooks where simple-git-hooks would delete them', async () => {
    const top = w.fresh();
    writeFileSync(join(top, 'package.json'), '{"devDependencies":{"simple-git-hooks":"2"}}');
    await w.install(top);
    const path = join(top, '.git/hooks/relay/post-commit');
    chmodSync(path, 0o644);
    await isTold(top, path);
  });

  it('of the project’s: relay does not switch it on, and says how', async () => {
    const top = w.fresh();
    mkdirSync(join(top, '.githooks'));
    writeScript(join(top, '.githooks/post-commit'), '#!/bin/sh\n', 0o644);
    w.git(w.ann, top, 'config', 'core.hooksPath', '.githooks');
    const ended = await w.hooks(top, 'install', '--yes');
    expect(ended).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/post-commit is not executable, so git does not run it[\s\S]*chmod \+x .*post-commit\n$/),
    });
    chmodSync(join(top, '.githooks/post-commit'), 0o755);
    expect(await w.hooks(top, 'install', '--yes')).toMatchObject({ code: 0 });
  });
});

describe('work trees whose hooks lie elsewhere', () => {
  /** Each is told of in all of them, and an install in one leaves the others' alone. */
  async function eachItsOwn(top: string, tree: string, folder: string): Promise<void> {
    const git = join(top, '.git');
    const before = [filesOf(join(top, '.git/hooks')), filesOf(tree)];
    await w.hooks(top, 'install', '--yes');
    w.worker.beIn(git);
    expect(await w.state(top)).toMatchObject({ installed: true });
    expect(await w.state(tree)).toMatchObject({ installed: false });
    const missing = { event: 'post-commit', path: join(folder, 'post-commit'), state: 'missing', workTree: tree };
    for (const one of [top, tree]) {
      expect((await w.state(one)).hooks).toContainEqual(missing);
      expect((await w.hooks(one, 'status')).stdout).toContain(`(what git calls in the work tree ${tree})`);
      expect(await doctor(one)).toContain(
        `broken: For the work tree ${tree} git calls ${missing.path}, and relay’s post-commit hook is not there. cd ${tree} && relay hooks install`,
      );
      expect((await w.relay(w.ann, one, 'status')).stdout).toContain('NOT RECORDING: For the work tree');
    }
    expect(await w.hooks(tree, 'install', '--yes')).toMatchObject({ code: 0 });
    for (const one of [top, tree, top]) {
      await w.hooks(one, 'install', '--yes');
      expect(await states(one)).toEqual(['post-commit ok', 'post-rewrite ok', 'post-commit ok', 'post-rewrite ok']);
      expect(await doctor(one)).toBe('ok: installed null');
      w.git(w.ann, one, 'commit', '-q', '--allow-empty', '-m', 'One');
      expect(takeQueued(git)).toMatchObject([{ cwd: one }]);
    }
    await w.hooks(tree, 'uninstall', '--yes');
    expect([filesOf(join(top, '.git/hooks')), filesOf(tree)]).toEqual(before);
  }

  const withTree = (): [top: string, tree: string] => {
    const top = w.fresh();
    const tree = `${top}-tree`;
    w.git(w.ann, top, 'worktree', 'add', '-q', '--detach', tree);
    return [top, tree];
  };

  it('by settings of a work tree alone', async () => {
    const [top, tree] = withTree();
    w.git(w.ann, top, 'config', 'extensions.worktreeConfig', 'true');
    w.git(w.ann, tree, 'config', '--worktree', 'core.hooksPath', join(tree, 'own-hooks'));
    await eachItsOwn(top, tree, join(tree, 'own-hooks'));
  });

  it('by a path that leads to a folder of each', async () => {
    const [top, tree] = withTree();
    w.git(w.ann, top, 'config', 'core.hooksPath', '.githooks');
    await eachItsOwn(top, tree, join(tree, '.githooks'));
  });

  it('nothing is missing where all share them', async () => {
    const [top, tree] = withTree();
    await w.install(top);
    for (const one of [top, tree]) expect(await w.state(one)).toMatchObject({ installed: true, hooks: [{ state: 'ok' }, { state: 'ok' }] });
  });

  it('nor where only one of them uses simple-git-hooks, which takes the hooks of all', async () => {
    const [top, tree] = withTree();
    writeFileSync(join(tree, 'package.json'), '{"devDependencies":{"simple-git-hooks":"2"}}');
    await w.install(tree);
    w.worker.beIn(join(top, '.git'));
    for (const one of [top, tree]) {
      expect(await w.state(one)).toMatchObject({ installed: true, hooks: [{ state: 'ok' }, { state: 'ok' }] });
      w.git(w.ann, one, 'commit', '-q', '--allow-empty', '-m', 'One');
      expect(takeQueued(join(top, '.git'))).toMatchObject([{ cwd: one }]);
    }
  });
});

it('with simple-git-hooks a clone may lie under any name', async () => {
  const top = join(w.root, 'größe 大');
  renameSync(w.fresh(), top);
  writeFileSync(join(top, 'package.json'), '{"devDependencies":{"simple-git-hooks":"2"}}');
  const before = filesOf(top);
  await w.install(top);
  w.worker.beIn(join(top, '.git'));
  w.git(w.ann, top, 'commit', '-q', '--allow-empty', '-m', 'One');
  expect(takeQueued(join(top, '.git'))).toMatchObject([{ cwd: top }]);
  await w.hooks(top, 'uninstall');
  expect(filesOf(top)).toEqual(before);
});

describe('what a checkout brings along is not waited for', () => {
  const SETTINGS = ['lefthook.yml', '.config/lefthook.json', 'package.json', 'lefthook-local.yml', '.githooks/post-commit', '.husky/_/post-commit'];
  const KINDS: [string, (path: string) => void][] = [
    ['a link to a device without end', (path) => symlinkSync('/dev/zero', path)],
    ['a named pipe', (path) => execFileSync('mkfifo', [path])],
  ];

  it.each(KINDS)(
    '%s in the place of settings of hook managers and of hooks',
    async (_, put) => {
      const top = w.fresh();
      for (const folder of ['.config', '.githooks', '.husky/_']) mkdirSync(join(top, folder), { recursive: true });
      for (const path of SETTINGS) put(join(top, path));
      for (const folder of ['', '.githooks', '.husky/_']) {
        if (folder) w.git(w.ann, top, 'config', 'core.hooksPath', folder);
        const began = performance.now();
        expect((await w.relay(w.ann, top, 'hooks', 'status')).code).toBe(0);
        const ended = await w.hooks(top, 'install', '--yes');
        expect(ended.code).toBe(folder ? 3 : 0);
        expect((await w.hooks(top, 'uninstall', '--yes')).code).toBe(0);
        expect(performance.now() - began).toBeLessThan(10_000);
      }
    },
    120_000,
  );
});
