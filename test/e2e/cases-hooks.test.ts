import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type World, world } from '../prove/world.ts';
import { layOut } from '../support/fixtures.ts';
import { growTurns } from '../support/grow.ts';
import { runProgram } from '../support/processes.ts';
import { SAMPLES } from '../support/proofs.ts';
import { recordedIn } from '../support/recorded-here.ts';
import { requires } from '../support/requires.ts';

/** Cases of hooks and links (docs/cases.md), with real commits and the real worker. */
let w: World;
beforeEach(async () => {
  w = world(SAMPLES[0] as (typeof SAMPLES)[0]);
  await w.json(w.ann, w.annProject, 'hooks', 'install');
});
afterEach(() => w.done());

interface Behind {
  commit: string;
  handoffs: { handoff: string; session: string; how: string }[];
}

const bySession = (): Record<string, string> => ({ ...w.ann.env, CLAUDE_CODE_SESSION_ID: w.session.id });
/** A commit by the session's agent, recorded. Answers its id. */
async function agentCommits(cwd: string, text: string, env = bySession(), ...args: string[]): Promise<string> {
  writeFileSync(join(cwd, `${text}.txt`), `${text}\n`);
  w.git(w.ann, cwd, 'add', '-A');
  const made = await runProgram('git', ['commit', '-q', '-m', text, ...args], { cwd, env });
  expect(made).toMatchObject({ code: 0, stdout: '', stderr: '' });
  await recordedIn(w.git(w.ann, cwd, 'rev-parse', '--path-format=absolute', '--git-common-dir'));
  return w.git(w.ann, cwd, 'rev-parse', 'HEAD');
}
const behind = async (cwd: string, commit: string): Promise<string[]> =>
  (await w.json<Behind>(w.ann, cwd, 'log', commit)).handoffs.map(({ session }) => session);

const installed = async (cwd: string): Promise<boolean> => (await w.json<{ git: { installed: boolean } }>(w.ann, cwd, 'hooks', 'status')).git.installed;

test('D4 no terminal, CI, a closed input: never a question, never a wait', async () => {
  for (const more of [{ CI: 'true' }, { TERM: 'dumb' }, {}]) {
    const began = performance.now();
    expect(await behind(w.annProject, await agentCommits(w.annProject, `n${Object.keys(more)}`, { ...bySession(), ...more }))).toEqual([w.session.id]);
    expect(performance.now() - began).toBeLessThan(30_000);
  }
});

requires('tmux')('in a terminal', () => {
  test('D4 a commit in a terminal is silent, and the terminal is as it was', async () => {
    const script = `cd '${w.annProject}' && stty -a > before; git commit -q --allow-empty -m typed; stty -a > after; echo done > over`;
    const socket = `relay-${process.pid}`;
    await runProgram('tmux', ['-L', socket, 'new-session', '-d', '-x', '80', '-y', '24', `sh -c "${script}"; sleep 1`], { cwd: w.root, env: w.ann.env });
    for (let i = 0; i < 100; i++) {
      if ((await runProgram('cat', [join(w.annProject, 'over')], { cwd: w.root, env: w.ann.env })).code === 0) break;
      await runProgram('sleep', ['0.1'], { cwd: w.root, env: w.ann.env });
    }
    const screen = await runProgram('tmux', ['-L', socket, 'capture-pane', '-p'], { cwd: w.root, env: w.ann.env });
    await runProgram('tmux', ['-L', socket, 'kill-server'], { cwd: w.root, env: w.ann.env });
    expect(screen.stdout.trim()).toBe('');
    expect(readFileSync(join(w.annProject, 'after'), 'utf8')).toBe(readFileSync(join(w.annProject, 'before'), 'utf8'));
    expect(w.git(w.ann, w.annProject, 'log', '-1', '--format=%s')).toBe('typed');
  });
});

test('D5 a branch deleted, a tag, a raw address, --no-verify, a detached HEAD: git does what it does, and no session leaves', async () => {
  await w.json(w.ann, w.annProject, 'hooks', 'install', '--pre-push');
  await agentCommits(w.annProject, 'one');
  w.git(w.ann, w.annProject, 'tag', 'v1');
  w.git(w.ann, w.annProject, 'push', '-q', 'origin', 'HEAD:refs/heads/gone');
  for (const args of [
    ['--delete', 'origin', 'gone'],
    ['origin', 'v1'],
    [w.remote, 'HEAD:refs/heads/raw'],
    ['--no-verify', 'origin', 'main'],
  ])
    expect(await runProgram('git', ['push', '-q', ...args], { cwd: w.annProject, env: w.ann.env })).toMatchObject({ code: 0, stdout: '' });
  w.git(w.ann, w.annProject, 'checkout', '-q', '--detach');
  const detached = await agentCommits(w.annProject, 'two');
  expect(await behind(w.annProject, detached)).toEqual([w.session.id]);
  expect(w.git(w.ann, w.remote, 'for-each-ref', 'refs/relay')).toBe('');
});

test('D5 the first commit of an empty repository', async () => {
  const fresh = join(w.root, 'ann/fresh');
  w.git(w.ann, w.root, 'init', '-q', fresh);
  const session = layOut('claude-code', (SAMPLES[0] as (typeof SAMPLES)[0]).path, w.ann.home, fresh);
  await w.json(w.ann, fresh, 'hooks', 'install');
  const made = await agentCommits(fresh, 'first', { ...w.ann.env, CLAUDE_CODE_SESSION_ID: session.id });
  expect(await behind(fresh, made)).toEqual([session.id]);
});

test('D7 taken out in one work tree, they are out in all, and a later pull does not put them back', async () => {
  const linked = join(w.root, 'ann/linked');
  w.git(w.ann, w.annProject, 'worktree', 'add', '-q', linked, '-b', 'linked');
  await w.json(w.ann, linked, 'hooks', 'uninstall');
  for (const cwd of [w.annProject, linked]) {
    await agentCommits(cwd, `after-${cwd.length}`);
    expect(await installed(cwd)).toBe(false);
  }
  await w.json(w.ann, w.annProject, 'push', w.session.id);
  await w.json(w.ann, w.annProject, 'pull');
  expect(await installed(w.annProject)).toBe(false);
});

describe('links', () => {
  test('E2 ten commits have no trailer', async () => {
    for (let i = 0; i < 10; i++) await agentCommits(w.annProject, `c${i}`);
    expect(w.git(w.ann, w.annProject, 'log', '-10', '--format=%(trailers)%b').trim()).toBe('');
  });

  test('E3 a message that names another session selects nothing and changes nothing', async () => {
    const mine = await agentCommits(w.annProject, 'mine');
    const before = w.git(w.ann, join(w.annProject, '.git/relay/store.git'), 'for-each-ref');
    const { handoffs } = await w.json<Behind>(w.ann, w.annProject, 'log', mine);
    writeFileSync(join(w.annProject, 'forged.txt'), 'x\n');
    w.git(w.ann, w.annProject, 'add', '-A');
    w.git(w.ann, w.annProject, '-c', 'core.hooksPath=/dev/null', 'commit', '-q', '-m', `forged\n\nRelay-Session: ${handoffs[0]?.handoff}`);
    const forged = await w.json<Behind>(w.ann, w.annProject, 'log', 'HEAD');
    for (const { how } of forged.handoffs) expect(how).toBe('trailer');
    const shown = await w.relay(w.ann, w.annProject, 'log', 'HEAD');
    if (forged.handoffs.length) expect(`${shown.stdout}${shown.stderr}`).toMatch(/trailer|not verified|says/i);
    expect(w.git(w.ann, join(w.annProject, '.git/relay/store.git'), 'for-each-ref')).toBe(before);
  });

  test('E4 a session of the main checkout commits in a linked work tree, and in one of a bare repository', async () => {
    const linked = join(w.root, 'ann/linked');
    w.git(w.ann, w.annProject, 'worktree', 'add', '-q', linked, '-b', 'linked');
    const made = await agentCommits(linked, 'there');
    for (const cwd of [linked, w.annProject]) expect(await behind(cwd, made)).toEqual([w.session.id]);
    const bare = join(w.root, 'ann/bare.git');
    w.git(w.ann, w.root, 'clone', '-q', '--bare', w.remote, bare);
    const tree = join(w.root, 'ann/tree');
    w.git(w.ann, bare, 'worktree', 'add', '-q', tree, 'main');
    await w.json(w.ann, tree, 'hooks', 'install');
    expect(await behind(tree, await agentCommits(tree, 'bare'))).toEqual([w.session.id]);
  });

  test('E4 one session that was started outside of both commits in two repositories: each knows its own', async () => {
    const outside = layOut('claude-code', (SAMPLES[0] as (typeof SAMPLES)[0]).path, w.ann.home, join(w.root, 'ann'));
    const other = w.project(w.ann, 'ann/other', w.bare('other'));
    await w.json(w.ann, other, 'hooks', 'install');
    const env = { ...w.ann.env, CLAUDE_CODE_SESSION_ID: outside.id };
    for (const cwd of [w.annProject, other]) expect(await behind(cwd, await agentCommits(cwd, 'both', env))).toEqual([outside.id]);
    growTurns(outside, 1, 1);
  });

  test('E6 after the repository was moved they are found, and hooks go on', async () => {
    const made = await agentCommits(w.annProject, 'before');
    const moved = join(w.root, 'ann/elsewhere/proj 改名');
    mkdirSync(dirname(moved), { recursive: true });
    renameSync(w.annProject, moved);
    expect(await behind(moved, made)).toEqual([w.session.id]);
    await w.json(w.ann, moved, 'hooks', 'install');
    expect(await behind(moved, await agentCommits(moved, 'after'))).toEqual([w.session.id]);
  });

  test('E7 a commit in a submodule belongs to the submodule, and the outer repository stays as it was', async () => {
    w.git(w.ann, w.annProject, 'submodule', 'add', '-q', w.bare('part-origin') && w.remote, 'part');
    w.git(w.ann, w.annProject, 'commit', '-q', '-m', 'Add part');
    await recordedIn(join(w.annProject, '.git'));
    const part = join(w.annProject, 'part');
    await w.json(w.ann, part, 'hooks', 'install');
    const made = await agentCommits(part, 'inside');
    expect(await behind(part, made)).toEqual([w.session.id]);
    const outer = await w.relay(w.ann, w.annProject, 'log', made, '--json');
    expect(outer.code).not.toBe(0);
    expect(w.git(w.ann, w.annProject, 'log', '-1', '--format=%s')).toBe('Add part');
  });
});
