import { execSync } from 'node:child_process';
import { chownSync, lstatSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Diagnosis } from '#flows/doctor.ts';
import { type World, world } from '../prove/world.ts';
import { RELAY } from '../support/lab.ts';
import { type Ended, runProgram } from '../support/processes.ts';
import { SAMPLES } from '../support/proofs.ts';
import { queued, waitingIn } from '../support/queue.ts';

/** What keeps a worker from recording, and how status and doctor tell of it. */
let w: World;
let home: string;
beforeEach(async () => {
  w = world(SAMPLES[0] as (typeof SAMPLES)[0]);
  home = join(w.annProject, '.git/relay');
  await w.json(w.ann, w.annProject, 'hooks', 'install');
});
afterEach(() => w.done());

const recording = ({ stdout }: Ended) => (JSON.parse(stdout) as Diagnosis).repository.filter(({ check, state }) => check === 'recording' && state === 'broken');

describe('a lock that nobody here can free', () => {
  const lock = (): string => join(home, 'worker/worker.lock');
  const held = (host: string, at: number): void => {
    mkdirSync(join(home, 'worker'), { recursive: true });
    writeFileSync(lock(), JSON.stringify({ pid: process.pid, host, at: '0' }));
    utimesSync(lock(), at / 1000, at / 1000);
  };
  const doctor = async () => recording(await w.relay(w.ann, w.annProject, 'doctor', '--json'));

  it.each([
    ['of another machine', 0, /process of elsewhere \(\d+\), which holds the lock\.$/],
    ['whose time lies in the future', 86_400_000, /holds the lock, and by its time, 2\S+Z, that goes on until then\.$/],
  ])('%s is named with what takes it away, while something waits', async (_, ahead, words) => {
    const at = Date.now() + ahead;
    held('elsewhere', at);
    expect(await doctor()).toEqual([]);
    queued(w.annProject, w.session);
    const [found] = await doctor();
    expect(found).toMatchObject({ found: expect.stringMatching(words), fix: `rm ${lock()}` });
    expect((await w.relay(w.ann, w.annProject, 'status')).stdout).toMatch(/^NOT RECORDING: What waits is left to a process of elsewhere/);
    execSync(found?.fix as string);
    // The worker that a command before has started may still be at its end.
    await expect.poll(() => w.relay(w.ann, w.annProject, 'hook', '--work').then(() => waitingIn(w.annProject)), { timeout: 20_000 }).toEqual([]);
  });

  it('keeps nobody from taking relay out', async () => {
    held('elsewhere', Date.now() + 86_400_000);
    expect((await w.relay(w.ann, w.annProject, 'init', '--remove', '--yes')).code).toBe(0);
    expect(() => lstatSync(home)).toThrow();
  });
});

/** Only root can play another user. */
describe.runIf(process.getuid?.() === 0)('files that another user has left', () => {
  const USER = 65534;
  const asUser = (...args: string[]): Promise<Ended> =>
    runProgram('setpriv', [`--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', process.execPath, RELAY, ...args], { cwd: w.annProject, env: w.ann.env });
  const give = (path: string, to = USER): void => {
    chownSync(path, to, to);
    if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) give(join(path, name), to);
  };

  it('are named by status and doctor, with what gives them back', async () => {
    await w.json(w.ann, w.annProject, 'push', w.session.id);
    give(w.root);
    queued(w.annProject, w.session);
    for (const name of ['lock', 'worker']) mkdirSync(join(home, name), { recursive: true, mode: 0o700 });
    writeFileSync(join(home, 'hook.log'), '', { mode: 0o600 });
    for (const name of ['hook.log', 'lock', 'worker']) give(join(home, name), 0);
    give(join(home, 'queue'));
    const doctor = await asUser('doctor', '--json');
    expect(doctor.code).toBe(1);
    const fix = `sudo chown -R ${USER}:${USER} ${home}`;
    expect(recording(doctor)).toEqual([
      { check: 'recording', state: 'broken', found: expect.stringMatching(/^Files of another user in \S+ are in the way: /), fix },
    ]);
    expect((await asUser('status')).stdout).toContain(`NOT RECORDING: Files of another user in ${home} are in the way: hook.log, lock, worker\n  ${fix}\n`);
    execSync(fix.replace('sudo ', ''));
    queued(w.annProject, w.session);
    give(join(home, 'queue'));
    await expect.poll(() => asUser('hook', '--work').then(() => waitingIn(w.annProject)), { timeout: 20_000 }).toEqual([]);
    expect(recording(await asUser('doctor', '--json'))).toEqual([]);
  });

  it('also where the whole folder is another user’s', async () => {
    give(w.root);
    give(home, 0);
    const { repository } = JSON.parse((await asUser('doctor', '--json')).stdout) as Diagnosis;
    const fix = `sudo chown -R ${USER}:${USER} ${home}`;
    expect(repository).toMatchObject([{ check: 'settings', state: 'broken', fix }]);
    const { code, stderr } = await asUser('status');
    expect([code, stderr]).toEqual([2, expect.stringContaining(fix)]);
    execSync(fix.replace('sudo ', ''));
    expect((await asUser('status')).code).toBe(0);
  });
});
