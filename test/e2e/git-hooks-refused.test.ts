import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesOf } from '../support/hooked.ts';
import { type Lab, lab, type Person } from '../support/lab.ts';

/** Where relay's hooks cannot be put in place it says why, and nothing is changed. */
let w: Lab;
let ann: Person;
let count = 0;

beforeAll(() => {
  w = lab('relay-hooks-refused-');
  ann = w.person('ann');
});
afterAll(() => {
  w.done();
});

const project = (): string => {
  const name = `p${count++}`;
  return w.project(ann, name, w.bare(name));
};
const hook = (top: string, event: string): string => join(top, '.git/hooks', event);
const write = (path: string, text: string, mode = 0o755): void => {
  writeFileSync(path, text);
  chmodSync(path, mode);
};
const relay = (top: string, ...args: string[]) => w.relay(ann, top, 'hooks', ...args);
const install = async (top: string) => expect(await relay(top, 'install')).toMatchObject({ code: 0, stderr: '' });
interface State {
  git: { installed: boolean; shim: string; waiting: number; hooks: { event: string; path: string; state: string }[] };
}
const state = async (top: string) => (await w.json<State>(ann, top, 'hooks', 'status')).git;

describe('files that others share are changed by consent only', () => {
  const asked = async (top: string, words: string): Promise<void> => {
    const ended = await relay(top, 'install');
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(ended.stderr).toContain(words);
  };

  it('the project’s', async () => {
    const top = project();
    w.git(ann, top, 'config', 'core.hooksPath', '.githooks');
    await asked(top, 'to .githooks/post-commit, .githooks/post-rewrite, which others share with you. ');
  });

  it('those of all repositories of a user, with their whole path', async () => {
    const top = project();
    const folder = join(ann.home, 'hooks');
    w.git(ann, top, 'config', '--global', 'core.hooksPath', folder);
    await asked(top, `to ${folder}/post-commit, ${folder}/post-rewrite. core.hooksPath leads there: it concerns all your repositories for which it is set so`);
    w.git(ann, top, 'config', '--global', '--unset', 'core.hooksPath');
  });
});

describe('what cannot be installed changes nothing', () => {
  const refused = async (top: string, code: number, words: RegExp): Promise<void> => {
    const before = filesOf(top);
    const ended = await relay(top, 'install', '--yes');
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).toMatch(words);
    expect(filesOf(top)).toEqual(before);
    expect(await state(top)).toMatchObject({ installed: false, hooks: [] });
  };

  it('a shared hook in another language', async () => {
    const top = project();
    mkdirSync(join(top, '.githooks'));
    write(join(top, '.githooks/post-rewrite'), '#!/usr/bin/env python3\n');
    w.git(ann, top, 'config', 'core.hooksPath', '.githooks');
    await refused(top, 3, /post-rewrite is no shell script[\s\S]*Have it run/);
  });

  it('hooks that are switched off for good', async () => {
    const top = project();
    w.git(ann, top, 'config', 'core.hooksPath', '/dev/null');
    await refused(top, 3, /core\.hooksPath/);
  });

  it.each(['yml', 'toml'])('a lefthook-local.%s with jobs of its own for the same hook', async (end) => {
    const top = project();
    writeFileSync(join(top, 'lefthook.yml'), 'post-commit:\n  jobs:\n    - run: "true"\n');
    writeFileSync(join(top, `lefthook-local.${end}`), end === 'yml' ? 'post-commit:\n  jobs: []\n' : '[[post-commit.jobs]]\nrun = "true"\n');
    await refused(top, 3, /by hand:\n[\s\S]*- name: relay/);
  });

  it('an earlier hook that is still kept', async () => {
    const top = project();
    write(hook(top, 'post-rewrite'), `#!${process.execPath}\n`);
    write(`${hook(top, 'post-rewrite')}.before-relay`, 'from before');
    await refused(top, 1, /is in the way/);
  });

  it('a file that another program holds', async () => {
    const top = project();
    write(hook(top, 'post-rewrite'), '#!/bin/sh\n');
    writeFileSync(`${hook(top, 'post-rewrite')}.lock`, '');
    await refused(top, 1, /Another program works on/);
  });

  it('a memory of an earlier install that cannot be read', async () => {
    const top = project();
    await install(top);
    writeFileSync(join(top, '.git/relay/hooks.json'), '{"version":1');
    const before = filesOf(top);
    for (const action of ['install', 'uninstall', 'status']) expect(await relay(top, action)).toMatchObject({ code: 1, stdout: '' });
    expect(filesOf(top)).toEqual(before);
  });

  it('outside of a repository', async () => {
    expect(await relay(w.root, 'install')).toMatchObject({ code: 2 });
  });
});
