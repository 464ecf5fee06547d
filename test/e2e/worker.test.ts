import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { prove } from '../prove/cases/capture.ts';
import { type PushJson, type World, world } from '../prove/world.ts';
import { objectsText } from '../support/git-text.ts';
import { growTurns } from '../support/grow.ts';
import { RELAY } from '../support/lab.ts';
import { runProgram } from '../support/processes.ts';
import { holds, SAMPLES } from '../support/proofs.ts';
import { queued, waitingIn } from '../support/queue.ts';
import { recordedIn } from '../support/recorded-here.ts';
import { requires } from '../support/requires.ts';
import { sample } from '../support/samples.ts';
import { say } from '../support/say.ts';

requires('strace')('the worker', () => {
  it.each(SAMPLES)('records all of a session of $agent, reads only the new, and loses nothing when it is killed', (input) => holds(prove, input), 300_000);
});

let w: World;
beforeEach(() => {
  w = world(SAMPLES[0] as (typeof SAMPLES)[0]);
});
afterEach(() => w.done());

const worker = () => runProgram(process.execPath, [RELAY, 'hook', '--work'], { cwd: w.annProject, env: w.ann.env });
const versions = async (): Promise<number> =>
  (await w.json<{ versions: unknown[] }>(w.ann, w.annProject, 'log', w.session.id).catch(() => ({ versions: [] }))).versions.length;
const logged = (): { did: string; session?: string; error?: string; code?: string; bytes?: number }[] =>
  readFileSync(join(w.annProject, '.git/relay/hook.log'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

function commit(text: string): string {
  writeFileSync(join(w.annProject, 'made.txt'), text);
  w.git(w.ann, w.annProject, 'add', '-A');
  w.git(w.ann, w.annProject, 'commit', '-q', '-m', `Say ${text}`);
  return w.git(w.ann, w.annProject, 'rev-parse', 'HEAD');
}

test('a commit that a session made is recorded with it, and a teammate finds the session behind it', async () => {
  const made = commit('hello');
  queued(w.annProject, w.session, made);
  await worker();
  const behind = (who: typeof w.ann, cwd: string) =>
    w.json<{ commit: string; handoffs: { session: string; how: string; version: number }[] }>(who, cwd, 'log', made);
  expect(await behind(w.ann, w.annProject)).toMatchObject({ commit: made, handoffs: [{ session: w.session.id, version: 1 }] });
  w.git(w.ann, w.annProject, 'push', '-q');
  await w.json(w.ann, w.annProject, 'push', w.session.id);
  w.git(w.bob, w.bobProject, 'pull', '-q');
  await w.json(w.bob, w.bobProject, 'pull');
  expect((await behind(w.bob, w.bobProject)).handoffs).toMatchObject([{ session: w.session.id }]);
});

test('a commit in a terminal has the sessions recorded that somebody works in, and is linked to none of them for that', async () => {
  const made = commit('from a terminal');
  queued(w.annProject, undefined, made);
  await worker();
  expect(await versions()).toBe(1);
  expect((await w.json<{ handoffs: unknown[] }>(w.ann, w.annProject, 'log', made)).handoffs).toEqual([]);
});

test('an unknown or excluded session is named in the log, and its event does not wait for ever', async () => {
  queued(w.annProject, { agent: 'claude-code', id: '00000000-0000-4000-8000-00000000dead' });
  queued(w.annProject, { agent: 'nobody', id: 'x' });
  await worker();
  expect(logged().map(({ code }) => code)).toEqual(['not-found', 'not-found']);
  writeFileSync(join(w.annProject, '.relayrc'), JSON.stringify({ share: { exclude: [{ agent: 'claude-code' }] } }));
  queued(w.annProject, w.session);
  await worker();
  expect(logged().at(-1)).toMatchObject({ code: 'blocked', session: w.session.id });
  expect(await versions()).toBe(0);
  expect(waitingIn(w.annProject)).toEqual([]);
});

test('a log holds no word of a session', async () => {
  say(w.session, 'a sentence that nobody but us knows');
  queued(w.annProject, w.session);
  await worker();
  const text = readFileSync(join(w.annProject, '.git/relay/hook.log'), 'utf8');
  expect(text).not.toContain('nobody but us');
  expect(logged()).toMatchObject([{ did: 'record', session: w.session.id, bytes: expect.any(Number) }]);
});

test('what cannot be stored now waits, and the next worker stores it', async () => {
  const state = join(w.annProject, '.git/relay');
  mkdirSync(state, { recursive: true });
  // A file where the store should be: as little can be stored as on a full disk.
  writeFileSync(join(state, 'store.git'), 'in the way');
  queued(w.annProject, w.session);
  await worker();
  expect(waitingIn(w.annProject)).toHaveLength(1);
  rmSync(join(state, 'store.git'));
  await worker();
  expect(waitingIn(w.annProject)).toEqual([]);
  expect(await versions()).toBe(1);
});

test('compiled code that was damaged is compiled anew', async () => {
  const folder = join(w.ann.home, '.local/state/relay/compiled');
  queued(w.annProject, w.session);
  await worker();
  const [name = ''] = readdirSync(folder);
  const whole = readFileSync(join(folder, name));
  const spoil: Buffer[] = [Buffer.alloc(0), whole.subarray(0, whole.length / 2), Buffer.alloc(whole.length), Buffer.from(whole)];
  (spoil[3] as Buffer)[600_000] = 0x55;
  for (const [i, bytes] of spoil.entries()) {
    writeFileSync(join(folder, name), bytes);
    growTurns(w.session, 1, i);
    queued(w.annProject, w.session);
    await worker();
    expect(await versions()).toBe(2 + i);
    expect(readFileSync(join(folder, name)).equals(bytes)).toBe(false);
  }
});

test('what stands in a folder that XDG_STATE_HOME names without a root stays', async () => {
  mkdirSync(join(w.annProject, 'relay/compiled'), { recursive: true });
  writeFileSync(join(w.annProject, 'relay/compiled/mine.c'), 'x');
  w.ann.env.XDG_STATE_HOME = '.';
  queued(w.annProject, w.session);
  await worker();
  expect(await versions()).toBe(1);
  expect(readdirSync(join(w.annProject, 'relay/compiled'))).toEqual(['mine.c']);
  expect(readdirSync(join(w.annProject, 'relay'))).toEqual(['compiled']);
});

test('a commit that cannot be read keeps no other from being linked', async () => {
  const good = commit('good');
  const body = `tree ${'1'.repeat(40)}\nauthor a <a> 1 +0000\ncommitter a <a> 1 +0000\n\nbad\n`;
  const made = await runProgram('git', ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], { cwd: w.annProject, env: w.ann.env, input: body });
  const bad = queued(w.annProject, w.session, made.stdout.trim());
  queued(w.annProject, w.session, good);
  await worker();
  expect((await w.json<{ handoffs: unknown[] }>(w.ann, w.annProject, 'log', good)).handoffs).toHaveLength(1);
  expect(waitingIn(w.annProject).map((name) => join(w.annProject, '.git/relay/queue', name))).toEqual([bad]);
  // Not for ever.
  const old = new Date(Date.now() - 30 * 24 * 3600 * 1000);
  utimesSync(bad, old, old);
  // The worker that `log` has started may still be at it.
  await expect.poll(() => worker().then(() => waitingIn(w.annProject)), { timeout: 10_000 }).toEqual([]);
});

test('thousands of commits that wait are linked in one go', { timeout: 120_000 }, async () => {
  const stream = Array.from(
    { length: 2000 },
    (_, i) =>
      `commit refs/heads/main\ncommitter a <a@example.invalid> ${1_700_000_000 + i} +0000\ndata 1\nx\n${i ? '' : 'from refs/heads/main^0\n'}M 100644 inline f${i}\ndata 2\n${i % 10}\n\n`,
  );
  expect((await runProgram('git', ['fast-import', '--quiet', '--force'], { cwd: w.annProject, env: w.ann.env, input: stream.join('') })).stderr).toBe('');
  const commits = w.git(w.ann, w.annProject, 'rev-list', 'main', '-n', '2000').split('\n');
  for (const one of commits) queued(w.annProject, w.session, one);
  await worker();
  expect(waitingIn(w.annProject)).toEqual([]);
  expect((await w.json<{ handoffs: unknown[] }>(w.ann, w.annProject, 'log', commits[1999] as string)).handoffs).toHaveLength(1);
});

test('a pipe or a folder in the queue keeps nobody waiting', async () => {
  queued(w.annProject, w.session);
  const queue = join(w.annProject, '.git/relay/queue');
  await runProgram('mkfifo', [join(queue, 'post-commit-x')], { cwd: w.root, env: w.ann.env });
  mkdirSync(join(queue, 'folder'));
  expect((await worker()).code).toBe(0);
  expect(await versions()).toBe(1);
});

test('a value that is known to be secret only later is gone from what the worker had stored before it is sent', async () => {
  const value = sample('Zk7{an17}');
  say(w.session, `the service answers to ${value}`);
  queued(w.annProject, w.session);
  await worker();
  growTurns(w.session, 1, 1);
  say(w.session, `DB_PASSWORD=${value}`);
  queued(w.annProject, w.session);
  await worker();
  expect(await versions()).toBe(2);
  await w.json<PushJson>(w.ann, w.annProject, 'push', w.session.id);
  expect(objectsText(w.remote).includes(value)).toBe(false);
});

describe('sending by itself', () => {
  const accept = async (): Promise<void> => {
    writeFileSync(join(w.annProject, '.relayrc'), JSON.stringify({ push: { auto: true } }));
    await w.json(w.ann, w.annProject, 'init', '--accept', 'push.auto');
  };
  const onRemote = (): string => w.git(w.ann, w.remote, 'for-each-ref', '--format=%(refname)', 'refs/relay');

  test('happens only where it was accepted, and something was sent there before', async () => {
    queued(w.annProject, w.session);
    await worker();
    writeFileSync(join(w.annProject, '.relayrc'), JSON.stringify({ push: { auto: true } }));
    growTurns(w.session, 1, 1);
    queued(w.annProject, w.session);
    await worker();
    await accept();
    growTurns(w.session, 1, 2);
    queued(w.annProject, w.session);
    await worker();
    expect(onRemote()).toBe('');
    await w.json(w.ann, w.annProject, 'push', w.session.id);
    growTurns(w.session, 1, 3);
    queued(w.annProject, w.session);
    await worker();
    expect((await w.json<{ unsent: string[] }>(w.ann, w.annProject, 'status')).unsent).toEqual([]);
    expect(existsSync(join(w.annProject, '.git/relay/sent.json'))).toBe(true);
  });

  test('a remote that is not there keeps nothing from being recorded', async () => {
    await accept();
    await w.json(w.ann, w.annProject, 'push', w.session.id);
    w.git(w.ann, w.annProject, 'remote', 'set-url', 'origin', `${w.remote}-gone`);
    await w.relay(w.ann, w.annProject, 'push', w.session.id);
    growTurns(w.session, 1, 1);
    queued(w.annProject, w.session);
    await worker();
    expect(await versions()).toBe(2);
    expect(waitingIn(w.annProject)).toEqual([]);
  });
});

describe('what no worker has recorded yet', () => {
  test('is recorded before a command answers what is behind a commit, and before a push', async () => {
    const made = commit('in a sandbox');
    queued(w.annProject, w.session, made);
    expect((await w.json<{ handoffs: unknown[] }>(w.ann, w.annProject, 'log', made)).handoffs).toHaveLength(1);
    const next = commit('again');
    queued(w.annProject, w.session, next);
    await w.json(w.ann, w.annProject, 'push', w.session.id);
    await w.json(w.bob, w.bobProject, 'pull');
    w.git(w.ann, w.annProject, 'push', '-q');
    w.git(w.bob, w.bobProject, 'pull', '-q');
    expect((await w.json<{ handoffs: unknown[] }>(w.bob, w.bobProject, 'log', next)).handoffs).toHaveLength(1);
  });

  test('is recorded after any other command', async () => {
    queued(w.annProject, w.session);
    await w.json(w.ann, w.annProject, 'list');
    await recordedIn(join(w.annProject, '.git'));
    expect(await versions()).toBe(1);
  });

  test('is looked for without asking git a second time where the repository is', async () => {
    const [bin, asked] = [join(w.root, 'bin'), join(w.root, 'asked')];
    mkdirSync(bin);
    writeFileSync(join(bin, 'git'), `#!/bin/sh\necho "$*" >> '${asked}'\nPATH=\${PATH#*:} exec git "$@"\n`, { mode: 0o755 });
    await w.json({ ...w.ann, env: { ...w.ann.env, PATH: `${bin}:${w.ann.env.PATH}` } }, w.annProject, 'list');
    expect(readFileSync(asked, 'utf8').match(/--git-common-dir/g)).toHaveLength(1);
  });
});
