import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { prove } from '../prove/cases/gate.ts';
import { nameOf, type PushJson, type World, world } from '../prove/world.ts';
import { objectsText } from '../support/git-text.ts';
import { growTurns } from '../support/grow.ts';
import { holds, SAMPLES } from '../support/proofs.ts';
import { sample } from '../support/samples.ts';
import { say } from '../support/say.ts';
import { claudeLines } from '../support/session-lines.ts';
import { sideStore } from '../support/side-store.ts';

describe.each(SAMPLES)('a session of $agent', (input) => {
  it('is not sent while any object of it holds a secret, and the object is named', () => holds(prove, input));
});

const [claude] = SAMPLES as [(typeof SAMPLES)[0]];
let w: World;
afterEach(() => (w as World | undefined)?.done());

const push = (...args: string[]) => w.relay(w.ann, w.annProject, 'push', nameOf(w.session), ...args);
/** Puts a file with a secret into the newest version; answers the file's object. */
function plantInTip(secret: string): { side: ReturnType<typeof sideStore>; ref: string; tip: string; object: string } {
  const side = sideStore(w.annProject);
  const ref = side.ref('refs/relay/s/');
  const tip = side.git(['rev-parse', ref]);
  const parents = side.git(['rev-list', '--parents', '-1', tip]).split(' ').slice(1);
  side.move(ref, side.commit(side.treeWith(tip, 'remark.txt', secret), parents));
  return { side, ref, tip, object: side.blob(secret) };
}

describe('verdicts', () => {
  const file = (): string => join(w.annProject, '.git/relay/verdicts.json');

  it('spare what was found clean, and only that; other rules look again', async () => {
    w = world(claude);
    expect((await push('--no-send')).code).toBe(0);
    const secret = sample('ghp_{an36}');
    const { object } = plantInTip(secret);
    expect((await push()).code).toBe(3);
    const { runs } = JSON.parse(readFileSync(file(), 'utf8'));
    const ids: string[] = runs[0].ids;
    expect(ids.length).toBeGreaterThan(5);
    expect(ids).not.toContain(object);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    // What is written down as clean is not read again: here, what is not.
    const forged = JSON.parse(readFileSync(file(), 'utf8'));
    forged.runs[0].ids.push(object);
    writeFileSync(file(), JSON.stringify(forged));
    mkdirSync(join(w.ann.home, '.config/relay'), { recursive: true });
    writeFileSync(join(w.ann.home, '.config/relay/config.jsonc'), JSON.stringify({ redact: { paranoid: true } }));
    expect((await push()).code).toBe(3);
    writeFileSync(join(w.ann.home, '.config/relay/config.jsonc'), '{}');
    writeFileSync(file(), JSON.stringify(forged));
    const trusted = await push();
    expect(trusted.code, trusted.stderr).toBe(0);
  });

  it('of a file that cannot be read are none', async () => {
    w = world(claude);
    expect((await push('--no-send')).code).toBe(0);
    writeFileSync(file(), '{"by": 3');
    plantInTip(sample('ghp_{an36}'));
    expect((await push()).code).toBe(3);
  });
});

describe('what the clone’s owner says', () => {
  it('a fingerprint that is allowed lets the object go', async () => {
    w = world(claude);
    expect((await push('--no-send')).code).toBe(0);
    plantInTip(sample('ghp_{an36}'));
    const refused = await push();
    expect(refused.code).toBe(3);
    const [, print = ''] = /--allow (gh:[0-9a-f]{8})/.exec(refused.stderr) ?? [];
    expect((await w.relay(w.ann, w.annProject, 'redact', '--allow', print)).code).toBe(0);
    const sent = await push();
    expect(sent.code, sent.stderr).toBe(0);
  });
});

it('B7 a rule that is added after ten snapshots holds for all that leaves', async () => {
  w = world(claude);
  const names = Array.from({ length: 10 }, () => `plan-${sample('{low12}')}`);
  for (const [step, name] of names.entries()) {
    say(w.session, `the code name is ${name}`);
    growTurns(w.session, 1, step);
    expect((await push('--no-send')).code).toBe(0);
  }
  mkdirSync(join(w.ann.home, '.config/relay'), { recursive: true });
  const rule = { id: 'plan', anchors: ['plan-'], pattern: 'plan-[a-z0-9]{12}', hits: ['plan-abcdefghijk1'] };
  writeFileSync(join(w.ann.home, '.config/relay/config.jsonc'), JSON.stringify({ redact: { rules: [rule] } }));
  const sent = await push();
  expect(sent.code, sent.stderr).toBe(0);
  const there = objectsText(w.remote);
  for (const name of names) expect(there).not.toContain(name);
});

it('what a fork goes on from is looked at too', async () => {
  w = world(claude);
  const { handoffs } = await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session));
  const handoff = handoffs[0]?.handoff ?? '';
  // Somebody with push rights adds a version to Ann's that holds a secret; Bob goes on from it and sends it to another remote.
  const secret = sample('ghp_{an36}');
  const { side, ref } = plantInTip(secret);
  execFileSync('git', ['--git-dir', side.path, 'push', '-q', '--force', w.remote, `${ref}:${ref}`]);
  await w.json(w.bob, w.bobProject, 'pull', handoff);
  const imported = await w.json<{ session: string; path: string }>(w.bob, w.bobProject, 'import', handoff, '--to', 'claude-code');
  const { line } = claudeLines({ ...w.session, id: imported.session, path: imported.path, cwd: w.bobProject }, '2026-12-02T10:00:00.000Z');
  appendFileSync(imported.path, `${line('user', { role: 'user', content: 'and on it goes' })}\n`);
  const other = w.bare('other');
  const refused = await w.relay(w.bob, w.bobProject, 'push', `claude-code:${imported.session}`, '--remote', other, '--yes');
  expect(refused.code, refused.stderr).toBe(3);
  expect(refused.stderr).toContain(side.blob(secret).slice(0, 12));
  expect(objectsText(other)).not.toContain(secret);
});

it('an error does not show a secret that stands where a type or a version should', async () => {
  w = world(claude);
  const secret = sample('ghp_{an36}');
  const path = join(w.root, '00000001-aaaa-4bbb-8ccc-dddddddddddd.jsonl');
  writeFileSync(path, `${JSON.stringify({ type: secret, version: secret })}\n`);
  for (const more of [[], ['--json'], ['--verbose']]) {
    const { code, stderr } = await w.relay(w.ann, w.annProject, 'import', path, '--to', 'codex', ...more);
    expect(code).toBe(1);
    expect(stderr).toContain('[REDACTED:gh:');
    expect(stderr).not.toContain(secret.slice(4));
  }
});
