import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { behindHead, type World, world } from '../support/agents.ts';
import { claudeClient, type Resumed } from '../support/claude-client.ts';
import { client } from '../support/clients.ts';
import { codexClient } from '../support/codex-client.ts';
import type { Loopback } from '../support/loopback.ts';
import { type Reply, startAnthropic } from '../support/model-server-anthropic.ts';
import { startOpenAI } from '../support/model-server-openai.ts';
import { requires } from '../support/requires.ts';

// Which of several sessions made a commit: told by the clients' own variables and processes, never by which file is newest.

const commit = (name: string): string => `git commit -q --allow-empty -m ${name}`;
const bash = (command: string): Reply => ({ tool: 'Bash', input: { command } });

let w: World;
const servers: Loopback[] = [];
const claude = async (script: Reply[], more: Record<string, string> = {}) => {
  const server = await startAnthropic(script);
  servers.push(server);
  return claudeClient(client('claude-code') as string, w.ann.home, server, { PATH: w.path, ...more });
};
beforeAll(() => {
  w = world();
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await w.done();
});

requires('claude-code')('two sessions that live in one checkout', () => {
  it('are told apart at each of their commits', async () => {
    const shop = await w.shop(false);
    await w.lab.relay(w.ann, shop, 'hooks', 'install', '--agent', 'claude-code');
    const waitFor = (file: string) => `until [ -e ${file} ]; do sleep 0.1; done`;
    // One commits while the other one waits, in turn, so that both are alive all the time and have written last at some time.
    const scripts = [
      [bash(`${commit('A1')} && touch a1 && ${waitFor('b1')}`), bash(`${commit('A2')} && touch a2 && ${waitFor('b2')}`)],
      [bash(`${waitFor('a1')} && ${commit('B1')} && touch b1`), bash(`${waitFor('a2')} && ${commit('B2')} && touch b2`)],
    ];
    const [a, b] = (await Promise.all(scripts.map(async (script) => (await claude(script)).start(shop, 'Commit twice.')))) as [Resumed, Resumed];
    expect(a.session).not.toBe(b.session);
    for (const [back, session] of [b.session, a.session, b.session, a.session].entries())
      expect(await behindHead(w, shop, 1, `HEAD~${back}`)).toEqual([`claude-code:${session}`]);
  });
});

requires('claude-code', 'tmux')('a session that begins with /clear', () => {
  it('is the one behind what is committed after it', async () => {
    const shop = await w.shop(false);
    writeFileSync(join(w.ann.home, '.claude', 'settings.json'), '{"skipDangerousModePermissionPrompt": true}\n');
    await w.lab.relay(w.ann, shop, 'hooks', 'install', '--agent', 'claude-code');
    const terminal = await claude([bash(commit('before')), 'Committed the first.', bash(commit('after')), 'Committed the second.']);
    await terminal.talk(shop, [
      ['Commit.', 'Committed the first.'],
      ['/clear', '(no content)'],
      ['Commit again.', 'Committed the second.'],
    ]);
    const [[before], [after]] = [await behindHead(w, shop, 1, 'HEAD~1'), await behindHead(w, shop)];
    expect(before).toMatch(/^claude-code:/);
    expect(after).toMatch(/^claude-code:/);
    expect(after).not.toBe(before);
  });
});

requires('claude-code', 'codex')('Codex that Claude Code started', () => {
  it('is the inner one behind its commit, and Claude Code the outer one', async () => {
    const shop = await w.shop(false);
    const server = await startOpenAI([{ calls: [{ name: 'exec_command', args: { cmd: commit('Nested') } }] }]);
    servers.push(server);
    codexClient(client('codex') as string, w.ann.home, server);
    const outer = await claude([bash('codex exec --json "Commit." | tee inner')], { RELAY_TEST_KEY: 'made-up' });
    const turn = await outer.start(shop, 'Let Codex commit.');
    const inner = /"thread_id":"([^"]+)"/.exec(readFileSync(join(shop, 'inner'), 'utf8'))?.[1];
    expect(await behindHead(w, shop, 2)).toEqual([`codex:${inner}`, `claude-code:${turn.session}`]);
  });
});
