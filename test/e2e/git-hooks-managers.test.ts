import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVENTS, type Kind, managerKinds, plainKinds, preCommitKind } from '../support/hook-kinds.ts';
import { filesOf, type HookedLab, hookedLab, takeQueued } from '../support/hooked.ts';
import type { Person } from '../support/lab.ts';
import { requires } from '../support/requires.ts';
import { tool } from '../support/tools.ts';

/** relay's hooks beside those that a project has already, by each way of setting them up. */
let w: HookedLab;

beforeAll(() => {
  w = hookedLab();
});
afterAll(() => w.done());

const both = [...plainKinds, ...managerKinds.filter(({ name }) => !name.includes(','))];
const bySettings = both.map((kind): Kind => ({ ...kind, places: ['.git/config'], shared: false, chained: false, times: /^$/ }));

describe.each(plainKinds)('$name', (kind) => proves(kind));
requires('hook managers')('managers of npm', () => describe.each(managerKinds)('$name', (kind) => proves(kind)));
requires('pre-commit')('of Python', () => describe('pre-commit', () => proves(preCommitKind)));
requires('newest git', 'hook managers')('settings of the newest git', () =>
  describe.each(bySettings)('beside: $name', (kind) => proves({ ...kind, path: tool('newest git') ?? '' })),
);

/** The whole life of an install, with real commits and pushes. */
function proves(kind: Kind): void {
  it('both run, arguments, input and exit codes stay, and in the end every file is as it was', async () => {
    const slug = `${kind.name.replace(/\W+/g, '-')}${kind.path ? '-newest' : ''}`;
    const top = w.project(w.ann, slug, w.bare(slug), { 'README.md': '# demo\n', '.gitignore': 'node_modules\n.log\n' });
    const env = { ...w.ann.env, PATH: kind.path ? `${kind.path}:${w.ann.env.PATH}` : (w.ann.env.PATH ?? ''), SLUG: slug };
    const bob: Person = { ...w.ann, env };
    mkdirSync(join(top, '.log'));
    kind.setUp(top, env);
    w.git(bob, top, '-c', 'core.hooksPath=/dev/null', 'add', '.');
    w.git(bob, top, '-c', 'core.hooksPath=/dev/null', 'commit', '-q', '--allow-empty', '-m', 'Set up');
    for (const file of Object.keys(filesOf(top))) if (kind.times?.test(file)) utimesSync(join(top, file), 1_700_000_000, 1_700_000_000);
    const [before, bare] = [filesOf(top, kind.times), filesOf(top)];

    const alone = behaviour(bob, top);

    if (kind.shared) {
      const refused = await w.relay(bob, top, 'hooks', 'install', '--pre-push');
      expect(refused).toMatchObject({ code: 3, stdout: '' });
      expect(refused.stderr).toContain(kind.places[0]);
      expect(filesOf(top, kind.times)).toEqual(before);
    }
    const yes = kind.shared ? ['--yes'] : [];
    const state = await w.json<{ git: { installed: boolean; hooks: { path: string; state: string }[] } }>(bob, top, 'hooks', 'install', '--pre-push', ...yes);
    expect(state.git.installed).toBe(true);
    expect([...new Set(state.git.hooks.map(({ path }) => path))]).toEqual(expect.arrayContaining(kind.places.map((place) => join(top, place))));
    const installed = filesOf(top);
    expect(installed).not.toEqual(bare);

    kind.again?.(top, env);
    expect(await w.json(bob, top, 'hooks', 'status')).toMatchObject({ git: { installed: true } });
    expect(await w.json(bob, top, 'hooks', 'install')).toMatchObject({ git: { installed: true } });
    expect(filesOf(top)).toEqual(installed);

    w.worker.beIn(join(top, '.git'));
    const pushed = probe(top);
    expect(behaviour(bob, top)).toEqual(alone);
    expect(takeQueued(join(top, '.git')).map(({ event, by, rewritten }) => [event, by, rewritten.length])).toEqual([
      ['post-commit', undefined, 0],
      ['post-commit', undefined, 0],
      ['post-rewrite', 'amend', 1],
      ['post-commit', undefined, 0],
      ['post-rewrite', 'amend', 1],
    ]);
    const along = expect.stringMatching(/^hook --pre-push origin --git-dir \S+$/);
    expect(pushed()).toEqual(kind.chained ? [] : [along, along]);

    expect(await w.relay(bob, top, 'hooks', 'uninstall')).toMatchObject({ code: 0, stderr: '' });
    expect(filesOf(top, kind.times)).toEqual(before);
    expect(await w.json(bob, top, 'hooks', 'status')).toMatchObject({ git: { installed: false, hooks: [], shim: 'gone' } });
    expect(behaviour(bob, top)).toEqual(alone);
  });
}

/** In the place of relay's program: says how a push called it. */
function probe(top: string): () => string[] {
  const shim = join(top, '.git/hooks/relay.sh');
  const [program, told] = [join(top, '.log/probe.mjs'), join(top, '.log/probe')];
  writeFileSync(program, `import { appendFileSync } from 'node:fs';\nappendFileSync(${JSON.stringify(told)}, process.argv.slice(2).join(' ') + '\\n');\n`);
  writeFileSync(shim, readFileSync(shim, 'utf8').replace(/^relay=.*$/m, `relay='${program}'`));
  return () => (existsSync(told) ? readFileSync(told, 'utf8').trimEnd().split('\n') : []);
}

/** `git push` ends with 1 whatever its hook ended with, and Git 2.39 has no way to call a hook with input. */
const fromFolder = 'hook=$(git rev-parse --git-path hooks)/$0; [ ! -x "$hook" ] || exec "$hook" "$@" <.log/input';

/** What the project's own hooks see of a commit, an amend and a push, and what comes of them; ids of commits stand as letters. */
function behaviour(who: Person, top: string) {
  for (const event of EVENTS) rmSync(join(top, '.log', event), { force: true });
  const git = (...args: string[]) => spawnSync('git', args, { cwd: top, env: who.env, encoding: 'utf8' });
  w.git(who, top, 'branch', '-f', 'base');
  writeFileSync(join(top, 'README.md'), `${Math.random()}\n`);
  const codes = [git('commit', '-q', '-a', '-m', 'Change').status, git('commit', '-q', '--amend', '-m', 'Change again').status];
  const pushed = git('push', '-q', 'origin', 'HEAD:refs/heads/other');
  codes.push(pushed.status);
  const input = join(top, '.log/input');
  writeFileSync(input, `${'a'.repeat(40)} ${'b'.repeat(40)}\n`);
  const run = git('version').stdout.includes('2.39') ? fromFolder : 'git hook run --ignore-missing --to-stdin=.log/input "$0" -- "$@"';
  const direct = (event: string, ...args: string[]) => spawnSync('sh', ['-c', run, event, ...args], { cwd: top, env: who.env }).status;
  codes.push(direct('post-commit'), direct('post-rewrite', 'amend'), direct('pre-push', 'origin', 'url'));
  const ids: string[] = [];
  const letter = (id: string): string => {
    if (!ids.includes(id)) ids.push(id);
    return `<${ids.indexOf(id)}>`;
  };
  const told = EVENTS.map((event) => {
    const path = join(top, '.log', event);
    return existsSync(path) ? readFileSync(path, 'utf8').replace(/[0-9a-f]{40}/g, letter) : '(not run)';
  });
  w.git(who, top, 'reset', '-q', '--hard', 'base');
  w.git(who, top, 'branch', '-q', '-D', 'base');
  git('-c', 'core.hooksPath=/dev/null', 'push', '-q', '--no-verify', 'origin', ':refs/heads/other');
  return { codes, told };
}
