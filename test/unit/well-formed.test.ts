import { expect, test } from 'vitest';
import type { Conversation, Entry } from '#session/conversation.ts';
import { wellFormedConversation } from '#session/well-formed.ts';

const entry = (text: string): Entry => ({ role: 'user', content: [{ type: 'text', text }], stream: 'main', record: 3, origin: 'person' });
const of = (entries: Entry[]): Conversation => ({ entries, view: entries, sealed: false, abandoned: 0 });

test('a conversation without half characters is the same object', () => {
  const whole = of([entry('会😀'), { ...entry(''), content: [{ type: 'tool_call', id: 'c', name: 'x', input: { a: [1, null, '😀'] } }] }]);
  const { conversation, notes } = wellFormedConversation(whole);
  expect(conversation).toBe(whole);
  expect(notes).toEqual([]);
});

test('half characters in texts, inputs and their keys are replaced and named', () => {
  const call: Entry = { ...entry(''), content: [{ type: 'tool_call', id: 'c', name: 'x', input: { 'k\ud83d': ['\ude00'], fine: 1 } }] };
  const before = of([entry('a\ud83db'), call, entry('fine')]);
  const { conversation, notes } = wellFormedConversation(before);
  expect(conversation.entries[0]?.content).toEqual([{ type: 'text', text: 'a\ufffdb' }]);
  expect(conversation.entries[1]?.content).toMatchObject([{ input: { 'k\ufffd': ['\ufffd'], fine: 1 } }]);
  expect(conversation.entries[2]).toBe(before.entries[2]);
  expect(conversation.view).toBe(conversation.entries);
  expect(notes.map(({ record, action }) => [record, action])).toEqual([
    [3, 'changed'],
    [3, 'changed'],
  ]);
  expect(before.entries[0]?.content).toEqual([{ type: 'text', text: 'a\ud83db' }]);
});
