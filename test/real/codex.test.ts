import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Resumed } from '../support/claude-client.ts';
import { client } from '../support/clients.ts';
import { type CodexClient, codexClient, type Thread } from '../support/codex-client.ts';
import { type Fixture, fixtures, layOut } from '../support/fixtures.ts';
import type { LaidOut } from '../support/layout.ts';
import type { Loopback } from '../support/loopback.ts';
import { startOpenAI } from '../support/model-server-openai.ts';
import { compareRequest, reduceCodex, type Seen } from '../support/reduce.ts';
import { requires } from '../support/requires.ts';
import { pooled, scratch } from '../support/scratch.ts';

const promptFor = (fixture: Fixture) => `What came before this? (${fixture.name})`;

// That the recorded sessions, laid out anew, are what the genuine client resumes: it is the ground for all that is compared with them.
requires('codex')('Codex resumes its own recorded sessions', () => {
  const all = fixtures('codex');
  const recorded = all.filter((fixture) => fixture.truth);
  const tmp = scratch('codex');
  let server: Loopback;
  const runs = new Map<string, { laid: LaidOut; codex: CodexClient; resumed: Resumed; thread: Thread | undefined }>();

  beforeAll(async () => {
    server = await startOpenAI();
    await pooled(all, 2, async (fixture) => runs.set(fixture.name, await resume(fixture, promptFor(fixture))));
  });
  afterAll(async () => {
    await server.close();
    await tmp.remove();
  });

  /** Each in a home of its own: some recordings are two states of one thread. */
  async function resume(fixture: Fixture, prompt: string, spoil?: (laid: LaidOut) => void) {
    const home = join(tmp.dir, prompt.replace(/\W+/g, '-'), 'ann');
    const laid = layOut('codex', fixture.path, home, join(home, 'work', 'shop ü'));
    spoil?.(laid);
    const codex = codexClient(client('codex') as string, home, server, laid.provider);
    const resumed = await codex.resume(laid.cwd, laid.id, prompt);
    const [thread] = await codex.read(laid.cwd, [laid.id]);
    return { laid, codex, resumed, thread };
  }

  it.each(all)('$name: goes on in the same thread, and the service accepts it', ({ name }) => {
    const run = runs.get(name);
    expect(run?.resumed).toMatchObject({ code: 0, faults: [], session: run?.laid.id });
    expect(run?.thread?.turns.length).toBeGreaterThan(0);
  });

  it.each(recorded)('$name: the request holds the recorded input', (fixture) => {
    const run = runs.get(fixture.name);
    const seen = reduceCodex(run?.resumed.request?.body.input ?? []);
    const truth = truthOf(fixture, run?.laid as LaidOut);
    expect(truth.length).toBeGreaterThan(0);
    expect(compareRequest(truth, seen.slice(0, truth.length), { mode: 'same' })).toEqual([]);
    // What follows was answered after the last recorded request.
    expect(seen.slice(truth.length, -1).every((item) => item.kind !== 'text' || item.role === 'assistant')).toBe(true);
    expect(seen.at(-1)).toEqual({ kind: 'text', role: 'user', text: promptFor(fixture) });
  });

  it('lists a thread under its name, tells its turns and shows them on its screen', async () => {
    const fixture = all.find((f) => f.name.includes('tui-compacted')) as Fixture;
    const { laid, codex, thread } = runs.get(fixture.name) as { laid: LaidOut; codex: CodexClient; thread: Thread };
    expect((await codex.list(laid.cwd)).map((t) => [t.id, t.preview])).toEqual([[laid.id, 'Tell me about README']]);
    expect(JSON.stringify(thread.turns)).toContain('Answer after compaction.');
    const screen = await codex.screen(laid.cwd, laid.id, (text) => text.includes('Answer after compaction.'));
    expect(screen).toContain('Tell me about README');
    expect(screen).toContain('Answer after compaction.');
  });

  it('sees that a session was spoiled: a call changed and an answer that the client drops', async () => {
    const fixture = recorded.find((f) => f.name.includes('exec-tools-gpt55')) as Fixture;
    const run = await resume(fixture, 'And before this?', (laid) => {
      const lines = readFileSync(laid.path, 'utf8').split('\n');
      const call = lines.findIndex((line) => line.includes('"function_call"'));
      lines[call] = (lines[call] ?? '').replace('ls -la', 'ls -lb');
      const answer = lines.findIndex((line) => line.includes('"response_item"') && line.includes('output_text'));
      lines[answer] = (lines[answer] ?? '').replace(/"content":\[.*?\]/, '"content":"as a string"');
      writeFileSync(laid.path, lines.join('\n'));
    });
    const differences = compareRequest(truthOf(fixture, run.laid), reduceCodex(run.resumed.request?.body.input ?? []), { mode: 'same' }).join('\n');
    expect(differences).toMatch(/missing: assistant text "I'll look around first/);
    expect(differences).toMatch(/missing: call 0 of exec_command .*ls -la/);
    expect(differences).toMatch(/unexpected: call 0 of exec_command .*ls -lb/);
  });
});

/** The last recorded request that belongs to this rollout (a recording may go on in a fork). */
function truthOf(fixture: Fixture, laid: LaidOut): Seen[] {
  const requests: { input: unknown[] }[] = JSON.parse(laid.moved(readFileSync(fixture.truth ?? '', 'utf8')));
  const own = readFileSync(laid.path, 'utf8');
  const asked = (seen: Seen[]) => seen.findLast((item) => item.kind === 'text' && item.role === 'user') as { text: string } | undefined;
  const last = requests.map(({ input }) => reduceCodex(input)).findLast((seen) => own.includes(JSON.stringify(asked(seen)?.text ?? '\0').slice(1, -1)));
  return last ?? [];
}
