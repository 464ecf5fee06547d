import { afterEach, expect, it } from 'vitest';
import type { ImportJson } from '../prove/world.ts';
import { client } from '../support/clients.ts';
import { codexClient } from '../support/codex-client.ts';
import { fixtures, layOut } from '../support/fixtures.ts';
import { type Lab, lab } from '../support/lab.ts';
import type { Agent } from '../support/layout.ts';
import { conversationAt, goOn, spoken } from '../support/made.ts';
import { startOpenAI } from '../support/model-server-openai.ts';
import { requires } from '../support/requires.ts';
import { installed, requestItems, strings } from '../support/resume.ts';

let l: Lab;
afterEach(() => l?.done());

/** A paginated rollout and a tree with abandoned branches: the forms that a writer of new sessions never makes. */
const cases: [Agent, Agent, string][] = [
  ['claude-code', 'codex', '15-branched-interactive'],
  ['codex', 'claude-code', 'exec-tools-gpt55'],
];

requires('codex', 'claude-code')('a session that comes home from another agent', () => {
  it.each(cases)('%s to %s and back (%s): the real client sends the history and what was added, in order', async (home, away, name) => {
    l = lab();
    const ann = l.person('ann');
    const cwd = l.project(ann, 'proj', l.bare('team'));
    const fixture = fixtures(home).find((f) => f.name === name);
    const [homeClient, elsewhereClient] = [await installed(ann, home), await installed(ann, away)];
    const source = layOut(home, fixture?.path ?? '', ann.home, cwd);
    const there = await l.json<ImportJson>(ann, cwd, 'import', `${home}:${source.id}`, '--to', away);
    goOn(there, 2, 1);
    await elsewhereClient.resume(there);
    await elsewhereClient.close();
    const back = await l.json<ImportJson>(ann, cwd, 'import', `${away}:${there.session}`, '--to', home);
    const sent = strings(requestItems(await homeClient.resume(back))).join('\n');
    await homeClient.close();
    const elsewhere = spoken(await conversationAt(away, there.path));
    const since = elsewhere.slice(elsewhere.findIndex((text) => text.startsWith('Turn 0: please')));
    const said = [...spoken(await conversationAt(home, source.path)), ...since];
    let at = -1;
    for (const text of said) {
      const next = sent.indexOf(text.trimEnd(), at + 1);
      expect(next, text.slice(0, 80)).toBeGreaterThan(at);
      at = next;
    }
    expect(sent.match(/Turn \d: please/g)).toHaveLength(2);
    // Asked once in the other client, and now here.
    expect(since).toContain('Where were we? (1)');
    expect(sent.match(/Where were we\? \(1\)/g)).toHaveLength(2);
    expect(back.loss.map((row) => row.kind)).toContain('continued');
  });

  it('a paginated thread of Codex shows what was added: prompts, answers and tool output', async () => {
    l = lab();
    const ann = l.person('ann');
    const cwd = l.project(ann, 'proj', l.bare('team'));
    const server = await startOpenAI();
    const codex = codexClient(client('codex') ?? '', ann.home, server);
    const source = layOut('codex', fixtures('codex').find((f) => f.name === 'exec-tools-gpt55')?.path ?? '', ann.home, cwd);
    const there = await l.json<ImportJson>(ann, cwd, 'import', `codex:${source.id}`, '--to', 'claude-code');
    goOn(there, 1, 1);
    const back = await l.json<ImportJson>(ann, cwd, 'import', `claude-code:${there.session}`, '--to', 'codex');
    // Its own server tells of a paginated thread once it was resumed.
    await codex.resume(cwd, back.session, 'And now?');
    const [thread] = await codex.read(cwd, [back.session]);
    await server.close();
    const shown = JSON.stringify(thread?.turns);
    for (const part of ['Turn 0: please look', 'I look at it now (0).', 'cat src/module-0.ts', 'Module 0 is fine.', 'And now?']) expect(shown).toContain(part);
    expect(shown.indexOf('Turn 0: please')).toBeLessThan(shown.indexOf('And now?'));
  });
});
