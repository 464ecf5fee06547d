import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { behindHead, COMMIT, eventually, expectCommit, expectEvent, shown, type World, world } from '../support/agents.ts';
import { claudeClient, type Resumed } from '../support/claude-client.ts';
import { client } from '../support/clients.ts';
import { type CodexClient, codexClient } from '../support/codex-client.ts';
import { startAnthropic } from '../support/model-server-anthropic.ts';
import { type Reply as CodexReply, startOpenAI } from '../support/model-server-openai.ts';
import { requires } from '../support/requires.ts';

// The genuine clients, offline, with relay's hooks in their own settings: what they tell relay of, and what they do not.

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
    const shop = await w.shop(false);
    const turn = await run(shop, COMMIT);
    expectCommit(w, shop, 'claude-code', turn);
    expect(await behindHead(w, shop)).toEqual([`claude-code:${turn.session}`]);
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
      expect(await behindHead(w, shop)).toEqual([`claude-code:${turn.session}`]);
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
    expect(await behindHead(w, shop)).toEqual([`codex:${turn.session}`]);
    expect(
      await eventually(
        () => w.queued(shop),
        (events) => !events.length,
      ),
    ).toEqual([]);
  });

  it('outside of its sandbox by a rule is named by a commit that it makes', async () => {
    const shop = await w.shop(false);
    const rules = join(w.ann.home, '.codex', 'rules');
    mkdirSync(rules, { recursive: true });
    writeFileSync(join(rules, 'default.rules'), 'prefix_rule(pattern=["git", "commit"], decision="allow")\n');
    const turn = await run(shop, 'git commit -q --allow-empty -m Change', ['-s', 'workspace-write']);
    expect(await behindHead(w, shop)).toEqual([`codex:${turn.session}`]);
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
