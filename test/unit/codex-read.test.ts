import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codex } from '#adapters/codex/index.ts';
import type { JsonObject } from '#lib/json.ts';
import { attach, decodeRecord, encodeRecord, nativeValue, sourceLine } from '#session/codec.ts';
import { fixture, fixtureRecords, rollout, rolloutLine } from '../support/codex.ts';

const fixtures = readdirSync(fixture('')).filter((name) => name.endsWith('.jsonl'));
const item = (payload: JsonObject) => codex.draft({ timestamp: '2026-11-30T11:00:00.000Z', type: 'response_item', payload });
const event = (payload: JsonObject) => codex.draft({ timestamp: '2026-11-30T11:00:00.000Z', type: 'event_msg', payload });

describe.each(fixtures)('%s', (name) => {
  const records = fixtureRecords(name.replace('.jsonl', ''));

  it('gives the same bytes again', async () => {
    const attachments = new Map<string, Buffer>();
    const detach = (bytes: Buffer) => {
      const name = `${attachments.size}`;
      attachments.set(name, bytes);
      return name;
    };
    const load = async (name: string) => attachments.get(name) as Buffer;
    const again = await Promise.all(records.map((record) => attach(decodeRecord(encodeRecord(record, detach), name), load)));
    expect(again.map((record) => `${sourceLine(record)}\n`).join('')).toBe(readFileSync(fixture(name), 'utf8'));
  });

  it('holds no type that is not known', () => {
    expect(records.filter((record) => record.type === 'raw' || (record.type === 'event' && record.kind === 'unknown'))).toEqual([]);
  });
});

describe('tool results', () => {
  it.each([
    ['{"output":"boom\\n","metadata":{"exit_code":2,"duration_seconds":0.1}}', 2, true],
    ['Exit code: 0\nWall time: 0 seconds\nOutput:\nhi\n', 0, undefined],
    ['Chunk ID: 066ad3\nWall time: 0.0000 seconds\nProcess exited with code 3\nOutput:\n', 3, true],
    ['Chunk ID: 066ad3\nWall time: 0.0000 seconds\nOutput:\nProcess exited with code 3', 3, true],
    ['a line\nExit code: 3', undefined, undefined],
    ['unsupported call: Read', undefined, true],
    ['apply_patch verification failed: no file', undefined, true],
    ['aborted by user', undefined, true],
  ])('%j', (output, exit_code, is_error) => {
    const draft = item({ type: 'function_call_output', call_id: 'call_1', output });
    expect(draft).toMatchObject({ type: 'message', role: 'tool', content: [{ call_id: 'call_1', content: [{ type: 'text', text: output }] }] });
    const [block] = draft.type === 'message' ? draft.content : [];
    expect(block?.type === 'tool_result' && [block.exit_code, block.is_error]).toEqual([exit_code, is_error]);
  });
});

describe('tool calls', () => {
  it.each([
    ['{"cmd":"ls"}', { cmd: 'ls' }],
    ['{"cmd": "ls"}', '{"cmd": "ls"}'],
    ['{not json', '{not json'],
    ['[1]', '[1]'],
  ])('keep arguments %j so that they serialise to the same string', (text, input) => {
    expect(item({ type: 'function_call', name: 'exec_command', arguments: text, call_id: 'c' })).toMatchObject({
      content: [{ type: 'tool_call', id: 'c', name: 'exec_command', input }],
    });
  });

  it('fold arguments and image into the canonical part', () => {
    const image = `data:image/png;base64,${'iVBORw0KGgo'.repeat(9)}`;
    const [call, output] = rollout(
      rolloutLine('response_item', { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"echo a long enough command"}', call_id: 'c' }),
      rolloutLine('response_item', { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image', image_url: image }] }),
    );
    const once = (record: object | undefined, text: string) => expect(JSON.stringify(record).split(text)).toHaveLength(2);
    once(call, 'a long enough command');
    once(output, 'iVBORw0KGgo'.repeat(9));
  });
});

describe('forms that the client drops without a word', () => {
  it.each([
    ['content as a string', { type: 'message', role: 'user', content: 'hi' }],
    ['role system', { type: 'message', role: 'system', content: [] }],
    ['arguments as an object', { type: 'function_call', name: 'x', arguments: {}, call_id: 'c' }],
    ['output as an object', { type: 'function_call_output', call_id: 'c', output: {} }],
  ])('%s is kept and reported, not sent', (_, payload) => {
    expect(item(payload as JsonObject)).toMatchObject({ type: 'event', kind: 'unknown', data: { name: `response_item/${payload.type}` } });
  });

  it('so is a line without timestamp', () => {
    expect(codex.draft({ type: 'response_item', payload: { type: 'message', role: 'user', content: [] } })).toMatchObject({ type: 'event', kind: 'unknown' });
  });
});

describe('who wrote a user message', () => {
  const message = (text: string, kinds?: string[]) =>
    item({
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text }],
      ...(kinds ? { internal_chat_message_metadata_passthrough: { content_item_kinds: kinds } } : {}),
    });
  it.each([
    ['typed', ['user.text'], 'person'],
    ['typed', ['user.text', 'user.image'], 'person'],
    ['anything', ['environments.environment_context'], 'harness'],
    ['<environment_context>\n…', undefined, 'harness'],
    ['# AGENTS.md instructions for /p', undefined, 'harness'],
    ['typed', undefined, undefined],
  ])('%j labelled %j', (text, kinds, origin) => {
    expect(message(text, kinds)).toHaveProperty('role', 'user');
    expect((message(text, kinds) as { origin?: string }).origin).toBe(origin);
  });
});

it('tells what events say', () => {
  expect(event({ type: 'thread_rolled_back', num_turns: 2 })).toMatchObject({ kind: 'rollback', data: { turns: 2 } });
  expect(event({ type: 'thread_name_updated', thread_name: 'N' })).toMatchObject({ kind: 'title', data: { title: 'N' } });
  expect(event({ type: 'exec_command_end', command: ['ls'], exit_code: 1, aggregated_output: 'o' })).toMatchObject({
    kind: 'command',
    data: { command: ['ls'], exit_code: 1, output: 'o' },
  });
  expect(event({ type: 'something_new' })).toMatchObject({ kind: 'unknown', data: { name: 'event_msg/something_new' } });
  expect(codex.draft({ timestamp: '2026-11-30T11:00:00.000Z', type: 'new_line', payload: {} })).toMatchObject({ kind: 'unknown', data: { name: 'new_line' } });
});

describe('frozen slots', () => {
  const id = '01a22c35-2c91-79b0-a0af-b94749a2e016';
  it.each([
    [['payload', 'id'], id, true],
    [['payload', 'call_id'], 'call_mock000004', true],
    [['payload', 'call_id'], 'a password with spaces', false],
    [['payload', 'encrypted_content'], 'gAAAAABmock-encrypted-1', true],
    [['payload', 'encrypted_content'], 'password=hunter2', false],
    [['payload', 'replacement_history', 3, 'encrypted_content'], 'gAAAAABcompaction-blob', true],
    [['payload', 'item', 'id'], id, true],
    [['payload', 'invocation', 'arguments', 'id'], id, false],
    [['payload', 'content', 0, 'text'], id, false],
    [['payload', 'git', 'branch'], 'main', false],
  ] as const)('%j %j', (path, value, expected) => {
    expect(codex.slot(path, value) === 'kept').toBe(expected);
  });

  it('cover the ids of every fixture line that the client links records by', () => {
    for (const name of fixtures)
      for (const record of fixtureRecords(name.replace('.jsonl', ''))) {
        const payload = nativeValue(record)?.payload as JsonObject;
        for (const key of ['id', 'call_id', 'turn_id', 'session_id'])
          if (typeof payload[key] === 'string') expect(codex.slot(['payload', key], payload[key]), `${name} ${payload[key]}`).toBe('kept');
      }
  });
});

describe('files touched', () => {
  const touched = (name: string) => fixtureRecords(name).flatMap((record) => codex.touched(record));
  it('come from patches and from the client’s reading of commands', () => {
    expect(touched('exec-tools-gpt55')).toEqual(
      expect.arrayContaining([
        { path: 'README.md', change: 'read' },
        { path: 'hello.txt', change: 'changed' },
      ]),
    );
  });
  it('come from code mode’s events', () => {
    expect(touched('exec-codemode-gpt6sol')).toContainEqual({ path: '/home/dev/src/relay-test/work/code/proj/a.txt', change: 'changed' });
  });
  it('come from calls in legacy rollouts', () => {
    expect(touched('exec-tools-0.120.0')).toEqual(
      expect.arrayContaining([
        { path: 'README.md', change: 'read' },
        { path: 'hello.txt', change: 'changed' },
      ]),
    );
    expect(touched('exec-image')).toContainEqual({ path: 'pixel.png', change: 'read' });
  });
});
