import { readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CommitSessions } from '#flows/commit-sessions.ts';
import type { Round } from '#flows/watch-round.ts';
import { type ImportJson, type PushJson, type World, world, writeFileAt } from '../prove/world.ts';
import { fill } from '../support/context.ts';
import { RELAY } from '../support/lab.ts';
import { ownSettings } from '../support/own-settings.ts';
import { runProgram } from '../support/processes.ts';
import { SAMPLES } from '../support/proofs.ts';
import { queued } from '../support/queue.ts';

/** A session that an import made and nobody went on with is the newest file of the project, and nobody's work. */
let w: World;
beforeEach(() => {
  w = world(SAMPLES[0] as (typeof SAMPLES)[0]);
});
afterEach(() => w.done());

const imported = () => w.json<ImportJson>(w.ann, w.annProject, 'import', w.session.id, '--to', 'codex');
const pushed = async (...args: string[]) => (await w.json<PushJson>(w.ann, w.annProject, 'push', ...args)).handoffs.map(({ handoff }) => handoff);
const theOriginal = [expect.stringContaining('/claude-code-')];

test('a commit that somebody types is the original’s, whose file it holds, and not the copy’s', async () => {
  await imported();
  writeFileAt(join(w.annProject, 'src/sum.js'), 'export const sum = (a, b) => a + b;\n');
  w.git(w.ann, w.annProject, 'add', '-A');
  w.git(w.ann, w.annProject, 'commit', '-q', '-m', 'By hand');
  const made = w.git(w.ann, w.annProject, 'rev-parse', 'HEAD');
  queued(w.annProject, undefined, made);
  await runProgram(process.execPath, [RELAY, 'hook', '--work'], { cwd: w.annProject, env: w.ann.env });
  const { handoffs } = await w.json<CommitSessions>(w.ann, w.annProject, 'log', made);
  expect(handoffs).toMatchObject([{ agent: 'claude-code', session: w.session.id, how: 'files' }]);
});

test('push sends the original right after the import, by the name latest and without one', async () => {
  await imported();
  expect(await pushed('latest')).toEqual(theOriginal);
  expect(await pushed()).toEqual(theOriginal);
});

test('a copy that was touched, or whose file was copied over without its time, is still nobody’s work', async () => {
  const { session, path } = await imported();
  await pushed(w.session.id);
  const later = new Date(Date.now() + 60_000);
  utimesSync(path, later, later);
  expect(await pushed('latest')).toEqual(theOriginal);
  writeFileSync(`${path}.new`, readFileSync(path));
  renameSync(`${path}.new`, path);
  utimesSync(path, later, later);
  expect(await pushed('latest')).toEqual(theOriginal);
  writeFileSync(path, readFileSync(path, 'utf8').trimEnd(), { flag: 'a' });
  expect(await pushed('latest')).toEqual([expect.stringContaining(session)]);
});

test('of a copy that an earlier relay has made the time tells', async () => {
  const { session, path } = await imported();
  const registry = join(w.ann.home, '.local/state/relay/imports.jsonl');
  const { written: _, ...entry } = JSON.parse(readFileSync(registry, 'utf8'));
  writeFileSync(registry, `${JSON.stringify(entry)}\n`);
  expect(await pushed('latest')).toEqual(theOriginal);
  const later = new Date(Date.now() + 60_000);
  utimesSync(path, later, later);
  expect(await pushed('latest')).toEqual([expect.stringContaining(session)]);
});

test('push latest sends the original also after relay watch has imported it for the standby agent', async () => {
  ownSettings(w.ann, { watch: { standby: 'codex' } });
  fill(w.session, 830_000);
  expect((await w.json<Round>(w.ann, w.annProject, 'watch', '--once')).handedOn).toMatchObject([{ imported: { agent: 'codex' } }]);
  expect(await pushed('latest')).toEqual(theOriginal);
});
