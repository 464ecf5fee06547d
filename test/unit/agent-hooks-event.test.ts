import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { events } from '#adapters/events.ts';
import { adapters } from '#adapters/registry.ts';
import { hook } from '#commands/hook.ts';
import { readPayload } from '#hooks/agent/event.ts';
import { sessionsOf } from '#hooks/agent/sessions.ts';
import { enqueue, queuesOf, waiting } from '#hooks/queue.ts';
import { startWorker, workerFile } from '#hooks/start.ts';
import { testIo } from '../support/io.ts';

const CLAUDE = '75243c9c-02da-4d1e-8946-943c3767102d';
const CODEX = '01a22f04-8dfb-70f1-8f3c-1010d7e504d9';
// As the real clients sent them: 2.1.332 and 0.171.0.
const claudeStop = (cwd: string) => ({
  session_id: CLAUDE,
  transcript_path: `/home/ann/.claude/projects/-home-ann-shop/${CLAUDE}.jsonl`,
  cwd,
  prompt_id: 'aa2d8a44-440e-46e4-b7e0-51d10e686001',
  permission_mode: 'bypassPermissions',
  effort: { level: 'medium' },
  hook_event_name: 'Stop',
  stop_hook_active: false,
  last_assistant_message: 'OK.',
  background_tasks: [],
  session_crons: [],
});
const rollout = `/home/ann/.codex/sessions/2026/12/01/rollout-2026-12-01T00-32-37-${CODEX}.jsonl`;
const codexEnd = (cwd: string) => ({ session_id: CODEX, transcript_path: rollout, cwd, hook_event_name: 'SessionEnd', reason: 'other' });

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'relay-agent-event-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

const repository = (name = 'shop'): string => {
  execFileSync('git', ['init', '-q', join(root, name)]);
  return join(root, name);
};
const ioFor = (payload: string | Buffer[], more: { env?: Record<string, string> } = {}) => ({
  ...testIo({ env: { PATH: process.env.PATH, ...more.env }, home: join(root, 'home'), cwd: root }),
  stdin: {
    isTTY: false,
    bytes: async function* () {
      for (const part of typeof payload === 'string' ? [Buffer.from(payload)] : payload) yield part;
    },
  },
  // A program that ends at once: what a worker does is not looked at here.
  program: [process.execPath, join(root, 'no-relay.js')] as const,
});
const queued = (cwd: string, at: 0 | 1 = 0) => waiting([queuesOf(join(cwd, '.git'), { env: {}, home: join(root, 'home') })[at] as string], Date.now());

describe('a payload', () => {
  it('is read by the adapters that are registered', () => {
    expect(Object.keys(events)).toEqual(adapters.map(({ id }) => id));
    for (const { id, hooks } of adapters) expect(hooks?.event).toBe(events[id]);
  });

  it('tells the agent, whatever the variables say', () => {
    expect(readPayload(JSON.stringify(claudeStop('/w')))).toEqual({
      agent: 'claude-code',
      name: 'Stop',
      session: CLAUDE,
      path: `/home/ann/.claude/projects/-home-ann-shop/${CLAUDE}.jsonl`,
      cwd: '/w',
    });
    expect(readPayload(JSON.stringify(codexEnd('/w')))).toEqual({ agent: 'codex', name: 'SessionEnd', session: CODEX, path: rollout, cwd: '/w' });
  });

  it.each([
    '',
    'no JSON',
    '[]',
    'null',
    '{}',
    JSON.stringify({ ...claudeStop('/w'), transcript_path: null }),
    JSON.stringify({ ...claudeStop('/w'), session_id: 7 }),
    JSON.stringify({ ...claudeStop('/w'), transcript_path: '/x/other.jsonl' }),
    JSON.stringify({ ...codexEnd('/w'), cwd: '' }),
    JSON.stringify({ ...claudeStop('/w'), hook_event_name: '/../../x' }),
    JSON.stringify({ ...claudeStop('/w'), hook_event_name: `Stop\ncommit=${'0'.repeat(40)}` }),
  ])('that is none says nothing: %s', (text) => expect(readPayload(text)).toBeUndefined());
});

describe('relay hook', () => {
  it('puts the event into the queue of the repository, from a folder below it too, and says nothing', async () => {
    const cwd = repository();
    mkdirSync(join(cwd, 'src ü'));
    const variables = { CLAUDE_CODE_SESSION_ID: 'another', CLAUDE_PLUGIN_ROOT: '/x', GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere/index' };
    for (const payload of [claudeStop(cwd), codexEnd(join(cwd, 'src ü'))]) {
      const io = ioFor(JSON.stringify(payload), { env: variables });
      expect(await hook(io)).toBe(0);
      expect(io.printed).toEqual({ stdout: '', stderr: '' });
    }
    expect(await queued(cwd)).toMatchObject([
      { event: 'agent-stop', cwd, sessions: [{ agent: 'claude-code', session: CLAUDE, path: expect.stringContaining(`${CLAUDE}.jsonl`) }] },
      { event: 'agent-session-end', cwd: join(cwd, 'src ü'), sessions: [{ agent: 'codex', session: CODEX, path: rollout }] },
    ]);
  });

  it('uses the queue that linked work trees share', async () => {
    const cwd = repository();
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x'], { cwd });
    execFileSync('git', ['worktree', 'add', '-q', join(root, 'second')], { cwd, stdio: 'ignore' });
    await hook(ioFor(JSON.stringify(claudeStop(join(root, 'second')))));
    expect(await queued(cwd)).toMatchObject([{ cwd: join(root, 'second') }]);
  });

  it('queues nothing from within a git folder, or what looks like one: it may come with a checkout', async () => {
    const [cwd, bare] = [repository('a\nb'), join(root, 'bare.git')];
    execFileSync('git', ['init', '-q', '--bare', bare]);
    for (const inside of [join(cwd, '.git'), bare]) {
      expect(await hook(ioFor(JSON.stringify(claudeStop(inside))))).toBe(0);
      expect(await waiting(queuesOf(inside, { env: {}, home: join(root, 'home') }), Date.now())).toEqual([]);
    }
  });

  it('leaves events of a git folder that takes none in the user’s state', async () => {
    const cwd = repository();
    // Nothing can be written below a file; permissions do not stop everybody.
    writeFileSync(join(cwd, '.git', 'relay'), '');
    expect(await hook(ioFor(JSON.stringify(claudeStop(cwd))))).toBe(0);
    expect(await queued(cwd, 1)).toMatchObject([{ event: 'agent-stop', cwd }]);
  });

  it.each([
    ['outside a repository', () => JSON.stringify(claudeStop(root))],
    ['in a folder that is gone', () => JSON.stringify(claudeStop(join(root, 'gone')))],
    ['with half a payload', () => JSON.stringify(claudeStop(repository())).slice(0, -9)],
    ['with nothing', () => []],
    ['with more than a payload holds', () => [Buffer.from(JSON.stringify(claudeStop(repository()))), Buffer.alloc(33 << 20, ' ')]],
  ] as [string, () => string | Buffer[]][])('does nothing %s, and does not fail', async (_, payload) => {
    const io = ioFor(payload());
    expect(await hook(io)).toBe(0);
    expect(io.printed).toEqual({ stdout: '', stderr: '' });
    expect(existsSync(join(root, 'home'))).toBe(false);
    expect(existsSync(join(root, 'shop', '.git', 'relay'))).toBe(false);
  });

  it('does not wait for a payload that does not come', async () => {
    const never = { isTTY: false, bytes: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) }) };
    const began = performance.now();
    expect(await hook({ ...ioFor(''), stdin: never })).toBe(0);
    expect(performance.now() - began).toBeLessThan(5000);
    expect(await hook({ ...ioFor(''), stdin: { ...never, isTTY: true } })).toBe(0);
  });

  it('keeps a path with a line feed out of the lines of the event', async () => {
    const cwd = repository('a\nb');
    const path = `/x\nsession.codex=${CODEX}\n/${CLAUDE}.jsonl`;
    await hook(ioFor(JSON.stringify({ ...claudeStop(cwd), transcript_path: path })));
    expect((await queued(cwd)).flatMap(({ sessions }) => sessions)).toEqual([{ agent: 'claude-code', session: CLAUDE }]);
    expect((await queued(cwd))[0]?.cwd).toBe(cwd);
  });
});

describe('the queue', () => {
  it('holds what is an event, and not what is being written', async () => {
    const [queue] = queuesOf(root, { env: {}, home: root });
    await enqueue(queue, { event: 'agent-stop', cwd: root, sessions: [] });
    const [name = ''] = readdirSync(queue);
    for (const other of [`${name}.1.ab.tmp`, `.${name}`]) copyFileSync(join(queue, name), join(queue, other));
    writeFileSync(workerFile(queue), `event=agent-stop\ncwd=${root}\0`);
    expect(await waiting([queue], Date.now() + 60_000)).toMatchObject([{ file: join(queue, name), event: 'agent-stop', cwd: root }]);
    expect(readdirSync(queue)).toHaveLength(4);
  });
});

describe('the worker', () => {
  /** A stand-in for relay that notes with what it was started. */
  const program = (text: string): [string, string] => {
    writeFileSync(join(root, 'relay.mjs'), text);
    return [process.execPath, join(root, 'relay.mjs')];
  };
  const NOTE = `import { appendFileSync } from 'node:fs';
    appendFileSync(${'process.argv[1]'} + '.log', JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), dir: process.env.GIT_DIR, pid: process.pid }) + '\\n');`;
  const started = async (want = 1): Promise<{ args: string[]; cwd: string; dir?: string; pid: number }[]> => {
    const log = join(root, 'relay.mjs.log');
    for (let tries = 0; tries < 100; tries++) {
      const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
      if (lines.length >= want) return lines.map((line) => JSON.parse(line));
      await sleep(50);
    }
    return [];
  };
  const queue = (): string => {
    mkdirSync(join(root, 'queue'), { recursive: true });
    return join(root, 'queue');
  };
  const env = { PATH: process.env.PATH, GIT_DIR: '/nowhere' };

  it('is started once while it lives, without what git sets for hooks', async () => {
    const how = { program: program(`${NOTE} setTimeout(() => {}, 3000);`), cwd: root, env };
    for (let times = 0; times < 3; times++) startWorker(queue(), how);
    const [one] = await started();
    expect(one).toEqual({ args: ['hook', '--work'], cwd: root, pid: Number(readFileSync(workerFile(queue()), 'utf8')) });
    await sleep(200);
    expect(await started()).toHaveLength(1);
    process.kill(one?.pid ?? 0, 'SIGKILL');
    await sleep(100);
    startWorker(queue(), how);
    const two = (await started(2))[1];
    expect(two?.pid).not.toBe(one?.pid);
    process.kill(two?.pid ?? 0, 'SIGKILL');
  });

  it('is started although the file names a process that is no worker, or none', async () => {
    const how = { program: program(NOTE), cwd: root, env };
    const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 5000)'], { stdio: 'ignore' });
    for (const [n, id] of [`${other.pid}`, '999999999', '', 'x'].entries()) {
      writeFileSync(workerFile(queue()), id);
      startWorker(queue(), how);
      expect(await started(n + 1)).toHaveLength(n + 1);
    }
    other.kill();
  });

  it('that cannot be started leaves the way free for the next one', async () => {
    startWorker(queue(), { program: ['/nowhere/node', '/nowhere/relay.js'], cwd: root, env });
    await sleep(200);
    expect(readdirSync(queue())).toEqual([]);
  });
});

describe('the sessions of an event', () => {
  const both = [
    { agent: 'claude-code', session: 'c' },
    { agent: 'codex', session: 'x' },
  ];
  it.each([
    ['one', [both[1]], [], ['codex:innermost']],
    ['Claude Code that Codex started', both, ['git', 'zsh', 'claude', 'node', 'codex', 'zsh'], ['claude-code:innermost', 'codex:outer']],
    ['Codex that Claude Code started', both, ['git', 'codex', 'bash', 'claude'], ['codex:innermost', 'claude-code:outer']],
    ['names that only look like it', both, ['claude-desktop', 'codex', 'claude'], ['codex:innermost', 'claude-code:outer']],
    ['a process tree that is hidden', both, [], ['claude-code:outer', 'codex:outer']],
    ['none', [], ['claude'], []],
  ] as [string, typeof both, string[], string[]][])('%s', (_, sessions, above, expected) => {
    expect(sessionsOf({ sessions, above }).map(({ agent, role }) => `${agent}:${role}`)).toEqual(expected);
  });
});
