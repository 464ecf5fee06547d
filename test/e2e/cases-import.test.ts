import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ImportJson, PushJson } from '../prove/world.ts';
import type { Lab } from '../support/lab.ts';
import type { Agent } from '../support/layout.ts';
import { type BeginOptions, begun, CLAUDE, CODEX, claudeLine, conversationAt, spoken } from '../support/made.ts';

/** What arrives in the other agent's file, and what the report says of the rest. */
let l: Lab;
afterEach(() => l?.done());
const begin = (options: BeginOptions = {}) => {
  const made = begun(options);
  l = made.lab;
  return made;
};

type Imported = ImportJson & { notes: string[] };
type Json = Record<string, unknown>;
const uuid = (n: number): string => `aaaaaaaa-0000-4000-8000-${String(n).padStart(12, '0')}`;
const values = (path: string): Json[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
/** Items that Codex sends to the model. */
const items = (path: string): Json[] => values(path).flatMap((value) => (value.type === 'response_item' ? [value.payload as Json] : []));
/** Blocks that Claude Code sends to the model, with their role. */
const blocks = (path: string): Json[] =>
  values(path).flatMap((value) => {
    const message = value.message as { role: string; content: unknown } | undefined;
    const content = typeof message?.content === 'string' ? [{ type: 'text', text: message.content }] : ((message?.content ?? []) as Json[]);
    return content.map((block) => ({ role: message?.role, ...block }));
  });

/** A chain of Claude Code lines: role and content each. */
const chain = (cwd: string, ...said: ['user' | 'assistant', unknown][]): object[] =>
  said.map(([type, content], n) => claudeLine(type, content, uuid(n + 1), n ? uuid(n) : null, { cwd }));
const call = (id: string, command = 'npm test', name = 'Bash'): object => ({ type: 'tool_use', id, name, input: { command } });
const result = (id: string, content: unknown = 'ok'): object => ({ type: 'tool_result', tool_use_id: id, content });
const text = (words: string): object => ({ type: 'text', text: words });

/** Ann's session of the given lines; imported to `to`. */
async function imported(to: Agent, said: ['user' | 'assistant', unknown][]): Promise<Imported> {
  const { lab, ann, cwd, session } = begin({ turns: 1 });
  writeFileSync(
    session.path,
    `${chain(cwd, ...said)
      .map((line) => JSON.stringify(line))
      .join('\n')}\n`,
  );
  return lab.json<Imported>(ann, cwd, 'import', CLAUDE, '--to', to);
}

it('X01 user prompts reach the target model, as messages of the user, in order', async () => {
  const made = await imported('codex', [
    ['user', 'U1 first prompt'],
    ['assistant', [text('A1')]],
    ['user', 'U2 second prompt'],
    ['assistant', [text('A2')]],
    ['user', 'U3 third prompt'],
  ]);
  const users = items(made.path).filter((item) => item.role === 'user');
  expect(users.map((item) => ((item.content as Json[])[0] as Json).text)).toEqual(['U1 first prompt', 'U2 second prompt', 'U3 third prompt']);
});

it('X02 tool blocks swallow no text: the text, then the call, then its output', async () => {
  const made = await imported('codex', [
    ['user', 'go'],
    ['assistant', [text('A1'), call('toolu_1')]],
    ['user', [result('toolu_1', 'all passed')]],
  ]);
  const [, , said, called, answered] = items(made.path);
  expect(said).toMatchObject({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'A1' }] });
  expect(called).toMatchObject({ type: 'function_call', call_id: 'toolu_1' });
  expect(answered).toMatchObject({ type: 'function_call_output', call_id: 'toolu_1', output: 'all passed' });
  const types = new Set(items(made.path).flatMap((item) => ((item.content ?? []) as Json[]).map((part) => part.type)));
  expect([...types].every((type) => ['input_text', 'output_text', 'input_image'].includes(type as string))).toBe(true);
});

it('X03 a call without result: its text and command survive as text, the report names the id', async () => {
  const said: ['user' | 'assistant', unknown][] = [
    ['user', 'run the tests'],
    ['assistant', [text('running tests'), call('toolu_orphan', 'npm run test:all')]],
  ];
  const made = await imported('codex', said);
  const conversation = await conversationAt('codex', made.path);
  expect(spoken(conversation).join('\n')).toMatch(/running tests[\s\S]*called Bash: npm run test:all, no result was recorded, not known to have finished/);
  expect(items(made.path).some((item) => item.type === 'function_call')).toBe(false);
  expect(made.loss.some((row) => row.reason.includes('toolu_orphan'))).toBe(true);
});

it('X04 a result whose call is not there is kept as plain text', async () => {
  const { lab, ann, cwd } = begin({
    agent: 'codex',
    lines: [
      {
        timestamp: '2026-03-01T08:00:01.000Z',
        type: 'response_item',
        payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] },
      },
      {
        timestamp: '2026-03-01T08:00:02.000Z',
        type: 'response_item',
        payload: { type: 'function_call_output', call_id: 'call_lost', output: 'the output of long ago' },
      },
      {
        timestamp: '2026-03-01T08:00:03.000Z',
        type: 'response_item',
        payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'fine' }] },
      },
    ],
  });
  const made = await lab.json<Imported>(ann, cwd, 'import', CODEX, '--to', 'claude-code');
  const all = blocks(made.path);
  expect(all.some((block) => block.type === 'tool_result')).toBe(false);
  expect(all.some((block) => block.role === 'user' && String(block.text).includes('the output of long ago'))).toBe(true);
  expect(JSON.stringify(all)).not.toContain('(no content)');
});

it('X06 ids and names that the target refuses are rewritten, pairs kept, each named by --dry-run, and come back on the way home', async () => {
  const ids = ['call_abc|fc_123', 'functions.Bash:0', 'x'.repeat(70)];
  const line = (payload: object, n: number) => ({ timestamp: `2026-03-01T08:00:0${n}.000Z`, type: 'response_item', payload });
  const { lab, ann, cwd, session } = begin({
    agent: 'codex',
    lines: [
      line({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] }, 1),
      ...ids.flatMap((call_id, n) => [
        line({ type: 'function_call', name: n ? 'exec_command' : 'mcp__x__y.z weird name', arguments: JSON.stringify({ cmd: `echo ${n}` }), call_id }, 2),
        line({ type: 'function_call_output', call_id, output: `output ${n}` }, 3),
      ]),
    ],
  });
  const dry = await lab.json<Imported>(ann, cwd, 'import', CODEX, '--to', 'claude-code', '--dry-run');
  for (const id of ids)
    expect(
      dry.loss.some((row) => row.reason.includes(id)),
      id,
    ).toBe(true);
  expect(dry.loss.some((row) => row.reason.includes('weird name'))).toBe(true);
  const made = await lab.json<Imported>(ann, cwd, 'import', CODEX, '--to', 'claude-code');
  const calls = blocks(made.path).filter((block) => block.type === 'tool_use');
  const answers = blocks(made.path).filter((block) => block.type === 'tool_result');
  expect(calls).toHaveLength(3);
  for (const [n, made] of calls.entries()) {
    expect(made.id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(made.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(answers[n]).toMatchObject({ tool_use_id: made.id, content: `output ${n}` });
  }
  const home = await lab.json<Imported>(ann, cwd, 'import', `claude-code:${made.session}`, '--to', 'codex');
  expect(readFileSync(home.path, 'utf8').startsWith(readFileSync(session.path, 'utf8').replaceAll(session.id, home.session))).toBe(true);
});

it('X09 thinking: signed goes back unchanged to its own agent; no other agent gets a signature or a sealed block', async () => {
  const { lab, ann, cwd, session } = begin();
  const signature = Buffer.from('made-up signature '.repeat(20)).toString('base64');
  const thought = { type: 'thinking', thinking: 'first I look', signature };
  writeFileSync(
    session.path,
    `${chain(cwd, ['user', 'go'], ['assistant', [thought]], ['assistant', [text('done')]])
      .map((line) => JSON.stringify(line))
      .join('\n')}\n`,
  );
  const own = await lab.json<Imported>(ann, cwd, 'import', CLAUDE, '--to', 'claude-code');
  expect(readFileSync(own.path, 'utf8')).toContain(JSON.stringify(thought));
  const other = await lab.json<Imported>(ann, cwd, 'import', CLAUDE, '--to', 'codex');
  expect(readFileSync(other.path, 'utf8')).not.toContain(signature);
  expect(readFileSync(other.path, 'utf8')).not.toContain('encrypted_content');
  expect(other.loss.some((row) => row.kind === 'thinking')).toBe(true);
});

it('X09 sealed reasoning of Codex goes to no other agent', async () => {
  const sealed = Buffer.from('made-up sealed reasoning '.repeat(20)).toString('base64');
  const line = (payload: object) => ({ timestamp: '2026-03-01T08:00:01.000Z', type: 'response_item', payload });
  const { lab, ann, cwd } = begin({
    agent: 'codex',
    lines: [
      line({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] }),
      line({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'a plan' }], content: null, encrypted_content: sealed }),
      line({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] }),
    ],
  });
  const made = await lab.json<Imported>(ann, cwd, 'import', CODEX, '--to', 'claude-code');
  expect(readFileSync(made.path, 'utf8')).not.toContain(sealed);
  expect(blocks(made.path).some((block) => block.type === 'thinking' || block.type === 'redacted_thinking')).toBe(false);
  expect(made.loss.some((row) => row.kind === 'thinking')).toBe(true);
});

describe('X12 a compacted session', () => {
  it('X12 of Claude Code: Codex’ model gets the summary and what followed; the whole history is in the file', async () => {
    const { lab, ann, cwd, session } = begin();
    const before = Array.from({ length: 200 }, (_, n): ['user' | 'assistant', unknown] =>
      n % 2 ? ['assistant', [text(`old answer ${n}`)]] : ['user', `old question ${n}`],
    );
    const lines = chain(cwd, ...before) as Json[];
    const boundary = {
      ...claudeLine('user', '', uuid(900), null, { cwd }),
      type: 'system',
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      message: undefined,
      logicalParentUuid: uuid(200),
      compactMetadata: { trigger: 'auto', preTokens: 1000 },
    };
    const summary = claudeLine('user', 'SUMMARY of the old part', uuid(901), uuid(900), { cwd, isCompactSummary: true, isVisibleInTranscriptOnly: true });
    const after = Array.from({ length: 6 }, (_, n) =>
      claudeLine(n % 2 ? 'assistant' : 'user', n % 2 ? [text(`new answer ${n}`)] : `new question ${n}`, uuid(902 + n), uuid(901 + n), { cwd }),
    );
    writeFileSync(session.path, `${[...lines, boundary, summary, ...after].map((line) => JSON.stringify(line)).join('\n')}\n`);
    const made = await lab.json<Imported>(ann, cwd, 'import', CLAUDE, '--to', 'codex');
    const all = values(made.path);
    const at = all.findIndex((value) => value.type === 'compacted');
    const replacement = JSON.stringify((all[at] as { payload?: Json } | undefined)?.payload?.replacement_history);
    expect(replacement).toContain('SUMMARY of the old part');
    expect(replacement).not.toContain('old question 2');
    const later = JSON.stringify(all.slice(at + 1));
    for (let n = 0; n < 6; n++) expect(later).toContain(`new ${n % 2 ? 'answer' : 'question'} ${n}`);
    const earlier = JSON.stringify(all.slice(0, at));
    for (let n = 0; n < 200; n++) expect(earlier).toContain(`old ${n % 2 ? 'answer' : 'question'} ${n}`);
  });

  it('X12 of Codex: Claude Code gets a boundary with the summary; the whole history stands before it', async () => {
    const line = (type: string, payload: object) => ({ timestamp: '2026-03-01T08:00:01.000Z', type, payload });
    const said = (role: string, words: string) =>
      line('response_item', { type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text: words }] });
    const { lab, ann, cwd } = begin({
      agent: 'codex',
      lines: [
        said('user', 'old question'),
        said('assistant', 'old answer'),
        line('compacted', {
          message: 'SUMMARY of the old part',
          replacement_history: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'SUMMARY of the old part' }] }],
        }),
        said('user', 'new question'),
        said('assistant', 'new answer'),
      ],
    });
    const made = await lab.json<Imported>(ann, cwd, 'import', CODEX, '--to', 'claude-code');
    const all = values(made.path);
    const at = all.findIndex((value) => value.subtype === 'compact_boundary');
    expect(at).toBeGreaterThan(0);
    expect(JSON.stringify(all.slice(0, at))).toContain('old answer');
    expect(all[at + 1]).toMatchObject({ isCompactSummary: true, parentUuid: all[at]?.uuid });
    expect(JSON.stringify(all[at + 1])).toContain('SUMMARY of the old part');
    expect(JSON.stringify(all.slice(at + 1))).toContain('new answer');
  });
});

it.each(['claude-code', 'codex'] as const)('X14 %s: the first request stays verbatim, however long the session', async (agent) => {
  const { lab, ann, cwd, session } = begin({ agent, turns: 200, resultSize: 12_000 });
  const wish = '不要引入新依赖';
  const source = readFileSync(session.path, 'utf8');
  writeFileSync(session.path, source.replaceAll('Turn 0: please', `${wish} Turn 0: please`));
  const to = agent === 'codex' ? 'claude-code' : 'codex';
  const made = await lab.json<Imported>(ann, cwd, 'import', agent === 'codex' ? CODEX : CLAUDE, '--to', to);
  expect(made.loss.some((row) => row.kind === 'checkpoint' || row.action === 'shortened' || row.action === 'left-out')).toBe(true);
  const { view, entries } = await conversationAt(to, made.path);
  expect(view).not.toBe(entries);
  expect(JSON.stringify(view)).toContain(wish);
});

it('X15 the last to-do list reaches the model when what it stood in was cut', async () => {
  const { lab, ann, cwd, session } = begin({ turns: 1 });
  const todos = ['one', 'two', 'three', 'four', 'five'].map((word, n) => ({
    content: `do part ${word}`,
    status: n < 2 ? 'completed' : 'pending',
    activeForm: 'doing',
  }));
  const start = chain(
    cwd,
    ['user', 'plan it'],
    ['assistant', [{ type: 'tool_use', id: 'toolu_todo', name: 'TodoWrite', input: { todos } }]],
    ['user', [result('toolu_todo')]],
  );
  const { claudeTurns } = await import('../support/generate.ts');
  const turns = claudeTurns({ sessionId: session.id, cwd, turns: 150, resultSize: 12_000, parent: uuid(3) });
  writeFileSync(session.path, `${[...start.map((line) => JSON.stringify(line)), ...turns].join('\n')}\n`);
  const made = await lab.json<Imported>(ann, cwd, 'import', CLAUDE, '--to', 'codex');
  const { view } = await conversationAt('codex', made.path);
  const lead = view
    .flatMap((entry) => entry.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])))
    .find((words) => words.includes('do part'));
  for (const word of ['three', 'four', 'five']) expect(lead).toMatch(new RegExp(`pending[^\n]*do part ${word}|do part ${word}[^\n]*pending`));
  for (const word of ['one', 'two']) expect(lead).toMatch(new RegExp(`completed[^\n]*do part ${word}|do part ${word}[^\n]*completed`));
});

it('X18 what is not known is named and kept, and a format too new is refused with agent, version and type', async () => {
  const { lab, ann, cwd, session } = begin();
  writeFileSync(session.path, `${readFileSync(session.path, 'utf8')}${JSON.stringify({ type: 'hologram', data: 'x', sessionId: session.id })}\n`);
  const made = await lab.json<Imported>(ann, cwd, 'import', CLAUDE, '--to', 'codex');
  expect(made.loss.find((row) => row.kind === 'unknown-record')?.reason).toContain('"hologram"');
  const strange = join(l.root, 'strange', `${session.id}.jsonl`);
  mkdirSync(join(l.root, 'strange'));
  writeFileSync(strange, `${JSON.stringify({ type: 'hologram', version: '9.0.0', sessionId: session.id })}\n`);
  const ended = await lab.relay(ann, cwd, 'import', strange, '--to', 'codex', '--json');
  expect(ended.code).toBe(1);
  const { error } = JSON.parse(ended.stderr.trim().split('\n').at(-1) ?? '');
  expect(error).toMatchObject({ code: 'unknown-format' });
  expect(error.message).toMatch(/Claude Code 9\.0\.0.*hologram/);
});

it('X23 the user’s own model provider stands in what Codex resumes', async () => {
  const { lab, ann, cwd } = begin({ agent: 'codex' });
  mkdirSync(join(ann.home, '.codex'), { recursive: true });
  writeFileSync(join(ann.home, '.codex/config.toml'), 'model_provider = "deepseek"\n');
  const made = await lab.json<Imported>(ann, cwd, 'import', CODEX, '--to', 'codex');
  expect(values(made.path)[0]).toMatchObject({ payload: { model_provider: 'deepseek' } });
  expect(made.loss.find((row) => row.kind === 'model-provider')?.reason).toContain('"deepseek"');
});

it('X29 nothing of an import or a push is there for git add -A', async () => {
  const { lab, ann, cwd } = begin();
  const { handoffs } = await lab.json<PushJson>(ann, cwd, 'push', CLAUDE);
  await lab.json(ann, cwd, 'import', handoffs[0]?.handoff ?? '', '--to', 'codex');
  lab.git(ann, cwd, 'add', '-A');
  expect(lab.git(ann, cwd, 'status', '--porcelain')).toBe('');
});

it('X38 the resume command is a few words, whatever the size of the session', async () => {
  const { lab, ann, cwd } = begin({ turns: 60, resultSize: 9000 });
  const made = await lab.json<Imported>(ann, cwd, 'import', CLAUDE, '--to', 'codex');
  expect(statSync(made.path).size).toBeGreaterThan(400_000);
  expect([made.resume.command, ...made.resume.args].join(' ').length).toBeLessThan(200);
});
