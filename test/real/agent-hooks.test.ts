import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { parseEvent, type QueuedEvent, queueOf, waiting } from '#hooks/queue.ts';
import { eventually, onPath } from '../support/agents.ts';
import { claudeClient, type Resumed } from '../support/claude-client.ts';
import { client } from '../support/clients.ts';
import { type CodexClient, codexClient } from '../support/codex-client.ts';
import { standIn } from '../support/hooked.ts';
import { type Lab, lab, type Person } from '../support/lab.ts';
import { startAnthropic } from '../support/model-server-anthropic.ts';
import { type Reply as CodexReply, startOpenAI } from '../support/model-server-openai.ts';
import { requires } from '../support/requires.ts';

// The genuine clients, offline, with relay's hooks in their own settings: what they tell relay of, and what they do not.

interface World {
  lab: Lab;
  ann: Person;
  /** her PATH with relay on it */
  path: string;
  /** a new repository with git's hooks in it; `held`: what is queued there stays, since a worker seems to be at work */
  shop(held?: boolean): Promise<string>;
  queued(shop: string): Promise<QueuedEvent[]>;
  done(): Promise<void>;
}

function world(): World {
  const made = lab('relay-agent-hooks-');
  const ann = made.person('ann');
  const path = onPath(made, ann);
  const worker = standIn();
  let shops = 0;
  return {
    lab: made,
    ann,
    path,
    async shop(held = true) {
      const name = `shop-${++shops}`;
      const cwd = made.project(ann, name, made.bare(name));
      if (held) worker.beIn(join(cwd, '.git'));
      await made.relay(ann, cwd, 'hooks', 'install');
      return cwd;
    },
    queued: (shop) => waiting(queueOf({ commonDir: join(shop, '.git') }), Date.now()),
    async done() {
      worker.stop();
      // A worker may still write to her home.
      const removed = async () => {
        try {
          made.done();
          return true;
        } catch {
          return false;
        }
      };
      await eventually(removed, Boolean);
    },
  };
}

/** The event of that name in the queue, which must name this session and the file that the client keeps it in. */
function expectEvent(events: readonly QueuedEvent[], name: string, agent: string, session: string | undefined, cwd: string): void {
  const event = events.find((one) => one.event === name);
  expect(event).toMatchObject({ cwd, sessions: [{ agent, session }] });
  const path = event?.sessions[0]?.path ?? '';
  expect(path).toContain(session);
  expect(existsSync(path)).toBe(true);
}

/** Makes a commit and keeps what git's hook queued for it, before a worker can have taken it. */
const COMMIT = 'git commit -q --allow-empty -m Change && cp .git/relay/queue/post-commit-* queued';

/** The commit's event must name the commit, and that session as the one that made it. */
function expectCommit(w: World, shop: string, agent: string, turn: Resumed, event = parseEvent('queued', readFileSync(join(shop, 'queued')), 0)): void {
  expect(event).toMatchObject({ commit: w.lab.git(w.ann, shop, 'rev-parse', 'HEAD'), sessions: [{ agent, session: turn.session }] });
}

/** The handoff that a worker makes of a session in its own time, once it holds this text. */
const shown = (w: World, shop: string, session: string | undefined, text: string): Promise<string> =>
  eventually(
    async () => (await w.lab.relay(w.ann, shop, 'show', session ?? '')).stdout,
    (told) => told.includes(text),
  );

requires('claude-code')('Claude Code', () => {
  let w: World;
  const binary = client('claude-code') as string;
  beforeAll(() => {
    w = world();
  });
  afterAll(() => w.done());
  beforeEach(() => {
    mkdirSync(join(w.ann.home, '.claude'), { recursive: true });
  });
  const run = async (cwd: string, command: string | undefined, path = w.path): Promise<Resumed> => {
    const server = await startAnthropic(command ? [{ tool: 'Bash', input: { command } }] : []);
    try {
      return await claudeClient(binary, w.ann.home, server, { PATH: path }).start(cwd, 'Do what you are told.');
    } finally {
      await server.close();
    }
  };
  const install = (cwd: string) => w.lab.json(w.ann, cwd, 'hooks', 'install', '--agent', 'claude-code');

  it('tells relay of each turn, of a compaction and of the end of a session', async () => {
    const shop = await w.shop();
    expect(await install(shop)).toMatchObject({ installed: true, runs: true, changed: true });
    const turn = await run(shop, undefined);
    expect(turn).toMatchObject({ code: 0, stderr: '' });
    const events = await w.queued(shop);
    expect(events.map(({ event }) => event)).toEqual(['agent-stop', 'agent-session-end']);
    for (const { event } of events) expectEvent(events, event, 'claude-code', turn.session, shop);
    const server = await startAnthropic();
    await claudeClient(binary, w.ann.home, server, { PATH: w.path }).resume(shop, turn.session ?? '', '/compact');
    await server.close();
    expectEvent(await w.queued(shop), 'agent-pre-compact', 'claude-code', turn.session, shop);
  });

  it('has nothing to say where relay is not installed', async () => {
    const shop = await w.shop();
    await install(shop);
    expect(await run(shop, undefined, '/usr/local/bin:/usr/bin:/bin')).toMatchObject({ code: 0, stderr: '' });
    expect(await w.queued(shop)).toEqual([]);
  });

  it.each([
    ['comments', '// mine\n{}\n'],
    ['disableAllHooks', '{"disableAllHooks": true}\n'],
  ])('does not run hooks with %s in its settings, and relay says so', async (_, text) => {
    const shop = await w.shop();
    writeFileSync(join(w.ann.home, '.claude', 'settings.json'), text);
    expect(await install(shop)).toMatchObject({ installed: true, runs: false, fix: expect.any(String) });
    await run(shop, undefined);
    expect(await w.queued(shop)).toEqual([]);
    await w.lab.json(w.ann, shop, 'hooks', 'uninstall', '--agent', 'claude-code');
    expect(readFileSync(join(w.ann.home, '.claude', 'settings.json'), 'utf8')).toBe(text);
    writeFileSync(join(w.ann.home, '.claude', 'settings.json'), '{}\n');
  });

  it('is named by a commit that it makes', async () => {
    const shop = await w.shop();
    const turn = await run(shop, COMMIT);
    expectCommit(w, shop, 'claude-code', turn);
  });

  it('has its turn in the handoff once it is over', async () => {
    const shop = await w.shop(false);
    await install(shop);
    const turn = await run(shop, 'echo "the answer is $((6 * 7))"');
    expect(await shown(w, shop, turn.session, 'OK.')).toContain('the answer is 42');
  });

  requires('bwrap', 'socat')('in its sandbox', () => {
    it('is named by a commit that it makes, which is recorded outside of the sandbox afterwards', async () => {
      const shop = await w.shop(false);
      writeFileSync(join(w.ann.home, '.claude', 'settings.json'), '{"sandbox": {"enabled": true, "allowUnsandboxedCommands": false}}\n');
      await install(shop);
      const turn = await run(shop, `echo "sandbox=$SANDBOX_RUNTIME" && ${COMMIT}`);
      expectCommit(w, shop, 'claude-code', turn);
      // The sandbox kills the worker that the commit starts, and the end of the turn starts another one.
      expect(await shown(w, shop, turn.session, 'OK.')).toContain('sandbox=1');
      expect(
        await eventually(
          () => w.queued(shop),
          (events) => !events.length,
        ),
      ).toEqual([]);
    });
  });
});

requires('codex', 'tmux')('Codex', () => {
  let w: World;
  let trusted: string;
  const binary = client('codex') as string;
  const withServer = async <T>(script: CodexReply[], use: (codex: CodexClient) => Promise<T>): Promise<T> => {
    const server = await startOpenAI(script);
    const config = join(w.ann.home, '.codex', 'config.toml');
    const before = existsSync(config) ? readFileSync(config, 'utf8') : undefined;
    try {
      // With a home in the folder for temporary files it would not set up its sandbox.
      const codex = codexClient(binary, w.ann.home, server, 'mock', { PATH: w.path, TMPDIR: mkdtempSync(join(w.lab.root, 'tmp-')) });
      // What the client noted of trust stays; only the server has a new address.
      if (before) writeFileSync(config, before.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, server.url));
      return await use(codex);
    } finally {
      await server.close();
    }
  };
  const run = (cwd: string, command?: string, args: string[] = []): Promise<Resumed> =>
    withServer(command ? [{ calls: [{ name: 'exec_command', args: { cmd: command } }] }] : [], (codex) => codex.start(cwd, 'Do what you are told.', args));
  const status = (cwd: string) => w.lab.json(w.ann, cwd, 'hooks', 'status', '--agent', 'codex');

  beforeAll(() => {
    w = world();
  });
  afterAll(() => w.done());

  it('runs no hook that is not trusted, which relay says', async () => {
    trusted = await w.shop();
    expect(await w.lab.json(w.ann, trusted, 'hooks', 'install', '--agent', 'codex')).toMatchObject({ installed: true, runs: false });
    await run(trusted);
    expect(await w.queued(trusted)).toEqual([]);
    expect(await status(trusted)).toMatchObject({ installed: true, runs: false, fix: 'start codex, trust all and continue' });
  });

  it('tells relay of each turn and of the end of a session once that was done', async () => {
    expect(await withServer([], (codex) => codex.trustHooks(trusted))).toContain('Hooks need review');
    expect(await status(trusted)).toMatchObject({ installed: true, runs: true });
    const turn = await run(trusted);
    expect(turn.code).toBe(0);
    const events = await w.queued(trusted);
    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['agent-stop', 'agent-session-end']));
    for (const { event } of events) expectEvent(events, event, 'codex', turn.session, trusted);
  });

  it.each([
    ['with full access', () => []],
    ['in its sandbox with .git writable', (shop: string) => ['-s', 'workspace-write', '-c', `sandbox_workspace_write.writable_roots=["${shop}/.git"]`]],
  ] as [string, (shop: string) => string[]][])('%s is named by a commit that it makes, and has its turn in the handoff', async (_, args) => {
    const shop = await w.shop(false);
    const turn = await run(shop, `${COMMIT} && echo "the answer is $((6 * 7))"`, args(shop));
    expectCommit(w, shop, 'codex', turn);
    expect(await shown(w, shop, turn.session, 'OK.')).toContain('the answer is 42');
    expect(
      await eventually(
        () => w.queued(shop),
        (events) => !events.length,
      ),
    ).toEqual([]);
  });

  it('outside of its sandbox by a rule is named by a commit that it makes', async () => {
    const shop = await w.shop();
    const rules = join(w.ann.home, '.codex', 'rules');
    mkdirSync(rules, { recursive: true });
    writeFileSync(join(rules, 'default.rules'), 'prefix_rule(pattern=["git", "commit"], decision="allow")\n');
    const turn = await run(shop, 'git commit -q --allow-empty -m Change', ['-s', 'workspace-write']);
    expectCommit(
      w,
      shop,
      'codex',
      turn,
      (await w.queued(shop)).find(({ event }) => event === 'post-commit'),
    );
  });

  it('trusts no longer what moved to another place, which relay says', async () => {
    const file = join(w.ann.home, '.codex', 'hooks.json');
    const whole = readFileSync(file, 'utf8');
    const hooks = JSON.parse(whole);
    hooks.hooks.Stop.unshift({ hooks: [{ type: 'command', command: 'true' }] });
    writeFileSync(file, JSON.stringify(hooks));
    expect(await status(trusted)).toMatchObject({ installed: true, runs: false, fix: 'start codex, trust all and continue' });
    writeFileSync(file, whole);
    expect(await status(trusted)).toMatchObject({ runs: true });
  });
});
