import { execFileSync } from 'node:child_process';
import { appendFileSync, closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nameOf, type PushJson, type World, world } from '../prove/world.ts';
import { objectsText } from '../support/git-text.ts';
import { growTurns } from '../support/grow.ts';
import { SAMPLES } from '../support/proofs.ts';

let w: World;
beforeEach(() => {
  w = world(SAMPLES[0] as (typeof SAMPLES)[0]);
});
afterEach(() => w.done());

const words = 'door code is blue-giraffe-lamp';
const say = (text: string): void =>
  appendFileSync(
    w.session.path,
    `${JSON.stringify({ parentUuid: null, type: 'user', message: { role: 'user', content: text }, uuid: crypto.randomUUID(), timestamp: '2026-12-01T08:00:00.000Z', cwd: w.session.cwd, sessionId: w.session.id })}\n`,
  );

test('what a dry run showed and the user then took out of the session does not leave', async () => {
  say(words);
  const dry = await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session), '--dry-run');
  expect(dry.sent).toBe(false);
  expect((await w.json<{ handoffs: unknown[] }>(w.ann, w.annProject, 'list')).handoffs).toEqual([]);
  writeFileSync(w.session.path, readFileSync(w.session.path, 'utf8').replace(words, 'nothing to see'));
  await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session));
  expect(objectsText(w.remote)).not.toContain('blue-giraffe');
});

test('an edit in place, of the same length and far from the end, is seen', async () => {
  say(words);
  growTurns(w.session, 5, 1);
  await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session), '--no-send');
  const at = readFileSync(w.session.path).indexOf('blue-giraffe');
  const file = openSync(w.session.path, 'r+');
  writeSync(file, 'XXXXXXXXXXXX', at);
  closeSync(file);
  const pushed = await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session));
  expect(pushed.handoffs[0]?.version).toBe(2);
  // The version that was never sent does not go along as an ancestor either.
  expect(objectsText(w.remote)).not.toContain('blue-giraffe');
  const shown = JSON.stringify(await w.json(w.ann, w.annProject, 'show', pushed.handoffs[0]?.handoff ?? ''));
  expect(shown).toContain('XXXXXXXXXXXX');
  expect(shown).not.toContain('blue-giraffe');
});

test('a value that became a known secret is taken out of lines that were stored before', async () => {
  say('the service answers to tango77victor88');
  await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session), '--no-send');
  writeFileSync(join(w.annProject, '.env'), 'API_TOKEN=tango77victor88\n');
  growTurns(w.session, 1, 1);
  const pushed = await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session));
  expect(objectsText(w.remote)).not.toContain('tango77victor88');
  const shown = JSON.stringify(await w.json(w.ann, w.annProject, 'show', pushed.handoffs[0]?.handoff ?? ''));
  expect(shown).toMatch(/answers to \[REDACTED:known:/);
  expect(shown).not.toContain('tango77victor88');
});

test('a session that was only stored is not sent by a plain push', async () => {
  await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session), '--no-send');
  const other = { ...w.session, id: w.session.id.replace(/^.{8}/, '0ther000'.replace('0ther', '07be0')), path: '' };
  other.path = w.session.path.replace(w.session.id, other.id);
  writeFileSync(other.path, readFileSync(w.session.path, 'utf8').replaceAll(w.session.id, other.id));
  growTurns(other, 1, 2);
  const pushed = await w.json<PushJson>(w.ann, w.annProject, 'push', '--yes');
  expect(pushed.handoffs.map((h) => h.handoff.endsWith(other.id))).toEqual([true]);
});

test('what was sent stays the base of what comes after, also when the session was changed', async () => {
  const first = await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session));
  writeFileSync(w.session.path, readFileSync(w.session.path, 'utf8').replace('third prompt', 'other prompt'));
  const second = await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session));
  const log = w.git(w.ann, w.remote, 'log', '--format=%H', second.handoffs[0]?.commit ?? '').split('\n');
  expect([second.handoffs[0]?.version, log.includes(first.handoffs[0]?.commit ?? '')]).toEqual([2, true]);
});

test('a copy of the file with the same content is nothing new', async () => {
  const first = await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session));
  const text = readFileSync(w.session.path);
  execFileSync('rm', [w.session.path]);
  writeFileSync(w.session.path, text);
  const again = await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session));
  expect([again.sent, again.handoffs[0]?.version]).toEqual([false, first.handoffs[0]?.version]);
});

test('what was recorded of a session that has become shorter is kept here, can be opened, and does not leave', async () => {
  say(words);
  growTurns(w.session, 5, 1);
  const first = await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session), '--no-send');
  const [{ handoff = '', records = 0 } = {}] = first.handoffs;
  const lines = readFileSync(w.session.path, 'utf8').split('\n');
  writeFileSync(w.session.path, lines.slice(0, 12).concat('').join('\n'));
  await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session));
  expect(objectsText(w.remote)).not.toContain('blue-giraffe');
  const { versions } = await w.json<{ versions: { version: number; records: number; replaced?: boolean }[] }>(w.ann, w.annProject, 'log', handoff);
  expect(versions).toMatchObject([{ version: 1, records, replaced: true }, { version: 2 }]);
  expect(JSON.stringify(await w.json(w.ann, w.annProject, 'show', `${handoff}@1`))).toContain('blue-giraffe');
  expect((await w.relay(w.ann, w.annProject, 'log', handoff)).stdout).toContain('@1 (kept here only)');
});

test('a version that an edit in place has replaced is not called purged', async () => {
  say(words);
  const first = await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session), '--no-send');
  writeFileSync(w.session.path, readFileSync(w.session.path, 'utf8').replace(words, 'nothing to see'));
  await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session), '--no-send');
  const shown = await w.relay(w.ann, w.annProject, 'show', `${first.handoffs[0]?.handoff}@1`);
  expect(shown.code).toBe(2);
  expect(shown.stderr).toMatch(/@1 is not kept: it was never sent, and the session was changed in what it held/);
});
