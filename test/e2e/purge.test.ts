import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prove } from '../prove/cases/purge.ts';
import { nameOf, type PushJson, type World, world } from '../prove/world.ts';
import { RELAY } from '../support/lab.ts';
import { saying } from '../support/plant.ts';
import { type Ended, runProgram } from '../support/processes.ts';
import { holds, SAMPLES } from '../support/proofs.ts';
import { everything, reachableText } from '../support/purging.ts';
import { say } from '../support/say.ts';

const VALUE = 'amber-badger-48213377';
const sample = SAMPLES[0] as (typeof SAMPLES)[0];

describe('relay purge', () => {
  let w: World;
  let handoff: string;
  beforeEach(async () => {
    w = world(sample);
    say(w.session, `it is ${VALUE}`);
    handoff = (await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session))).handoffs[0]?.handoff ?? '';
  });
  afterEach(() => w.done());

  const purge = (args: string[], input?: string): Promise<Ended> =>
    runProgram(process.execPath, [RELAY, 'purge', ...args], { cwd: w.annProject, env: w.ann.env, timeout: 120_000, ...(input === undefined ? {} : { input }) });
  const refs = (): string => w.git(w.ann, w.remote, 'for-each-ref') + w.git(w.ann, join(w.annProject, '.git/relay/store.git'), 'for-each-ref', 'refs/relay');

  it('does nothing unasked', async () => {
    const before = refs();
    for (const args of [[handoff], ['--match', '-']]) {
      const { code, stderr } = await purge(args, VALUE);
      expect([code, stderr]).toEqual([3, expect.stringMatching(/^relay: Nothing was purged[\s\S]*--yes/)]);
    }
    expect(refs()).toBe(before);
  });

  it('says what it cannot do once, where something goes: before that, or after what would go', async () => {
    const cannot = `Rotate the key first, if this is about one: whoever could read it may have it, and nothing calls it back.
The remote keeps what is purged as unreachable objects until it cleans up. To do that at once: git -C ${w.remote} gc --prune=now
`;
    expect((await purge([handoff, '--dry-run'])).stderr).toBe(cannot);
    for (const args of [['--yes'], ['--dry-run']]) expect((await purge(['--match', '-', ...args], 'nobody-said-this')).stderr).toBe('');
    const before = w.git(w.ann, w.remote, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)').split('\n').length;
    expect((await purge([handoff, '--yes'])).stderr).toBe(cannot);
    w.git(w.ann, w.root, '-C', w.remote, 'gc', '--prune=now', '-q');
    expect(w.git(w.ann, w.remote, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)').split('\n').length).toBeLessThan(before);
  });

  it('shows what would go, and leaves it', async () => {
    const before = refs();
    const dry = await purge(['--match', '-', '--dry-run', '--json'], VALUE);
    expect(JSON.parse(dry.stdout)).toMatchObject({
      dryRun: true,
      tombstone: null,
      handoffs: [{ handoff, gone: false, versions: [1], here: true, remote: true }],
    });
    const text = await purge([handoff, '--dry-run']);
    expect(text.stdout).toContain(`${handoff}: all of it would go, here and on the remote`);
    expect(refs()).toBe(before);
    expect(reachableText(w.remote)).toContain(VALUE);
  });

  it.each([
    [['--match', VALUE], 2, /shell’s history/],
    [[], 2, /Name a handoff/],
    [['someone-000000/codex-none', '--yes'], 2, /^relay: No handoff is called/],
    [['--match', '-', '--yes'], 2, /^relay: No value was piped in/],
  ] as const)('%j ends with %i', async (args, code, words) => {
    const ended = await purge([...args]);
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringMatching(words)]);
    expect(ended.stdout + ended.stderr).not.toContain(VALUE);
  });

  it('says no value, whatever is wrong with it', async () => {
    const ended = await purge(['--match', '-', '--yes'], 'ab1\n');
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringMatching(/^relay: .*has 3 characters/)]);
    expect(ended.stderr).not.toContain('ab1');
  });

  it('names the versions that there are where one was named that never was', async () => {
    for (const args of [['--yes'], ['--dry-run']]) {
      const ended = await purge([`${handoff}@9`, ...args]);
      expect([ended.code, ended.stdout, ended.stderr]).toEqual([2, '', expect.stringContaining(`${handoff} has no version 9: it has @1`)]);
      expect(ended.stderr).not.toContain('Rotate');
    }
  });

  it.each(['--yes', '--dry-run'])('warns that several lines are one value, also where it stands nowhere: %s', async (flag) => {
    const ended = await purge(['--match', '-', flag], `${VALUE}\nsecond line\n`);
    expect([ended.code, ended.stderr, ended.stdout]).toEqual([
      0,
      expect.stringContaining('warning: what was piped in has 2 lines and is looked for as one value'),
      expect.stringContaining('Nothing here or on the remote holds it.'),
    ]);
    expect(ended.stderr).not.toContain(VALUE);
    expect((await purge(['--match', '-', flag], `${VALUE}\n`)).stderr).not.toContain('lines');
  });

  it('takes several lines as one value, and says so when it cannot find it again later', async () => {
    say(w.session, 'ünder\nthe mat');
    await w.json(w.ann, w.annProject, 'push', nameOf(w.session));
    const ended = await purge(['--match', '-', '--yes'], 'ünder\nthe mat\n');
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining(`${handoff}: the value was taken out of @2, here and on the remote`)]);
    expect(ended.stderr).toMatch(
      /this value cannot be found again[^:]* over 4000 characters or does not begin with three plain letters[\s\S]*next relay push brings it back/,
    );
    expect(reachableText(w.remote)).not.toContain('the mat');
  });

  it('leaves branches of the user’s own, and says what else it takes off the remote', async () => {
    const pushed = (name: string) => w.git(w.ann, w.annProject, 'push', '-q', 'origin', `HEAD:${name}`);
    pushed('refs/heads/relay/fix-hunter2hunter2');
    const none = await purge(['--match', '-', '--yes'], 'hunter2hunter2');
    expect([none.code, none.stdout]).toEqual([0, expect.stringContaining('Nothing here or on the remote holds it.')]);
    pushed('refs/relay/s/Old.One/hunter2hunter2');
    const told = await purge(['--match', '-', '--yes'], 'hunter2hunter2');
    expect(told.stdout).toContain('refs/relay/s/Old.One/hunter2hunter2: its name holds the value, so it is gone, on the remote');
    expect(told.stdout).not.toContain('Nothing');
    expect(refs()).toContain('refs/heads/relay/fix-hunter2hunter2');
    expect(refs()).not.toContain('Old.One');
  });

  it('names settings that hold the value, and keeps them', async () => {
    const path = join(w.annProject, '.git/relay/config.jsonc');
    const text = `{"redact":{"known":{"files":["${VALUE}.env"]}}}\n`;
    writeFileSync(path, text);
    const ended = await purge(['--match', '-', '--yes'], VALUE);
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining(`the value stands in ${path}, which relay does not edit`)]);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('deletes a handoff in which the value is part of what must not be edited', async () => {
    const line = JSON.parse(saying(w.session, 'x'));
    appendFileSync(w.session.path, `${JSON.stringify({ ...line, uuid: `${VALUE}-1` })}\n`);
    await w.json(w.ann, w.annProject, 'push', nameOf(w.session));
    const ended = await purge(['--match', '-', '--yes', '--json'], VALUE);
    expect(JSON.parse(ended.stdout)).toMatchObject({ uneditable: [handoff], handoffs: [{ handoff, gone: true }] });
    expect(reachableText(w.remote)).not.toContain(VALUE);
    expect(everything(join(w.annProject, '.git/relay/store.git'))).not.toContain(VALUE);
  });

  it('is followed by a pull, which says so; the rest still imports', async () => {
    await w.json(w.bob, w.bobProject, 'pull');
    expect((await purge(['--match', '-', '--yes'], VALUE)).code).toBe(0);
    const pulled = await w.relay(w.bob, w.bobProject, 'pull');
    expect([pulled.code, pulled.stderr]).toEqual([0, expect.stringContaining(`took a value out of @1 of ${handoff} on`)]);
    const made = await w.json<{ path: string }>(w.bob, w.bobProject, 'import', handoff, '--to', 'claude-code');
    expect(readFileSync(made.path, 'utf8')).toMatch(/it is \[REDACTED:purged:[0-9a-f]{8}\]/);
  });

  it('works without a remote, in this clone alone', async () => {
    w.git(w.ann, w.annProject, 'remote', 'remove', 'origin');
    say(w.session, 'more');
    await w.json(w.ann, w.annProject, 'push', nameOf(w.session), '--no-send');
    const ended = await purge([handoff, '--yes', '--json']);
    expect(JSON.parse(ended.stdout)).toMatchObject({ remote: null, handoffs: [{ handoff, gone: true, remote: false }] });
    expect(everything(join(w.annProject, '.git/relay/store.git'))).not.toContain(VALUE);
  });

  it('run again, it has nothing left to do', async () => {
    for (const args of [[`${handoff}@1`], [handoff]]) {
      expect((await purge([...args, '--yes'])).code).toBe(0);
      const again = await purge([...args, '--yes']);
      expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('Nothing here or on the remote holds it.')]);
    }
  });
});

it('holds on three clones, two of them stale', () => holds(prove, SAMPLES[1] as (typeof SAMPLES)[0]), 400_000);
