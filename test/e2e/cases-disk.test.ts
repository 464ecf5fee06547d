import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { ImportJson, PushJson } from '../prove/world.ts';
import type { Lab } from '../support/lab.ts';
import { type BeginOptions, begun, CLAUDE, conversationAt, spoken } from '../support/made.ts';
import { runProgram } from '../support/processes.ts';
import { recordedIn } from '../support/recorded-here.ts';

/** Disks that are full or read-only, and files that are not to be touched. */
let l: Lab | undefined;
const mounts: string[] = [];
afterEach(() => {
  for (const folder of mounts.splice(0)) spawnSync('umount', [folder]);
  l?.done();
});
const begin = (options: BeginOptions = {}) => {
  const made = begun(options);
  l = made.lab;
  return made;
};

/** Mounts a memory disk of so many KB; "" when it could be done, else why not. */
function mount(folder: string, size: number): string {
  mkdirSync(folder, { recursive: true });
  const { status, stderr, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}k`, 'tmpfs', folder], { encoding: 'utf8' });
  if (status === 0) mounts.push(folder);
  return status === 0 ? '' : (error?.message ?? stderr.trim());
}

/** Why a small disk cannot be had here. */
function cannotMount(): string {
  const folder = mkdtempSync(join(tmpdir(), 'relay-mount-'));
  const reason = mount(folder, 64);
  for (const mounted of mounts.splice(0)) spawnSync('umount', [mounted]);
  rmSync(folder, { recursive: true, force: true });
  return reason;
}
const reason = cannotMount();
if (reason && process.env.RELAY_TEST_ALL === '1' && process.getuid?.() === 0) throw new Error(`a small disk cannot be mounted: ${reason}`);

const filesBelow = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : [])) : [];

describe.skipIf(reason !== '')(`a small disk${reason && ` [skipped: ${reason}]`}`, () => {
  it('X33 disk full during an import: said in words, no file is left, earlier ones are as they were, the second run works', async () => {
    const { lab, ann, cwd, session } = begin({ turns: 100, resultSize: 20_000 });
    const codex = join(ann.home, '.codex');
    expect(mount(codex, 6500)).toBe('');
    const first = await lab.json<ImportJson>(ann, cwd, 'import', CLAUDE, '--to', 'codex');
    const [kept, source] = [readFileSync(first.path), readFileSync(session.path)];
    const before = filesBelow(codex);
    const full = await lab.relay(ann, cwd, 'import', CLAUDE, '--to', 'codex', '--again', '--json');
    expect(full.code).toBe(1);
    const { error } = JSON.parse(full.stderr.trim().split('\n').at(-1) ?? '');
    expect(error.message).toMatch(/no space left|disk is full/i);
    expect(full.stderr).not.toMatch(/^\s+at .*:\d+/m);
    expect(filesBelow(codex)).toEqual(before);
    expect(readFileSync(first.path).equals(kept)).toBe(true);
    expect(readFileSync(session.path).equals(source)).toBe(true);
    spawnSync('mount', ['-o', 'remount,size=40m', codex]);
    const second = await lab.json<ImportJson>(ann, cwd, 'import', CLAUDE, '--to', 'codex', '--again');
    expect(spoken(await conversationAt('codex', second.path))).toEqual(spoken(await conversationAt('claude-code', session.path)));
  });

  it('X33 disk full during a push: nothing half-made is stored or sent, the second run works', async () => {
    const { lab, ann, cwd, remote, session } = begin({ turns: 400, resultSize: 20_000 });
    const relay = join(cwd, '.git/relay');
    expect(mount(relay, 600)).toBe('');
    const full = await lab.relay(ann, cwd, 'push', CLAUDE, '--json');
    expect(full.code).toBe(1);
    expect(JSON.parse(full.stderr.trim().split('\n').at(-1) ?? '').error.message).toMatch(/no space left|disk is full/i);
    expect(lab.git(ann, remote, 'for-each-ref', 'refs/relay')).toBe('');
    spawnSync('mount', ['-o', 'remount,size=60m', relay]);
    const pushed = await lab.json<PushJson>(ann, cwd, 'push', CLAUDE);
    expect(pushed).toMatchObject({ sent: true });
    const shown = await lab.json<{ records: unknown[] }>(ann, cwd, 'show', pushed.handoffs[0]?.handoff ?? '');
    expect(shown.records).toHaveLength(readFileSync(session.path, 'utf8').trimEnd().split('\n').length);
    expect(lab.git(ann, join(relay, 'store.git'), 'fsck', '--strict')).toBe('');
  });

  it('X33 disk full while a worker records: the commit is made all the same, nothing half-made is stored, and the next event makes up for it', async () => {
    const { lab, ann, cwd, session } = begin({ turns: 400, resultSize: 20_000 });
    const relay = join(cwd, '.git/relay');
    expect(mount(relay, 600)).toBe('');
    await lab.json(ann, cwd, 'hooks', 'install');
    const commit = () => runProgram('git', ['commit', '-q', '--allow-empty', '-m', 'work'], { cwd, env: { ...ann.env, CLAUDE_CODE_SESSION_ID: session.id } });
    expect(await commit()).toMatchObject({ code: 0, stdout: '', stderr: '' });
    for (let i = 0; i < 300 && existsSync(join(relay, 'queue/.worker')); i++) await sleep(100);
    expect(readdirSync(join(relay, 'queue')).filter((name) => name.startsWith('post-commit'))).toHaveLength(1);
    // Not even the event can be written.
    writeFileSync(join(relay, 'full'), Buffer.alloc(100));
    spawnSync('sh', ['-c', `cat /dev/zero > '${join(relay, 'full')}'`]);
    expect(await commit()).toMatchObject({ code: 0, stdout: '', stderr: '' });
    rmSync(join(relay, 'full'));
    spawnSync('mount', ['-o', 'remount,size=60m', relay]);
    const old = new Date(Date.now() - 60_000);
    for (const name of readdirSync(join(relay, 'queue'))) utimesSync(join(relay, 'queue', name), old, old);
    expect(await commit()).toMatchObject({ code: 0 });
    await recordedIn(join(cwd, '.git'));
    const shown = await lab.json<{ records: unknown[] }>(ann, cwd, 'show', session.id);
    expect(shown.records).toHaveLength(readFileSync(session.path, 'utf8').trimEnd().split('\n').length);
    for (const rev of ['HEAD~2', 'HEAD']) expect((await lab.json<{ handoffs: unknown[] }>(ann, cwd, 'log', rev)).handoffs).toHaveLength(1);
    expect(lab.git(ann, join(relay, 'store.git'), 'fsck', '--strict')).toBe('');
  });

  it('X33 a read-only home: said in words, nothing is left; with the agent’s folder elsewhere it works', async () => {
    const { lab, ann, cwd } = begin();
    const other = lab.person('bob');
    expect(mount(other.home, 500)).toBe('');
    writeFileSync(join(other.home, '.gitconfig'), '[user]\n\tname = bob\n\temail = bob@example.invalid\n[safe]\n\tdirectory = *\n');
    other.env.CLAUDE_CONFIG_DIR = join(ann.home, '.claude');
    spawnSync('mount', ['-o', 'remount,ro', other.home]);
    const ended = await lab.relay(other, cwd, 'import', CLAUDE, '--to', 'codex', '--json');
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stderr.trim().split('\n').at(-1) ?? '').error.message).toMatch(/read-only/i);
    other.env.CODEX_HOME = join(lab.root, 'writable codex');
    const made = await lab.json<ImportJson & { notes: string[] }>(other, cwd, 'import', CLAUDE, '--to', 'codex');
    expect(existsSync(made.path)).toBe(true);
    expect(made.notes.join('\n')).toMatch(/not remembered/);
  });
});

it('F4 an ignored .env here, tracked on the session’s branch: an import checks nothing out and leaves it alone', async () => {
  const { lab, ann, cwd, remote } = begin({ files: { '.gitignore': '.env\n', 'a.txt': 'a\n' } });
  lab.git(ann, cwd, 'checkout', '-q', '-b', 'with-env');
  writeFileSync(join(cwd, '.env'), 'MODE=tracked\n');
  lab.git(ann, cwd, 'add', '-f', '.env');
  lab.git(ann, cwd, 'commit', '-q', '-m', 'Track it');
  lab.git(ann, cwd, 'push', '-q', 'origin', 'with-env');
  const { handoff = '' } = (await lab.json<PushJson>(ann, cwd, 'push', CLAUDE)).handoffs[0] ?? {};
  const bob = lab.person('bob');
  const checkout = lab.clone(bob, 'bob', remote);
  writeFileSync(join(checkout, '.env'), 'MODE=my own\n');
  chmodSync(join(checkout, '.env'), 0o600);
  const state = () => [
    lab.git(bob, checkout, 'rev-parse', 'HEAD'),
    lab.git(bob, checkout, 'status', '--porcelain', '--ignored'),
    lab.git(bob, checkout, 'ls-files', '-s'),
    lab.git(bob, checkout, 'branch', '-a'),
  ];
  const before = state();
  await lab.json(bob, checkout, 'pull');
  for (const to of ['codex', 'claude-code']) await lab.json<ImportJson>(bob, checkout, 'import', handoff, '--to', to);
  expect(state()).toEqual(before);
  expect(readFileSync(join(checkout, '.env'), 'utf8')).toBe('MODE=my own\n');
});
