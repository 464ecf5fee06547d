import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HookedLab, hookedLab, takeQueued } from '../support/hooked.ts';
import type { Person } from '../support/lab.ts';
import { requires } from '../support/requires.ts';
import { tool } from '../support/tools.ts';

/** What the real git’s commits leave in the queue, wherever and however they are made. */
let w: HookedLab;

beforeAll(() => {
  w = hookedLab();
});
afterAll(() => w.done());

describe('a commit', () => {
  it.each(['plain', "it's a “quoted” $HOME `x`", '项目', 'with \\ and * and [a]'])('is queued in %j', async (name) => {
    const { top, git } = await w.hooked(`p/${name}`);
    const made = w.commit(top, { CLAUDE_CODE_SESSION_ID: '0a1b-2c' });
    expect(takeQueued(git)).toMatchObject([
      { event: 'post-commit', commit: made, cwd: top, sessions: [{ agent: 'claude-code', session: '0a1b-2c' }], above: [] },
    ]);
  });

  it('is queued in linked work trees, with a line feed in the path too', async () => {
    const { top, git } = await w.hooked('linked');
    for (const name of ['linked tree', 'linked\ntree']) {
      const tree = join(w.root, name);
      w.git(w.ann, top, 'worktree', 'add', '-q', '--detach', tree);
      const made = w.commit(tree);
      expect(takeQueued(git)).toMatchObject([{ commit: made, cwd: tree }]);
    }
    const made = w.commit(top);
    expect(takeQueued(git)).toMatchObject([{ commit: made, cwd: top }]);
  });

  it('is queued in a submodule, for the submodule', async () => {
    const { top, git } = await w.hooked('super');
    w.git(w.ann, top, 'submodule', 'add', '-q', w.git(w.ann, top, 'remote', 'get-url', 'origin'), 'part');
    const part = join(top, 'part');
    await w.relay(w.ann, part, 'hooks', 'install');
    const own = join(git, 'modules/part');
    w.worker.beIn(own);
    const made = w.commit(part);
    expect(takeQueued(own)).toMatchObject([{ commit: made, cwd: part }]);
    expect(takeQueued(git)).toEqual([]);
  });

  it('is queued in a work tree of a bare repository', async () => {
    const bare = w.bare('central');
    w.project(w.ann, 'central-seed', bare);
    const tree = join(w.root, 'central-tree');
    w.git(w.ann, bare, 'worktree', 'add', '-q', tree, 'main');
    expect(await w.relay(w.ann, tree, 'hooks', 'install')).toMatchObject({ code: 0 });
    w.worker.beIn(bare);
    const made = w.commit(tree);
    expect(takeQueued(bare)).toMatchObject([{ commit: made, cwd: tree }]);
  });

  it('is queued when the folders are named on the command line, and from a folder below', async () => {
    const { top, git } = await w.hooked('named');
    const below = join(top, 'below');
    mkdirSync(below);
    for (const [cwd, args] of [
      [w.root, [`--git-dir=${git}`, `--work-tree=${top}`]],
      [below, []],
    ] as const) {
      w.git(w.ann, cwd, ...args, 'commit', '-q', '--allow-empty', '-m', 'Named');
      expect(takeQueued(git)).toMatchObject([{ commit: w.git(w.ann, top, 'rev-parse', 'HEAD'), cwd: top }]);
    }
  });

  it('is queued on a detached HEAD and on a branch that is a link to another', async () => {
    const { top, git } = await w.hooked('heads');
    w.git(w.ann, top, 'checkout', '-q', '--detach');
    const detached = w.commit(top);
    w.git(w.ann, top, 'symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    w.git(w.ann, top, 'checkout', '-q', 'alias');
    const linked = w.commit(top);
    expect(takeQueued(git).map((one) => one.commit)).toEqual([detached, linked]);
  });

  it('of one client in another names both, and the processes above, nearest first', async () => {
    const { top, git } = await w.hooked('nested');
    const inner = join(w.root, 'a client (of) two words');
    symlinkSync(execFileSync('sh', ['-c', 'command -v bash'], { encoding: 'utf8' }).trim(), inner);
    const env = { ...w.ann.env, CLAUDE_CODE_SESSION_ID: 'outer-1', CODEX_THREAD_ID: 'inner-2' };
    // The colon keeps the shell from becoming git.
    execFileSync(inner, ['-c', 'git commit -q --allow-empty -m Nested; :'], { cwd: top, env });
    const [event] = takeQueued(git);
    expect(event?.sessions).toEqual([
      { agent: 'claude-code', session: 'outer-1' },
      { agent: 'codex', session: 'inner-2' },
    ]);
    expect(event?.above.slice(0, 2)).toEqual(['git', 'a']);
    expect(event?.above).toContain('node');
  });

  it('takes no session id that is none', async () => {
    const { top, git } = await w.hooked('strange');
    w.commit(top, { CLAUDE_CODE_SESSION_ID: 'a\ncommit=0000000000000000000000000000000000000000', CODEX_THREAD_ID: '$(touch x)' });
    expect(takeQueued(git)).toMatchObject([{ sessions: [], above: [] }]);
  });
});

describe('commits that are made anew', () => {
  it('amend: old and new, once', async () => {
    const { top, git } = await w.hooked('amend');
    const old = w.commit(top);
    takeQueued(git);
    const made = w.commit(top, {}, '--amend');
    expect(takeQueued(git)).toMatchObject([
      { event: 'post-commit', commit: made },
      { event: 'post-rewrite', by: 'amend', rewritten: [[old, made]] },
    ]);
  });

  it('rebase: nothing while it goes on, then all pairs; the same where git keeps another backend', async () => {
    const { top, git } = await w.hooked('rebase');
    for (const backend of ['--merge', '--apply']) {
      const old = [w.commit(top), w.commit(top), w.commit(top)];
      takeQueued(git);
      w.git(w.ann, top, 'rebase', '-q', '--force-rebase', backend, 'HEAD~3');
      const made = w.git(w.ann, top, 'rev-list', '--reverse', 'HEAD~3..HEAD').split('\n');
      expect(takeQueued(git)).toMatchObject([{ event: 'post-rewrite', by: 'rebase', rewritten: old.map((one, i) => [one, made[i]]) }]);
    }
  });

  it('rebase -i with fixup: both old ones become the new one', async () => {
    const { top, git } = await w.hooked('fixup');
    const old = [w.commit(top), w.commit(top)];
    takeQueued(git);
    execFileSync('git', ['rebase', '-q', '-i', 'HEAD~2'], { cwd: top, env: { ...w.ann.env, GIT_SEQUENCE_EDITOR: 'sed -i 2s/pick/fixup/' } });
    const made = w.git(w.ann, top, 'rev-parse', 'HEAD');
    // Git amends the first one on the way, and tells that too.
    expect(takeQueued(git).at(-1)).toMatchObject({ by: 'rebase', rewritten: old.map((one) => [one, made]) });
  });

  it('cherry-pick and revert: a commit each', async () => {
    const { top, git } = await w.hooked('pick');
    const old = w.commit(top);
    w.git(w.ann, top, 'checkout', '-q', '-b', 'other', 'HEAD~1');
    takeQueued(git);
    w.git(w.ann, top, 'cherry-pick', old);
    w.git(w.ann, top, 'revert', '--no-edit', 'HEAD');
    const made = w.git(w.ann, top, 'rev-list', '--reverse', 'HEAD~2..HEAD').split('\n');
    expect(takeQueued(git).map((one) => [one.event, one.commit])).toEqual(made.map((one) => ['post-commit', one]));
  });
});

requires('newest git')('other kinds of ref storage', () => {
  it('reftable: git itself is asked', async () => {
    const env = { ...w.ann.env, PATH: `${tool('newest git')}:${w.ann.env.PATH}` };
    const top = join(w.root, 'reftable');
    const git = (...args: string[]) => execFileSync('git', args, { cwd: existsSync(top) ? top : w.root, env, encoding: 'utf8' }).trim();
    git('init', '-q', '--ref-format=reftable', top);
    const bob: Person = { ...w.ann, env };
    expect(await w.relay(bob, top, 'hooks', 'install')).toMatchObject({ code: 0, stderr: '' });
    w.worker.beIn(join(top, '.git'));
    git('commit', '-q', '--allow-empty', '-m', 'One');
    expect(takeQueued(join(top, '.git'))).toMatchObject([{ commit: git('rev-parse', 'HEAD') }]);
  });
});
