import { describe, expect, test } from 'vitest';
import type { Entry } from '#session/conversation.ts';
import { describeCall, pairCalls } from '#session/pairs.ts';
import type { Block } from '#session/record.ts';

let record = 0;
const entry = (role: Entry['role'], ...content: Block[]): Entry => ({
  role,
  content,
  stream: 'main',
  record: record++,
  origin: role === 'user' ? 'person' : role === 'assistant' ? 'model' : 'tool',
});
const text = (said: string): Block => ({ type: 'text', text: said });
const call = (id: string, command = 'npm test'): Block => ({ type: 'tool_call', id, name: 'Bash', input: { command } });
const result = (id: string, said = 'ok'): Block => ({ type: 'tool_result', call_id: id, content: [{ type: 'text', text: said }] });
const ids = (entries: Entry[]): string[] =>
  entries.flatMap((e) => e.content.flatMap((b) => (b.type === 'tool_call' ? [`call ${b.id}`] : b.type === 'tool_result' ? [`result ${b.call_id}`] : [])));

describe('pairing calls and results', () => {
  test('a conversation in order comes back as it is', () => {
    const entries = [
      entry('user', text('go')),
      entry('assistant', call('a'), call('b')),
      entry('tool', result('b')),
      entry('user', text('hurry')),
      entry('tool', result('a')),
    ];
    const paired = pairCalls(entries);
    expect(paired.entries).toBe(entries);
    expect(paired.notes).toEqual([]);
  });

  test('a call without result becomes text and its message keeps the rest', () => {
    const asked = entry('assistant', text('running tests'), call('a', 'npm test -- --run'));
    const { entries, notes } = pairCalls([entry('user', text('go')), asked]);
    expect(entries[1]?.content).toEqual([text('running tests'), text('called Bash: npm test -- --run, no result was recorded, not known to have finished')]);
    expect(entries[1]?.role).toBe('assistant');
    expect(notes).toEqual([{ record: asked.record, stream: 'main', kind: 'tool-call', action: 'changed', reason: expect.stringContaining('"a"') }]);
  });

  test('a result without call becomes text of the user, apart from the results beside it', () => {
    const { entries, notes } = pairCalls([entry('assistant', call('a')), entry('tool', result('lost', '42 files'), result('a'))]);
    expect(entries.map((e) => e.role)).toEqual(['assistant', 'user', 'tool']);
    expect(entries[1]?.content).toEqual([text('Result of a tool call that is not part of this conversation (lost):\n42 files')]);
    expect(ids(entries)).toEqual(['call a', 'result a']);
    expect(notes.map((n) => n.kind)).toEqual(['tool-result']);
  });

  test('a result without call keeps its pictures, and within a user message its place', () => {
    const picture = { type: 'image' as const, media_type: 'image/png', data: 'AAAA' };
    const { entries } = pairCalls([entry('user', text('see'), { type: 'tool_result', call_id: 'x', is_error: true, content: [picture] }, text('there'))]);
    expect(entries).toHaveLength(1);
    expect(entries[0]?.content).toEqual([
      text('see'),
      text('Result of a tool call that is not part of this conversation (x, an error):'),
      picture,
      text('there'),
    ]);
  });

  test('equal ids are told apart, each result staying with its call', () => {
    const entries = [
      entry('assistant', call('a')),
      entry('tool', result('a', '1')),
      entry('assistant', call('a'), call('a_2')),
      entry('tool', result('a', '2'), result('a_2', '3')),
    ];
    const paired = pairCalls(entries);
    expect(ids(paired.entries)).toEqual(['call a', 'result a', 'call a_3', 'call a_2', 'result a_3', 'result a_2']);
    expect(pairCalls(entries)).toEqual(paired);
    expect(pairCalls(paired.entries).notes).toEqual([]);
  });

  test('a call that was given up does not take the result of a later one with its id', () => {
    const { entries } = pairCalls([
      entry('user', text('1')),
      entry('assistant', call('a', 'first')),
      entry('user', text('2')),
      entry('assistant', call('a', 'second')),
      entry('tool', result('a')),
    ]);
    expect(entries[1]?.content[0]).toMatchObject({ type: 'text', text: expect.stringContaining('first') });
    expect(ids(entries)).toHaveLength(2);
  });

  test('empty ids get one', () => {
    const { entries } = pairCalls([entry('assistant', call(''), call('')), entry('tool', result('', '1'), result('', '2'))]);
    expect(ids(entries)).toEqual(['call call_1', 'call call_2', 'result call_1', 'result call_2']);
  });

  test('a result in front of its call is moved behind the reply that made the call', () => {
    const first = { ...entry('assistant', call('a')), group: 'g' };
    const second = { ...entry('assistant', call('b')), group: 'g' };
    const { entries, notes } = pairCalls([entry('tool', result('a')), first, second, entry('tool', result('b'))]);
    expect(ids(entries)).toEqual(['call a', 'call b', 'result a', 'result b']);
    expect(entries.every((e) => e.content.length > 0)).toBe(true);
    expect(notes).toHaveLength(1);
  });

  test('a second result of one call becomes text', () => {
    const { entries } = pairCalls([entry('assistant', call('a')), entry('tool', result('a', '1')), entry('tool', result('a', '2'))]);
    expect(ids(entries)).toEqual(['call a', 'result a']);
    expect(entries[2]?.role).toBe('user');
  });

  test('messages of one role after each other stay apart', () => {
    const { entries } = pairCalls([entry('user', text('1')), entry('user', text('2')), entry('assistant', call('a')), entry('assistant', text('3'))]);
    expect(entries).toHaveLength(4);
  });

  test.each([
    ['a command as list', { command: ['bash', '-lc', 'ls'] }, 'bash -lc ls'],
    ['raw input that is an object', '{"cmd":"ls"}', 'ls'],
    ['raw input', '*** Begin Patch', '*** Begin Patch'],
    ['a single argument', { file_path: '/a' }, '/a'],
    ['several arguments', { file_path: '/a', content: 'b' }, '{"file_path":"/a","content":"b"}'],
    ['nothing', {}, ''],
  ])('a call is described by %s', (_, input, said) => {
    expect(describeCall({ type: 'tool_call', id: 'a', name: 'X', input })).toBe(said);
  });
});
