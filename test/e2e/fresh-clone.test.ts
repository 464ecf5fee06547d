import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nameOf, type PushJson, type World, world } from '../prove/world.ts';
import { layOut } from '../support/fixtures.ts';
import { objectsText } from '../support/git-text.ts';
import { RELAY } from '../support/lab.ts';
import { runProgram } from '../support/processes.ts';
import { SAMPLES } from '../support/proofs.ts';
import { reachableText } from '../support/purging.ts';
import { sample } from '../support/samples.ts';
import { say } from '../support/say.ts';

let w: World;
beforeEach(() => {
  w = world(SAMPLES[0] as (typeof SAMPLES)[0]);
});
afterEach(() => w.done());

const push = (...args: string[]) => runProgram(process.execPath, [RELAY, 'push', nameOf(w.session), ...args, '--json'], { cwd: w.annProject, env: w.ann.env });

test('the first push of a fresh clone keeps out what was purged of the same session, though nothing here knows it any more', async () => {
  const value = 'violet-otter-81734';
  say(w.session, `the door says ${value}`);
  expect((await push()).code).toBe(0);
  const run = (...args: string[]) => runProgram(process.execPath, [RELAY, ...args], { cwd: w.annProject, env: w.ann.env, input: value });
  expect((await run('purge', '--match', '-', '--yes')).code).toBe(0);
  const asked = await run('init', '--remove');
  expect([asked.code, asked.stderr]).toEqual([3, expect.stringContaining('found or purged (relay purge --match), so that a later clone no longer knows them')]);
  expect((await run('init', '--remove', '--yes')).code).toBe(0);
  say(w.session, 'and on');
  expect((await push()).code).toBe(0);
  expect(objectsText(w.remote).match(/the door says \[REDACTED:purged:/g)).not.toBeNull();
  expect(reachableText(w.remote)).not.toContain(value);
});

test('the first push of a fresh clone waits for nothing where others purged, and lets out nothing that was redacted before', async () => {
  const [known, purged] = [sample('tango{dig2}victor{dig2}'), 'violet-otter-81734'];
  w.ann.env.DEPLOY_TOKEN = known;
  say(w.session, `the service answers to ${known}`);
  expect((await push()).code).toBe(0);
  const bobs = layOut('codex', SAMPLES[1]?.path ?? '', w.bob.home, w.bobProject);
  say(bobs, `the door says ${purged}`);
  await w.json(w.bob, w.bobProject, 'push', nameOf(bobs));
  const done = await runProgram(process.execPath, [RELAY, 'purge', '--match', '-', '--yes'], { cwd: w.bobProject, env: w.bob.env, input: purged });
  expect(done.code, done.stderr).toBe(0);
  // Nothing here knows any more what was secret: the clone is made anew, under another name, and the variable is not set.
  delete w.ann.env.DEPLOY_TOKEN;
  for (const folder of [join(w.annProject, '.git/relay'), join(w.ann.home, '.local/state/relay')]) rmSync(folder, { recursive: true });
  // Killed after a minute, when it waits.
  const again = await push();
  expect(again.code, again.stderr).toBe(0);
  const [sent] = (JSON.parse(again.stdout) as PushJson).handoffs;
  expect(JSON.stringify(await w.json(w.ann, w.annProject, 'show', sent?.handoff ?? ''))).toMatch(/answers to \[REDACTED:known:/);
  expect(objectsText(w.remote)).not.toContain(known);
});
