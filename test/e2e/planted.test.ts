import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type World, world } from '../prove/world.ts';
import { objectsText } from '../support/git-text.ts';
import { RELAY } from '../support/lab.ts';
import { dashed } from '../support/layout.ts';
import { runProgram } from '../support/processes.ts';
import { SAMPLES } from '../support/proofs.ts';
import { recordedIn } from '../support/recorded-here.ts';
import { sample } from '../support/samples.ts';

let w: World;
beforeEach(() => {
  w = world(SAMPLES[0] as (typeof SAMPLES)[0]);
});
afterEach(() => w.done());

const relayFolder = (): string => join(w.annProject, '.git/relay');
const accept = async (key: string): Promise<void> => void (await w.json(w.ann, w.annProject, 'init', '--accept', key));
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const refsOf = (remote: string): string => w.git(w.ann, remote, 'for-each-ref', '--format=%(refname)', 'refs/relay', 'refs/heads/relay');
/** What Claude Code says at the end of a turn. */
const stop = (cwd: string) =>
  runProgram(process.execPath, [RELAY, 'hook'], {
    cwd,
    env: w.ann.env,
    input: JSON.stringify({ hook_event_name: 'Stop', session_id: w.session.id, transcript_path: w.session.path, cwd }),
  });

describe('a repository that holds a folder which looks like a git folder', () => {
  /** Settings, consent and programs of its author, for the work tree that it lies in. */
  function plant(worktree: string, remote: string): string {
    const folder = join(w.annProject, 'vendor/lib');
    for (const name of ['objects/info', 'refs/heads', 'relay']) mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
    const program = `touch ${w.root}/ran; false`;
    writeFileSync(
      join(folder, 'config'),
      `[core]\n\tbare = false\n\tworktree = ${worktree}\n\tfsmonitor = "${program}"\n\tsshCommand = "${program}"\n[remote "origin"]\n\turl = ${remote}\n`,
    );
    writeFileSync(join(folder, 'relay/config.jsonc'), '{"push":{"auto":true}}');
    writeFileSync(join(folder, 'relay/consent.json'), JSON.stringify({ [sha256(remote)]: true }));
    return folder;
  }

  test.each([
    ['its author’s remote', '../..', () => w.bare('theirs')],
    ['its author’s programs', '.', () => 'ssh://git@host.invalid/x.git'],
  ])('is not sent to %s', async (_, worktree, remoteOf) => {
    const remote = remoteOf();
    const folder = plant(worktree, remote);
    expect(await stop(folder)).toMatchObject({ code: 0, stdout: '', stderr: '' });
    await recordedIn(folder);
    expect(readdirSync(join(folder, 'relay')).sort()).toEqual(['config.jsonc', 'consent.json']);
    expect(existsSync(join(w.root, 'ran'))).toBe(false);
    if (existsSync(remote)) expect(refsOf(remote)).toBe('');
  });

  test.each([['status'], ['push', 'latest'], ['init'], ['log', 'HEAD']])('relay %s says so and does nothing there', async (...verb) => {
    const folder = plant('../..', w.bare('theirs'));
    const ended = await w.relay(w.ann, folder, ...verb);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(/lies in a git folder.*git worktree add/s);
    expect(readdirSync(join(folder, 'relay')).sort()).toEqual(['config.jsonc', 'consent.json']);
  });
});

describe('an agent in its sandbox, which may write to .git/relay', () => {
  const auto = (more: object = {}): void => writeFileSync(join(relayFolder(), 'config.jsonc'), JSON.stringify({ push: { auto: true }, ...more }));

  test('can send nowhere by settings and consents of its own', async () => {
    await w.json(w.ann, w.annProject, 'push', w.session.id, '--no-send');
    const theirs = w.bare('theirs');
    auto({ store: { remote: theirs } });
    writeFileSync(join(relayFolder(), 'consent.json'), JSON.stringify({ [sha256(theirs)]: true, [sha256(w.remote)]: true }));
    await stop(w.annProject);
    await recordedIn(join(w.annProject, '.git'));
    expect([refsOf(theirs), refsOf(w.remote)]).toEqual(['', '']);
    const ended = await w.relay(w.ann, w.annProject, 'push', w.session.id);
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('config.jsonc sets store.remote');
    const { repository } = JSON.parse((await w.relay(w.ann, w.annProject, 'doctor', '--json')).stdout) as {
      repository: { check: string; found: string; fix: string }[];
    };
    expect(repository.filter(({ check }) => check === 'settings').map(({ fix }) => fix)).toEqual([
      'relay init --accept store.remote',
      'relay init --accept push.auto',
    ]);
  });

  test('cannot make an earlier consent count for another address', async () => {
    await w.json(w.ann, w.annProject, 'push', w.session.id);
    auto();
    await accept('push.auto');
    const file = join(relayFolder(), 'consent.json');
    const other = w.bare('other');
    w.git(w.ann, w.annProject, 'remote', 'set-url', 'origin', other);
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), [sha256(other)]: true }));
    await stop(w.annProject);
    await recordedIn(join(w.annProject, '.git'));
    expect(refsOf(other)).toBe('');
  });

  test('can name no program to the store’s git', async () => {
    await w.json(w.ann, w.annProject, 'push', w.session.id, '--no-send');
    const store = join(relayFolder(), 'store.git');
    const before = readFileSync(join(store, 'config'), 'utf8');
    const hooks = join(w.root, 'hooks');
    mkdirSync(hooks);
    writeFileSync(join(hooks, 'reference-transaction'), `#!/bin/sh\ntouch ${w.root}/ran\n`, { mode: 0o755 });
    const planted = `[core]\n\tbare = true\n\thooksPath = ${hooks}\n`;
    writeFileSync(join(store, 'config'), `${before}${planted}`);
    await w.json(w.ann, w.annProject, 'push', w.session.id);
    expect(readFileSync(join(store, 'config'), 'utf8')).toBe(before);
    // Git takes settings from where this leads, if it is there.
    mkdirSync(join(w.root, 'common'));
    writeFileSync(join(w.root, 'common/config'), planted);
    for (const name of ['objects', 'refs']) symlinkSync(join(store, name), join(w.root, 'common', name));
    writeFileSync(join(store, 'commondir'), join(w.root, 'common'));
    await w.json(w.ann, w.annProject, 'push', w.session.id);
    expect(existsSync(join(store, 'commondir'))).toBe(false);
    expect(existsSync(join(w.root, 'ran'))).toBe(false);
  });
});

test('consent, status and what a push says speak of the address that git sends to', async () => {
  const there = w.bare('there');
  await w.json(w.ann, w.annProject, 'push', w.session.id);
  w.git(w.ann, w.annProject, 'remote', 'set-url', '--push', 'origin', there);
  const asked = await w.relay(w.ann, w.annProject, 'push', '--all');
  expect(asked.code).toBe(3);
  expect(asked.stderr).toContain(`first push to ${there} (fetched from ${w.remote})`);
  expect((await w.json<{ remote: string }>(w.ann, w.annProject, 'status')).remote).toBe(`${there} (fetched from ${w.remote})`);
});

/** A session of Claude Code that says one thing in a folder. Answers its id. */
function talk(cwd: string, text: string): string {
  mkdirSync(cwd, { recursive: true });
  const [sessionId, uuid] = [randomUUID(), randomUUID()];
  const line = {
    parentUuid: null,
    isSidechain: false,
    userType: 'external',
    cwd,
    sessionId,
    version: '2.1.332',
    type: 'user',
    uuid,
    timestamp: '2026-11-29T10:00:00.000Z',
  };
  const folder = join(w.ann.home, '.claude/projects', dashed(cwd));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${sessionId}.jsonl`), `${JSON.stringify({ ...line, message: { role: 'user', content: text } })}\n`);
  return sessionId;
}

test('sessions of a repository within this one are not this one’s', async () => {
  const nested = w.project(w.ann, 'ann/proj/nested', w.bare('nested'));
  const theirs = talk(join(nested, 'src'), 'about the nested one');
  // What a sandbox puts there so that nobody makes one.
  mkdirSync(join(w.annProject, 'src/.git'), { recursive: true });
  const ours = talk(join(w.annProject, 'src/deep'), 'about this one');
  const listed = async (cwd: string) => (await w.json<{ sessions: { id: string }[] }>(w.ann, cwd, 'sessions')).sessions.map(({ id }) => id).sort();
  expect(await listed(w.annProject)).toEqual([w.session.id, ours].sort());
  expect(await listed(nested)).toEqual([theirs]);
  const { handoffs } = await w.json<{ handoffs: { session: string }[] }>(w.ann, w.annProject, 'push', '--all', '--yes');
  expect(handoffs.map(({ session }) => session).sort()).toEqual([w.session.id, ours].sort());
});

test('what one work tree asks to keep back counts in all of them', async () => {
  w.git(w.ann, w.annProject, 'worktree', 'add', '-q', '../older', 'HEAD');
  const older = join(w.root, 'ann/older');
  const value = `acme-${sample('{hex20}')}`;
  const rule = { id: 'acme', anchors: ['acme-'], pattern: 'acme-[0-9a-f]{20}', hits: [`acme-${'0'.repeat(20)}`] };
  const asked = { share: { exclude: [{ path: 'private' }] }, redact: { rules: [rule], allow: { patterns: ['loose'] } }, push: { auto: true } };
  writeFileSync(join(w.annProject, '.relayrc'), JSON.stringify(asked));
  const kept = talk(join(older, 'private'), 'a secret plan');
  const said = talk(older, `the value is ${value}`);
  expect((await w.relay(w.ann, older, 'push', kept)).code).toBe(3);
  await w.json(w.ann, older, 'push', said);
  expect(objectsText(w.remote)).not.toContain(value);
  expect((await w.json<{ unaccepted: unknown[] }>(w.ann, older, 'status')).unaccepted).toEqual([]);
});
