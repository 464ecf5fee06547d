import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nameOf, type PushJson, type World, world } from '../prove/world.ts';
import { RELAY } from '../support/lab.ts';
import { runProgram } from '../support/processes.ts';
import { SAMPLES } from '../support/proofs.ts';
import { say } from '../support/say.ts';

let w: World;
beforeEach(() => {
  w = world(SAMPLES[0] as (typeof SAMPLES)[0]);
});
afterEach(() => w.done());

interface BriefJson {
  handoff: string | null;
  version: number | null;
  requests: { text: string; cites: string[] }[];
  error?: { code: string };
}

test('the brief of a session here, and of a stored version, with the places that say so', async () => {
  say(w.session, 'Rename it to total, never to sum2.');
  const shown = await w.relay(w.ann, w.annProject, 'brief', nameOf(w.session));
  expect(shown.stdout).toMatch(/^---\nstatus: "draft"\n/);
  expect(shown.stdout).toMatch(/^- Rename it to total, never to sum2\. .*\(#\d+\)$/m);
  const { handoffs } = await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session));
  await w.json(w.bob, w.bobProject, 'pull');
  const told = await w.json<BriefJson>(w.bob, w.bobProject, 'brief', `${handoffs[0]?.handoff}@1`);
  expect(told).toMatchObject({ handoff: handoffs[0]?.handoff, version: 1 });
  expect(told.requests.at(-1)?.text).toBe('Rename it to total, never to sum2.');
});

test('--write keeps it in the user’s own state for nobody else to read, and prints the path only', async () => {
  const written = await w.relay(w.ann, w.annProject, 'brief', nameOf(w.session), '--write');
  const path = written.stdout.trimEnd();
  expect(path.startsWith(join(w.ann.home, '.local/state/relay/handoffs/'))).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).toBe((await w.relay(w.ann, w.annProject, 'brief', nameOf(w.session))).stdout);
  expect(w.git(w.ann, w.annProject, 'status', '--porcelain')).toBe('');
});

test('a name may come on stdin, and what is wrong with exit 0', async () => {
  const piped = (input: string) => runProgram(process.execPath, [RELAY, 'brief', '-', '--json', '--exit-zero'], { cwd: w.annProject, env: w.ann.env, input });
  expect((JSON.parse((await piped(`${nameOf(w.session)}\n`)).stdout) as BriefJson).requests.length).toBeGreaterThan(0);
  const wrong = await piped('$(touch hurt); "nobody\n');
  expect(wrong.code).toBe(0);
  expect((JSON.parse(wrong.stdout) as BriefJson).error?.code).toBe('not-found');
});
