import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kind, managerKinds, plainKinds, preCommitKind } from '../support/hook-kinds.ts';
import { filesOf, type HookedLab, hookedLab, takeQueued } from '../support/hooked.ts';
import type { Person } from '../support/lab.ts';
import { requires } from '../support/requires.ts';
import { tool } from '../support/tools.ts';

/** `link.trailer`: what git's commits have in their messages once somebody asked for a trailer. */
let w: HookedLab;
let count = 0;

beforeAll(() => {
  w = hookedLab();
});
afterAll(() => w.done());

const session = { CLAUDE_CODE_SESSION_ID: '0a1b-2c' };
const trailer = 'Relay-Session: claude-code:0a1b-2c';

/** The clone's own settings. */
function ask(git: string, wanted: boolean): void {
  mkdirSync(join(git, 'relay'), { recursive: true });
  writeFileSync(join(git, 'relay/config.jsonc'), JSON.stringify({ link: { trailer: wanted } }));
}

async function asking(): Promise<{ top: string; git: string }> {
  const made = await w.hooked(`p${count++}`);
  ask(made.git, true);
  expect(await w.relay(w.ann, made.top, 'hooks', 'install')).toMatchObject({ code: 0, stderr: '' });
  return made;
}

/** Runs git as an agent's session would; the exit code and the whole message of HEAD. */
function run(top: string, args: string[], env: Record<string, string> = session) {
  const { status, stderr } = spawnSync('git', args, { cwd: top, env: { ...w.ann.env, ...env }, encoding: 'utf8' });
  return { status, stderr, message: w.git(w.ann, top, 'log', '-1', '--format=%B') };
}
const commit = (top: string, ...args: string[]) => run(top, ['commit', '-q', '--allow-empty', ...args]);
/** An editor that does this to the file, which it names `$1`. */
const editing = (script: string) => ({ ...session, GIT_EDITOR: `sh -c '${script}' -` });
const edited = (top: string, script: string, ...args: string[]) => run(top, ['commit', '-q', '--allow-empty', ...args], editing(script));

describe('with the setting', () => {
  it('a commit of a session names it, one by hand does not', async () => {
    const { top, git } = await asking();
    expect(commit(top, '-m', 'One', '-m', 'Text')).toEqual({ status: 0, stderr: '', message: `One\n\nText\n\n${trailer}` });
    expect(run(top, ['commit', '-q', '--allow-empty', '-m', 'Two'], {})).toEqual({ status: 0, stderr: '', message: 'Two' });
    expect(takeQueued(git).map(({ event }) => event)).toEqual(['post-commit', 'post-commit']);
  });

  it('of one client in another both are named; what is no session id is not', async () => {
    const { top } = await asking();
    const made = run(top, ['commit', '-q', '--allow-empty', '-m', 'One'], { ...session, CODEX_THREAD_ID: 'inner-2' });
    expect(made.message).toBe(`One\n\n${trailer}\nRelay-Session: codex:inner-2`);
    expect(run(top, ['commit', '-q', '--allow-empty', '-m', 'Two'], { CODEX_THREAD_ID: '$(touch x)' }).message).toBe('Two');
    expect(existsSync(join(top, 'x'))).toBe(false);
  });

  it('also from a folder below and in a linked work tree', async () => {
    const { top } = await asking();
    mkdirSync(join(top, 'below'));
    expect(commit(join(top, 'below'), '-m', 'One').message).toBe(`One\n\n${trailer}`);
    const tree = join(w.root, 'linked tree');
    w.git(w.ann, top, 'worktree', 'add', '-q', '--detach', tree);
    expect(commit(tree, '-m', 'Two').message).toBe(`Two\n\n${trailer}`);
  });

  it('an amend names the session once, and another one beside it', async () => {
    const { top } = await asking();
    commit(top, '-m', 'One', '-m', 'Signed-off-by: Ann <ann@example.com>');
    const once = `One\n\nSigned-off-by: Ann <ann@example.com>\n${trailer}`;
    expect(commit(top, '--amend', '--no-edit').message).toBe(once);
    expect(edited(top, 'true', '--amend', '-v').message).toBe(once);
    expect(run(top, ['commit', '-q', '--allow-empty', '--amend', '--no-edit'], { CODEX_THREAD_ID: 'other' }).message).toBe(
      `${once}\nRelay-Session: codex:other`,
    );
    expect(commit(top, '--amend', '-m', 'New').message).toBe(`New\n\n${trailer}`);
  });

  it.each([
    ['as git sets them', []],
    ['with another character', ['-c', 'core.commentChar=;']],
    ['with a character that git picks', ['-c', 'core.commentChar=auto']],
    ['behind scissors', ['-c', 'commit.cleanup=scissors']],
  ])('in an editor it stands above the comments: %s', async (_, config) => {
    const { top } = await asking();
    writeFileSync(join(top, 'README.md'), 'changed\n# not a comment\n');
    const seen = join(top, '.git/seen');
    const made = run(top, [...config, 'commit', '-q', '-a', '-v', '-e', '-m', 'One'], editing(`cp "$1" "${seen}"`));
    expect(made).toEqual({ status: 0, stderr: '', message: `One\n\n${trailer}` });
    expect(readFileSync(seen, 'utf8')).toMatch(new RegExp(`^One\n\n${trailer}\n\n?[#;] `));
  });

  it.each([
    ['an empty message', ['-m', '']],
    ['comments alone', ['--cleanup=strip', '-m', '# nothing']],
  ])('git makes no commit of %s', async (_, args) => {
    const { top } = await asking();
    const before = w.git(w.ann, top, 'rev-parse', 'HEAD');
    expect(commit(top, ...args).status).toBe(1);
    expect(w.git(w.ann, top, 'rev-parse', 'HEAD')).toBe(before);
  });

  it('git makes no commit where nothing is typed into the editor, also with -v, another comment character or a template', async () => {
    const { top } = await asking();
    writeFileSync(join(top, 'README.md'), 'changed\n');
    writeFileSync(join(top, '.git/template'), 'Why:\n');
    const before = w.git(w.ann, top, 'rev-parse', 'HEAD');
    for (const args of [[], ['-v'], ['-t', '.git/template']])
      for (const config of [[], ['-c', 'core.commentChar=;']]) expect(run(top, [...config, 'commit', '-q', '-a', ...args], editing('true')).status).toBe(1);
    expect(w.git(w.ann, top, 'rev-parse', 'HEAD')).toBe(before);
    expect(commit(top, '--allow-empty-message', '-m', '')).toMatchObject({ status: 0, message: '' });
  });

  it('what a message holds stays: a rule, a last line that looks like a comment, one without an end', async () => {
    const { top } = await asking();
    expect(commit(top, '-m', 'One', '-m', 'a\n---\nb').message).toBe(`One\n\na\n---\nb\n\n${trailer}`);
    expect(commit(top, '-m', 'One', '-m', '#123').message).toBe(`One\n\n#123\n\n${trailer}`);
    writeFileSync(join(top, '.git/text'), 'fix: one');
    expect(commit(top, '--cleanup=verbatim', '-F', '.git/text').message).toBe(`fix: one\n\n${trailer}`);
  });

  it('a merge, a squash, a cherry-pick and a revert name it below their own text', async () => {
    const { top } = await asking();
    const git = (...args: string[]) => run(top, args);
    const change = (file: string) => {
      writeFileSync(join(top, file), `${file}\n`);
      git('add', file);
      return run(top, ['commit', '-q', '-m', `Add ${file}`], {});
    };
    git('checkout', '-q', '-b', 'side');
    change('a');
    git('checkout', '-q', 'main');
    change('b');
    expect(git('merge', '-q', '--no-edit', 'side').message).toBe(`Merge branch 'side'\n\n${trailer}`);
    git('reset', '-q', '--hard', 'HEAD~1');
    git('merge', '-q', '--squash', 'side');
    const squashed = git('commit', '-q', '--no-edit').message;
    expect(squashed).toMatch(/^Squashed commit of the following:\n\ncommit /);
    expect(squashed.endsWith(`\n\n    Add a\n\n${trailer}`)).toBe(true);
    git('reset', '-q', '--hard', 'HEAD~1');
    expect(git('cherry-pick', 'side').message).toBe(`Add a\n\n${trailer}`);
    expect(git('revert', '--no-edit', 'HEAD').message).toMatch(new RegExp(`^Revert "Add a"\n\nThis reverts commit \\w+\\.\n\n${trailer}$`));
  });

  it('a rebase leaves messages as they are', async () => {
    const { top } = await asking();
    for (const name of ['One', 'Two']) run(top, ['commit', '-q', '--allow-empty', '-m', name], {});
    run(top, ['rebase', '-q', '--force-rebase', 'HEAD~2']);
    expect(w.git(w.ann, top, 'log', '-2', '--format=%B')).toBe('Two\n\nOne');
  });
});

describe('in whatever shell runs the hook', () => {
  const runBy = async (command: string) => {
    const { top, git } = await asking();
    const path = join(git, 'hooks/prepare-commit-msg');
    writeFileSync(path, readFileSync(path, 'utf8').replace('#!/bin/sh', `#!/usr/bin/env -S ${command}`));
    expect(commit(top, '-m', 'One', '-m', '#1')).toEqual({ status: 0, stderr: '', message: `One\n\n#1\n\n${trailer}` });
    expect(commit(top, '-m', '').status).toBe(1);
  };
  it.each(['bash', 'bash --posix -eu', 'sh -eu'])('%s', runBy);
  requires('busybox')('busybox', () => it('sh', () => runBy(`${tool('busybox')}/busybox sh`)));
});

describe('the setting', () => {
  const events = async (top: string, ...args: string[]) =>
    (await w.json<{ git: { hooks: { event: string }[] } }>(w.ann, top, 'hooks', ...args)).git.hooks.map(({ event }) => event);

  it('counts at each install: off, on and off again', async () => {
    const { top, git } = await w.hooked(`p${count++}`);
    const without = filesOf(top);
    expect(commit(top, '-m', 'One').message).toBe('One');
    ask(git, true);
    expect(await events(top, 'install')).toEqual(['prepare-commit-msg', 'post-commit', 'post-rewrite']);
    expect(commit(top, '-m', 'Two').message).toBe(`Two\n\n${trailer}`);
    ask(git, false);
    expect(await events(top, 'install')).toEqual(['post-commit', 'post-rewrite']);
    expect(filesOf(top)).toEqual(without);
    expect(commit(top, '-m', 'Three').message).toBe('Three');
  });

  it('of a repository counts once it is accepted', async () => {
    const { top } = await w.hooked(`p${count++}`);
    writeFileSync(join(top, '.relayrc'), '{ "link": { "trailer": true } }');
    expect(await events(top, 'install')).not.toContain('prepare-commit-msg');
    expect((await w.relay(w.ann, top, 'hooks', 'install')).stderr).toContain("note: link.trailer of the repository's .relayrc has no effect");
    const accepted = await w.relay(w.ann, top, 'init', '--accept', 'link.trailer');
    expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining('(again): relay hooks install') });
    const told = async () => (await w.relay(w.ann, top, 'hooks', 'status')).stdout;
    expect(await told()).toContain('link.trailer is on, and commits get the line once you type: relay hooks install\n');
    expect(await events(top, 'install')).toContain('prepare-commit-msg');
    expect(await told()).not.toContain('link.trailer');
  });

  it('is each clone’s own, though relay’s lines stand in a file that the project shares', async () => {
    const { top, git } = await asking();
    w.git(w.ann, top, 'config', 'core.hooksPath', '.githooks');
    expect(await w.relay(w.ann, top, 'hooks', 'install', '--yes')).toMatchObject({ code: 0 });
    const lines = readFileSync(join(top, '.githooks/prepare-commit-msg'));
    ask(git, false);
    expect(await w.relay(w.ann, top, 'hooks', 'install', '--yes')).toMatchObject({ code: 0 });
    expect(existsSync(join(top, '.githooks/prepare-commit-msg'))).toBe(false);
    writeFileSync(join(top, '.githooks/prepare-commit-msg'), lines, { mode: 0o755 });
    takeQueued(git);
    expect(commit(top, '-m', 'One').message).toBe('One');
    expect(takeQueued(git).map(({ event }) => event)).toEqual(['post-commit']);
  });
});

const named = (kinds: Kind[], ...names: string[]): Kind[] => kinds.filter(({ name }) => names.includes(name));

describe.each(named(plainKinds, 'no hooks at all', 'core.hooksPath in the project'))('beside: $name', (kind) => signs(kind));
requires('hook managers')('hook managers', () => describe.each(named(managerKinds, 'husky', 'lefthook', 'simple-git-hooks'))('$name', (kind) => signs(kind)));
requires('pre-commit')('pre-commit', () => signs(preCommitKind));
requires('newest git')('settings of the newest git', () => {
  signs({ ...(plainKinds[0] as Kind), path: tool('newest git') ?? '' });

  it('a commit is made where the message cannot be changed', async () => {
    const bob: Person = { ...w.ann, env: { ...w.ann.env, PATH: `${tool('newest git')}:${w.ann.env.PATH}` } };
    const top = w.project(bob, `p${count}`, w.bare(`r${count++}`));
    ask(join(top, '.git'), true);
    expect(await w.relay(bob, top, 'hooks', 'install')).toMatchObject({ code: 0, stderr: '' });
    writeFileSync(join(top, '.git/hooks/relay.sh'), 'exit 9\n');
    expect(run(top, ['commit', '-q', '--allow-empty', '-m', 'One'], { ...session, PATH: bob.env.PATH ?? '' })).toEqual({
      status: 0,
      stderr: '',
      message: 'One',
    });
  });
});

/** The hook stands and goes in this way of having hooks, with a hook of the project's own behind it where the manager runs one. */
function signs(kind: Kind): void {
  it('names the session in real commits, and is taken out again', async () => {
    const slug = `kind-${count++}`;
    const env = { ...w.ann.env, PATH: kind.path ? `${kind.path}:${w.ann.env.PATH}` : (w.ann.env.PATH ?? '') };
    const bob: Person = { ...w.ann, env };
    const top = w.project(w.ann, slug, w.bare(slug), { 'README.md': '# demo\n', '.gitignore': 'node_modules\n.log\n' });
    mkdirSync(join(top, '.log'));
    kind.setUp(top, env);
    w.git(bob, top, '-c', 'core.hooksPath=/dev/null', 'add', '.');
    w.git(bob, top, '-c', 'core.hooksPath=/dev/null', 'commit', '-q', '--allow-empty', '-m', 'Set up');
    const before = filesOf(top);
    ask(join(top, '.git'), true);
    w.worker.beIn(join(top, '.git'));
    const install = () => w.relay(bob, top, 'hooks', 'install', ...(kind.shared ? ['--yes'] : []));
    expect(await install()).toMatchObject({ code: 0 });
    kind.again?.(top, env);
    const said = (args: string[]) => run(top, ['commit', '-q', '--allow-empty', ...args], { ...session, PATH: env.PATH });
    expect(said(['-m', 'One'])).toMatchObject({ status: 0, message: `One\n\n${trailer}` });
    expect(said(['--amend', '--no-edit'])).toMatchObject({ status: 0, message: `One\n\n${trailer}` });
    writeFileSync(join(top, '.log/template'), 'Why:\n');
    const untouched = run(top, ['commit', '-q', '--allow-empty', '-t', '.log/template'], { ...editing('true'), PATH: env.PATH });
    expect(untouched).toMatchObject({ status: 1, message: `One\n\n${trailer}` });
    ask(join(top, '.git'), false);
    expect(await install()).toMatchObject({ code: 0 });
    expect(said(['-m', 'Two'])).toMatchObject({ status: 0, message: 'Two' });
    expect(await w.relay(bob, top, 'hooks', 'uninstall')).toMatchObject({ code: 0 });
    expect(filesOf(top)).toEqual(before);
  });
}
