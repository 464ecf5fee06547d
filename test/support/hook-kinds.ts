import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { managers, tool } from './tools.ts';

/** The ways in which a project may have hooks already. */
/** What a project's own hook does: writes down how it was called and what it read, then ends with 7. */
const own = (top: string, event: string): string => `echo "\${0##*/} $*" >>'${top}/.log/${event}'; cat >>'${top}/.log/${event}'; exit 7`;

export interface Kind {
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
  /** relay's own hook calls the project's, so what goes along with a push goes only where that lets it pass, and these refuse */
  chained?: boolean;
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

export const EVENTS = ['post-commit', 'post-rewrite', 'pre-push'];
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
export const plainKinds: Kind[] = [
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
    chained: true,
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
    chained: true,
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

export const managerKinds: Kind[] = [
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
    chained: true,
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

export const preCommitKind: Kind = {
  name: 'pre-commit',
  setUp: (top, env) => {
    const hook = (event: string) =>
      `  - id: ${event}\n    name: own\n    language: system\n    entry: sh -c 'echo own >>${top}/.log/${event}; exit 7'\n    stages: [${event}]\n    always_run: true\n    pass_filenames: false\n`;
    writeFileSync(join(top, '.pre-commit-config.yaml'), `repos:\n- repo: local\n  hooks:\n${EVENTS.map(hook).join('')}`);
    for (const event of EVENTS) execFileSync(join(tool('pre-commit') ?? '', 'pre-commit'), ['install', '-t', event], { cwd: top, env, stdio: 'ignore' });
  },
  places: inHooks,
};
