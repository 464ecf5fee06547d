import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClaudeClient, claudeClient, type Resumed } from '../support/claude-client.ts';
import { client } from '../support/clients.ts';
import { fixtures, layOut } from '../support/fixtures.ts';
import type { LaidOut } from '../support/layout.ts';
import type { Loopback } from '../support/loopback.ts';
import { startAnthropic } from '../support/model-server-anthropic.ts';
import { compareRequest, reduceClaude, type Seen } from '../support/reduce.ts';
import { requires } from '../support/requires.ts';
import { pooled, scratch } from '../support/scratch.ts';

const PROMPT = 'What came before this?';

// That the recorded sessions, laid out anew, are what the genuine client resumes: it is the ground for all that is compared with them.
requires('claude-code')('Claude Code resumes its own recorded sessions', () => {
  const all = fixtures('claude-code');
  const tmp = scratch('claude');
  let server: Loopback;
  let claude: ClaudeClient;
  const laid = new Map<string, LaidOut>();
  const resumed = new Map<string, Resumed>();
  const home = join(tmp.dir, 'ann');
  const cwd = join(home, 'work', 'shop ü');

  beforeAll(async () => {
    server = await startAnthropic();
    claude = claudeClient(client('claude-code') as string, home, server);
    for (const fixture of all) laid.set(fixture.name, layOut('claude-code', fixture.path, home, cwd));
    const runs = await pooled(all, 2, ({ name }) => claude.resume(cwd, laid.get(name)?.id ?? '', `${PROMPT} (${name})`));
    for (const [index, { name }] of all.entries()) resumed.set(name, runs[index] as Resumed);
  });
  afterAll(async () => {
    await server.close();
    await tmp.remove();
  });

  const laidAt = (number: number): LaidOut => laid.get(all.find((f) => f.name.startsWith(String(number).padStart(2, '0')))?.name ?? '') as LaidOut;
  const truthOf = (name: string): Seen[] => {
    const fixture = all.find((f) => f.name === name);
    return reduceClaude(JSON.parse(laid.get(name)?.moved(readFileSync(fixture?.truth ?? '', 'utf8')) ?? ''));
  };

  it.each(all)('$name: the request holds the recorded messages', ({ name }) => {
    const run = resumed.get(name);
    expect(run?.faults).toEqual([]);
    expect(run?.session).toBe(laid.get(name)?.id);
    expect(compareRequest(truthOf(name), withoutPrompt(reduceClaude(run?.request?.body.messages ?? [])), { mode: 'same' })).toEqual([]);
  });

  it('lists the interactive ones under their titles', async () => {
    const titles = [15, 16].map((n) => JSON.parse(readFileSync(join(laidAt(n).path.replace(/\.jsonl$/, ''), 'custom-title.json'), 'utf8')).customTitle);
    const screen = await claude.picker(cwd, (text) => titles.every((title) => text.includes(title)));
    for (const title of titles) expect(screen).toContain(title);
  });

  it('shows text and tool output of a resumed session on its screen', async () => {
    const screen = await claude.screen(cwd, laidAt(2).id, (text) => text.includes('I will read the source first.'));
    expect(screen).toContain('Fix the sum function in src/sum.js');
    expect(screen).toContain('I will read the source first.');
  });

  it('sees that a session was spoiled: a result changed, an answer lost, two prompts swapped', async () => {
    const name = all.find((f) => f.name.startsWith('02'))?.name ?? '';
    const at = laid.get(name) as LaidOut;
    const truth = truthOf(name);
    const whole = reduceClaude(resumed.get(name)?.request?.body.messages ?? []);
    const call = whole.find((s) => s.kind === 'result' && s.text.length > 10) as Extract<Seen, { kind: 'result' }>;
    const text = readFileSync(at.path, 'utf8');
    writeFileSync(at.path, text.replaceAll(JSON.stringify(call.text).slice(1, 11), 'something else'));
    const run = await claude.resume(cwd, at.id, `${PROMPT} (spoiled)`);
    writeFileSync(at.path, text);
    const differences = compareRequest(truth, withoutPrompt(reduceClaude(run.request?.body.messages ?? [])), { mode: 'same' });
    expect(differences.join('\n')).toContain(`missing: result of call ${call.call}`);
    const answer = truth.findIndex((s) => s.kind === 'text' && s.role === 'assistant');
    expect(compareRequest(truth, truth.toSpliced(answer, 1), { mode: 'same' })).toHaveLength(1);
    expect(compareRequest(truth, truth.toReversed(), { mode: 'other' })).not.toEqual([]);
  });

  it('refuses what the real service would refuse', async () => {
    const at = layOut('claude-code', all[0]?.path ?? '', join(tmp.dir, 'bob'), join(tmp.dir, 'bob', 'shop'));
    const last = JSON.parse(
      readFileSync(at.path, 'utf8')
        .trimEnd()
        .split('\n')
        .findLast((line) => line.includes('"uuid"')) ?? '{}',
    );
    const message = { role: 'assistant', id: 'msg_1', content: [{ type: 'tool_use', id: 'toolu_1', name: 'a name with spaces', input: {} }] };
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' }] };
    const uuid = (n: number) => `0000000${n}-0000-4000-8000-000000000000`;
    appendFileSync(at.path, `${JSON.stringify({ ...last, type: 'assistant', parentUuid: last.uuid, uuid: uuid(1), message })}\n`);
    appendFileSync(at.path, `${JSON.stringify({ ...last, type: 'user', parentUuid: uuid(1), uuid: uuid(2), message: result })}\n`);
    const run = await claudeClient(client('claude-code') as string, at.home, server).resume(at.cwd, at.id, `${PROMPT} (refused)`);
    expect(run.faults[0]).toContain('tool_use.name');
    expect(run.request).toBeUndefined();
  });
});

/** Without the prompt that the test itself gave, and what the client puts before it. */
function withoutPrompt(seen: Seen[]): Seen[] {
  const out = [...seen];
  const last = out.at(-1);
  if (last?.kind === 'text' && last.text.startsWith(PROMPT)) out.pop();
  const before = out.at(-1);
  if (before?.kind === 'text' && before.text === 'No response requested.') out.pop();
  return out;
}
