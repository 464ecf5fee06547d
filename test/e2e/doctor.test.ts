import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Check, Diagnosis } from '#flows/doctor.ts';
import type { Status } from '#flows/status.ts';
import { fixtures, layOut } from '../support/fixtures.ts';
import { type Lab, lab, type Person, RELAY } from '../support/lab.ts';
import type { LaidOut } from '../support/layout.ts';
import { isRunning } from '../support/processes.ts';

let place: Lab;
let ann: Person;
let project: string;
let session: LaidOut;
beforeAll(() => {
  place = lab();
  ann = place.person('ann');
  project = place.project(ann, 'ann/proj', place.bare('team'));
  session = layOut('claude-code', fixtures('claude-code').find((one) => one.name.startsWith('02'))?.path ?? '', ann.home, project);
  // The commands that it names are typed as they stand there.
  const bin = join(place.root, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'relay'), `#!/bin/sh\nexec "${process.execPath}" "${RELAY}" "$@"\n`, { mode: 0o755 });
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho "2.1.332 (Claude Code)"\n', { mode: 0o755 });
  ann.env.PATH = `${bin}:${ann.env.PATH}`;
});
afterAll(() => place.done());

const relayFolder = () => join(project, '.git/relay');
const look = async (...args: string[]) => {
  const ended = await place.relay(ann, project, 'doctor', '--json', ...args);
  if (!ended.stdout) throw new Error(ended.stderr);
  return { code: ended.code, found: JSON.parse(ended.stdout) as Diagnosis, stderr: ended.stderr };
};
const titleOf = async (id: string) =>
  (await place.json<{ sessions: { id: string; title: string }[] }>(ann, project, 'sessions')).sessions.find((one) => one.id === id)?.title;
const named = (checks: readonly Check[], name: string) => checks.filter(({ check }) => check === name);
const inRepository = async (name: string) => named((await look()).found.repository, name);
const ofClaude = ({ agents }: Diagnosis, name: string) => named(agents.find(({ agent }) => agent === 'claude-code')?.checks ?? [], name)[0];
/** Types the command that a check names, in the project. */
const mend = (fix: string | null | undefined) => execFileSync('sh', ['-c', fix ?? 'false'], { cwd: project, env: ann.env, stdio: 'pipe', timeout: 60_000 });

it('of a clone that knows nothing of relay yet: nothing is broken, and it names what to begin with', async () => {
  const { code, found, stderr } = await look();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const states = Object.fromEntries(found.repository.map(({ check, state }) => [check, state]));
  expect(states).toEqual({ git: 'ok', store: 'missing', key: 'missing', settings: 'ok', remote: 'ok', 'git hooks': 'missing', recording: 'ok', sent: 'ok' });
  expect(ofClaude(found, 'program')).toMatchObject({ state: 'ok', found: 'claude 2.1.332' });
  expect(ofClaude(found, 'sessions')).toMatchObject({ state: 'ok', found: '1 of this project' });
  expect(ofClaude(found, 'recorded')).toMatchObject({ state: 'missing', found: '0 of 1' });
  // Nobody has Codex here, which is no fault.
  expect(found.agents[1]).toEqual({ agent: 'codex', checks: [expect.objectContaining({ check: 'program', state: 'missing', fix: null })] });
});

it('an agent that is not on this machine is no fault, hooks for it or not', async () => {
  const file = join(ann.home, '.codex/hooks.json');
  await place.relay(ann, project, 'hooks', 'install', '--agent', 'codex');
  layOut('codex', fixtures('codex')[0]?.path ?? '', ann.home, project);
  const { code, found } = await look();
  expect(code).toBe(0);
  const checks = found.agents.find(({ agent }) => agent === 'codex')?.checks ?? [];
  expect(named(checks, 'hooks')).toMatchObject([{ state: 'missing', fix: null }]);
  expect(checks.filter(({ state }) => state === 'broken' || state === 'warning')).toEqual([]);
  rmSync(dirname(file), { recursive: true });
});

it('is mended by what it names: git’s and the agent’s hooks, what is not recorded and not sent', async () => {
  const before = (await look()).found;
  mend(named(before.repository, 'git hooks')[0]?.fix);
  mend(ofClaude(before, 'hooks')?.fix);
  mend(ofClaude(before, 'recorded')?.fix);
  const recorded = (await look()).found;
  expect(named(recorded.repository, 'git hooks')[0]?.state).toBe('ok');
  expect(ofClaude(recorded, 'hooks')?.state).toBe('ok');
  expect(ofClaude(recorded, 'recorded')).toMatchObject({ state: 'ok', found: '1 of 1' });
  expect(ofClaude(recorded, 'sent')).toMatchObject({ state: 'warning', found: '1 not sent yet' });
  expect(named(recorded.repository, 'sent')[0]).toMatchObject({ state: 'warning', fix: 'relay push' });
  await place.relay(ann, project, 'push', '--yes');
  const { code, found } = await look();
  expect(code).toBe(0);
  expect([...found.repository, ...(found.agents[0]?.checks ?? [])].filter(({ state }) => state !== 'ok')).toEqual([]);
  const { stdout } = await place.relay(ann, project, 'status');
  expect(stdout).not.toContain('NOT RECORDING');
  expect(stdout).toMatch(/hooks {3}git, claude-code; nothing recorded by them yet\n/);
});

it('who only looks leaves nothing behind', async () => {
  const fresh = place.clone(ann, 'ann/fresh', join(place.root, 'remotes/team.git'));
  for (const verb of ['status', 'doctor', 'list', 'sessions']) expect(await place.relay(ann, fresh, verb)).toMatchObject({ code: 0 });
  expect(existsSync(join(fresh, '.git/relay'))).toBe(false);
});

describe('what is broken', () => {
  it('objects that are gone from the store', async () => {
    const objects = join(relayFolder(), 'store.git/objects');
    for (const name of readdirSync(join(objects, 'pack'))) if (name.endsWith('.pack')) rmSync(join(objects, 'pack', name));
    const { code, found } = await look();
    const [store] = named(found.repository, 'store');
    expect([code, store?.state]).toEqual([1, 'broken']);
    mend(store?.fix);
    expect((await look()).code).toBe(0);
    expect(await place.json<{ handoffs: unknown[] }>(ann, project, 'list')).toMatchObject({ handoffs: [{ state: 'own' }] });
  });

  it('a key that others can read', async () => {
    chmodSync(join(relayFolder(), 'key'), 0o644);
    const [key] = await inRepository('key');
    expect(key).toMatchObject({ state: 'broken' });
    mend(key?.fix);
    expect((await inRepository('key'))[0]?.state).toBe('ok');
  });

  it('a hook that somebody took out', async () => {
    rmSync(join(project, '.git/hooks/post-commit'));
    const [hook] = await inRepository('git hooks');
    expect(hook).toMatchObject({ state: 'broken', found: expect.stringContaining('post-commit') });
    const status = await place.relay(ann, project, 'status');
    expect(status.stdout).toMatch(/^NOT RECORDING: relay’s post-commit hook in .* is gone\.\n {2}relay hooks install\n/);
    mend(hook?.fix);
    expect((await inRepository('git hooks'))[0]?.state).toBe('ok');
  });

  const workerEnded = async (): Promise<void> => {
    const named = join(relayFolder(), 'queue/.worker');
    for (let tries = 0; tries < 100 && existsSync(named) && isRunning(Number(readFileSync(named, 'utf8'))); tries++) await sleep(50);
  };

  it('events that nobody works on', async () => {
    const event = join(relayFolder(), 'queue/post-commit-1');
    // Every command starts a worker for what waits; while another process is at it, it leaves that alone.
    const lock = join(relayFolder(), 'worker/worker.lock');
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, JSON.stringify({ pid: process.pid, host: hostname(), at: '0' }));
    writeFileSync(event, `event=post-commit\ncwd=${project}\0`);
    expect((await inRepository('recording'))[0]?.state).toBe('ok');
    const then = new Date(Math.floor(Date.now() / 1000 - 600) * 1000);
    utimesSync(event, then, then);
    await workerEnded();
    const [waits] = await inRepository('recording');
    expect(waits).toMatchObject({ state: 'broken', found: expect.stringContaining(`1 event waits since ${then.toISOString()}`), fix: 'relay hook --work' });
    await workerEnded();
    expect((await place.relay(ann, project, 'status')).stdout).toContain('NOT RECORDING: Nothing works on what is to be recorded: 1 event waits');
    await workerEnded();
    rmSync(lock);
    mend(waits?.fix);
    for (let tries = 0; tries < 100 && readdirSync(dirname(event)).length; tries++) await sleep(100);
    expect((await inRepository('recording'))[0]?.state).toBe('ok');
  });

  it('a session that could not be recorded, until it could; what is kept back on purpose is not broken', async () => {
    const log = join(relayFolder(), 'hook.log');
    const entry = (more: object) =>
      writeFileSync(log, `${JSON.stringify({ at: '2026-01-01T00:00:00.000Z', ms: 1, did: 'record', agent: 'claude-code', ...more })}\n`, { flag: 'a' });
    entry({ session: 'x', error: 'It is excluded.', code: 'blocked' });
    entry({ session: session.id, error: 'The disk is full.', code: 'failed' });
    expect(await inRepository('recording')).toMatchObject([
      { state: 'broken', found: `claude-code:${session.id} could not be recorded: The disk is full.`, fix: `relay push --no-send claude-code:${session.id}` },
    ]);
    entry({ session: session.id, version: 2, bytes: 9 });
    expect(await inRepository('recording')).toMatchObject([{ state: 'ok', found: expect.stringContaining('last recorded 2026-01-01T00:00:00.000Z') }]);
    expect((await place.relay(ann, project, 'status')).stdout).toContain('last recorded 2026-01-01');
  });

  it('an agent’s hooks that its client does not run', async () => {
    const file = join(ann.home, '.claude/settings.json');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('{', '{"disableAllHooks":true,'));
    const { code, found } = await look();
    expect(code).toBe(1);
    expect(ofClaude(found, 'hooks')).toMatchObject({ state: 'broken', fix: expect.stringContaining('disableAllHooks') });
    expect((await place.relay(ann, project, 'status')).stdout).toMatch(
      /^NOT RECORDING: What Claude Code does between commits: it does not run relay’s hooks\.\n {2}set disableAllHooks/,
    );
    writeFileSync(file, text);
  });

  it('settings that cannot be read', async () => {
    writeFileSync(join(project, '.relayrc'), '{"watch": {"att": 80}}');
    const { code, found } = await look();
    expect(code).toBe(1);
    expect(found).toEqual({
      repository: [{ check: 'settings', state: 'broken', found: expect.stringContaining('watch.att'), fix: expect.stringContaining('watch.at') }],
      agents: [],
    });
    const status = await place.relay(ann, project, 'status');
    expect(status).toMatchObject({ code: 2, stderr: expect.stringMatching(/NOT RECORDING: the settings cannot be read\. .*watch\.att/) });
    for (const verb of [['status'], ['hooks', 'status'], ['list']])
      expect((await place.relay(ann, project, ...verb)).stderr).toContain('Mend it, or rename the file to go on without it.');
    rmSync(join(project, '.relayrc'));
  });

  it('settings that this clone has not accepted are a warning', async () => {
    writeFileSync(join(project, '.relayrc'), '{"push": {"auto": true}, "watch": {"standby": "codex"}}');
    const { code, found } = await look();
    expect(code).toBe(0);
    expect(named(found.repository, 'settings').map(({ state, fix }) => [state, fix])).toEqual([
      ['warning', 'relay init --accept push.auto'],
      ['warning', 'relay init --accept watch.standby'],
    ]);
    rmSync(join(project, '.relayrc'));
  });

  it('a remote that does not answer, where it is asked', async () => {
    place.git(ann, project, 'config', 'url./nowhere/.insteadOf', join(place.root, 'remotes/'));
    expect((await look()).code).toBe(0);
    const { code, found } = await look('--remote');
    expect(code).toBe(1);
    expect(named(found.repository, 'remote')[0]).toMatchObject({ state: 'broken', found: expect.stringContaining('does not answer') });
    place.git(ann, project, 'config', '--unset', 'url./nowhere/.insteadOf');
    expect(named((await look('--remote')).found.repository, 'remote')[0]).toMatchObject({ state: 'ok' });
  });
});

it('of what is not recorded, status and doctor tell alike; what nobody wants recorded does not count', async () => {
  const fixture = fixtures('claude-code').find((one) => one.name.startsWith('01'))?.path ?? '';
  const never = layOut('claude-code', fixture, ann.home, project);
  await place.json(ann, project, 'import', session.id, '--to', 'codex');
  const told = () => place.json<Status>(ann, project, 'status');
  expect((await told()).unrecorded).toEqual([{ agent: 'claude-code', session: never.id, version: null }]);
  const path = join(project, '.git/relay/config.jsonc');
  writeFileSync(path, JSON.stringify({ share: { exclude: [{ title: (await titleOf(never.id)) ?? '' }] } }));
  expect((await told()).unrecorded).toEqual([]);
  expect(ofClaude((await look()).found, 'recorded')).toEqual({ check: 'recorded', state: 'ok', found: '1 of 1', fix: null });
  rmSync(path);

  const text = readFileSync(session.path, 'utf8');
  appendFileSync(session.path, `${text.trimEnd().split('\n').at(-1)}\n`);
  expect((await told()).unrecorded).toHaveLength(2);
  const { stdout } = await place.relay(ann, project, 'status');
  expect(stdout).toContain('\nnot recorded yet (relay push --all --no-send records them):\n');
  expect(stdout).toMatch(new RegExp(`  claude-code:${session.id}  has grown since @\\d+\n`));
  expect(stdout).toContain(`  claude-code:${never.id}  never was\n`);
  expect(stdout).toContain('Everything that is recorded here is sent.');
  const recorded = ofClaude((await look()).found, 'recorded');
  expect(recorded).toMatchObject({ state: 'warning', found: '1 of 2, 1 of which has grown since' });
  mend(recorded?.fix);
  expect(ofClaude((await look()).found, 'recorded')).toMatchObject({ state: 'ok', found: '2 of 2' });
  expect((await told()).unrecorded).toEqual([]);
});

it('outside of a repository tells of the agents', async () => {
  const ended = await place.relay(ann, ann.home, 'doctor', '--json');
  expect(ended.code).toBe(0);
  expect(ended.stdout).toMatch(/\d+ of this folder/);
  const { repository, agents } = JSON.parse(ended.stdout) as Diagnosis;
  expect(repository).toMatchObject([{ check: 'repository', state: 'missing' }]);
  expect(agents.map(({ agent }) => agent)).toEqual(['claude-code', 'codex']);
});

it('tells people the same in lines', async () => {
  const { code, stdout } = await place.relay(ann, project, 'doctor');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^repository\n {2}ok {7}git: git \d/);
  expect(stdout).toContain('\nClaude Code\n  ok       program: claude 2.1.332\n');
});
