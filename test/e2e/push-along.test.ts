import { createHash } from 'node:crypto';
import { utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeSealed } from '#lib/sealed.ts';
import { type ImportJson, type World, world } from '../prove/world.ts';
import { layOut } from '../support/fixtures.ts';
import { growTurns } from '../support/grow.ts';
import type { LaidOut } from '../support/layout.ts';
import { ownSettings } from '../support/own-settings.ts';
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
const onRemote = (): string[] => w.git(w.ann, w.remote, 'for-each-ref', '--format=%(refname)', 'refs/relay/s').split('\n').filter(Boolean);
const setting = (value: object): void => writeFileSync(join(w.annProject, '.relayrc'), JSON.stringify(value));
const recorded = async (session: Parameters<typeof queued>[1]): Promise<void> => {
  queued(w.annProject, session);
  await w.relay(w.ann, w.annProject, 'hook', '--work');
};
const record = async (step: number): Promise<void> => {
  growTurns(w.session, 1, step);
  await recorded(w.session);
};
/** Another session of Ann's in the same project, stored and never shared. */
async function another(): Promise<LaidOut> {
  const other = layOut('codex', (SAMPLES[1] as (typeof SAMPLES)[1]).path, w.ann.home, w.annProject);
  await recorded(other);
  return other;
}

test('a push takes along what is recorded and not sent, once something was sent there', async () => {
  await record(1);
  commit('one');
  const first = await gitPush();
  expect(first).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('1 session is not sent yet; the first push to a remote is for you to type: relay push'),
  });
  await w.json(w.ann, w.annProject, 'push', w.session.id);
  await record(2);
  commit('two');
  expect(await gitPush()).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(await unsent()).toEqual([]);
});

test('a push takes a session along that was never shared only where push.auto is accepted', async () => {
  await w.json(w.ann, w.annProject, 'push', w.session.id);
  await another();
  await record(1);
  commit('one');
  expect(await gitPush()).toMatchObject({ code: 0, stderr: '' });
  expect(onRemote()).toHaveLength(1);
  expect(await unsent()).toEqual([expect.stringContaining('/codex-')]);

  setting({ push: { auto: true } });
  commit('two');
  const asked = await gitPush();
  expect(asked).toMatchObject({ code: 0, stderr: expect.stringMatching(/^relay: [^\n]*push\.auto[^\n]* relay init --accept push\.auto\n$/) });
  expect(onRemote()).toHaveLength(1);

  await w.json(w.ann, w.annProject, 'init', '--accept', 'push.auto');
  commit('three');
  expect(await gitPush()).toMatchObject({ code: 0, stderr: '' });
  expect(onRemote()).toHaveLength(2);
  expect(await unsent()).toEqual([]);
});

test('a copy that was only imported goes along with nothing, by a push or by itself, until somebody goes on with it', async () => {
  await w.json(w.ann, w.annProject, 'push', w.session.id);
  const { session, path } = await w.json<ImportJson>(w.ann, w.annProject, 'import', w.session.id, '--to', 'codex');
  const copy = { agent: 'codex', id: session, path } as const;
  setting({ push: { auto: true } });
  await w.json(w.ann, w.annProject, 'init', '--accept', 'push.auto');
  await recorded(copy);
  commit('one');
  expect(await gitPush()).toMatchObject({ code: 0, stderr: '' });
  expect(await unsent()).toHaveLength(1);
  expect(onRemote()).toHaveLength(1);

  growTurns({ ...copy, cwd: w.annProject }, 1, 1);
  const later = new Date(Date.now() + 60_000);
  utimesSync(path, later, later);
  commit('two');
  expect(await gitPush()).toMatchObject({ code: 0, stderr: '' });
  expect(onRemote()).toHaveLength(2);
});

test('a push that only shows what it would do takes nothing along', async () => {
  await w.json(w.ann, w.annProject, 'push', w.session.id);
  await record(1);
  commit('one');
  for (const option of ['--dry-run', '-n', '-fn', '--dry']) expect(await gitPush(option)).toMatchObject({ code: 0, stderr: '' });
  expect(await unsent()).toHaveLength(1);
  expect(await gitPush('--dry-run', '--no-dry-run')).toMatchObject({ code: 0, stderr: '' });
  expect(await unsent()).toEqual([]);
});

test('a hook of the user’s that relay calls is asked first: a push that it refuses takes nothing along', async () => {
  await w.json(w.ann, w.annProject, 'hooks', 'uninstall');
  const hook = join(w.annProject, '.git/hooks/pre-push');
  writeFileSync(hook, `#!${process.execPath}\nprocess.exit(process.env.REFUSE ? 7 : 0);\n`, { mode: 0o755 });
  await w.json(w.ann, w.annProject, 'hooks', 'install', '--pre-push');
  await w.json(w.ann, w.annProject, 'push', w.session.id);
  await record(1);
  commit('one');
  w.ann.env.REFUSE = 'yes';
  expect((await gitPush()).code).not.toBe(0);
  expect(await unsent()).toHaveLength(1);
  delete w.ann.env.REFUSE;
  expect(await gitPush()).toMatchObject({ code: 0, stderr: '' });
  expect(await unsent()).toEqual([]);
});

test('what keeps all sessions back is said in one line, and the push goes on', async () => {
  await w.json(w.ann, w.annProject, 'push', w.session.id);
  await record(1);
  commit('one');
  writeFileSync(join(w.annProject, '.relayrc'), '{ "push": ');
  const { code, stderr } = await gitPush();
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^relay: no sessions are sent along: [^\n]*\.relayrc[^\n]*\n$/)]);
  expect(w.git(w.ann, w.annProject, 'rev-parse', 'origin/main')).toBe(w.git(w.ann, w.annProject, 'rev-parse', 'HEAD'));
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
  ownSettings(w.ann, { store: { remote: url } });
  // As if it had answered once.
  const consent = { path: join(w.annProject, '.git/relay/consent.json'), state: join(w.ann.home, '.local/state/relay') };
  await writeSealed(consent, JSON.stringify({ [createHash('sha256').update(url).digest('hex')]: true }));
  await record(1);
  commit('one');
  const without = await gitPush('--no-verify', 'origin', 'HEAD:refs/heads/other');
  // Only now: the worker of the commit would wait for an answer, too.
  w.ann.env.RELAY_PUSH_AUTO = 'true';
  const pushed = await gitPush();
  delete w.ann.env.RELAY_PUSH_AUTO;
  expect(pushed.code).toBe(0);
  expect(pushed.seconds - without.seconds).toBeLessThan(15);
  expect(pushed.seconds).toBeGreaterThan(9);
  expect(pushed.stderr.trim().split('\n')).toEqual([expect.stringMatching(/^relay: .*not sent/)]);
  expect(w.git(w.ann, w.annProject, 'rev-parse', 'origin/main')).toBe(w.git(w.ann, w.annProject, 'rev-parse', 'HEAD'));
  const left = await runProgram('ps', ['-eo', 'args'], { cwd: w.root, env: w.ann.env });
  expect(left.stdout.split('\n').filter((line) => line.includes(url))).toEqual([]);
  // What git itself says of a push that fails stays.
  w.git(w.ann, w.annProject, 'remote', 'set-url', 'origin', join(w.root, 'nowhere.git'));
  commit('two');
  expect((await gitPush()).code).toBe(128);
});
