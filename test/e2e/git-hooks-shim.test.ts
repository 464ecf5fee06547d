import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HookedLab, hookedLab, takeQueued, writeScript } from '../support/hooked.ts';
import { isRunning } from '../support/processes.ts';
import { requires } from '../support/requires.ts';
import { tool } from '../support/tools.ts';

/** What the shim starts and what it bears: missing programs, what cannot be written, other shells, a push that hangs. */
let w: HookedLab;
let count = 0;

beforeAll(() => {
  w = hookedLab();
});
afterAll(() => w.done());

describe('the worker', () => {
  /** In the place of relay's program: says what it was given. */
  async function probed(name: string): Promise<{ top: string; git: string; told: string }> {
    const { top, git } = await w.hooked(name);
    const told = join(w.root, `${name}.json`);
    w.probe(
      git,
      name,
      `import { readlinkSync, renameSync, writeFileSync } from 'node:fs';
       const open = [0, 1, 2].map((fd) => readlinkSync('/proc/self/fd/' + fd));
       writeFileSync(${JSON.stringify(told)} + '.new', JSON.stringify({ env: process.env, args: process.argv.slice(2), cwd: process.cwd(), open, pid: process.pid }));
       renameSync(${JSON.stringify(told)} + '.new', ${JSON.stringify(told)});
       setTimeout(() => {}, 3000);`,
    );
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
      env: { ...w.ann.env, GIT_AUTHOR_NAME: 'x', GIT_INDEX_FILE: join(git, 'index') },
    });
    expect(performance.now() - began).toBeLessThan(2000);
    const { env, args, cwd, open, pid } = await said(told);
    expect({ args, cwd, open: [...new Set(open)] }).toEqual({ args: ['hook', '--work', '--git-dir', '.git'], cwd: top, open: ['/dev/null'] });
    expect(Object.keys(env).filter((name) => /^GIT_(?!EXEC_PATH|EDITOR|CONFIG_NOSYSTEM|TERMINAL_PROMPT)/.test(name))).toEqual([]);
    expect(readFileSync(join(git, 'relay/queue/.worker'), 'utf8')).toBe(`${pid}\n`);
    w.commit(top);
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
    w.commit(top);
    const { pid } = await said(told);
    expect(isRunning(pid)).toBe(true);
    process.kill(pid);
  });

  it('without node nothing is started, and the event waits', async () => {
    const { top, git } = await w.hooked('nodeless');
    const shim = join(git, 'hooks/relay.sh');
    writeFileSync(shim, readFileSync(shim, 'utf8').replace(/^node=.*$/m, "node='/nowhere/node'"));
    rmSync(join(git, 'relay/queue/.worker'));
    const bin = join(w.root, 'bin');
    mkdirSync(bin, { recursive: true });
    for (const name of ['git', 'sh']) symlinkSync(execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(), join(bin, name));
    w.commit(top, { PATH: bin });
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
    const { top, git } = await w.hooked(`unwritable-${what}`);
    const path = join(git, what === 'relay' ? 'relay' : 'relay/queue');
    rmSync(path, { recursive: true });
    writeFileSync(path, '');
    w.commit(top);
    w.commit(top, {}, '--amend');
    expect(readFileSync(path, 'utf8')).toBe('');
  });

  it('a read-only file system: the same', async ({ skip }) => {
    const { top, git } = await w.hooked('read-only');
    const folder = join(git, 'relay/queue');
    if (!readOnly(folder)) return skip('root may not mount anything here, and may write everywhere');
    try {
      w.commit(top);
      w.commit(top, {}, '--amend');
      expect(readdirSync(folder).filter((name) => !name.startsWith('.'))).toEqual([]);
    } finally {
      if (process.getuid?.() === 0) spawnSync('umount', [folder]);
    }
  });

  it('a queue that was removed is made again', async () => {
    const { top, git } = await w.hooked('no-queue');
    rmSync(join(git, 'relay/queue'), { recursive: true });
    w.worker.beIn(git);
    rmSync(join(git, 'relay/queue/.worker'));
    w.commit(top);
    expect(existsSync(join(git, 'relay/queue'))).toBe(true);
  });
});

describe('a rebase of thousands of commits', () => {
  const LINES = 20_000;
  const pairs = Array.from({ length: LINES }, (_, i) => `${String(i).padStart(40, '0')} ${String(i).padStart(40, 'f')}`);
  const rewritten = (top: string) =>
    spawnSync('sh', [join(top, '.git/hooks/post-rewrite'), 'rebase'], { cwd: top, env: w.ann.env, input: `${pairs.join('\n')}\n`, encoding: 'utf8' });

  it('is queued whole, in a time that grows with their number alone, and the user’s hook reads all of it', async () => {
    const top = w.fresh('many');
    writeScript(join(top, '.git/hooks/post-rewrite'), '#!/bin/sh\nwc -l\n');
    await w.install(top);
    w.worker.beIn(join(top, '.git'));
    const began = performance.now();
    expect(rewritten(top)).toMatchObject({ status: 0, stderr: '', stdout: expect.stringMatching(/^\s*20000\n$/) });
    expect(performance.now() - began).toBeLessThan(10_000);
    const [event] = takeQueued(join(top, '.git'));
    expect(event).toMatchObject({ event: 'post-rewrite', by: 'rebase', commit: w.git(w.ann, top, 'rev-parse', 'HEAD'), cwd: top });
    expect(event?.rewritten.map((pair) => pair.join(' '))).toEqual(pairs);
  }, 60_000);

  it.each(['dash', 'bash', 'bash --posix'])('where nothing can be queued the user’s hook reads all of it all the same, in %s', async (shell) => {
    const top = w.fresh(`unqueued-${count++}`);
    writeScript(join(top, '.git/hooks/post-rewrite'), '#!/bin/sh\nwc -l\n');
    await w.install(top);
    rmSync(join(top, '.git/relay/queue'), { recursive: true });
    writeFileSync(join(top, '.git/relay/queue'), '');
    const [program = '', ...options] = shell.split(' ');
    const ended = spawnSync(program, [...options, join(top, '.git/hooks/post-rewrite'), 'amend'], {
      cwd: top,
      env: w.ann.env,
      input: 'a b\n',
      encoding: 'utf8',
    });
    expect(ended).toMatchObject({ status: 0, stderr: '', stdout: expect.stringMatching(/^\s*1\n$/) });
  });
});

describe('the text in a hook', () => {
  it('does nothing where relay was taken away without its hooks', async () => {
    const { top, git } = await w.hooked('left-over');
    rmSync(join(git, 'relay'), { recursive: true });
    w.commit(top);
    w.commit(top, {}, '--amend');
    expect(existsSync(join(git, 'relay'))).toBe(false);
  });
});

describe('a push that takes relay’s along (--pre-push)', () => {
  it('returns in time, with git’s own exit code and one line, when relay hangs', async () => {
    const { top, git } = await w.hooked('push', '--pre-push');
    w.probe(git, 'hangs', "process.on('SIGTERM', () => {}); setTimeout(() => {}, 60_000);");
    w.commit(top);
    const began = performance.now();
    const { status, stderr } = spawnSync('sh', ['-c', 'git push -q origin main 2>&1 | cat >&2; git rev-parse --verify -q origin/main >/dev/null'], {
      cwd: top,
      env: w.ann.env,
      encoding: 'utf8',
    });
    expect(performance.now() - began).toBeLessThan(15_000);
    expect({ status, stderr }).toEqual({ status: 0, stderr: 'relay: sending the sessions took too long; what is not sent yet: relay status\n' });
    expect(w.git(w.ann, top, 'rev-parse', 'origin/main')).toBe(w.git(w.ann, top, 'rev-parse', 'HEAD'));
  });

  it('hands on what relay says, tells it the remote, and does not wait for the rest of the ten seconds', async () => {
    const { top, git } = await w.hooked('push-quick', '--pre-push');
    w.probe(git, 'quick', "console.error('relay: ' + process.argv.slice(2).join(' ')); process.exitCode = 3;");
    w.commit(top);
    const began = performance.now();
    expect(spawnSync('sh', ['-c', 'git push -q origin main 2>&1 | cat'], { cwd: top, env: w.ann.env, encoding: 'utf8' }).stdout).toBe(
      'relay: hook --pre-push origin --git-dir .git\n',
    );
    expect(performance.now() - began).toBeLessThan(5000);
  });
});

/** The shim runs in whatever shell runs the hook. */

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
    const { top, git } = await w.hooked(`shell-${count++}`);
    for (const event of ['post-commit', 'post-rewrite']) {
      const path = join(git, 'hooks', event);
      writeFileSync(path, readFileSync(path, 'utf8').replace('#!/bin/sh', `#!/usr/bin/env -S ${command}`));
    }
    const old = w.commit(top, { CLAUDE_CODE_SESSION_ID: 'a', CODEX_THREAD_ID: 'b' });
    const made = w.commit(top, {}, '--amend');
    const events = takeQueued(git);
    expect(events).toMatchObject([{ commit: old, cwd: top }, { commit: made }, { rewritten: [[old, made]] }]);
    expect(events[0]?.above).toContain('git');
    rmSync(join(git, 'relay/queue/.worker'));
    w.probe(git, 'none', '');
    w.commit(top);
    expect(existsSync(join(git, 'relay/queue/.worker'))).toBe(true);
  });
}
