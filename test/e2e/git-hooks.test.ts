import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { standIn, takeQueued } from '../support/hooked.ts';
import { type Lab, lab, type Person } from '../support/lab.ts';
import { isRunning } from '../support/processes.ts';
import { requires } from '../support/requires.ts';
import { tool } from '../support/tools.ts';

/** What the shim does when the real git calls it; how it gets there is the other file's matter. */
let w: Lab;
let ann: Person;
let worker: ReturnType<typeof standIn>;
let count = 0;

beforeAll(() => {
  w = lab('relay-hooks-');
  ann = w.person('ann');
  worker = standIn();
});
afterAll(() => {
  worker.stop();
  w.done();
});

async function hooked(name: string): Promise<{ top: string; git: string }> {
  const top = w.project(ann, name, w.bare(`remote-${count++}`));
  expect(await w.relay(ann, top, 'hooks', 'install')).toMatchObject({ code: 0, stderr: '' });
  worker.beIn(join(top, '.git'));
  return { top, git: join(top, '.git') };
}

/** Commits as somebody would, and holds the hook to its silence. Answers the new commit. */
function commit(top: string, env: Record<string, string> = {}, ...args: string[]): string {
  const file = join(top, `file-${count++}`);
  writeFileSync(file, `${count}\n`);
  execFileSync('git', ['add', '.'], { cwd: top, env: ann.env });
  const { status, stdout, stderr } = spawnSync('git', ['commit', '-q', '-m', `Change ${count}`, ...args], {
    cwd: top,
    env: { ...ann.env, ...env },
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  return w.git(ann, top, 'rev-parse', 'HEAD');
}

describe('a commit', () => {
  it.each(['plain', "it's a “quoted” $HOME `x`", '项目', 'with \\ and * and [a]'])('is queued in %j', async (name) => {
    const { top, git } = await hooked(`p/${name}`);
    const made = commit(top, { CLAUDE_CODE_SESSION_ID: '0a1b-2c' });
    expect(takeQueued(git)).toMatchObject([
      { event: 'post-commit', commit: made, cwd: top, sessions: [{ agent: 'claude-code', session: '0a1b-2c' }], above: [] },
    ]);
  });

  it('is queued in linked work trees, with a line feed in the path too', async () => {
    const { top, git } = await hooked('linked');
    for (const name of ['linked tree', 'linked\ntree']) {
      const tree = join(w.root, name);
      w.git(ann, top, 'worktree', 'add', '-q', '--detach', tree);
      const made = commit(tree);
      expect(takeQueued(git)).toMatchObject([{ commit: made, cwd: tree }]);
    }
    const made = commit(top);
    expect(takeQueued(git)).toMatchObject([{ commit: made, cwd: top }]);
  });

  it('is queued in a submodule, for the submodule', async () => {
    const { top, git } = await hooked('super');
    w.git(ann, top, 'submodule', 'add', '-q', w.git(ann, top, 'remote', 'get-url', 'origin'), 'part');
    const part = join(top, 'part');
    await w.relay(ann, part, 'hooks', 'install');
    const own = join(git, 'modules/part');
    worker.beIn(own);
    const made = commit(part);
    expect(takeQueued(own)).toMatchObject([{ commit: made, cwd: part }]);
    expect(takeQueued(git)).toEqual([]);
  });

  it('is queued in a work tree of a bare repository', async () => {
    const bare = w.bare('central');
    w.project(ann, 'central-seed', bare);
    const tree = join(w.root, 'central-tree');
    w.git(ann, bare, 'worktree', 'add', '-q', tree, 'main');
    expect(await w.relay(ann, tree, 'hooks', 'install')).toMatchObject({ code: 0 });
    worker.beIn(bare);
    const made = commit(tree);
    expect(takeQueued(bare)).toMatchObject([{ commit: made, cwd: tree }]);
  });

  it('is queued when the folders are named on the command line, and from a folder below', async () => {
    const { top, git } = await hooked('named');
    const below = join(top, 'below');
    mkdirSync(below);
    for (const [cwd, args] of [
      [w.root, [`--git-dir=${git}`, `--work-tree=${top}`]],
      [below, []],
    ] as const) {
      w.git(ann, cwd, ...args, 'commit', '-q', '--allow-empty', '-m', 'Named');
      expect(takeQueued(git)).toMatchObject([{ commit: w.git(ann, top, 'rev-parse', 'HEAD'), cwd: top }]);
    }
  });

  it('is queued on a detached HEAD and on a branch that is a link to another', async () => {
    const { top, git } = await hooked('heads');
    w.git(ann, top, 'checkout', '-q', '--detach');
    const detached = commit(top);
    w.git(ann, top, 'symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    w.git(ann, top, 'checkout', '-q', 'alias');
    const linked = commit(top);
    expect(takeQueued(git).map((one) => one.commit)).toEqual([detached, linked]);
  });

  it('of one client in another names both, and the processes above, nearest first', async () => {
    const { top, git } = await hooked('nested');
    const inner = join(w.root, 'a client (of) two words');
    symlinkSync(execFileSync('sh', ['-c', 'command -v bash'], { encoding: 'utf8' }).trim(), inner);
    const env = { ...ann.env, CLAUDE_CODE_SESSION_ID: 'outer-1', CODEX_THREAD_ID: 'inner-2' };
    // The colon keeps the shell from becoming git.
    execFileSync(inner, ['-c', 'git commit -q --allow-empty -m Nested; :'], { cwd: top, env });
    const [event] = takeQueued(git);
    expect(event?.sessions).toEqual([
      { agent: 'claude-code', session: 'outer-1' },
      { agent: 'codex', session: 'inner-2' },
    ]);
    expect(event?.above.slice(0, 2)).toEqual(['git', 'a']);
    expect(event?.above).toContain('node');
  });

  it('takes no session id that is none', async () => {
    const { top, git } = await hooked('strange');
    commit(top, { CLAUDE_CODE_SESSION_ID: 'a\ncommit=0000000000000000000000000000000000000000', CODEX_THREAD_ID: '$(touch x)' });
    expect(takeQueued(git)).toMatchObject([{ sessions: [], above: [] }]);
  });
});

describe('commits that are made anew', () => {
  it('amend: old and new, once', async () => {
    const { top, git } = await hooked('amend');
    const old = commit(top);
    takeQueued(git);
    const made = commit(top, {}, '--amend');
    expect(takeQueued(git)).toMatchObject([
      { event: 'post-commit', commit: made },
      { event: 'post-rewrite', by: 'amend', rewritten: [[old, made]] },
    ]);
  });

  it('rebase: nothing while it goes on, then all pairs; the same where git keeps another backend', async () => {
    const { top, git } = await hooked('rebase');
    for (const backend of ['--merge', '--apply']) {
      const old = [commit(top), commit(top), commit(top)];
      takeQueued(git);
      w.git(ann, top, 'rebase', '-q', '--force-rebase', backend, 'HEAD~3');
      const made = w.git(ann, top, 'rev-list', '--reverse', 'HEAD~3..HEAD').split('\n');
      expect(takeQueued(git)).toMatchObject([{ event: 'post-rewrite', by: 'rebase', rewritten: old.map((one, i) => [one, made[i]]) }]);
    }
  });

  it('rebase -i with fixup: both old ones become the new one', async () => {
    const { top, git } = await hooked('fixup');
    const old = [commit(top), commit(top)];
    takeQueued(git);
    execFileSync('git', ['rebase', '-q', '-i', 'HEAD~2'], { cwd: top, env: { ...ann.env, GIT_SEQUENCE_EDITOR: 'sed -i 2s/pick/fixup/' } });
    const made = w.git(ann, top, 'rev-parse', 'HEAD');
    // Git amends the first one on the way, and tells that too.
    expect(takeQueued(git).at(-1)).toMatchObject({ by: 'rebase', rewritten: old.map((one) => [one, made]) });
  });

  it('cherry-pick and revert: a commit each', async () => {
    const { top, git } = await hooked('pick');
    const old = commit(top);
    w.git(ann, top, 'checkout', '-q', '-b', 'other', 'HEAD~1');
    takeQueued(git);
    w.git(ann, top, 'cherry-pick', old);
    w.git(ann, top, 'revert', '--no-edit', 'HEAD');
    const made = w.git(ann, top, 'rev-list', '--reverse', 'HEAD~2..HEAD').split('\n');
    expect(takeQueued(git).map((one) => [one.event, one.commit])).toEqual(made.map((one) => ['post-commit', one]));
  });
});

describe('the worker', () => {
  /** In the place of relay's program: says what it was given. */
  async function probed(name: string): Promise<{ top: string; git: string; told: string }> {
    const { top, git } = await hooked(name);
    const told = join(w.root, `${name}.json`);
    const probe = join(w.root, `${name}.mjs`);
    writeFileSync(
      probe,
      `import { readlinkSync, renameSync, writeFileSync } from 'node:fs';
       const open = [0, 1, 2].map((fd) => readlinkSync('/proc/self/fd/' + fd));
       writeFileSync(${JSON.stringify(told)} + '.new', JSON.stringify({ env: process.env, args: process.argv.slice(2), cwd: process.cwd(), open, pid: process.pid }));
       renameSync(${JSON.stringify(told)} + '.new', ${JSON.stringify(told)});
       setTimeout(() => {}, 3000);`,
    );
    const shim = join(git, 'relay/hook.sh');
    writeFileSync(shim, readFileSync(shim, 'utf8').replace(/^relay=.*$/m, `relay='${probe}'`));
    rmSync(join(git, 'relay/queue/.worker'));
    return { top, git, told };
  }
  const said = async (path: string) => {
    for (let tries = 0; !existsSync(path) && tries < 100; tries++) await sleep(50);
    return JSON.parse(readFileSync(path, 'utf8')) as { env: Record<string, string>; args: string[]; cwd: string; open: string[]; pid: number };
  };

  it('is started once, apart from everything, in a clean environment, and nobody waits for it', async () => {
    const { top, git, told } = await probed('started');
    const began = performance.now();
    execFileSync('sh', ['-c', 'git commit --allow-empty -m One 8>&1 | cat'], {
      cwd: top,
      env: { ...ann.env, GIT_AUTHOR_NAME: 'x', GIT_INDEX_FILE: join(git, 'index') },
    });
    expect(performance.now() - began).toBeLessThan(2000);
    const { env, args, cwd, open, pid } = await said(told);
    expect({ args, cwd, open: [...new Set(open)] }).toEqual({ args: ['hook', '--work'], cwd: top, open: ['/dev/null'] });
    expect(Object.keys(env).filter((name) => /^GIT_(?!EXEC_PATH|EDITOR|CONFIG_NOSYSTEM|TERMINAL_PROMPT)/.test(name))).toEqual([]);
    expect(readFileSync(join(git, 'relay/queue/.worker'), 'utf8')).toBe(`${pid}\n`);
    commit(top);
    expect(readFileSync(join(git, 'relay/queue/.worker'), 'utf8')).toBe(`${pid}\n`);
    expect(takeQueued(git)).toHaveLength(2);
    process.kill(pid);
  });

  it.each([
    ['of a process that has ended', () => spawnSync('true').pid ?? 0],
    ['of a process that is none', () => process.pid],
    ['that cannot be read', () => 'x y'],
  ])('is started where its file holds the number %s', async (_, number) => {
    const { top, git, told } = await probed(`stale-${count++}`);
    writeFileSync(join(git, 'relay/queue/.worker'), `${number()}\n`);
    commit(top);
    const { pid } = await said(told);
    expect(isRunning(pid)).toBe(true);
    process.kill(pid);
  });

  it('without node nothing is started, and the event waits', async () => {
    const { top, git } = await hooked('nodeless');
    const shim = join(git, 'relay/hook.sh');
    writeFileSync(shim, readFileSync(shim, 'utf8').replace(/^node=.*$/m, "node='/nowhere/node'"));
    rmSync(join(git, 'relay/queue/.worker'));
    const bin = join(w.root, 'bin');
    mkdirSync(bin, { recursive: true });
    for (const name of ['git', 'sh']) symlinkSync(execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(), join(bin, name));
    commit(top, { PATH: bin });
    expect(existsSync(join(git, 'relay/queue/.worker'))).toBe(false);
    expect(takeQueued(git)).toHaveLength(1);
  });
});

/** Permissions do not hold root back. */
function readOnly(folder: string): boolean {
  if (process.getuid?.() === 0) return spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', folder]).status === 0;
  chmodSync(folder, 0o555);
  return true;
}

describe('what cannot be written', () => {
  it.each(['queue', 'relay'])('a %s that is no folder: the commit is made, and nothing is said', async (what) => {
    const { top, git } = await hooked(`unwritable-${what}`);
    const path = join(git, what === 'relay' ? 'relay' : 'relay/queue');
    rmSync(path, { recursive: true });
    writeFileSync(path, '');
    commit(top);
    commit(top, {}, '--amend');
    expect(readFileSync(path, 'utf8')).toBe('');
  });

  it('a read-only file system: the same', async ({ skip }) => {
    const { top, git } = await hooked('read-only');
    const folder = join(git, 'relay/queue');
    if (!readOnly(folder)) return skip('root may not mount anything here, and may write everywhere');
    try {
      commit(top);
      commit(top, {}, '--amend');
      expect(readdirSync(folder).filter((name) => !name.startsWith('.'))).toEqual([]);
    } finally {
      if (process.getuid?.() === 0) spawnSync('umount', [folder]);
    }
  });

  it('a queue that was removed is made again', async () => {
    const { top, git } = await hooked('no-queue');
    rmSync(join(git, 'relay/queue'), { recursive: true });
    worker.beIn(git);
    rmSync(join(git, 'relay/queue/.worker'));
    commit(top);
    expect(existsSync(join(git, 'relay/queue'))).toBe(true);
  });
});

describe('the text in a hook', () => {
  it('does nothing where relay was taken away without its hooks', async () => {
    const { top, git } = await hooked('left-over');
    rmSync(join(git, 'relay'), { recursive: true });
    commit(top);
    commit(top, {}, '--amend');
    expect(existsSync(join(git, 'relay'))).toBe(false);
  });
});

describe('a push that takes relay’s along (--pre-push)', () => {
  it('returns in time, with git’s own exit code and one line, when relay hangs', async () => {
    const { top, git } = await hooked('push');
    expect(await w.relay(ann, top, 'hooks', 'install', '--pre-push')).toMatchObject({ code: 0 });
    const shim = join(git, 'relay/hook.sh');
    const probe = join(w.root, 'hangs.mjs');
    writeFileSync(probe, "process.on('SIGTERM', () => {}); setTimeout(() => {}, 60_000);");
    writeFileSync(shim, readFileSync(shim, 'utf8').replace(/^relay=.*$/m, `relay='${probe}'`));
    commit(top);
    const began = performance.now();
    const { status, stderr } = spawnSync('sh', ['-c', 'git push -q origin main 2>&1 | cat >&2; git rev-parse --verify -q origin/main >/dev/null'], {
      cwd: top,
      env: ann.env,
      encoding: 'utf8',
    });
    expect(performance.now() - began).toBeLessThan(15_000);
    expect({ status, stderr }).toEqual({ status: 0, stderr: 'relay: sending the sessions took too long; what is not sent yet: relay status\n' });
    expect(w.git(ann, top, 'rev-parse', 'origin/main')).toBe(w.git(ann, top, 'rev-parse', 'HEAD'));
  });

  it('hands on what relay says, tells it the remote, and does not wait for the rest of the ten seconds', async () => {
    const { top, git } = await hooked('push-quick');
    await w.relay(ann, top, 'hooks', 'install', '--pre-push');
    const shim = join(git, 'relay/hook.sh');
    const probe = join(w.root, 'quick.mjs');
    writeFileSync(probe, "console.error('relay: ' + process.argv.slice(2).join(' ')); process.exitCode = 3;");
    writeFileSync(shim, readFileSync(shim, 'utf8').replace(/^relay=.*$/m, `relay='${probe}'`));
    commit(top);
    const began = performance.now();
    expect(spawnSync('sh', ['-c', 'git push -q origin main 2>&1 | cat'], { cwd: top, env: ann.env, encoding: 'utf8' }).stdout).toBe(
      'relay: hook --pre-push origin\n',
    );
    expect(performance.now() - began).toBeLessThan(5000);
  });
});

/** The shim runs in whatever shell runs the hook. */
const shells = [
  { name: 'bash', command: 'bash' },
  { name: 'bash --posix -eu', command: 'bash --posix -eu' },
  { name: 'sh -eu', command: 'sh -eu' },
];
describe.each(shells)('run by $name', ({ command }) => runBy(command));
requires('busybox')('run by busybox sh', () => runBy(`${tool('busybox')}/busybox sh`));

function runBy(command: string): void {
  it('the shim queues commits and pairs, and starts the worker', async () => {
    const { top, git } = await hooked(`shell-${count++}`);
    for (const event of ['post-commit', 'post-rewrite']) {
      const path = join(git, 'hooks', event);
      writeFileSync(path, readFileSync(path, 'utf8').replace('#!/bin/sh', `#!/usr/bin/env -S ${command}`));
    }
    const old = commit(top, { CLAUDE_CODE_SESSION_ID: 'a', CODEX_THREAD_ID: 'b' });
    const made = commit(top, {}, '--amend');
    const events = takeQueued(git);
    expect(events).toMatchObject([{ commit: old, cwd: top }, { commit: made }, { rewritten: [[old, made]] }]);
    expect(events[0]?.above).toContain('git');
    rmSync(join(git, 'relay/queue/.worker'));
    const shim = join(git, 'relay/hook.sh');
    writeFileSync(join(w.root, 'none.mjs'), '');
    writeFileSync(shim, readFileSync(shim, 'utf8').replace(/^relay=.*$/m, `relay='${join(w.root, 'none.mjs')}'`));
    commit(top);
    expect(existsSync(join(git, 'relay/queue/.worker'))).toBe(true);
  });
}

requires('newest git')('other kinds of ref storage', () => {
  it('reftable: git itself is asked', async () => {
    const env = { ...ann.env, PATH: `${tool('newest git')}:${ann.env.PATH}` };
    const top = join(w.root, 'reftable');
    const git = (...args: string[]) => execFileSync('git', args, { cwd: existsSync(top) ? top : w.root, env, encoding: 'utf8' }).trim();
    git('init', '-q', '--ref-format=reftable', top);
    const bob: Person = { ...ann, env };
    expect(await w.relay(bob, top, 'hooks', 'install')).toMatchObject({ code: 0, stderr: '' });
    worker.beIn(join(top, '.git'));
    git('commit', '-q', '--allow-empty', '-m', 'One');
    expect(takeQueued(join(top, '.git'))).toMatchObject([{ commit: git('rev-parse', 'HEAD') }]);
  });
});
