import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Lab, lab, type Person, RELAY } from '../support/lab.ts';
import { ownSettings } from '../support/own-settings.ts';
import { queued } from '../support/queue.ts';
import { requires } from '../support/requires.ts';
import { openTerminal } from '../support/tmux.ts';

/** What the built program says to somebody who does not know it yet. */
const sample = readFileSync(fileURLToPath(new URL('../../demo/session.jsonl', import.meta.url)), 'utf8');
const ID = '00000002-aaaa-4bbb-8ccc-dddddddddddd';
let world: Lab;
let ann: Person;
let bob: Person;
let checkout: string;
let bobs: string;
let handoff: string;

const transcripts = (who: Person, cwd: string) => join(who.home, '.claude/projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'));
const layOut = (who: Person, cwd: string, id = ID) => {
  mkdirSync(transcripts(who, cwd), { recursive: true });
  writeFileSync(join(transcripts(who, cwd), `${id}.jsonl`), sample.replaceAll('/home/dev/work/proj', cwd).replaceAll(ID, id));
};
const say = async (who: Person, cwd: string, ...args: string[]) => {
  const { code, stdout, stderr } = await world.relay(who, cwd, ...args);
  return { code, stdout, stderr };
};

beforeAll(async () => {
  world = lab('relay-words-');
  [ann, bob] = [world.person('Ann'), world.person('Bob')];
  const remote = world.bare('team');
  checkout = world.project(ann, 'ann/proj', remote);
  bobs = world.clone(bob, 'bob/proj', remote);
  layOut(ann, checkout);
  ({
    handoffs: [{ handoff }],
  } = await world.json<{ handoffs: [{ handoff: string }] }>(ann, checkout, 'push', 'latest'));
  // Two versions.
  const path = join(transcripts(ann, checkout), `${ID}.jsonl`);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const last = JSON.parse(lines.findLast((line) => line.includes('"type":"user"')) ?? '{}');
  writeFileSync(path, `${lines.join('\n')}\n${JSON.stringify({ ...last, uuid: '99999999-aaaa-4bbb-8ccc-dddddddddddd', parentUuid: last.uuid })}\n`);
  await world.json(ann, checkout, 'push', 'latest');
  await world.json(bob, bobs, 'pull');
});
afterAll(() => world.done());

describe('relay log', () => {
  it('lists all versions, and one alone where one is named', async () => {
    expect((await say(ann, checkout, 'log', handoff)).stdout).toMatch(/@2 [\s\S]*@1 /);
    const one = await say(ann, checkout, 'log', `${handoff}@1`);
    expect(one.stdout).toContain(`${handoff}@1`);
    expect(one.stdout).not.toContain('@2');
    expect(await world.json(ann, checkout, 'log', `${handoff}@1`)).toMatchObject({ versions: [{ version: 1 }] });
  });
  it.each(['log', 'show'])('relay %s of what is neither a handoff nor a commit says so', async (verb) => {
    for (const name of ['HEAD~99', 'no-such-name'])
      expect(await say(ann, checkout, verb, name)).toEqual({
        code: 2,
        stdout: '',
        stderr: `relay: ${name} is neither a handoff nor a commit here.\n  relay list and git log show those that are; relay pull and git fetch get those of others.\n`,
      });
  });
  it('of a version that there is not says so', async () => {
    const none = await say(ann, checkout, 'log', `${handoff}@9`);
    expect(none).toMatchObject({ code: 2, stdout: '' });
    expect(none.stderr).toBe(`relay: ${handoff} has no version 9 here.\n  relay log ${handoff} lists its versions.\n`);
  });
});

describe('relay init', () => {
  it('says what records and what sends, as it is set up', async () => {
    const cat = world.person('Cat');
    const clone = world.clone(cat, 'cat/proj', join(world.root, 'remotes/team.git'));
    const told = async () => (await say(cat, clone, 'init')).stdout;
    const fresh = await told();
    expect(fresh).toMatch(/Handoffs go to \S+team\.git when you type relay push\.\n/);
    expect(fresh).toContain('To have sessions recorded when you commit: relay hooks install\n');
    expect(fresh).toContain('relay hooks install --agent <claude-code or codex>\n');
    await say(cat, clone, 'hooks', 'install', '--pre-push');
    await say(cat, clone, 'hooks', 'install', '--agent', 'claude-code');
    const hooked = await told();
    expect(hooked).toContain('; git push sends along what is new in the sessions that you have shared.\n');
    expect(hooked).toContain('Commits of this clone are recorded by git’s hooks.\n');
    expect(hooked).toContain('Claude Code does not run relay’s hooks: put relay on the PATH');
    expect(hooked).not.toContain('hooks install');
    ownSettings(cat, { push: { auto: true } });
    expect(await told()).toContain('by themselves (push.auto) once you have sent the first one there: relay push latest\n');
    layOut(cat, clone);
    await world.json(cat, clone, 'push', 'latest');
    expect(await told()).toContain('by themselves (push.auto), and when you type relay push.\n');
    rmSync(join(clone, '.git/hooks/post-commit'));
    expect(await told()).toContain('Commits are not recorded, or not all of them, until you type: relay hooks install\n');
  });
});

describe('relay push --dry-run', () => {
  it('tells what is new from what waits to be sent, and that from what is there', async () => {
    const clone = world.clone(ann, 'ann/dry', join(world.root, 'remotes/team.git'));
    layOut(ann, clone, '00000006-aaaa-4bbb-8ccc-dddddddddddd');
    const dry = async () => (await say(ann, clone, 'push', '--dry-run')).stdout.replace(/^.*?@/, '@').replaceAll(world.root, '');
    expect(await dry()).toMatch(/^@1 .* third prompt\nNothing was sent \(--dry-run\)\. 1 session would go to \/remotes\/team\.git\.\n$/);
    await world.json(ann, clone, 'push', 'latest', '--no-send');
    expect(await dry()).toMatch(/^@1 .* {2}\(recorded here already, not sent yet\)\nNothing .* 1 session would go to /);
    await world.json(ann, clone, 'push', 'latest');
    expect(await dry()).toMatch(/^@1 .* {2}\(nothing new\)\nNothing was sent \(--dry-run\)\. \/remotes\/team\.git has everything already\.\n$/);
  });
});

describe('relay init --accept', () => {
  it.each([
    ['store.remot', 'store.remot is no setting that has to be accepted. Did you mean store.remote?', 'relay init --accept store.remote'],
    ['agents.codex.comand', 'agents.codex.comand is no setting that has to be accepted. Did you mean agents.codex.command?', 'agents.codex.command'],
    ['everything', 'everything is no setting that has to be accepted.', 'store.remote, store.namespace, push.auto'],
  ])('%s is a usage error', async (key, message, hint) => {
    const ended = await say(ann, checkout, 'init', '--accept', key);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(`relay: ${message}\n`);
    expect(ended.stderr).toContain(hint);
    const json = await say(ann, checkout, 'init', '--accept', key, '--json');
    expect(JSON.parse(json.stderr).error).toMatchObject({ code: 'usage', message });
  });
  it('of what is not asked for is no error', async () =>
    expect(await say(ann, checkout, 'init', '--accept', 'store.remote')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/nothing to accept.* \S+\/\.git\/relay\/config\.jsonc .*\n.* \S+\/\.config\/relay\/config\.jsonc .*\n$/),
    }));
});

describe('relay init --remove', () => {
  it('says what goes with it: sessions that are not sent, links, own settings; and which agents would bring it back', async () => {
    const clone = world.clone(ann, 'ann/third', join(world.root, 'remotes/team.git'));
    layOut(ann, clone, '00000008-aaaa-4bbb-8ccc-dddddddddddd');
    await world.json(ann, clone, 'push', 'latest', '--no-send');
    writeFileSync(join(clone, 'a.txt'), 'a');
    world.git(ann, clone, 'add', '-A');
    world.git(ann, clone, 'commit', '-q', '-m', 'Work');
    queued(clone, { agent: 'claude-code', id: '00000008-aaaa-4bbb-8ccc-dddddddddddd' }, world.git(ann, clone, 'rev-parse', 'HEAD'));
    await say(ann, clone, 'log', 'HEAD');
    writeFileSync(join(clone, '.git/relay/config.jsonc'), '{}');
    const { stderr } = await say(ann, clone, 'init', '--remove');
    expect(stderr).toContain('this clone’s own settings (config.jsonc), ');
    expect(stderr).toContain(
      'which sessions 1 commit came from, as far as that is not sent, and 1 session of yours as stored here, 1 of which is not sent, or not all of it.',
    );
    expect(stderr).not.toContain('still tells relay');
    await world.json(ann, clone, 'hooks', 'install', '--agent', 'claude-code');
    const done = await say(ann, clone, 'init', '--remove', '--yes');
    expect(done.stdout).toContain('Claude Code still tells relay of each turn, in all repositories');
    expect(done.stdout).toContain('to end that: relay hooks uninstall --agent claude-code.');
    await world.json(ann, clone, 'hooks', 'uninstall', '--agent', 'claude-code');
  });
  it('says what stays for the other clones', async () => {
    const clone = world.clone(ann, 'ann/second', join(world.root, 'remotes/team.git'));
    const state = join(ann.home, '.local/state/relay');
    const asked = await say(ann, clone, 'init', '--remove');
    expect(asked).toMatchObject({ code: 3, stdout: '' });
    const stays = new RegExp(`${state} stays, .*imports\\.jsonl and writers\\.json \\(no paths, no text\\), seals .*, agent-hooks\\.json .* and compiled `);
    expect(asked.stderr).toMatch(stays);
    const { stdout } = await say(ann, clone, 'init', '--remove', '--yes');
    expect(stdout).toMatch(/^relay is out of this clone\. /);
    expect(stdout).toMatch(stays);
    await world.json(ann, checkout, 'import', ID, '--to', 'codex');
    for (const file of ['imports.jsonl', 'writers.json']) {
      const text = readFileSync(join(state, file), 'utf8');
      expect(text).not.toContain(world.root);
      expect(text).not.toContain('third prompt');
    }
  });
});

describe('relay status', () => {
  it('says that all is sent only where there is a remote', async () => {
    expect((await say(ann, checkout, 'status')).stdout).toContain('Everything that is recorded here is sent.');
    const fresh = world.clone(ann, 'ann/fresh', join(world.root, 'remotes/team.git'));
    expect((await say(ann, fresh, 'status')).stdout).toContain('Nothing is recorded in this clone yet, so there is nothing to send.\n');
    expect(await world.json(ann, fresh, 'status')).toMatchObject({ unsent: [], recording: { sessions: 0 } });
    const alone = join(world.root, 'alone');
    mkdirSync(alone);
    world.git(ann, alone, 'init', '-q');
    const { stdout } = await say(ann, alone, 'status');
    expect(stdout).toContain('There is nothing to send, and no remote to send it to.');
    expect(stdout).not.toContain('is sent');
    layOut(ann, alone, '00000003-aaaa-4bbb-8ccc-dddddddddddd');
    await world.json(ann, alone, 'push', 'latest', '--no-send');
    expect((await say(ann, alone, 'status')).stdout).toMatch(/not sent yet:\n {2}ann-\w+\/claude-code-00000003/);
  });
  it('says first and loudly that nothing is recorded, and what to do', async () => {
    const { stdout } = await say(ann, checkout, 'status');
    expect(stdout).toMatch(/^NOT RECORDING: No hooks are installed, .*\n {2}relay hooks install\n/);
    expect(stdout).toContain('hooks   none\n');
    expect(await world.json(ann, checkout, 'status')).toMatchObject({ hooks: { installed: false }, recording: { last: null } });
  });
});

describe('relay list', () => {
  it('calls and dates a session that hooks record as relay sessions does; of a new title it hears with the next push', async () => {
    const id = '00000007-aaaa-4bbb-8ccc-dddddddddddd';
    const clone = world.clone(ann, 'ann/named', join(world.root, 'remotes/team.git'));
    layOut(ann, clone, id);
    const path = join(transcripts(ann, clone), `${id}.jsonl`);
    const record = async () => {
      queued(clone, { agent: 'claude-code', id, path });
      await world.relay(ann, clone, 'hook', '--work');
    };
    const shown = async () => {
      const { sessions } = await world.json<{ sessions: Named[] }>(ann, clone, 'sessions');
      const { handoffs } = await world.json<{ handoffs: (Named & { session: string })[] }>(ann, clone, 'list');
      const here = sessions.find((one) => one.id === id);
      const stored = handoffs.find((one) => one.session === id);
      return { titles: [here?.title, stored?.title], apart: Math.abs(Date.parse(here?.updated ?? '') - Date.parse(stored?.updated ?? '')) };
    };
    const append = (...lines: object[]) => appendFileSync(path, lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
    // Its title stands behind what a quick look reads.
    append({ type: 'custom-title', customTitle: 'First name', sessionId: id });
    await record();
    expect(await shown()).toEqual({ titles: ['First name', 'First name'], apart: 0 });
    const last = JSON.parse(
      readFileSync(path, 'utf8')
        .split('\n')
        .findLast((line) => line.includes('"type":"user"')) ?? '{}',
    );
    append({ ...last, uuid: '99999999-aaaa-4bbb-8ccc-dddddddddddd', parentUuid: last.uuid, timestamp: new Date().toISOString() });
    append({ type: 'custom-title', customTitle: 'Second name', sessionId: id });
    await record();
    expect((await shown()).apart).toBeLessThan(60_000);
    await world.json(ann, clone, 'push', id, '--no-send');
    expect((await shown()).titles).toEqual(['Second name', 'Second name']);
    const version = async () => (await world.json<{ handoffs: [{ version: number }] }>(ann, clone, 'push', id, '--no-send')).handoffs[0].version;
    expect(await version()).toBe(await version());
  });
});

interface Named {
  id: string;
  title: string;
  updated: string;
}

describe('relay check', () => {
  it('of a session that touched no files says that', async () => {
    const id = '00000004-aaaa-4bbb-8ccc-dddddddddddd';
    const line = (more: object) => JSON.stringify({ sessionId: id, cwd: checkout, version: '2.0.0', timestamp: '2026-01-01T00:00:00.000Z', ...more });
    const [a, b] = ['11111111-0000-4000-8000-000000000001', '11111111-0000-4000-8000-000000000002'];
    writeFileSync(
      join(transcripts(ann, checkout), `${id}.jsonl`),
      `${[
        line({ type: 'user', uuid: a, parentUuid: null, message: { role: 'user', content: 'Hello' } }),
        line({ type: 'assistant', uuid: b, parentUuid: a, message: { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] } }),
      ].join('\n')}\n`,
    );
    await world.json(ann, checkout, 'push', id, '--no-send');
    expect(await say(ann, checkout, 'check', id)).toEqual({ code: 0, stdout: 'The session touched no files of this project.\n', stderr: '' });
  });
});

describe('relay show', () => {
  it('says what a session goes on from', async () => {
    expect((await say(bob, bobs, 'show', handoff)).stdout).not.toContain('goes on from');
    const made = await world.json<{ session: string }>(bob, bobs, 'import', handoff, '--to', 'codex');
    const { handoffs } = await world.json<{ handoffs: [{ handoff: string }] }>(bob, bobs, 'push', made.session, '--no-send');
    const shown = (await say(bob, bobs, 'show', handoffs[0].handoff)).stdout;
    expect(shown).toMatch(new RegExp(`\ngoes on from ${handoff}@2(; its first \\d+ records were made from that)?\n`));
  });
});

describe('names of agents', () => {
  it.each(['Codex', 'CODEX', 'codex'])('%s is an agent', async (agent) =>
    expect(await world.json(ann, checkout, 'import', ID, '--local', '--to', agent, '--dry-run')).toMatchObject({ agent: 'codex' }),
  );
  it('claude is Claude Code', async () => {
    expect((await say(ann, checkout, 'sessions', '--agent', 'Claude')).stdout).toContain(ID);
    expect((await say(ann, checkout, 'import', `claude:${ID}`, '--to', 'codex', '--dry-run')).code).toBe(0);
  });
});

describe('a table', () => {
  const wide = 'a title that is much too long for any terminal, since somebody typed their whole first question into the name of it';
  const named = (text: string) => `${text}${JSON.stringify({ type: 'custom-title', customTitle: wide, sessionId: ID })}\n`;
  beforeAll(async () => {
    const path = join(transcripts(ann, checkout), `${ID}.jsonl`);
    writeFileSync(path, named(readFileSync(path, 'utf8')));
    await world.json(ann, checkout, 'push', ID);
  });

  it.each(['list', 'sessions'])('of relay %s is whole in a pipe', async (verb) => {
    const { stdout } = await say(ann, checkout, verb);
    expect(stdout).toContain(wide);
    expect(stdout).toContain(ID);
  });

  requires('tmux')('on a terminal', () => {
    it.each([
      ['list', 80],
      ['sessions', 60],
      ['log', 80],
    ])('of relay %s at %i columns has short names that mean the same, and does not wrap', async (verb, width) => {
      const of = verb === 'log' ? ` ${handoff}` : '';
      const shown = openTerminal(['sh', '-c', `"${process.execPath}" "${RELAY}" ${verb}${of}; echo "ended with $?"; read -r _`], {
        cwd: checkout,
        env: { ...ann.env, TERM: 'xterm-256color' },
        width,
        height: 20,
      });
      try {
        const screen = await shown.until((text) => text.includes('ended with'));
        const rows = screen.split('ended with')[0]?.trimEnd().split('\n') ?? [];
        expect(rows.filter((row) => row.length > width)).toEqual([]);
        expect(rows.slice(1).filter((row) => !/\b[0-9a-f]{8}\b/.test(row))).toEqual([]);
        expect(screen).not.toContain(ID);
        const row = rows.find((text) => text.includes('00000002')) ?? '';
        if (verb !== 'log') expect(row).toMatch(/a title that is muc.*…/);
        const name = row.split(/\s+/).find((word) => word.includes('00000002')) ?? '';
        const command = verb === 'sessions' ? ['import', name, '--local', '--to', 'codex', '--dry-run'] : ['show', name];
        expect((await say(ann, checkout, ...command)).code).toBe(0);
      } finally {
        await shown.close();
      }
    });

    it('to pick from names agents as people do, ids in short, and the authors of handoffs', async () => {
      layOut(bob, bobs, '00000005-aaaa-4bbb-8ccc-dddddddddddd');
      const shown = openTerminal([process.execPath, RELAY], { cwd: bobs, env: { ...bob.env, TERM: 'xterm-256color' }, width: 140, height: 30 });
      try {
        const screen = await shown.until((text) => text.includes('Which session?') && text.includes('by Ann'));
        expect(screen).toMatch(/Claude Code {2}00000002 {2}.*, by Ann/);
        expect(screen).toMatch(/Claude Code {2}00000005 {2}/);
        expect(screen).toMatch(/Codex {8}[0-9a-f]{8}/);
        expect(screen).not.toContain('claude-code');
      } finally {
        await shown.close();
      }
    });
  });
});
