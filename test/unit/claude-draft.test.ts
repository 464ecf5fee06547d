import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#lib/json.ts';
import { encodeRecord, sourceLine } from '#session/codec.ts';
import { recordSchema } from '#session/record.ts';
import { claudeCode } from '../../adapters/claude-code/index.ts';
import { claudeRecords, linesToRecords } from '../support/claude-records.ts';

const fixtures = fileURLToPath(new URL('../fixtures/claude-code/', import.meta.url));
const transcripts = readdirSync(fixtures, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));

describe('every recorded transcript', () => {
  it.each(transcripts)('%s gives its own bytes again, in valid records without unknown types', (name) => {
    const bytes = readFileSync(join(fixtures, name));
    const records = claudeRecords(bytes);
    expect(records.map((record) => `${sourceLine(record)}\n`).join('')).toBe(bytes.toString('utf8'));
    expect(records.filter((record) => !recordSchema.safeParse(record).success)).toEqual([]);
    expect(records.filter((record) => record.type === 'event' && record.kind === 'unknown')).toEqual([]);
    const size = records.reduce((sum, record) => sum + Buffer.byteLength(encodeRecord(record, () => '')) + 1, 0);
    expect(size / bytes.length).toBeLessThan(1.2);
  });
});

const u = '11111111-2222-4333-8444-555555555555';
const draft = (value: JsonObject) => claudeCode.draft(value);

describe('a record', () => {
  it.each<[string, JsonObject, object]>([
    [
      'of a person',
      { type: 'user', uuid: u, parentUuid: null, message: { role: 'user', content: 'hi' }, timestamp: '2026-01-01T00:00:00Z' },
      { type: 'message', role: 'user', origin: 'person', id: u, parent: null, time: '2026-01-01T00:00:00Z' },
    ],
    ['that the client hides', { type: 'user', isMeta: true, message: { content: 'x' } }, { origin: 'harness', hidden: true }],
    ['of a command', { type: 'user', message: { content: '<command-name>/compact</command-name>' } }, { role: 'user', origin: 'harness' }],
    ['of an interruption', { type: 'user', message: { content: [{ type: 'text', text: '[Request interrupted by user]' }] } }, { origin: 'harness' }],
    ['of a finished task', { type: 'user', origin: { kind: 'task-notification' }, message: { content: 'done' } }, { origin: 'harness' }],
    ['of a summary', { type: 'user', isCompactSummary: true, message: { content: 's' } }, { summary: true, origin: 'harness' }],
    [
      'of a failed command',
      { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't', is_error: true, content: 'Exit code 3\nno' }] } },
      {
        role: 'tool',
        content: [{ type: 'tool_result', call_id: 't', is_error: true, exit_code: 3, content: [{ type: 'text', text: 'Exit code 3\nno' }] }],
      },
    ],
    [
      'of a reply',
      { type: 'assistant', message: { id: 'msg_1', model: 'm', content: [{ type: 'thinking', thinking: 'hm', signature: 'c2ln' }] } },
      { role: 'assistant', group: 'msg_1', model: 'm', content: [{ type: 'thinking', text: 'hm', sealed: true }] },
    ],
    [
      'made up by the client',
      { type: 'assistant', message: { model: '<synthetic>', content: [{ type: 'text', text: 'No response requested.' }] } },
      { role: 'assistant', origin: 'harness' },
    ],
    [
      'of an attachment that was sent',
      { type: 'attachment', attachment: { type: 'instructions' }, rendered: [{ content: 'rules' }], renderedRole: 'user' },
      { type: 'message', role: 'user', name: 'instructions', hidden: true, origin: 'harness' },
    ],
    [
      'of an attachment that was not sent',
      { type: 'attachment', attachment: { type: 'prompt_snapshot' }, uuid: u, parentUuid: u },
      { type: 'event', kind: 'context', id: u, parent: u },
    ],
    [
      'of a local command',
      { type: 'system', subtype: 'local_command', content: '<local-command-stdout>x</local-command-stdout>' },
      { type: 'message', role: 'user', origin: 'harness' },
    ],
    ['of a title', { type: 'custom-title', customTitle: 't' }, { type: 'event', kind: 'title', data: { title: 't', by: 'custom-title' } }],
    ['of a leaf', { type: 'last-prompt', leafUuid: u, explicit: true }, { kind: 'leaf', data: { leaf: u, explicit: true } }],
    ['of an unknown type', { type: 'brand-new' }, { type: 'event', kind: 'unknown', data: { name: 'brand-new' } }],
    ['with a name that objects have', { type: 'constructor' }, { kind: 'unknown', data: { name: 'constructor' } }],
    ['without its message', { type: 'user', uuid: u }, { kind: 'unknown', data: { name: 'user' }, id: u }],
    ['of an unknown block', { type: 'user', message: { content: [{ type: 'hologram' }] } }, { content: [{ type: 'unknown', kind: 'hologram' }] }],
  ])('%s', (_, value, expected) => expect(draft(value)).toMatchObject(expected));

  it('shares the input of a call with its source, so that it is stored once', () => {
    const input = { command: 'ls' };
    const made = draft({ type: 'assistant', message: { content: [{ type: 'tool_use', id: 't', name: 'Bash', input }] } });
    expect(made.type === 'message' && made.content[0]?.type === 'tool_call' && made.content[0].input).toBe(input);
  });
});

describe('a frozen place', () => {
  const signature = Buffer.from('a signature of some length').toString('base64');
  it.each<[(string | number)[], string, boolean]>([
    [['uuid'], u, true],
    [['uuid'], 'password=hunter2', false],
    [['message', 'id'], 'msg_0123456789', true],
    [['message', 'content', 0, 'id'], 'toolu_0123456789', true],
    [['message', 'content', 0, 'signature'], signature, true],
    [['message', 'content', 0, 'signature'], 'not base64 at all!', false],
    [['message', 'content', 0, 'text'], u, false],
    [['message', 'content', 0, 'input', 'signature'], signature, false],
    [['compactMetadata', 'preservedMessages', 'uuids', 3], u, true],
    [['toolUseResult', 'stdout'], u, false],
    [['constructor'], u, false],
  ])('%j %s: %s', (path, value, expected) => expect(claudeCode.slot(path, value) === 'kept').toBe(expected));
});

describe('touched files', () => {
  it('come from file tools, named files and checkpoint copies', () => {
    const call = (name: string, input: object) => ({ type: 'assistant', message: { content: [{ type: 'tool_use', id: 't', name, input }] } });
    const records = linesToRecords([
      call('Read', { file_path: '/a' }),
      call('Edit', { file_path: '/b' }),
      call('Bash', { command: 'cat /c' }),
      { type: 'attachment', attachment: { type: 'file', filename: '/d' }, rendered: [{ content: 'text' }] },
      { type: 'file-history-delta', trackingPath: 'e.txt' },
    ]);
    expect(records.flatMap((record) => claudeCode.touched(record))).toEqual([
      { path: '/a', change: 'read' },
      { path: '/b', change: 'changed' },
      { path: '/d', change: 'read' },
      { path: 'e.txt', change: 'changed' },
    ]);
  });
});
