import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nameOf, type PushJson, type World, world } from '../prove/world.ts';
import { layOut } from '../support/fixtures.ts';
import { RELAY } from '../support/lab.ts';
import { runProgram } from '../support/processes.ts';
import { SAMPLES } from '../support/proofs.ts';
import { reachableText } from '../support/purging.ts';
import { say } from '../support/say.ts';

let w: World;
beforeEach(() => {
  w = world(SAMPLES[0] as (typeof SAMPLES)[0]);
});
afterEach(() => w.done());

const push = (...args: string[]) => w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session), ...args);

test('what goes under a new name, after others purged, is scanned once more before it leaves', async () => {
  const value = 'violet-otter-81734';
  const bobs = layOut('codex', SAMPLES[1]?.path ?? '', w.bob.home, w.bobProject);
  say(bobs, `the door says ${value}`);
  await w.json(w.bob, w.bobProject, 'push', nameOf(bobs));
  const [first] = (await push()).handoffs;
  const [relay, backup] = [join(w.annProject, '.git/relay'), join(w.root, 'backup')];
  cpSync(relay, backup, { recursive: true });
  say(w.session, 'went on');
  await push();
  // A backup is put back, and hears of what was sent meanwhile.
  rmSync(relay, { recursive: true });
  cpSync(backup, relay, { recursive: true });
  say(w.session, 'and on');
  await push('--no-send');
  await w.json(w.ann, w.annProject, 'pull', first?.handoff ?? '');
  const purged = await runProgram(process.execPath, [RELAY, 'purge', '--match', '-', '--yes'], { cwd: w.bobProject, env: w.bob.env, input: value });
  expect(purged.code, purged.stderr).toBe(0);
  const { handoffs, sent } = await push();
  expect(sent).toBe(true);
  expect(handoffs[0]?.handoff).not.toBe(first?.handoff);
  expect(w.git(w.ann, w.remote, 'rev-parse', `refs/relay/s/${handoffs[0]?.handoff}`)).toBe(handoffs[0]?.commit);
  expect(readFileSync(join(relay, 'verdicts.json'), 'utf8')).toContain(handoffs[0]?.commit);
  expect(reachableText(w.remote)).not.toContain(value);
});
