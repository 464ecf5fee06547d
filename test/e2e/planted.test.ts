import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type World, world } from '../prove/world.ts';
import { RELAY } from '../support/lab.ts';
import { runProgram } from '../support/processes.ts';
import { SAMPLES } from '../support/proofs.ts';
import { recordedIn } from '../support/recorded-here.ts';

let w: World;
beforeEach(() => {
  w = world(SAMPLES[0] as (typeof SAMPLES)[0]);
});
afterEach(() => w.done());

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const refsOf = (remote: string): string => w.git(w.ann, remote, 'for-each-ref', '--format=%(refname)', 'refs/relay', 'refs/heads/relay');
/** What Claude Code says at the end of a turn. */
const stop = (cwd: string) =>
  runProgram(process.execPath, [RELAY, 'hook'], {
    cwd,
    env: w.ann.env,
    input: JSON.stringify({ hook_event_name: 'Stop', session_id: w.session.id, transcript_path: w.session.path, cwd }),
  });

describe('a repository that holds a folder which looks like a git folder', () => {
  /** Settings, consent and programs of its author, for the work tree that it lies in. */
  function plant(worktree: string, remote: string): string {
    const folder = join(w.annProject, 'vendor/lib');
    for (const name of ['objects/info', 'refs/heads', 'relay']) mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
    const program = `touch ${w.root}/ran; false`;
    writeFileSync(
      join(folder, 'config'),
      `[core]\n\tbare = false\n\tworktree = ${worktree}\n\tfsmonitor = "${program}"\n\tsshCommand = "${program}"\n[remote "origin"]\n\turl = ${remote}\n`,
    );
    writeFileSync(join(folder, 'relay/config.jsonc'), '{"push":{"auto":true}}');
    writeFileSync(join(folder, 'relay/consent.json'), JSON.stringify({ [sha256(remote)]: true }));
    return folder;
  }

  test.each([
    ['its author’s remote', '../..', () => w.bare('theirs')],
    ['its author’s programs', '.', () => 'ssh://git@host.invalid/x.git'],
  ])('is not sent to %s', async (_, worktree, remoteOf) => {
    const remote = remoteOf();
    const folder = plant(worktree, remote);
    expect(await stop(folder)).toMatchObject({ code: 0, stdout: '', stderr: '' });
    await recordedIn(folder);
    expect(readdirSync(join(folder, 'relay')).sort()).toEqual(['config.jsonc', 'consent.json']);
    expect(existsSync(join(w.root, 'ran'))).toBe(false);
    if (existsSync(remote)) expect(refsOf(remote)).toBe('');
  });

  test.each([['status'], ['push', 'latest'], ['init'], ['log', 'HEAD']])('relay %s says so and does nothing there', async (...verb) => {
    const folder = plant('../..', w.bare('theirs'));
    const ended = await w.relay(w.ann, folder, ...verb);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(/lies in a git folder.*git worktree add/s);
    expect(readdirSync(join(folder, 'relay')).sort()).toEqual(['config.jsonc', 'consent.json']);
  });
});
