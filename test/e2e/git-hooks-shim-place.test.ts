import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HookedLab, hookedLab, takeQueued } from '../support/hooked.ts';
import { recordedIn } from '../support/recorded-here.ts';

let w: HookedLab;
beforeAll(() => {
  w = hookedLab();
});
afterAll(() => w.done());

/** All that git's hooks run or read lies here, and all of it may be written by an agent in its sandbox, which keeps out of hooks/ and config alone. */
const relayFolder = (git: string): string[] => readdirSync(join(git, 'relay'));

it('nothing that a hook runs lies where the sandbox of an agent may write', async () => {
  const { git, top } = await w.hooked('apart');
  expect(relayFolder(git)).toEqual(['queue']);
  for (const name of ['hook.sh', 'hooks.config', 'hooks.json']) writeFileSync(join(git, 'relay', name), `touch ${w.root}/ran\n`);
  w.commit(top);
  expect(existsSync(join(w.root, 'ran'))).toBe(false);
  expect(takeQueued(git)).toHaveLength(1);
});

it('what git’s hooks start is named where it is not this relay', async () => {
  const { git, top } = await w.hooked('other');
  expect((await w.relay(w.ann, top, 'hooks', 'status')).stdout).not.toContain('What the hooks call');
  w.probe(git, 'other', '');
  const program = join(w.root, 'other.mjs');
  expect((await w.relay(w.ann, top, 'hooks', 'status')).stdout).toContain(`relay='${program}'`);
  expect((await w.relay(w.ann, top, 'status')).stdout).toMatch(/NOT RECORDING: What git’s hooks call starts something else than this relay/);
  await w.install(top);
  expect((await w.relay(w.ann, top, 'hooks', 'status')).stdout).not.toContain('What the hooks call');
});

it('an installation of an earlier relay is found, renewed by an install, and taken out to the byte', async () => {
  const { git, top } = await w.hooked('earlier');
  const hook = join(git, 'hooks/post-commit');
  const shim = join(git, 'hooks/relay.sh');
  // As it was: the shim and what was done beside the queue, and lines that call it there.
  const earlier = (text: string): string => text.replaceAll('/hooks/relay.sh', '/relay/hook.sh');
  const memory = JSON.parse(readFileSync(join(git, 'hooks/relay.json'), 'utf8')) as { changes: { path: string; own: string; after: string }[] };
  for (const change of memory.changes) {
    const path = join(git, change.path);
    writeFileSync(path, earlier(readFileSync(path, 'utf8')));
    change.own = earlier(change.own);
    change.after = execFileSync('sha256sum', [path], { encoding: 'utf8' }).slice(0, 64);
  }
  rmSync(join(git, 'hooks/relay.json'));
  writeFileSync(join(git, 'relay/hooks.json'), JSON.stringify(memory));
  renameSync(shim, join(git, 'relay/hook.sh'));
  expect((await w.state(top)).installed).toBe(false);
  expect((await w.relay(w.ann, top, 'status')).stdout).toContain('NOT RECORDING');
  await w.install(top);
  expect(await w.state(top)).toMatchObject({ installed: true, shim: 'ok' });
  expect(relayFolder(git)).toEqual(['queue']);
  expect(readFileSync(hook, 'utf8')).not.toContain('relay/hook.sh');
  await w.hooks(top, 'uninstall');
  expect([existsSync(hook), existsSync(shim), existsSync(join(git, 'hooks/relay.json'))]).toEqual([false, false, false]);
});

it('an uninstall goes by nothing that an agent could have written', async () => {
  const top = w.fresh('planted');
  const [mine, theirs] = ['profile', 'theirs'].map((name) => join(w.root, name));
  writeFileSync(mine ?? '', 'mine\n');
  writeFileSync(theirs ?? '', 'theirs\n');
  const planted = [
    { events: ['post-commit'], path: mine, own: 'mine\n', after: 'x' },
    { events: ['post-commit'], path: join(w.root, 'new'), own: 'relay/hook.sh', after: 'x', kept: theirs },
    { events: ['post-commit'], path: join(w.root, 'link'), own: 'relay/hook.sh', after: 'x', kept: theirs, link: theirs },
  ];
  mkdirSync(join(top, '.git/relay'));
  writeFileSync(join(top, '.git/relay/hooks.json'), JSON.stringify({ version: 1, events: ['post-commit'], changes: planted }));
  await w.hooks(top, 'uninstall');
  expect(readFileSync(mine ?? '', 'utf8')).toBe('mine\n');
  expect([existsSync(join(w.root, 'new')), existsSync(join(w.root, 'link')), existsSync(theirs ?? '')]).toEqual([false, false, true]);
});

it('a commit of another git folder over a work tree is recorded there', async () => {
  const top = w.fresh('two');
  const other = join(w.root, 'other.git');
  const git = (...args: string[]): string => w.git(w.ann, top, `--git-dir=${other}`, `--work-tree=${top}`, ...args);
  w.git(w.ann, w.root, 'init', '-q', '--bare', '-b', 'main', other);
  w.git(w.ann, other, 'config', 'core.bare', 'false');
  w.git(w.ann, other, 'config', 'core.worktree', top);
  await w.install(top);
  // The hooks are the same in every clone.
  for (const name of ['hooks', 'relay']) mkdirSync(join(other, name), { recursive: true });
  for (const name of ['post-commit', 'relay.sh']) execFileSync('cp', ['-p', join(top, '.git/hooks', name), join(other, 'hooks', name)]);
  git('add', '-A');
  git('commit', '-q', '-m', 'Theirs');
  await recordedIn(other);
  expect(existsSync(join(other, 'relay/hook.log')) || existsSync(join(other, 'relay/store.git')) || existsSync(join(other, 'relay/writer.json'))).toBe(true);
  expect(existsSync(join(top, '.git/relay/hook.log'))).toBe(false);
});
