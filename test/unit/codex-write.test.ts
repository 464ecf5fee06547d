import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Written } from '#adapters/adapter.ts';
import { codex } from '#adapters/codex/index.ts';
import type { Entry, Fitted } from '#session/conversation.ts';
import type { Block } from '#session/record.ts';
import { recordsOf, toldBy } from '../support/codex.ts';

const ID = '01a22c35-2c91-79b0-a0af-b94749a2e016';
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const text = (value: string): Block => ({ type: 'text', text: value });
let n = 0;
const entry = (role: Entry['role'], content: Block[], more: Partial<Entry> = {}): Entry => ({
  role,
  content,
  stream: 'main',
  record: n++,
  origin: ({ user: 'person', assistant: 'model', tool: 'tool', system: 'harness' } as const)[role],
  time: new Date(Date.parse('2026-11-20T08:00:00Z') + n * 1000).toISOString(),
  ...more,
});
const question = (value: string) => entry('user', [text(value)]);
const answer = (value: string) => entry('assistant', [text(value)]);
const call = (id: string, name: string, input: Extract<Block, { type: 'tool_call' }>['input']) => entry('assistant', [{ type: 'tool_call', id, name, input }]);
const result = (id: string, content: Extract<Block, { type: 'tool_result' }>['content'], is_error?: boolean) =>
  entry('tool', [{ type: 'tool_result', call_id: id, content, ...(is_error ? { is_error } : {}) }]);

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'relay-codex-'));
  n = 0;
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

interface Line {
  timestamp: string;
  type: string;
  payload: Record<string, unknown> & { type?: string };
}

async function write(
  fitted: Partial<Fitted>,
  orientation = '',
): Promise<{ lines: Line[]; items: Line['payload'][]; events: Line['payload'][]; written: Written }> {
  const written = await codex.write({
    target: { where: { env: {}, home }, cwd: '/srv/proj', id: ID, title: 'Login 登录', branch: 'main', now: new Date('2026-11-30T11:00:00Z') },
    card: { agent: 'claude-code', id: 's', title: 'Login', cwd: '/old', path: '', created: '2026-11-20T08:00:00.000Z', updated: '' },
    orientation,
    fitted: { history: [], lead: [], tail: [], size: { tokens: 0, items: 0, bytes: 4000 }, ...fitted },
  });
  const lines: Line[] = [];
  for await (const line of written.files[0]?.lines ?? []) lines.push(JSON.parse(String(line)) as Line);
  const of = (type: string) => lines.filter((line) => line.type === type).map((line) => line.payload);
  return { lines, items: of('response_item'), events: of('event_msg'), written };
}
const types = (payloads: Line['payload'][]) => payloads.map((payload) => payload.type);

describe('a conversation written for Codex', () => {
  it('lies where the client looks, under its name and with a resume command', async () => {
    const { written, lines } = await write({ tail: [question('Hi')] });
    const sessions = join(home, '.codex', 'sessions', '2026', '11', '30');
    expect(written).toMatchObject({
      session: ID,
      path: join(sessions, `rollout-2026-11-30T11-00-00-${ID}.jsonl`),
      resume: { command: 'codex', args: ['resume', ID], cwd: '/srv/proj' },
    });
    expect(written.appends).toEqual([
      {
        path: join(home, '.codex', 'session_index.jsonl'),
        line: JSON.stringify({ id: ID, thread_name: 'Login 登录', updated_at: '2026-11-30T11:00:00.000Z' }),
      },
    ]);
    expect(lines[0]).toMatchObject({
      type: 'session_meta',
      payload: { id: ID, cwd: '/srv/proj', source: 'cli', history_mode: 'legacy', model_provider: 'openai', originator: 'relay', git: { branch: 'main' } },
    });
  });

  it('takes the provider of the config.toml there', async () => {
    mkdirSync(join(home, '.codex'));
    writeFileSync(join(home, '.codex', 'config.toml'), 'model_provider = "mine"\n');
    expect((await write({ tail: [question('Hi')] })).lines[0]?.payload.model_provider).toBe('mine');
  });

  it('has items for the model and events for people, turn by turn', async () => {
    const { items, events, written } = await write({
      tail: [
        question('Q1'),
        answer('A1'),
        call('toolu_1', 'Read', { path: 'a' }),
        result('toolu_1', [{ type: 'text', text: 'body' }]),
        answer('A2'),
        question('Q2'),
        answer('A3'),
      ],
    });
    expect(items.map((item) => item.type)).toEqual(['message', 'message', 'function_call', 'function_call_output', 'message', 'message', 'message']);
    expect(items[2]).toEqual({ type: 'function_call', name: 'Read', arguments: '{"path":"a"}', call_id: 'toolu_1' });
    expect(items[3]).toEqual({ type: 'function_call_output', call_id: 'toolu_1', output: 'body' });
    const turn = ['task_started', 'user_message', 'agent_message'];
    expect(types(events)).toEqual([...turn, 'mcp_tool_call_end', 'agent_message', 'task_complete', ...turn, 'token_count', 'task_complete']);
    expect(events[3]).toMatchObject({
      invocation: { server: 'claude-code', tool: 'Read', arguments: { path: 'a' } },
      result: { Ok: { content: [{ type: 'text', text: 'body' }] } },
    });
    expect(events.at(-2)).toMatchObject({ info: { last_token_usage: { total_tokens: 1000 } } });
    expect(written.loss).toEqual([]);
  });

  it('reads back as the same conversation', async () => {
    const tail = [question('Q1'), answer('A1'), call('toolu_1', 'Read', { path: 'a' }), result('toolu_1', [{ type: 'text', text: 'body' }]), answer('A2')];
    const { lines } = await write({ tail });
    const records = recordsOf(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
    expect(toldBy(codex.conversation(new Map([['main', records]])).view)).toEqual(toldBy(tail));
  });

  it('says the orientation first', async () => {
    const { items } = await write({ tail: [question('Q1')] }, 'You are in /srv/proj now.');
    expect(items[0]).toMatchObject({ role: 'developer', content: [{ type: 'input_text', text: 'You are in /srv/proj now.' }] });
  });

  it('keeps everything in the file and gives the model lead and tail, when there is a checkpoint', async () => {
    const summary = entry('user', [text('SUMMARY')], { origin: 'relay', record: -1, summary: true });
    const { lines, events } = await write(
      { history: [question('Q1'), answer('A1')], lead: [summary, question('Q1')], tail: [question('Q2'), answer('A2')] },
      'ORIENT',
    );
    const compacted = lines.find((line) => line.type === 'compacted')?.payload;
    const history = (compacted?.replacement_history ?? []) as Line['payload'][];
    expect(history.map((item) => (item.content as { text: string }[])[0]?.text)).toEqual(['ORIENT', 'SUMMARY', 'Q1']);
    expect(events.filter((e) => e.type === 'user_message').map((e) => e.message)).toEqual(['Q1', 'Q2']);
    const records = recordsOf(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
    const { view, entries } = codex.conversation(new Map([['main', records]]));
    expect(toldBy(view)).toEqual(['user: SUMMARY', 'user: Q1', 'user: Q2', 'assistant: A2']);
    expect(toldBy(entries)).toEqual(['user: Q1', 'assistant: A1', 'user: Q2', 'assistant: A2']);
  });

  it('shows a title where no person wrote, so that the client lists it', async () => {
    const { events, items, written } = await write({ tail: [answer('only me')] });
    expect(types(events).slice(0, 2)).toEqual(['task_started', 'user_message']);
    expect(items).toHaveLength(1);
    expect(written.loss).toEqual([expect.objectContaining({ record: null, kind: 'title', action: 'added' })]);
  });
});

describe('what Codex cannot take', () => {
  it('names and ids are made safe, the same for call and result', async () => {
    const id = `${'x'.repeat(70)} ü`;
    const { items, written } = await write({ tail: [question('Q'), call(id, 'mcp__a.b/c', 'raw'), result(id, [{ type: 'text', text: 'r' }])] });
    expect(items[1]).toMatchObject({ name: 'mcp__a_b_c', arguments: '{"input":"raw"}' });
    expect(items[1]?.call_id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(items[2]?.call_id).toBe(items[1]?.call_id);
    expect(written.loss.map((loss) => [loss.record, loss.kind])).toEqual([
      [1, 'tool-call'],
      [1, 'tool-call'],
    ]);
  });

  it('an error mark is shown to people and named', async () => {
    const { events, written } = await write({ tail: [question('Q'), call('c', 'Bash', {}), result('c', [{ type: 'text', text: 'boom' }], true)] });
    expect(events.find((e) => e.type === 'mcp_tool_call_end')?.result).toEqual({ Err: 'boom' });
    expect(written.loss).toEqual([expect.objectContaining({ record: 2, kind: 'tool-result', action: 'changed' })]);
  });

  it('reasoning is shown and not sent', async () => {
    const { items, events, written } = await write({ tail: [question('Q'), entry('assistant', [{ type: 'thinking', text: 'hm', sealed: true }, text('A')])] });
    expect(JSON.stringify(items)).not.toContain('hm');
    expect(events).toContainEqual({ type: 'agent_reasoning', text: 'hm' });
    expect(written.loss).toEqual([expect.objectContaining({ record: 1, kind: 'thinking' })]);
  });

  it('good images go along, broken ones become a note', async () => {
    const image = (data: string): Block => ({ type: 'image', media_type: 'image/png', data });
    const { items, events, written } = await write({
      tail: [
        entry('user', [text('see'), image(PNG), image(PNG.slice(0, 60)), image('')]),
        call('c', 'View', {}),
        result('c', [{ type: 'image', media_type: 'image/png', data: PNG }]),
      ],
    });
    const url = `data:image/png;base64,${PNG}`;
    expect(items[0]?.content).toEqual([
      { type: 'input_text', text: 'see' },
      { type: 'input_image', image_url: url },
      { type: 'input_text', text: '[image image/png left out]' },
      { type: 'input_text', text: '[image image/png left out]' },
    ]);
    expect(items[2]?.output).toEqual([{ type: 'input_image', image_url: url }]);
    expect(events.find((e) => e.type === 'user_message')?.images).toEqual([url]);
    expect(written.loss).toEqual([expect.objectContaining({ record: 0, kind: 'image', action: 'left-out' })]);
  });

  it('text that the source’s client put in is sent, not shown as typed', async () => {
    const { items, events } = await write({ tail: [question('Q'), entry('user', [text('<system-reminder>')], { origin: 'harness', hidden: true })] });
    expect(items).toHaveLength(2);
    expect(events.filter((e) => e.type === 'user_message')).toHaveLength(1);
  });

  it('a result without its call becomes a message', async () => {
    const { items, written } = await write({ tail: [question('Q'), result('c', [{ type: 'text', text: 'lost' }])] });
    expect(items[1]).toEqual({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'lost' }] });
    expect(written.loss).toHaveLength(1);
  });
});

it('has nothing to ask where no codex is installed', async () => {
  const { written } = await write({ tail: [question('Hi')] });
  const where = { env: { PATH: home }, home };
  expect(await codex.confirm?.(where, { ...written, resume: { ...written.resume, cwd: home } })).toBeUndefined();
});
