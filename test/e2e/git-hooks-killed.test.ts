import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, linkSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesOf, type HookedLab, hookedLab, hookFile, writeScript } from '../support/hooked.ts';
import { RELAY } from '../support/lab.ts';

/** What is left of an install or uninstall that was killed, or that comes upon what others have taken away, is put right. */
let w: HookedLab;
let killer: string;

/** Loaded before relay: it is killed, as by kill -9, right before its nth call that changes something among the hooks or in git's settings. */
const KILLER = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  let left = Number(process.env.TEST_CALLS);
  for (const name of ['link', 'mkdir', 'open', 'rename', 'rm', 'rmdir', 'symlink', 'utimes', 'writeFile']) {
    const real = fs.promises[name];
    fs.promises[name] = (...args) => {
      const counts = args.some((arg) => /\\.git\\/(?:hooks|config)\\b/.test(arg)) && (name !== 'open' || /w/.test(args[1]));
      if (counts && left-- === 0) process.kill(process.pid, 'SIGKILL');
      return real(...args);
    };
  }
  syncBuiltinESMExports();
`;

beforeAll(() => {
  w = hookedLab();
  killer = join(w.root, 'killer.mjs');
  writeFileSync(killer, KILLER);
});
afterAll(() => w.done());

/** Runs relay hooks …; false: it was done before it came to the call. */
function isKilledAt(calls: number, top: string, ...args: string[]): boolean {
  const env = { ...w.ann.env, NODE_OPTIONS: `--import=${killer}`, TEST_CALLS: String(calls) };
  const { signal, status, stderr } = spawnSync(process.execPath, [RELAY, 'hooks', ...args], { cwd: top, env, encoding: 'utf8' });
  if (signal === null && status !== 0) throw new Error(`relay hooks ended with ${status}: ${stderr}`);
  return signal === 'SIGKILL';
}

/** A project with hooks of its own, of every kind: a program, a link, a script. */
function withHooks(): string {
  const top = w.fresh();
  const program = `#!${process.execPath}\nrequire('node:fs').appendFileSync('.git/own-ran', 'ran');\n`;
  writeScript(hookFile(top, 'post-commit'), program);
  writeScript(hookFile(top, 'linked'), program);
  symlinkSync('linked', hookFile(top, 'post-rewrite'));
  writeScript(hookFile(top, 'pre-push'), '#!/bin/sh\necho ran >>.git/own-ran\n');
  return top;
}

function runsOwnHook(top: string): void {
  for (const event of ['post-commit', 'post-rewrite', 'pre-push']) {
    rmSync(join(top, '.git/own-ran'), { force: true });
    execFileSync(hookFile(top, event), ['origin', 'x'], { cwd: top, env: { ...w.ann.env, GIT_DIR: '.git' }, input: '', stdio: 'pipe' });
    expect(`${event} ${readFileSync(join(top, '.git/own-ran'), 'utf8').trim()}`).toBe(`${event} ran`);
  }
  rmSync(join(top, '.git/own-ran'));
}

const HOOKS = /hooks\//;
const ENDS = [
  ['hooks', 'uninstall'],
  ['init', '--remove', '--yes'],
] as const;

it('a killed install leaves the hooks of the user running, and is taken back to the byte, or finished', async () => {
  const template = withHooks();
  const before = filesOf(template, HOOKS);
  let calls = 0;
  for (let isKilled = true; isKilled; calls++) {
    const top = join(w.root, `killed-${calls}`);
    execFileSync('cp', ['-a', template, top]);
    isKilled = isKilledAt(calls, top, 'install', '--pre-push');
    runsOwnHook(top);
    if (calls % 3 === 0) {
      expect((await w.hooks(top, 'install', '--pre-push')).stderr).toBe('');
      expect((await w.state(top)).hooks.map(({ event, state }) => `${event} ${state}`)).toEqual(['post-commit ok', 'post-rewrite ok', 'pre-push ok']);
      runsOwnHook(top);
    }
    const ended = await w.relay(w.ann, top, ...(ENDS[calls % 2] ?? []));
    expect({ calls, ...ended }).toMatchObject({ calls, code: 0, stderr: '' });
    expect({ calls, ...filesOf(top, HOOKS) }).toEqual({ calls, ...before });
    rmSync(top, { recursive: true });
  }
  expect(calls).toBeGreaterThan(15);
}, 300_000);

it('a killed uninstall is finished by the next', async () => {
  const template = withHooks();
  const before = filesOf(template, HOOKS);
  await w.install(template, '--pre-push');
  let calls = 0;
  for (let isKilled = true; isKilled; calls++) {
    const top = join(w.root, `half-out-${calls}`);
    execFileSync('cp', ['-a', template, top]);
    isKilled = isKilledAt(calls, top, 'uninstall');
    expect(await w.hooks(top, 'uninstall')).toMatchObject({ code: 0, stderr: '' });
    runsOwnHook(top);
    expect({ calls, ...filesOf(top, HOOKS) }).toEqual({ calls, ...before });
    rmSync(top, { recursive: true });
  }
  expect(calls).toBeGreaterThan(10);
}, 300_000);

it('a lock of relay’s own that was left is taken away, one of another program is not', async () => {
  const top = w.fresh();
  const path = hookFile(top, 'post-commit');
  await w.install(top);
  linkSync(path, `${path}.lock`);
  await w.install(top);
  expect(existsSync(`${path}.lock`)).toBe(false);
  writeFileSync(`${path}.lock`, '');
  await w.install(top);
  expect(existsSync(`${path}.lock`)).toBe(true);
});

describe.each(ENDS.map((args) => ({ args, by: `relay ${args.join(' ')}` })))('$by goes on where something cannot be put back', ({ args }) => {
  const isRemoved = args[0] === 'init';
  const taken = async (top: string, words: RegExp): Promise<void> => {
    const { code, stderr } = await w.relay(w.ann, top, ...args);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(words) });
    if (isRemoved) expect(existsSync(join(top, '.git/relay'))).toBe(false);
    expect(existsSync(join(top, '.git/hooks/relay.sh'))).toBe(false);
  };

  it('since the hook from before was deleted where it was kept', async () => {
    const top = withHooks();
    await w.install(top);
    rmSync(`${hookFile(top, 'post-commit')}.before-relay`);
    await taken(top, /^Not put back: The hook that was in .*post-commit before relay is gone: it was kept in .*post-commit\.before-relay\. .*copy.*\n$/);
    expect(existsSync(hookFile(top, 'post-commit'))).toBe(false);
    expect(filesOf(join(top, '.git/hooks'))).toMatchObject({ 'post-rewrite': expect.stringContaining('-> linked') });
    expect(await w.hooks(top, 'uninstall')).toMatchObject({ code: 0, stdout: 'There was nothing to take out.\n' });
  });

  it('since another program holds a file; it is taken out when that has ended', async () => {
    const top = w.fresh();
    writeScript(hookFile(top, 'post-commit'), '#!/bin/sh\n:\n');
    const before = filesOf(top);
    await w.install(top);
    const lock = `${hookFile(top, 'post-commit')}.lock`;
    writeFileSync(lock, '');
    await taken(top, /^Not put back: Another program works on .*post-commit\. If none does, remove .*post-commit\.lock and try again\.\n$/);
    expect(existsSync(hookFile(top, 'post-rewrite'))).toBe(false);
    rmSync(lock);
    expect(await w.hooks(top, 'uninstall')).toMatchObject({ code: 0 });
    expect(filesOf(top)).toEqual(before);
  });
});

it('relay init --remove goes on where what was done cannot be read, says what to do, and no line in a hook does anything from then on', async () => {
  const top = w.fresh();
  await w.install(top);
  appendFileSync(join(top, '.git/hooks/relay.json'), '{');
  const asked = await w.relay(w.ann, top, 'init', '--remove');
  expect(asked).toMatchObject({ code: 3, stderr: expect.stringContaining('Add --yes.') });
  const ended = await w.relay(w.ann, top, 'init', '--remove', '--yes');
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Not put back: .*relay\.json cannot be read.* by hand, then remove that file\.\n$/) });
  expect(existsSync(join(top, '.git/relay'))).toBe(false);
  w.commit(top);
  expect(existsSync(join(top, '.git/relay'))).toBe(false);
});
