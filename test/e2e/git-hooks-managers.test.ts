import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesOf, standIn, takeQueued } from '../support/hooked.ts';
import { type Lab, lab, type Person } from '../support/lab.ts';
import { requires } from '../support/requires.ts';
import { managers, tool } from '../support/tools.ts';

/** relay's hooks beside those that a project has already, by each way of setting them up. */
let w: Lab;
let ann: Person;
let worker: ReturnType<typeof standIn>;

beforeAll(() => {
  w = lab('relay-managers-');
  ann = w.person('ann');
  worker = standIn();
});
afterAll(() => {
  worker.stop();
  w.done();
});

/** What a project's own hook does: writes down how it was called and what it read, then ends with 7. */
const own = (top: string, event: string): string => `echo "\${0##*/} $*" >>'${top}/.log/${event}'; cat >>'${top}/.log/${event}'; exit 7`;

interface Kind {
  name: string;
  /** more on the PATH */
  path?: string;
  /** puts the project's own hooks in place */
  setUp(top: string, env: Record<string, string>): void;
  /** what people do again and again */
  again?(top: string, env: Record<string, string>): void;
  /** relay changes files that others share */
  shared?: boolean;
  /** where the hooks of relay stand, relative to the project */
  places: string[];
  /** the times of these files stay too */
  times?: RegExp;
}

const npmInstall = (top: string, env: Record<string, string>): void =>
  void execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', `--cache=${tool('hook managers')}`], {
    cwd: top,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });

function npmProject(top: string, manager: keyof typeof managers, prepare: string, more: object = {}): void {
  const text = JSON.stringify({ name: 'demo', private: true, scripts: { prepare }, devDependencies: { [manager]: managers[manager] }, ...more }, null, 2);
  writeFileSync(join(top, 'package.json'), text);
}

const EVENTS = ['post-commit', 'post-rewrite', 'pre-push'];
const write = (path: string, text: string, mode = 0o755): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
};

const plain =
  (first: string, body = own): Kind['setUp'] =>
  (top) => {
    for (const event of EVENTS) write(join(top, '.git/hooks', event), `${first}\n${body(top, event)}\n`);
  };

const inHooks = EVENTS.map((event) => `.git/hooks/${event}`);
const kinds: Kind[] = [
  { name: 'no hooks at all', setUp: () => {}, places: inHooks, times: /hooks\// },
  { name: 'plain hooks of sh', setUp: plain('#!/bin/sh'), places: inHooks, times: /hooks\// },
  { name: 'plain hooks of bash that stop at any error', setUp: plain('#!/usr/bin/env -S bash -eu'), places: inHooks, times: /hooks\// },
  {
    name: 'plain hooks without a last line feed, with other characters than UTF-8',
    setUp: (top) => {
      for (const event of EVENTS) {
        write(join(top, '.git/hooks', event), '');
        writeFileSync(join(top, '.git/hooks', event), Buffer.from(`#!/bin/sh\n# caf\xe9\n${own(top, event)}`, 'latin1'));
      }
    },
    places: inHooks,
    times: /hooks\//,
  },
  {
    name: 'plain hooks that look for a file beside them',
    setUp: (top, env) => {
      write(join(top, '.git/hooks/common'), 'own() { echo "$0 $*"; cat; }\n', 0o644);
      plain('#!/bin/sh', (folder, event) => `. "$(dirname "$0")/common"; own "$@" >>'${folder}/.log/${event}'; exit 7`)(top, env);
    },
    places: inHooks,
    times: /hooks\//,
  },
  {
    name: 'plain hooks in another language',
    setUp: (top) => {
      for (const event of EVENTS)
        write(
          join(top, '.git/hooks', event),
          `#!${process.execPath}\nconst fs = require('fs'); fs.appendFileSync('${top}/.log/${event}', process.argv.slice(2).join(' ') + '\\n' + fs.readFileSync(0, 'utf8')); process.exit(7);\n`,
        );
    },
    places: inHooks,
    times: /hooks\//,
  },
  {
    name: 'links to one program that goes by its name',
    setUp: (top) => {
      write(join(top, '.git/hooks/dispatch'), `#!/bin/sh\n{ basename "$0"; echo "$*"; cat; } >>"${top}/.log/$(basename "$0")"; exit 7\n`);
      for (const event of EVENTS) symlinkSync('dispatch', join(top, '.git/hooks', event));
    },
    places: inHooks,
  },
  {
    name: 'hooks that are switched off',
    setUp: (top) => {
      for (const event of EVENTS) write(join(top, '.git/hooks', event), `#!/bin/sh\n${own(top, event)}\n`, 0o644);
    },
    places: inHooks,
    times: /hooks\//,
  },
  {
    name: 'core.hooksPath in the project',
    setUp: (top) => {
      for (const event of EVENTS) write(join(top, '.githooks', event), `#!/bin/sh\n${own(top, event)}\n`);
      execFileSync('git', ['config', 'core.hooksPath', '.githooks'], { cwd: top });
    },
    shared: true,
    places: EVENTS.map((event) => `.githooks/${event}`),
  },
];

const byManagers: Kind[] = [
  {
    name: 'husky',
    setUp: (top, env) => {
      npmProject(top, 'husky', 'husky');
      for (const event of EVENTS) write(join(top, '.husky', event), `${own(top, event)}\n`, 0o644);
      npmInstall(top, env);
    },
    again: npmInstall,
    shared: true,
    places: EVENTS.map((event) => `.husky/${event}`),
  },
  {
    name: 'husky, without hooks for these events',
    setUp: (top, env) => {
      npmProject(top, 'husky', 'husky');
      write(join(top, '.husky/pre-commit'), 'true\n', 0o644);
      npmInstall(top, env);
    },
    again: npmInstall,
    shared: true,
    places: EVENTS.map((event) => `.husky/${event}`),
  },
  {
    name: 'lefthook',
    setUp: (top, env) => {
      npmProject(top, 'lefthook', 'lefthook install');
      const job = (event: string, n: number) =>
        `${event}:\n  ${n ? 'jobs:\n    -' : 'commands:\n    own:\n     '} use_stdin: true\n      run: |\n        ${own(top, event)}\n`;
      writeFileSync(join(top, 'lefthook.yml'), EVENTS.map(job).join(''));
      npmInstall(top, env);
    },
    again: npmInstall,
    shared: true,
    places: ['lefthook-local.yml'],
  },
  {
    name: 'lefthook, with other hooks only, and jobs of one’s own',
    setUp: (top, env) => {
      npmProject(top, 'lefthook', 'lefthook install');
      writeFileSync(
        join(top, 'lefthook.yml'),
        `pre-commit:\n  jobs:\n    - run: "true"\npost-commit:\n  jobs:\n    - run: |\n        ${own(top, 'post-commit')}\n`,
      );
      writeFileSync(join(top, 'lefthook-local.yml'), 'pre-commit:\n  jobs:\n    - run: echo mine >/dev/null');
      npmInstall(top, env);
    },
    again: npmInstall,
    shared: true,
    places: ['lefthook-local.yml', '.git/hooks/post-rewrite', '.git/hooks/pre-push'],
  },
  {
    name: 'simple-git-hooks',
    setUp: (top, env) => {
      const hooks = Object.fromEntries(EVENTS.map((event) => [event, own(top, event)]));
      npmProject(top, 'simple-git-hooks', 'simple-git-hooks', { 'simple-git-hooks': hooks });
      npmInstall(top, env);
    },
    again: npmInstall,
    places: ['.git/config'],
  },
  {
    name: 'simple-git-hooks, without hooks for these events',
    setUp: (top, env) => {
      npmProject(top, 'simple-git-hooks', 'simple-git-hooks', { 'simple-git-hooks': { 'pre-commit': 'true' } });
      npmInstall(top, env);
    },
    again: npmInstall,
    places: ['.git/config'],
  },
];

const preCommit: Kind = {
  name: 'pre-commit',
  setUp: (top, env) => {
    const hook = (event: string) =>
      `  - id: ${event}\n    name: own\n    language: system\n    entry: sh -c 'echo own >>${top}/.log/${event}; exit 7'\n    stages: [${event}]\n    always_run: true\n    pass_filenames: false\n`;
    writeFileSync(join(top, '.pre-commit-config.yaml'), `repos:\n- repo: local\n  hooks:\n${EVENTS.map(hook).join('')}`);
    for (const event of EVENTS) execFileSync(join(tool('pre-commit') ?? '', 'pre-commit'), ['install', '-t', event], { cwd: top, env, stdio: 'ignore' });
  },
  places: inHooks,
};

const both = [...kinds, ...byManagers.filter(({ name }) => !name.includes(','))];
const bySettings = both.map((kind): Kind => ({ ...kind, places: ['.git/config'], shared: false, times: /^$/ }));

describe.each(kinds)('$name', (kind) => proves(kind));
requires('hook managers')('managers of npm', () => describe.each(byManagers)('$name', (kind) => proves(kind)));
requires('pre-commit')('of Python', () => describe('pre-commit', () => proves(preCommit)));
requires('newest git', 'hook managers')('settings of the newest git', () =>
  describe.each(bySettings)('beside: $name', (kind) => proves({ ...kind, path: tool('newest git') ?? '' })),
);

/** The whole life of an install, with real commits and pushes. */
function proves(kind: Kind): void {
  it('both run, arguments, input and exit codes stay, and in the end every file is as it was', async () => {
    const slug = `${kind.name.replace(/\W+/g, '-')}${kind.path ? '-newest' : ''}`;
    const top = w.project(ann, slug, w.bare(slug), { 'README.md': '# demo\n', '.gitignore': 'node_modules\n.log\n' });
    const env = { ...ann.env, PATH: kind.path ? `${kind.path}:${ann.env.PATH}` : (ann.env.PATH ?? ''), SLUG: slug };
    const bob: Person = { ...ann, env };
    mkdirSync(join(top, '.log'));
    kind.setUp(top, env);
    w.git(bob, top, '-c', 'core.hooksPath=/dev/null', 'add', '.');
    w.git(bob, top, '-c', 'core.hooksPath=/dev/null', 'commit', '-q', '--allow-empty', '-m', 'Set up');
    for (const file of Object.keys(filesOf(top)))
      if (kind.times && !statSync(join(top, file)).isDirectory()) utimesSync(join(top, file), 1_700_000_000, 1_700_000_000);
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

    worker.beIn(join(top, '.git'));
    const pushed = probe(top);
    expect(behaviour(bob, top)).toEqual(alone);
    expect(takeQueued(join(top, '.git')).map(({ event, by, rewritten }) => [event, by, rewritten.length])).toEqual([
      ['post-commit', undefined, 0],
      ['post-commit', undefined, 0],
      ['post-rewrite', 'amend', 1],
      ['post-commit', undefined, 0],
      ['post-rewrite', 'amend', 1],
    ]);
    expect(pushed()).toEqual(['hook --pre-push origin', 'hook --pre-push origin']);

    expect(await w.relay(bob, top, 'hooks', 'uninstall')).toMatchObject({ code: 0, stderr: '' });
    expect(filesOf(top, kind.times)).toEqual(before);
    expect(await w.json(bob, top, 'hooks', 'status')).toMatchObject({ git: { installed: false, hooks: [], shim: 'gone' } });
    expect(behaviour(bob, top)).toEqual(alone);
  });
}

/** In the place of relay's program: says how a push called it. */
function probe(top: string): () => string[] {
  const shim = join(top, '.git/relay/hook.sh');
  const [program, told] = [join(top, '.log/probe.mjs'), join(top, '.log/probe')];
  writeFileSync(program, `import { appendFileSync } from 'node:fs';\nappendFileSync(${JSON.stringify(told)}, process.argv.slice(2).join(' ') + '\\n');\n`);
  writeFileSync(shim, readFileSync(shim, 'utf8').replace(/^relay=.*$/m, `relay='${program}'`));
  return () => readFileSync(told, 'utf8').trimEnd().split('\n');
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
