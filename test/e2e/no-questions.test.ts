import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type World, world } from '../prove/world.ts';
import { growTurns } from '../support/grow.ts';
import { ownSettings } from '../support/own-settings.ts';
import { SAMPLES } from '../support/proofs.ts';
import { queued } from '../support/queue.ts';
import { recordedIn } from '../support/recorded-here.ts';
import { requires } from '../support/requires.ts';
import { openTerminal } from '../support/tmux.ts';

/** Ann works in a terminal, and her remote is reached through an ssh that asks for a passphrase where there is one. */
requires('tmux')('what runs without a person', () => {
  let w: World;
  let log: string;
  beforeEach(async () => {
    w = world(SAMPLES[0] as (typeof SAMPLES)[0]);
    log = join(w.root, 'ssh.log');
    const ssh = join(w.root, 'bin/ssh');
    mkdirSync(join(w.root, 'bin'));
    writeFileSync(ssh, asking(log), { mode: 0o755 });
    w.git(w.ann, w.annProject, 'config', 'core.sshCommand', `${ssh} -F none`);
    w.git(w.ann, w.annProject, 'remote', 'set-url', 'origin', `ssh://host.invalid${w.remote}`);
    await w.json(w.ann, w.annProject, 'push', w.session.id);
    w.ann.env.SSH_ASKPASS = ssh;
    w.ann.env.TERM = 'xterm';
    writeFileSync(log, '');
    growTurns(w.session, 1, 1);
  });
  afterEach(() => w.done());

  /** Where the calls of ssh could ask, and with which arguments. */
  const calls = () =>
    readFileSync(log, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => ({ asked: line.startsWith('asked'), askpass: line.includes(' askpass '), args: line.replace(/.*: /, '') }));
  const inTerminal = async (command: string): Promise<string> => {
    const terminal = openTerminal(['sh', '-c', `${command}; echo ended $?; sleep 60`], { cwd: w.annProject, env: w.ann.env });
    const screen = await terminal.until((text) => text.includes('ended '), 60_000);
    await recordedIn(join(w.annProject, '.git'));
    await terminal.close();
    return screen;
  };
  const unsent = async () => (await w.json<{ unsent: string[] }>(w.ann, w.annProject, 'status')).unsent;
  const withoutQuestions = { asked: false, askpass: false, args: expect.stringMatching(/^-o BatchMode=yes -F none /) };

  test('asks nothing at a git push, which has asked itself, and shows no progress', async () => {
    await w.json(w.ann, w.annProject, 'hooks', 'install', '--pre-push');
    queued(w.annProject, w.session);
    await w.relay(w.ann, w.annProject, 'hook', '--work');
    const screen = await inTerminal('git commit -q --allow-empty -m one; git push -q');
    expect(screen).toContain('ended 0');
    expect(screen.match(/Passphrase/g)).toHaveLength(1);
    expect(screen).not.toMatch(/scanning|sending/);
    expect(await unsent()).toEqual([]);
    expect(calls().filter(({ asked }) => asked)).toEqual([{ asked: true, askpass: true, args: expect.stringMatching(/^-F none /) }]);
    expect(calls().filter(({ asked }) => !asked).length).toBeGreaterThan(0);
    for (const call of calls().filter(({ asked }) => !asked)) expect(call).toEqual(withoutQuestions);
  });

  test('asks nothing after a commit, where it sends by itself', async () => {
    ownSettings(w.ann, { push: { auto: true } });
    await w.json(w.ann, w.annProject, 'hooks', 'install');
    const screen = await inTerminal('git commit -q --allow-empty -m one');
    expect(screen).not.toContain('Passphrase');
    expect(await unsent()).toEqual([]);
    expect(calls().length).toBeGreaterThan(0);
    for (const call of calls()) expect(call).toEqual(withoutQuestions);
  });
});

/** An ssh that writes down how it was called, asks where it can, and runs the command here. */
const asking = (log: string): string => `#!/bin/sh
how=silent
if (: </dev/tty) 2>/dev/null; then how=asked; echo Passphrase: >/dev/tty; fi
[ "$SSH_ASKPASS_REQUIRE" = never ] && [ -z "$SSH_ASKPASS" ] || how="$how askpass"
echo "$how : $*" >>'${log}'
for last; do :; done
eval "git \${last#git-}"
`;
