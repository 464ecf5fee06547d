import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type World, world } from '../prove/world.ts';
import { growTurns } from '../support/grow.ts';
import { RELAY } from '../support/lab.ts';
import { ownSettings } from '../support/own-settings.ts';
import { isRunning } from '../support/processes.ts';
import { SAMPLES } from '../support/proofs.ts';
import { queued } from '../support/queue.ts';

/** A worker is at it while relay is taken out of the repository, or is told to keep what it has for itself. */
let w: World;
let home: string;
beforeEach(() => {
  w = world(SAMPLES[0] as (typeof SAMPLES)[0]);
  home = join(w.annProject, '.git/relay');
});
afterEach(() => w.done());

const settings = (value: object): void => ownSettings(w.ann, value);
const onRemote = (remote = w.remote): string => w.git(w.ann, remote, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/relay');
const worker = (): { pid: number; ended: Promise<void> } => {
  const child = spawn(process.execPath, [RELAY, 'hook', '--work'], { cwd: w.annProject, env: w.ann.env, stdio: 'ignore' });
  return { pid: child.pid as number, ended: new Promise((done) => child.once('close', () => done())) };
};
const until = async (what: () => boolean): Promise<void> => {
  for (const late = Date.now() + 20_000; !what(); await sleep(10)) if (Date.now() > late) throw new Error('It did not come to it.');
};

describe('in the pause between two sendings', () => {
  /** ms that it still has to wait when it is started */
  const SENT = 6_000;
  /** A worker that has recorded and now waits until it may send again. */
  const waiting = async (): Promise<{ ended: Promise<void>; pid: number; before: string }> => {
    await w.json(w.ann, w.annProject, 'push', w.session.id);
    settings({ push: { auto: true } });
    const before = onRemote();
    writeFileSync(join(home, 'sent.json'), JSON.stringify({ at: Date.now() - 60_000 + SENT }));
    growTurns(w.session, 1, 1);
    queued(w.annProject, w.session);
    const one = worker();
    await until(() => existsSync(join(home, 'hook.log')) && readFileSync(join(home, 'hook.log'), 'utf8').includes('"record"'));
    // What follows the entry in the log takes some milliseconds.
    await sleep(1000);
    return { ...one, before };
  };

  it('nothing is sent once relay is taken out, and nothing of it comes back', async () => {
    const { ended, pid, before } = await waiting();
    expect((await w.relay(w.ann, w.annProject, 'init', '--remove', '--yes')).code).toBe(0);
    expect(isRunning(pid)).toBe(false);
    await ended;
    expect(onRemote()).toBe(before);
    expect(existsSync(home)).toBe(false);
  });

  it('nor where its folder is deleted by hand', async () => {
    const { ended, before } = await waiting();
    rmSync(home, { recursive: true });
    await ended;
    expect(onRemote()).toBe(before);
    expect(existsSync(home)).toBe(false);
  });

  it.each([
    ['sending is turned off', { push: { auto: false } }],
    ['the session is excluded', { push: { auto: true }, share: { exclude: [{ agent: 'claude-code' }] } }],
  ])('nothing is sent once %s', async (_, value) => {
    const { ended, before } = await waiting();
    settings(value);
    await ended;
    expect(onRemote()).toBe(before);
  });

  it('nothing goes to a remote that was put in the place of the one that was agreed to', async () => {
    const { ended, before } = await waiting();
    const other = join(w.root, 'other.git');
    w.git(w.ann, w.root, 'clone', '-q', '--mirror', w.remote, other);
    w.git(w.ann, w.annProject, 'remote', 'set-url', 'origin', other);
    await ended;
    expect(onRemote()).toBe(before);
    expect(onRemote(other)).toBe(before);
  });

  it('what is still agreed to is sent when it is over', async () => {
    const { ended, before } = await waiting();
    await ended;
    expect(onRemote()).not.toBe(before);
  });
});

describe('while a large session is being recorded', () => {
  const recording = async (): Promise<{ ended: Promise<void> }> => {
    growTurns(w.session, 2000, 1);
    mkdirSync(home, { recursive: true });
    queued(w.annProject, w.session);
    const one = worker();
    await until(() => existsSync(join(home, 'store.git')));
    await sleep(300);
    return one;
  };

  it('init --remove ends that, and nothing of relay comes back', async () => {
    const { ended } = await recording();
    expect((await w.relay(w.ann, w.annProject, 'init', '--remove', '--yes')).code).toBe(0);
    await ended;
    expect(existsSync(home)).toBe(false);
  });

  it('a folder that is deleted by hand stays deleted', async () => {
    const { ended } = await recording();
    rmSync(home, { recursive: true });
    await ended;
    expect(existsSync(home)).toBe(false);
  });
});
