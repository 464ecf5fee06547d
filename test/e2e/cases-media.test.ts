import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Conversation } from '#session/conversation.ts';
import type { ImportJson, PushJson } from '../prove/world.ts';
import { objectsText } from '../support/git-text.ts';
import type { Lab } from '../support/lab.ts';
import type { Agent } from '../support/layout.ts';
import { begun, CLAUDE, CODEX, claudeLine, conversationAt } from '../support/made.ts';
import { noisePng } from '../support/png.ts';
import { sample } from '../support/samples.ts';

/** Images, sub-agents, and secrets in unlikely places, over Git. */
let l: Lab;
afterEach(() => l?.done());

type Pushed = PushJson & { handoffs: { images: number }[] };
const uuid = (n: number): string => `aaaaaaaa-0000-4000-8000-${String(n).padStart(12, '0')}`;
const image = (data: string): object => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } });

/** A session whose user shows `shown`, and whose tool answers with each of `taken`. */
function withImages(agent: Agent, cwd: string, shown: string, taken: string[]): object[] {
  if (agent === 'claude-code') {
    let n = 1;
    const next = (type: 'user' | 'assistant', content: unknown) => claudeLine(type, content, uuid(++n), n > 2 ? uuid(n - 1) : null, { cwd });
    return [
      next('user', [{ type: 'text', text: 'what is this' }, image(shown)]),
      ...taken.flatMap((data, i) => [
        next('assistant', [{ type: 'tool_use', id: `toolu_${i}`, name: 'Read', input: { file_path: `${cwd}/shot-${i}.png` } }]),
        next('user', [{ type: 'tool_result', tool_use_id: `toolu_${i}`, content: [image(data)] }]),
      ]),
      next('assistant', [{ type: 'text', text: 'noise' }]),
    ];
  }
  const line = (payload: object) => ({ timestamp: '2026-03-01T08:00:01.000Z', type: 'response_item', payload });
  const url = (data: string) => ({ type: 'input_image', image_url: `data:image/png;base64,${data}` });
  return [
    line({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'what is this' }, url(shown)] }),
    ...taken.flatMap((data, i) => [
      line({ type: 'function_call', name: 'view_image', arguments: JSON.stringify({ path: `shot-${i}.png` }), call_id: `call_${i}` }),
      line({ type: 'function_call_output', call_id: `call_${i}`, output: [url(data)] }),
    ]),
    line({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'noise' }] }),
  ];
}

const imagesOf = ({ entries }: Conversation): string[] =>
  entries.flatMap((entry) =>
    entry.content.flatMap((block) => (block.type === 'tool_result' ? block.content : [block])).flatMap((b) => (b.type === 'image' ? [b.data] : [])),
  );

const png = (side: number): string => noisePng(side).toString('base64');

describe.each(['claude-code', 'codex'] as const)('images of %s', (agent) => {
  const other = agent === 'codex' ? 'claude-code' : 'codex';
  const name = agent === 'codex' ? CODEX : CLAUDE;

  it('F7 over Git into both agents: byte for byte; the push says that nobody looks at what they show', async () => {
    const { lab, ann, cwd, remote, session } = begun({ agent });
    l = lab;
    const [shown, taken] = [png(20), png(30)];
    writeLines(session.path, agent, withImages(agent, cwd, shown, [taken, taken]));
    const pushed = await lab.json<Pushed>(ann, cwd, 'push', name);
    expect(pushed.handoffs[0]?.images).toBe(3);
    const again = await lab.relay(ann, cwd, 'push', name);
    expect(again.code).toBe(0);
    const bob = lab.person('bob');
    const checkout = lab.clone(bob, 'bob', remote);
    await lab.json(bob, checkout, 'pull');
    for (const to of [agent, other] as const) {
      const made = await lab.json<ImportJson>(bob, checkout, 'import', pushed.handoffs[0]?.handoff ?? '', '--to', to);
      expect(imagesOf(await conversationAt(to, made.path))).toEqual([shown, taken, taken]);
    }
  });

  it('X32 a broken one becomes a note; thirty screenshots (40 MB) count as images, are stored once each, and are all in the file', async () => {
    const { lab, ann, cwd, session } = begun({ agent });
    l = lab;
    const shots = Array.from({ length: 29 }, () => png(580));
    const [first = ''] = shots;
    const broken = `${png(20).slice(0, -60)}`;
    writeLines(session.path, agent, withImages(agent, cwd, first, [...shots, broken]));
    const pushed = await lab.json<Pushed>(ann, cwd, 'push', name);
    const { handoff = '' } = pushed.handoffs[0] ?? {};
    const stored = lab.git(ann, join(cwd, '.git/relay/store.git'), 'ls-tree', '-r', '--name-only', `refs/relay/s/${handoff}`, 'attachments/').split('\n');
    expect(stored).toHaveLength(30);
    const made = await lab.json<ImportJson>(ann, cwd, 'import', name, '--to', other);
    const inFile = imagesOf(await conversationAt(other, made.path));
    expect(new Set(inFile)).toEqual(new Set(shots));
    expect(made.view.tokens).toBeLessThan(80_000);
    expect(made.loss.some((row) => row.kind === 'image')).toBe(true);
    expect(readFileSync(made.path, 'utf8')).toMatch(/\[image (?:image\/png|\(image\/png\))[^\]]*left out\]/);
  });
});

/** Replaces all lines but a rollout's first. */
function writeLines(path: string, agent: Agent, lines: object[]): void {
  const [head = ''] = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, `${[...(agent === 'codex' ? [head] : []), ...lines.map((line) => JSON.stringify(line))].join('\n')}\n`);
}

it('X11 sub-agents are no sessions and no user turns; they are kept whole, and the call that started one keeps its result', async () => {
  const { lab, ann, cwd, remote, session } = begun({ turns: 1 });
  l = lab;
  const lines = [
    claudeLine('user', 'delegate it', uuid(1), null, { cwd }),
    claudeLine('assistant', [{ type: 'tool_use', id: 'toolu_task', name: 'Task', input: { prompt: 'look around', description: 'Look' } }], uuid(2), uuid(1), {
      cwd,
    }),
    claudeLine('user', [{ type: 'tool_result', tool_use_id: 'toolu_task', content: 'the sub-agent found it' }], uuid(3), uuid(2), { cwd }),
  ];
  writeLines(session.path, 'claude-code', lines);
  const inner = claudeLine('user', 'INNER PROMPT of the sub-agent', uuid(11), null, { cwd, isSidechain: true, agentId: 'a0b1c2d3' });
  const beside = join(session.path.replace(/\.jsonl$/, ''), 'subagents');
  mkdirSync(beside, { recursive: true });
  writeFileSync(join(beside, 'agent-a0b1c2d3.jsonl'), `${JSON.stringify(inner)}\n`);
  writeFileSync(join(beside, 'agent-a0b1c2d3.meta.json'), '{"agentType":"Explore"}');
  expect((await lab.json<{ sessions: unknown[] }>(ann, cwd, 'sessions')).sessions).toHaveLength(1);
  const { handoff = '' } = (await lab.json<PushJson>(ann, cwd, 'push', CLAUDE)).handoffs[0] ?? {};
  const bob = lab.person('bob');
  const checkout = lab.clone(bob, 'bob', remote);
  await lab.json(bob, checkout, 'pull');
  const own = await lab.json<ImportJson>(bob, checkout, 'import', handoff, '--to', 'claude-code');
  const restored = join(own.path.replace(/\.jsonl$/, ''), 'subagents');
  const expected = JSON.stringify(inner).replaceAll(session.id, own.session).replaceAll(cwd, checkout);
  expect(readFileSync(join(restored, 'agent-a0b1c2d3.jsonl'), 'utf8')).toBe(`${expected}\n`);
  expect(readFileSync(join(restored, 'agent-a0b1c2d3.meta.json'), 'utf8')).toBe('{"agentType":"Explore"}');
  const other = await lab.json<ImportJson>(bob, checkout, 'import', handoff, '--to', 'codex');
  const text = readFileSync(other.path, 'utf8');
  expect(text).toContain('the sub-agent found it');
  expect(text).not.toContain('INNER PROMPT');
});

it('X28 a key in base64, behind JSON escapes, in a picture’s text and beside others is in no Git object; the source is untouched', async () => {
  const { lab, ann, cwd, remote, session } = begun({ turns: 1 });
  l = lab;
  const key = sample('ghp_{an36}');
  const escaped = `"echo ${[...key].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
  const picture = Buffer.concat([noisePng(20).subarray(0, -12), Buffer.from(`tEXtComment\0${key}`), noisePng(20).subarray(-12)]);
  const encoded = Buffer.from(`{"user":"deploy","token":"${key}"}`).toString('base64');
  const lines = [
    claudeLine('user', `use ${key} and ${encoded}`, uuid(1), null, { cwd }),
    claudeLine('user', [{ type: 'text', text: 'see' }, image(picture.toString('base64'))], uuid(2), uuid(1), { cwd }),
    claudeLine('assistant', [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'COMMAND' } }], uuid(3), uuid(2), { cwd }),
    claudeLine(
      'user',
      [{ type: 'tool_result', tool_use_id: 'toolu_1', content: `1 export TOKEN=${key}\n2 git remote add origin https://x:${key}@example.com/r.git` }],
      uuid(4),
      uuid(3),
      { cwd },
    ),
  ];
  writeFileSync(session.path, `${lines.map((line) => JSON.stringify(line).replace('"COMMAND"', () => escaped)).join('\n')}\n`);
  const before = readFileSync(session.path);
  const pushed = await lab.json<Pushed>(ann, cwd, 'push', CLAUDE);
  expect(readFileSync(session.path).equals(before)).toBe(true);
  for (const repository of [remote, join(cwd, '.git/relay/store.git')]) {
    const objects = objectsText(repository);
    for (const form of [key, key.slice(4), encoded, encoded.slice(24, 64), escaped.slice(6, -1)]) expect(objects.includes(form), form.slice(0, 12)).toBe(false);
  }
  const { findings = [] } = pushed.handoffs[0] as unknown as { findings: { kind: string; fingerprint: string }[] };
  expect(new Set(findings.filter((f) => f.kind === 'gh').map((f) => f.fingerprint)).size).toBe(1);
  expect(JSON.stringify(pushed)).not.toContain(key.slice(4));
  expect(dirname(session.path)).not.toBe('');
});
