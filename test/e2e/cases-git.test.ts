import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ImportJson, PushJson } from '../prove/world.ts';
import type { Lab } from '../support/lab.ts';
import { type BeginOptions, begun, CLAUDE, makeSession } from '../support/made.ts';

/** Repositories of every shape, remotes that are away, sessions that are gone, files for their owner only. */
let l: Lab;
afterEach(() => l?.done());

interface ListJson {
  handoffs: { handoff: string; title: string; version: number; state: string }[];
}
const begin = (options: BeginOptions = {}) => {
  const made = begun(options);
  l = made.lab;
  return made;
};

describe('F8 repositories of every shape', () => {
  const clones: [string, string[]][] = [
    ['shallow', ['--depth=1']],
    ['blobless', ['--filter=blob:none']],
    ['with alternates', ['--shared']],
  ];
  it.each(clones)('F8 %s clone: push, pull and import work; its config, shallow file and objects stay as they were', async (_shape, flags) => {
    const { ann, remote } = begin();
    l.git(ann, remote, 'config', 'uploadpack.allowFilter', 'true');
    const from = flags.includes('--shared') ? remote : `file://${remote}`;
    const folder = join(l.root, 'odd');
    l.git(ann, l.root, 'clone', '-q', ...flags, from, folder);
    makeSession('claude-code', ann.home, folder, { id: '01a22c35-0000-79b0-a0af-b94749a2e017' });
    const state = () =>
      ['config', 'shallow', 'objects/info/alternates', 'packed-refs', 'HEAD', 'index']
        .map((name) => join(folder, '.git', name))
        .map((path) => (existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'none'))
        .concat(l.git(ann, folder, 'count-objects', '-v'), l.git(ann, folder, 'for-each-ref'));
    const before = state();
    const pushed = await l.json<PushJson>(ann, folder, 'push', 'latest');
    expect(pushed.sent).toBe(true);
    const bob = l.person('bob');
    const other = join(l.root, 'bob');
    l.git(bob, l.root, 'clone', '-q', ...flags, from, other);
    await l.json(bob, other, 'pull');
    await l.json<ImportJson>(bob, other, 'import', pushed.handoffs[0]?.handoff ?? '', '--to', 'codex');
    expect(state()).toEqual(before);
    expect(readFileSync(join(other, '.git/config'), 'utf8')).not.toMatch(/promisor[\s\S]*relay/);
  });

  it('F8 a SHA-256 repository', async () => {
    const { ann, cwd, remote } = begin({ format: 'sha256' });
    const pushed = await l.json<PushJson>(ann, cwd, 'push', CLAUDE);
    expect(pushed.handoffs[0]?.commit).toMatch(/^[0-9a-f]{64}$/);
    const bob = l.person('bob');
    const other = l.clone(bob, 'bob', remote);
    await l.json(bob, other, 'pull');
    await l.json(bob, other, 'import', pushed.handoffs[0]?.handoff ?? '', '--to', 'codex');
  });
});

it('F9 offline: a handoff whose content is not here says that the remote cannot be reached, not that there is none', async () => {
  const { ann, cwd, remote } = begin();
  const { handoff = '' } = (await l.json<PushJson>(ann, cwd, 'push', CLAUDE)).handoffs[0] ?? {};
  const bob = l.person('bob');
  const other = l.clone(bob, 'bob', remote);
  writeFileSync(join(bob.home, '.gitconfig'), `${readFileSync(join(bob.home, '.gitconfig'), 'utf8')}\n`);
  // Only the cards: the content is fetched when it is asked for.
  await l.json(bob, other, 'pull', '--days', '0');
  const state = (await l.json<ListJson>(bob, other, 'list')).handoffs[0]?.state;
  renameSync(remote, `${remote}.away`);
  for (const args of state === 'remote' ? [['import', handoff, '--to', 'codex'], ['show', handoff], ['check', handoff], ['pull']] : [['pull']]) {
    const ended = await l.relay(bob, other, ...args, '--json');
    expect(ended.code, args.join(' ')).toBe(1);
    expect(JSON.parse(ended.stderr.trim().split('\n').at(-1) ?? '').error.code).toBe('offline');
  }
  expect(state).toBe('remote');
  renameSync(`${remote}.away`, remote);
  await l.json(bob, other, 'import', handoff, '--to', 'codex');
});

it('F11 a session that its agent has deleted since is restored from the handoff', async () => {
  const { ann, cwd, session } = begin();
  const { handoff = '' } = (await l.json<PushJson>(ann, cwd, 'push', CLAUDE)).handoffs[0] ?? {};
  const before = readFileSync(session.path, 'utf8');
  rmSync(session.path);
  expect((await l.json<{ sessions: unknown[] }>(ann, cwd, 'sessions')).sessions).toEqual([]);
  const made = await l.json<ImportJson>(ann, cwd, 'import', handoff, '--to', 'claude-code');
  expect(readFileSync(made.path, 'utf8')).toBe(before.replaceAll(session.id, made.session));
});

it('X35 imported files, the registry and what lies beside the store are for their owner only', async () => {
  const { ann, cwd, remote } = begin();
  ann.env.TMPDIR = join(l.root, 'tmp');
  execFileSync('mkdir', [ann.env.TMPDIR]);
  const { handoff = '' } = (await l.json<PushJson>(ann, cwd, 'push', CLAUDE)).handoffs[0] ?? {};
  const bob = l.person('bob');
  bob.env.TMPDIR = ann.env.TMPDIR;
  const other = l.clone(bob, 'bob', remote);
  await l.json(bob, other, 'pull');
  for (const to of ['codex', 'claude-code']) await l.json(bob, other, 'import', handoff, '--to', to);
  const open = [join(bob.home, '.codex'), join(bob.home, '.claude'), join(bob.home, '.local'), join(other, '.git/relay')]
    .flatMap((folder) => walkFiles(folder))
    .filter((path) => !path.includes('/store.git/') && (statSync(path).mode & 0o077) !== 0);
  expect(open).toEqual([]);
  expect(readdirSync(ann.env.TMPDIR)).toEqual([]);
});

const walkFiles = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? walkFiles(join(folder, entry.name)) : [join(folder, entry.name)]))
    : [];
