import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Round } from '#flows/watch-round.ts';
import { type World, world } from '../support/agents.ts';
import { claudeClient } from '../support/claude-client.ts';
import { client } from '../support/clients.ts';
import { codexClient } from '../support/codex-client.ts';
import { startAnthropic } from '../support/model-server-anthropic.ts';
import { startOpenAI } from '../support/model-server-openai.ts';
import { requires } from '../support/requires.ts';

// The genuine clients, offline, whose hook finds that the context is nearly full: what the person sees, and what the model does not.

let w: World;
beforeAll(() => {
  w = world();
});
afterAll(() => w.done());

async function shopWith(standby: string): Promise<string> {
  const shop = await w.shop(false);
  mkdirSync(join(shop, '.git/relay'), { recursive: true });
  writeFileSync(join(shop, '.git/relay/config.jsonc'), JSON.stringify({ watch: { standby } }));
  await w.lab.json(w.ann, shop, 'init', '--accept', 'watch.standby');
  return shop;
}
const sessionsOf = async (shop: string, agent: string) =>
  (await w.lab.json<{ sessions: { id: string }[] }>(w.ann, shop, 'sessions', '--agent', agent)).sessions;
const handoffs = async (shop: string) => (await w.lab.json<{ handoffs: { session: string }[] }>(w.ann, shop, 'list')).handoffs;
const once = (shop: string) => w.lab.json<Round>(w.ann, shop, 'watch', '--once');

requires('claude-code')('Claude Code', () => {
  it('tells the person at the end of the turn, once, and its model nothing', async () => {
    mkdirSync(join(w.ann.home, '.claude'), { recursive: true });
    const shop = await shopWith('codex');
    await w.lab.json(w.ann, shop, 'hooks', 'install', '--agent', 'claude-code');
    const server = await startAnthropic([], 850_000);
    const claude = claudeClient(client('claude-code') as string, w.ann.home, server, { PATH: w.path });
    const turn = await claude.start(shop, 'Hello', ['--output-format', 'stream-json', '--verbose']);
    expect(turn).toMatchObject({ code: 0, stderr: '' });
    expect(turn.stdout).toContain('Stop says: relay: this Claude Code session uses 85 % of its context (850k of 1m tokens).');
    const [became] = await sessionsOf(shop, 'codex');
    expect(turn.stdout).toContain(`cd ${shop} && codex resume ${became?.id}`);
    const [session] = await sessionsOf(shop, 'claude-code');
    expect(await handoffs(shop)).toMatchObject([{ session: session?.id }]);
    const next = await claude.resume(shop, session?.id ?? '', 'And now?');
    expect(JSON.stringify(next.request?.body.messages)).not.toMatch(/of its context|codex resume/);
    expect((await once(shop)).handedOn).toEqual([]);
    expect(await sessionsOf(shop, 'codex')).toHaveLength(1);
    await server.close();
  });
});

requires('codex', 'tmux')('Codex', () => {
  it('tells the person at the end of the turn, once, and its model nothing', async () => {
    const shop = await shopWith('claude-code');
    await w.lab.json(w.ann, shop, 'hooks', 'install', '--agent', 'codex');
    const untold = (await w.lab.relay(w.ann, shop, 'status')).stdout;
    expect(untold).toMatch(/NOT RECORDING: What Codex does[^:]*: it does not run relay’s hooks\.\n {2}start codex, trust all and continue\n/);
    const server = await startOpenAI([], 160_000);
    const codex = codexClient(client('codex') as string, w.ann.home, server, 'mock', { PATH: w.path });
    const first = await codex.start(shop, 'Hello');
    expect(await sessionsOf(shop, 'claude-code')).toEqual([]);
    await codex.trustHooks(shop);
    expect((await w.lab.relay(w.ann, shop, 'status')).stdout).not.toContain('What Codex does');
    const screen = await codex.status(shop, first.session ?? '', ['And now?', 'of its context']);
    expect(screen).toContain('relay: this Codex session uses 84 % of its context (160k of 190k tokens).');
    const [became] = await sessionsOf(shop, 'claude-code');
    expect(screen.replace(/\s+/g, ' ')).toContain(`claude --resume ${became?.id}`);
    const next = await codex.resume(shop, first.session ?? '', 'And then?');
    expect(JSON.stringify(next.request?.body.input)).not.toMatch(/of its context|claude --resume/);
    expect((await once(shop)).handedOn).toEqual([]);
    expect(await sessionsOf(shop, 'claude-code')).toHaveLength(1);
    await server.close();
  });
});
