import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesOf, type HookedLab, hookedLab, hookFile, writeScript } from '../support/hooked.ts';

/** Where relay's hooks cannot be put in place it says why, and nothing is changed. */
let w: HookedLab;

beforeAll(() => {
  w = hookedLab();
});
afterAll(() => w.done());

describe('files that others share are changed by consent only', () => {
  const asked = async (top: string, words: string): Promise<void> => {
    const ended = await w.hooks(top, 'install');
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(ended.stderr).toContain(words);
  };

  it('the project’s', async () => {
    const top = w.fresh();
    w.git(w.ann, top, 'config', 'core.hooksPath', '.githooks');
    await asked(top, 'to .githooks/post-commit, .githooks/post-rewrite, which others share with you. ');
  });

  it('those of all repositories of a user, with their whole path', async () => {
    const top = w.fresh();
    const folder = join(w.ann.home, 'hooks');
    w.git(w.ann, top, 'config', '--global', 'core.hooksPath', folder);
    await asked(top, `to ${folder}/post-commit, ${folder}/post-rewrite. core.hooksPath leads there: it concerns all your repositories for which it is set so`);
    w.git(w.ann, top, 'config', '--global', '--unset', 'core.hooksPath');
  });
});

describe('what cannot be installed changes nothing', () => {
  const refused = async (top: string, code: number, words: RegExp): Promise<void> => {
    const before = filesOf(top);
    const ended = await w.hooks(top, 'install', '--yes');
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).toMatch(words);
    expect(filesOf(top)).toEqual(before);
    expect(await w.state(top)).toMatchObject({ installed: false, hooks: [] });
  };

  it('a shared hook in another language', async () => {
    const top = w.fresh();
    mkdirSync(join(top, '.githooks'));
    writeScript(join(top, '.githooks/post-rewrite'), '#!/usr/bin/env python3\n');
    w.git(w.ann, top, 'config', 'core.hooksPath', '.githooks');
    await refused(top, 3, /post-rewrite is no shell script[\s\S]*Have it run/);
  });

  it('hooks that are switched off for good', async () => {
    const top = w.fresh();
    w.git(w.ann, top, 'config', 'core.hooksPath', '/dev/null');
    await refused(top, 3, /core\.hooksPath/);
  });

  it.each(['yml', 'toml'])('a lefthook-local.%s with jobs of its own for the same hook', async (end) => {
    const top = w.fresh();
    writeFileSync(join(top, 'lefthook.yml'), 'post-commit:\n  jobs:\n    - run: "true"\n');
    writeFileSync(join(top, `lefthook-local.${end}`), end === 'yml' ? 'post-commit:\n  jobs: []\n' : '[[post-commit.jobs]]\nrun = "true"\n');
    await refused(top, 3, /by hand:\n[\s\S]*- name: relay/);
  });

  it('an earlier hook that is still kept', async () => {
    const top = w.fresh();
    writeScript(hookFile(top, 'post-rewrite'), `#!${process.execPath}\n`);
    writeScript(`${hookFile(top, 'post-rewrite')}.before-relay`, 'from before');
    await refused(top, 1, /is in the way/);
  });

  it('a file that another program holds', async () => {
    const top = w.fresh();
    writeScript(hookFile(top, 'post-rewrite'), '#!/bin/sh\n');
    writeFileSync(`${hookFile(top, 'post-rewrite')}.lock`, '');
    await refused(top, 1, /Another program works on/);
  });

  it('a memory of an earlier install that cannot be read', async () => {
    const top = w.fresh();
    await w.install(top);
    writeFileSync(join(top, '.git/hooks/relay.json'), '{"version":1');
    const before = filesOf(top);
    for (const action of ['install', 'uninstall', 'status']) expect(await w.hooks(top, action)).toMatchObject({ code: 1, stdout: '' });
    expect(filesOf(top)).toEqual(before);
  });

  it('outside of a repository', async () => {
    expect(await w.hooks(w.root, 'install')).toMatchObject({ code: 2 });
  });
});
