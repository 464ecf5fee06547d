import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { documents } from '../../scripts/documents.ts';
import { prove } from '../prove/cases/learned.ts';
import { nameOf, type PushJson, type World, world } from '../prove/world.ts';
import { objectsText } from '../support/git-text.ts';
import { growTurns } from '../support/grow.ts';
import { RELAY } from '../support/lab.ts';
import { runProgram } from '../support/processes.ts';
import { holds, SAMPLES } from '../support/proofs.ts';
import { reachableText } from '../support/purging.ts';
import { sample } from '../support/samples.ts';
import { say, twin } from '../support/say.ts';

describe.each(SAMPLES)('a session of $agent', (input) => {
  it('lets out nothing that was told to be secret before or after', () => holds(prove, input), 300_000);
});

let w: World;
beforeEach(() => {
  w = world(SAMPLES[0] as (typeof SAMPLES)[0]);
});
afterEach(() => w.done());

type Pushed = PushJson & { exposed: { handoff: string; version: number; commit: string }[] };
const push = (...args: string[]) => w.json<Pushed>(w.ann, w.annProject, 'push', ...args);
const onRemote = (): string => objectsText(w.remote);
const shown = async (handoff = ''): Promise<string> => JSON.stringify(await w.json(w.ann, w.annProject, 'show', handoff));

test('a value that the last record tells is gone from title, file names, attachments and sub-agents, which are read first', async () => {
  const value = sample('Zk7{an17}');
  const beside = w.session.path.replace(/\.jsonl$/, '');
  const file = join(beside, `tool-results/notes ${value}.txt`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `bare ${value}\n`);
  appendFileSync(w.session.path, `${JSON.stringify({ type: 'custom-title', customTitle: `fix ${value}`, sessionId: w.session.id })}\n`);
  writeFileSync(join(w.annProject, `list ${value}.txt`), 'x\n');
  say(w.session, `look at list ${value}.txt`);
  await push(nameOf(w.session), '--no-send');
  say(w.session, `DB_PASSWORD=${value}`);
  const { handoffs } = await push(nameOf(w.session));
  expect(onRemote()).not.toContain(value);
  expect(handoffs[0]?.title).toMatch(/^fix \[REDACTED:/);
});

test('an environment variable that is unset does not bring back what it told', async () => {
  const value = sample('tango{dig2}victor{dig2}');
  w.ann.env.DEPLOY_TOKEN = value;
  say(w.session, `the service answers to ${value}`);
  await push(nameOf(w.session));
  delete w.ann.env.DEPLOY_TOKEN;
  growTurns(w.session, 1, 1);
  say(twin(w.session, 7), `so ${value} it is`);
  const { handoffs, exposed } = await push('--all', '--yes');
  expect(onRemote()).not.toContain(value);
  expect(handoffs).toHaveLength(2);
  expect(exposed).toEqual([]);
});

test('a value that is allowed now comes back when the session is read again', async () => {
  const value = sample('tango{dig2}victor{dig2}');
  writeFileSync(join(w.annProject, '.env'), `API_TOKEN=${value}\n`);
  say(w.session, `the service answers to ${value}`);
  const { handoffs } = await push(nameOf(w.session), '--no-send');
  const [, fingerprint] = /answers to \[REDACTED:(known:[0-9a-f]{8})\]/.exec(await shown(handoffs[0]?.handoff)) ?? [];
  await w.relay(w.ann, w.annProject, 'redact', '--allow', fingerprint ?? '');
  growTurns(w.session, 1, 1);
  await push(nameOf(w.session));
  expect(await shown(handoffs[0]?.handoff)).toContain(`answers to ${value}`);
});

test('what a session holds of a value that another one told is found when it grows, and its unsent versions are made anew', async () => {
  const value = sample('Zk7{an17}');
  const other = twin(w.session, 8);
  say(other, `the gate says "${value}".`);
  await push(nameOf(other), '--no-send');
  say(w.session, `DB_PASSWORD=${value}`);
  await push(nameOf(w.session));
  growTurns(other, 1, 1);
  const { handoffs } = await push(nameOf(other));
  expect(onRemote()).not.toContain(value);
  expect(await shown(handoffs[0]?.handoff)).toMatch(/the gate says \\+"\[REDACTED:/);
});

test('versions that were sent before a session told the value are named; the history is not read when nothing is new', async () => {
  const value = sample('Zk7{an17}');
  say(w.session, `the door says ${value}`);
  const first = await push(nameOf(w.session));
  growTurns(w.session, 1, 1);
  await push(nameOf(w.session));
  say(w.session, `DB_PASSWORD=${value}`);
  const { exposed } = await push(nameOf(w.session));
  const handoff = first.handoffs[0]?.handoff;
  expect(exposed.map((one) => [one.handoff, one.version])).toEqual([
    [handoff, 1],
    [handoff, 2],
  ]);
  const searched = () => JSON.parse(readFileSync(join(w.annProject, '.git/relay/exposed.json'), 'utf8')).searched.length;
  const before = searched();
  growTurns(w.session, 1, 2);
  await push(nameOf(w.session));
  expect(searched()).toBe(before);
});

test('where several versions hold it, one command takes it out of all of them, and the other is said not to', async () => {
  const value = sample('tango{dig2}victor{dig2}');
  say(w.session, `the service answers to ${value}`);
  await push(nameOf(w.session));
  growTurns(w.session, 1, 1);
  await push(nameOf(w.session));
  writeFileSync(join(w.annProject, '.env'), `API_TOKEN=${value}\n`);
  growTurns(w.session, 1, 2);
  const { stdout } = await w.relay(w.ann, w.annProject, 'push', nameOf(w.session));
  expect(stdout).toMatch(
    /take it out of all of the history, piped in:\n {4}relay purge --match -\n {2}or only single versions, which leaves it wherever else it stands:\n/,
  );
  const told = (text: string) => text.match(/^ {4}relay purge \S+@[12] {4}known:[0-9a-f]{8}$/gm);
  expect(told(stdout)).toHaveLength(2);
  expect(stdout.indexOf('warning: ')).toBeLessThan(stdout.indexOf('A teammate types:'));
  expect(told((await w.relay(w.ann, w.annProject, 'status')).stdout)).toEqual(told(stdout));
  const status = async () => documents.status.parse(await w.json(w.ann, w.annProject, 'status')).exposed;
  const { exposed } = documents.push.parse(await push(nameOf(w.session)));
  const purge = (command = '', input = '') =>
    runProgram(process.execPath, [RELAY, ...command.split(' ').slice(1), '--yes'], { cwd: w.annProject, env: w.ann.env, input });
  expect(await status()).toEqual(exposed);
  expect((await purge(exposed[0]?.purge)).code).toBe(0);
  // The other one has become another commit by that, and holds it still.
  const left = (await push(nameOf(w.session))).exposed;
  expect([left, left[0]?.commit === exposed[1]?.commit]).toEqual([[{ ...exposed[1], commit: left[0]?.commit }], false]);
  expect(await status()).toEqual(left);
  expect(reachableText(w.remote)).toContain(value);
  expect((await purge(exposed[1]?.purgeValue, value)).code).toBe(0);
  expect(reachableText(w.remote)).not.toContain(value);
  expect(await status()).toEqual([]);
  expect((await push(nameOf(w.session))).exposed).toEqual([]);
});

test('the command that is given takes the value out of the history, and then nothing is told any more', async () => {
  const value = sample('tango{dig2}victor{dig2}');
  say(w.session, `the service answers to ${value}`);
  await push(nameOf(w.session));
  writeFileSync(join(w.annProject, '.env'), `API_TOKEN=${value}\n`);
  growTurns(w.session, 1, 1);
  const [told] = (await w.json<{ exposed: { purge: string }[] }>(w.ann, w.annProject, 'push', nameOf(w.session))).exposed;
  const ended = await w.relay(w.ann, w.annProject, ...(told?.purge ?? '').split(' ').slice(1), '--yes');
  expect(ended.code, ended.stderr).toBe(0);
  growTurns(w.session, 1, 2);
  const { exposed, handoffs } = await push(nameOf(w.session));
  expect(exposed).toEqual([]);
  expect(await shown(handoffs[0]?.handoff)).toMatch(/answers to \[REDACTED:/);
  expect(reachableText(w.remote)).not.toContain(value);
});
