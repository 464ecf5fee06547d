import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adapterById } from '#adapters/registry.ts';
import { type ClaudeClient, claudeClient } from '../support/claude-client.ts';
import { client } from '../support/clients.ts';
import { codexClient } from '../support/codex-client.ts';
import { editRecords, fill } from '../support/context.ts';
import { fixtures, layOut } from '../support/fixtures.ts';
import { grow } from '../support/grow.ts';
import type { Agent, LaidOut } from '../support/layout.ts';
import type { Loopback } from '../support/loopback.ts';
import { startAnthropic } from '../support/model-server-anthropic.ts';
import { startOpenAI } from '../support/model-server-openai.ts';
import { requires } from '../support/requires.ts';
import { scratch } from '../support/scratch.ts';

const OPUS = 'claude-opus-5-5';
const SONNET = 'claude-sonnet-4-5-20250929';

/** Used and whole context, in percent points of the window that the client names. */
const share = ({ tokens, window }: { tokens: number; window: number }): number => (100 * tokens) / window;

async function ours(session: LaidOut, env: Record<string, string> = {}) {
  const adapter = adapterById(session.agent);
  const where = { env, home: session.home };
  const use = await adapter?.contextUse?.(where, await adapter.open(where, session.path));
  if (!use) throw new Error(`no context use in ${session.path}`);
  return use;
}

const fixture = (agent: Agent, name: string) => fixtures(agent).find((one) => one.name.startsWith(name))?.path ?? '';

requires('claude-code')('Claude Code says the same of its context in /context', () => {
  const tmp = scratch('context-claude');
  const home = join(tmp.dir, 'ann');
  const cwd = join(home, 'work');
  let server: Loopback;
  let claude: ClaudeClient;
  beforeAll(async () => {
    server = await startAnthropic();
    claude = claudeClient(client('claude-code') as string, home, server);
  });
  afterAll(async () => {
    expect(server.requests.filter((r) => r.kind === 'main')).toEqual([]);
    await server.close();
    await tmp.remove();
  });

  const said = async ({ id }: LaidOut, model: string, env?: Record<string, string>) => {
    const text = await claude.context(cwd, id, model, env);
    const [, tokens = '', window = ''] = /Tokens:\*\* ([\d.]+[km]?) \/ ([\d.]+[km]?)/.exec(text) ?? [];
    if (!window) throw new Error(text);
    return { tokens: figure(tokens), window: figure(window) };
  };
  const laid = (name: string) => layOut('claude-code', fixture('claude-code', name), home, cwd);
  const equal = async (session: LaidOut, model: string, env?: Record<string, string>) => {
    const [mine, theirs] = [await ours(session, env), await said(session, model, env)];
    expect(mine.window).toBe(theirs.window);
    expect(Math.abs(share(mine) - share(theirs))).toBeLessThanOrEqual(1);
    return mine;
  };

  it.each([
    ['01', 120_000, OPUS],
    ['02', 812_345, OPUS],
    ['03', 95_500, OPUS],
    ['07', 61_000, OPUS],
    ['09', 161_000, SONNET],
    ['13', 150_000, 'claude-haiku-4-5-20251001'],
    ['14', 161_000, `${SONNET}[1m]`],
    ['15', 133_000, 'claude-opus-4-6'],
    ['16', 420_000, 'claude-opus-4-8'],
    ['18', 420_000, 'some-model-of-a-gateway'],
  ])('session %s with %d tokens, asked of %s', async (name, tokens, model) => {
    const session = laid(name);
    fill(session, tokens, { model });
    expect((await equal(session, model)).tokens).toBe(tokens);
  });

  it('of answers that differ the last one counts, without what a sub-agent read', async () => {
    const session = laid('02');
    let answers = 0;
    editRecords(session, (record) => {
      if (record.message?.usage?.input_tokens) record.message.usage.input_tokens = 100_000 + 1000 * ++answers;
    });
    const last = JSON.parse(
      readFileSync(session.path, 'utf8')
        .trim()
        .split('\n')
        .findLast((line) => line.includes('"assistant"')) ?? '',
    );
    last.message.usage.input_tokens = 700_000;
    const whole = readFileSync(session.path, 'utf8');
    expect((await equal(session, OPUS)).tokens).toBe(100_000 + 1000 * answers);
    // A sub-agent's answer in the same file, as older versions wrote them.
    writeFileSync(session.path, `${whole}${JSON.stringify({ ...last, isSidechain: true, uuid: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee' })}\n`);
    expect((await ours(session)).tokens).toBe(100_000 + 1000 * answers);
  });

  it('right after a compaction, and after the next answer', async () => {
    const session = laid('06');
    fill(session, 640_000, { model: OPUS });
    await equal(session, OPUS);
    const lines = readFileSync(session.path, 'utf8').split('\n');
    const boundary = lines.findIndex((line) => line.includes('"compact_boundary"'));
    const answer = lines.findIndex((line, at) => at > boundary && line.includes('"assistant"'));
    writeFileSync(session.path, `${lines.slice(0, answer).join('\n')}\n`);
    expect((await equal(session, OPUS)).tokens).toBe(JSON.parse(lines[boundary] ?? '').compactMetadata.postTokens);
  });

  it('a session of 20 MB that goes on', async () => {
    const session = laid('02');
    fill(session, 300_000);
    const answer = JSON.parse(
      readFileSync(session.path, 'utf8')
        .trim()
        .split('\n')
        .findLast((line) => line.includes('"assistant"')) ?? '',
    );
    grow(session, 20_000_000, 1);
    const parent = JSON.parse(readFileSync(session.path, 'utf8').trim().split('\n').at(-1) ?? '').uuid;
    answer.message.usage.cache_read_input_tokens = 777_000;
    appendFileSync(session.path, `${JSON.stringify({ ...answer, parentUuid: parent, uuid: 'bbbbbbbb-bbbb-4ccc-8ddd-eeeeeeeeeeee' })}\n`);
    expect((await equal(session, OPUS)).tokens).toBe(778_004);
  });

  it.each([
    ['CLAUDE_CODE_DISABLE_1M_CONTEXT', '1', 200_000],
    ['CLAUDE_CODE_AUTO_COMPACT_WINDOW', '300000', 300_000],
    ['CLAUDE_CODE_AUTO_COMPACT_WINDOW', '3000000', 1_000_000],
  ])('%s=%s', async (name, value, window) => {
    const session = laid('01');
    fill(session, 120_000, { model: OPUS });
    expect((await equal(session, OPUS, { [name]: value })).window).toBe(window);
  });
});

requires('tmux', 'codex')('Codex says the same of its context in /status', () => {
  const tmp = scratch('context-codex');
  let server: Loopback;
  beforeAll(async () => {
    server = await startOpenAI();
  });
  afterAll(async () => {
    await server.close();
    await tmp.remove();
  });

  let homes = 0;
  // A home for each: the client remembers sessions that it has opened, whatever is done to their files.
  const laid = (name: string) => {
    const home = join(tmp.dir, `ann-${++homes}`);
    return layOut('codex', fixture('codex', name), home, join(home, 'work'));
  };
  const shown = (screen: string) => {
    const [, tokens = '', window = ''] = /Context window:.*\(([\d.]+[KM]?) used \/ ([\d.]+[KM]?)\)/.exec(screen) ?? [];
    if (!window) throw new Error(screen);
    return { tokens: figure(tokens), window: figure(window) };
  };
  const equal = async (session: LaidOut) => {
    const screen = await codexClient(client('codex') as string, session.home, server).status(session.cwd, session.id);
    const [mine, theirs] = [await ours(session), shown(screen)];
    expect(Math.abs(mine.window - theirs.window)).toBeLessThanOrEqual(1000);
    expect(Math.abs(share(mine) - share(theirs))).toBeLessThanOrEqual(1);
    return mine;
  };

  it.each([
    ['exec-plain', 120_000, 258_400],
    ['exec-tools-gpt55', 211_000, 258_400],
    ['exec-unicode-resumed', 61_000, 190_000],
    ['paginated-reverted', 150_000, 190_000],
  ])('session %s with %d tokens of %d', async (name, tokens, window) => {
    const session = laid(name);
    fill(session, tokens, { window });
    expect(await equal(session)).toEqual({ tokens, window });
  });

  it('after a compaction', async () => {
    await equal(laid('tui-compacted-interrupted'));
  });

  // A client that resumes does not show what was counted at a compaction, so it is asked in the one that compacts.
  it('right after a compaction, before the next answer', async () => {
    const session = laid('exec-unicode-resumed');
    const screen = await codexClient(client('codex') as string, session.home, server).status(session.cwd, session.id, ['/compact', 'Context compacted']);
    const mine = await ours(session);
    expect(mine.tokens).toBeGreaterThan(1000);
    expect(Math.abs(share(mine) - share(shown(screen)))).toBeLessThanOrEqual(1);
  });

  it('a session of 20 MB', async () => {
    const session = laid('exec-plain');
    grow(session, 20_000_000, 1);
    // What is shown of a session that is resumed begins near its end: asked is the client that adds an answer.
    const large = await startOpenAI(['It is fine.'], 170_000);
    const screen = await codexClient(client('codex') as string, session.home, large).status(session.cwd, session.id, ['And now?', 'It is fine.']);
    await large.close();
    expect(await ours(session)).toEqual({ tokens: 170_020, window: 190_000 });
    expect(shown(screen)).toEqual({ tokens: 170_000, window: 190_000 });
  });
});

/** 95k -> 95,000; 1m -> 1,000,000 */
function figure(text: string): number {
  const unit = { k: 1000, m: 1_000_000 }[text.slice(-1).toLowerCase()] ?? 1;
  return Number.parseFloat(text) * unit;
}
