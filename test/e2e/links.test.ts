import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, test } from 'vitest';
import { prove } from '../prove/cases/links.ts';
import { type PushJson, type World, world, writeFileAt } from '../prove/world.ts';
import { objectsText } from '../support/git-text.ts';
import { RELAY } from '../support/lab.ts';
import { runProgram } from '../support/processes.ts';
import { holds, SAMPLES } from '../support/proofs.ts';
import { queued } from '../support/queue.ts';
import { sample } from '../support/samples.ts';

it.each(SAMPLES)('a session of $agent is found behind its commits, whatever becomes of them', (input) => holds(prove, input), 300_000);

let w: World;
beforeEach(() => {
  w = world(SAMPLES[0] as (typeof SAMPLES)[0]);
});
afterEach(() => w.done());

const relay = (...args: string[]) => w.relay(w.ann, w.annProject, ...args);
function commit(message: string, files: Record<string, string>): string {
  for (const [name, text] of Object.entries(files)) writeFileAt(join(w.annProject, name), text);
  w.git(w.ann, w.annProject, 'add', '-A');
  w.git(w.ann, w.annProject, 'commit', '-q', '-m', message);
  return w.git(w.ann, w.annProject, 'rev-parse', 'HEAD');
}
async function linked(message: string, files: Record<string, string>): Promise<string> {
  const made = commit(message, files);
  queued(w.annProject, w.session, made);
  await runProgram(process.execPath, [RELAY, 'hook', '--work'], { cwd: w.annProject, env: w.ann.env });
  return made;
}

test('log and show tell people of the session behind a commit, and say so when there is none', async () => {
  const none = await relay('log', 'HEAD');
  expect([none.code, none.stdout]).toEqual([
    0,
    expect.stringMatching(/^No session is known to be behind commit [0-9a-f]{12}\.\n {2}.*relay pull\..*relay hooks install/),
  ]);
  expect(await relay('show', 'HEAD')).toMatchObject({ code: 0, stdout: none.stdout });
  await relay('hooks', 'install');
  for (const verb of ['log', 'show']) {
    const { stdout } = await relay(verb, 'HEAD');
    expect(stdout).toMatch(/^No session is known .*\n {2}Somebody typed it, .*relay pull\.\n$/);
    expect(await w.json(w.ann, w.annProject, verb, 'HEAD')).toMatchObject({ handoffs: [] });
  }
  await relay('hooks', 'uninstall');
  const made = await linked('Work in two words', { 'a.txt': 'a\n' });
  for (const name of ['HEAD', 'commit:HEAD', 'main', made, made.slice(0, 9), ':/Wor', 'commit::/Work in two']) {
    const { code, stdout } = await relay('log', name);
    expect([name, code]).toEqual([name, 0]);
    expect(stdout).toMatch(new RegExp(`@1 +${w.session.agent} +${w.session.id} +commit\n$`));
  }
  expect((await relay('show', 'HEAD')).stdout).toContain(`/${w.session.agent}-${w.session.id}@1`);
  expect(await relay('log', 'commit:nothing')).toMatchObject({ code: 2, stderr: expect.stringContaining('No commit is called nothing') });
  expect(await relay('log', 'nothing-at-all')).toMatchObject({ code: 2, stderr: expect.stringContaining('nothing-at-all') });
});

test('a name that could be a handoff and a commit is an error that names both', async () => {
  const made = await linked('Work', { 'a.txt': 'a\n' });
  const short = w.session.id.slice(0, 8);
  w.git(w.ann, w.annProject, 'branch', short);
  for (const verb of ['log', 'show']) {
    const { code, stderr } = await relay(verb, short);
    expect(code).toBe(2);
    expect(stderr).toContain(`/${w.session.agent}-${w.session.id}`);
    expect(stderr).toContain(made.slice(0, 12));
    expect(await relay(verb, `commit:${short}`)).toMatchObject({ code: 0 });
    expect(await relay(verb, w.session.id)).toMatchObject({ code: 0 });
  }
});

test('a link goes with the next push though the session has not grown, without what is secret in the message', async () => {
  await w.json<PushJson>(w.ann, w.annProject, 'push', w.session.id);
  const token = sample('ghp_{an36}');
  const made = await linked(`Use ${token}`, { 'a.txt': 'a\n' });
  const { unsent } = await w.json<{ unsent: string[] }>(w.ann, w.annProject, 'status');
  expect(unsent).toHaveLength(1);
  const { handoffs, sent } = await w.json<PushJson>(w.ann, w.annProject, 'push');
  expect([handoffs.map(({ version }) => version), sent]).toEqual([[1], true]);
  expect((await w.json<{ unsent: string[] }>(w.ann, w.annProject, 'status')).unsent).toEqual([]);
  expect(objectsText(w.remote)).toContain('"subject":"Use [REDACTED:gh:');
  expect(objectsText(w.remote)).not.toContain(token);
  await w.json(w.bob, w.bobProject, 'pull');
  // Bob has not even fetched the commit.
  expect(await w.json(w.bob, w.bobProject, 'log', made)).toMatchObject({ commit: made, handoffs: [{ session: w.session.id, version: 1, how: 'commit' }] });
  expect(readdirSync(join(w.bobProject, '.git/relay'))).not.toContain('links');
});

test('a trailer that somebody asked for is heeded, wherever it stands in a message', async () => {
  await w.json<PushJson>(w.ann, w.annProject, 'push', w.session.id);
  commit(`Squashed\n\n* One\n\nRelay-Session: ${w.session.agent}:${w.session.id}\n\n* Two\n\nSigned-off-by: Ann`, { 'a.txt': 'a\n' });
  expect(await w.json(w.ann, w.annProject, 'log', 'HEAD')).toMatchObject({ handoffs: [{ session: w.session.id, how: 'trailer', version: 1 }] });
});

test('a session that made a commit and was never recorded is listed as that', async () => {
  const id = '0f0f0f0f-1111-4222-8333-444444444444';
  queued(w.annProject, { agent: w.session.agent, id }, commit('Work', { 'a.txt': 'a\n' }));
  const { code, stdout } = await relay('log', 'HEAD');
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`/${w.session.agent}-${id} \\(not recorded\\) +${w.session.agent} +${id} +commit\n$`));
  const shown = await relay('show', 'HEAD');
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(new RegExp(`/${w.session.agent}-${id} \\(not recorded\\)\n$`)) });
  expect(shown.stderr).toContain(`why ${w.session.agent}:${id} is not: relay push --no-send ${w.session.agent}:${id}\n`);
  queued(w.annProject, w.session, w.git(w.ann, w.annProject, 'rev-parse', 'HEAD'));
  const both = await w.json<{ handoffs: { session: string; records?: unknown[] }[] }>(w.ann, w.annProject, 'show', 'HEAD');
  expect(both.handoffs.map(({ session, records }) => [session, records !== undefined]).sort()).toEqual(
    [
      [id, false],
      [w.session.id, true],
    ].sort(),
  );
});

test('a session that only the trailer of a commit knows is listed as not recorded, with the way to it', async () => {
  const id = '0f0f0f0f-1111-4222-8333-555555555555';
  commit(`Work\n\nRelay-Session: codex:${id}\nRelay-Session: eve-0a1b2c/codex-${id}\nRelay-Session: <agent>:<id>\nRelay-Session: a:\u001b[31mred`, {
    'a.txt': 'a\n',
  });
  expect(await w.json(w.ann, w.annProject, 'log', 'HEAD')).toMatchObject({
    handoffs: [
      { handoff: null, version: null, agent: 'codex', session: id, how: 'trailer' },
      { handoff: `eve-0a1b2c/codex-${id}`, version: null, agent: 'codex', session: id, how: 'trailer' },
    ],
  });
  const { stdout, stderr } = await relay('log', 'HEAD');
  expect(stdout).toMatch(new RegExp(`codex:${id} \\(not recorded\\) +codex +${id} +trailer\n`));
  expect(stderr).toContain(`codex:${id} of a teammate: relay pull, or have its author type relay push codex:${id}\n`);
  expect((await relay('show', 'HEAD')).stdout).toContain(`codex:${id} (not recorded)\n`);
});

test('latest, a title and the writer name a version, too', async () => {
  await w.json(w.ann, w.annProject, 'push', w.session.id);
  const [card] = (await w.json<{ handoffs: { handoff: string; title: string }[] }>(w.ann, w.annProject, 'list')).handoffs;
  for (const name of ['latest@1', `${card?.title}@1`, card?.title ?? '', 'ann', 'ann@1'])
    for (const verb of ['log', 'show']) expect([name, verb, await relay(verb, name)]).toMatchObject([name, verb, { code: 0, stderr: '' }]);
  for (const verb of ['log', 'show']) expect(await relay(verb, 'latest@7')).toMatchObject({ code: 2, stderr: expect.stringContaining('has no version 7') });
});
