import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type World, world } from '../prove/world.ts';
import { growTurns } from '../support/grow.ts';
import { runProgram } from '../support/processes.ts';
import { SAMPLES } from '../support/proofs.ts';
import { queued } from '../support/queue.ts';

let w: World;
let silent: Server | undefined;
beforeEach(async () => {
  w = world(SAMPLES[0] as (typeof SAMPLES)[0]);
  await w.json(w.ann, w.annProject, 'hooks', 'install', '--pre-push');
});
afterEach(() => {
  silent?.close();
  silent = undefined;
  w.done();
});

function commit(text: string): void {
  writeFileSync(join(w.annProject, 'made.txt'), text);
  w.git(w.ann, w.annProject, 'add', '-A');
  w.git(w.ann, w.annProject, 'commit', '-q', '-m', text);
}
const gitPush = async (...args: string[]) => {
  const began = performance.now();
  return { ...(await runProgram('git', ['push', '-q', ...args], { cwd: w.annProject, env: w.ann.env })), seconds: (performance.now() - began) / 1000 };
};
const unsent = async (): Promise<string[]> => (await w.json<{ unsent: string[] }>(w.ann, w.annProject, 'status')).unsent;
const record = async (step: number): Promise<void> => {
  growTurns(w.session, 1, step);
  queued(w.annProject, w.session);
  await w.relay(w.ann, w.annProject, 'hook', '--work');
};

test('a push takes along what is recorded and not sent, once something was sent there', async () => {
  await record(1);
  commit('one');
  const first = await gitPush();
  expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('1 session is not sent yet; the first time you send them yourself: relay push') });
  await w.json(w.ann, w.annProject, 'push', w.session.id);
  await record(2);
  commit('two');
  expect(await gitPush()).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(await unsent()).toEqual([]);
});

test('a push to another place takes nothing along', async () => {
  await w.json(w.ann, w.annProject, 'push', w.session.id);
  await record(1);
  const fork = w.bare('fork');
  w.git(w.ann, w.annProject, 'remote', 'add', 'fork', fork);
  commit('one');
  for (const to of ['fork', fork]) expect(await gitPush(to, 'HEAD')).toMatchObject({ code: 0, stderr: '' });
  expect(w.git(w.ann, fork, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  expect(await unsent()).toHaveLength(1);
});

test('a store that accepts and never answers holds the push up for less than 15 s, keeps its exit code, and leaves nothing running', {
  timeout: 120_000,
}, async () => {
  await w.json(w.ann, w.annProject, 'push', w.session.id);
  const server = createServer(() => {});
  silent = server;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `git://127.0.0.1:${(server.address() as { port: number }).port}/team.git`;
  writeFileSync(join(w.annProject, '.git/relay/config.jsonc'), JSON.stringify({ store: { remote: url } }));
  // As if it had answered once.
  const { createHash } = await import('node:crypto');
  writeFileSync(join(w.annProject, '.git/relay/consent.json'), JSON.stringify({ [createHash('sha256').update(url).digest('hex')]: true }));
  await record(1);
  commit('one');
  const without = await gitPush('--no-verify', 'origin', 'HEAD:refs/heads/other');
  const pushed = await gitPush();
  expect(pushed.code).toBe(0);
  expect(pushed.seconds - without.seconds).toBeLessThan(15);
  expect(pushed.stderr.trim().split('\n')).toEqual([expect.stringMatching(/^relay: .*not sent/)]);
  expect(w.git(w.ann, w.annProject, 'rev-parse', 'origin/main')).toBe(w.git(w.ann, w.annProject, 'rev-parse', 'HEAD'));
  const left = await runProgram('ps', ['-eo', 'args'], { cwd: w.root, env: w.ann.env });
  expect(left.stdout.split('\n').filter((line) => line.includes(url))).toEqual([]);
  // What git itself says of a push that fails stays.
  w.git(w.ann, w.annProject, 'remote', 'set-url', 'origin', join(w.root, 'nowhere.git'));
  commit('two');
  expect((await gitPush()).code).toBe(128);
});
