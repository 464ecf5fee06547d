import { expect, test } from 'vitest';
import { adapterById } from '#adapters/registry.ts';
import { decodeRecord, encodeRecord, parseLine, type SourceLine, sourceLine, toRecord } from '#session/codec.ts';
import type { Adapter } from '../../adapters/adapter.ts';

const codex = adapterById('codex') as Adapter;

/** What is stored of a rollout line with this payload; checks that the line comes back. */
function payload(item: object): unknown {
  const text = JSON.stringify({ timestamp: '2026-03-01T08:00:00.000Z', type: 'response_item', payload: item });
  const { line } = parseLine(Buffer.from(text)) as { line: SourceLine };
  const stored = encodeRecord(toRecord(codex.draft(line.value as never), line), () => '');
  expect(sourceLine(decodeRecord(stored, 'main record 0'))).toBe(text);
  return JSON.parse(stored).native.payload;
}
const said = (role: string, type: string, ...texts: string[]) => ({ type: 'message', role, content: texts.map((text) => ({ type, text })) });

test('an item that says what the record says is named by its form', () => {
  expect(payload(said('user', 'input_text', 'hi'))).toBe('=m0');
  expect(payload(said('assistant', 'output_text', 'one', 'two'))).toBe('=m0');
  expect(payload(said('developer', 'input_text', 'rules'))).toBe('=m0');
  expect(payload({ type: 'function_call', name: 'exec', arguments: '{"cmd":"ls"}', call_id: 'c1' })).toBe('=f1');
  expect(payload({ type: 'function_call', name: 'exec', arguments: '{ "cmd": 1.0 }', call_id: 'c1' })).toBe('=f1');
  expect(payload({ type: 'function_call_output', call_id: 'c1', output: 'Exit code: 1\nno' })).toBe('=r1');
});

test('anything else about it is kept', () => {
  for (const item of [
    { ...said('user', 'input_text', 'hi'), id: 'x' },
    { role: 'user', type: 'message', content: [{ type: 'input_text', text: 'hi' }] },
    said('user', 'output_text', 'hi'),
    said('user', 'input_text'),
    { type: 'message', role: 'user', content: [{ text: 'hi', type: 'input_text' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi', more: 1 }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 7 }] },
    { type: 'function_call', call_id: 'c1', name: 'exec', arguments: '{}' },
    { type: 'function_call', name: 'exec', arguments: '{}', call_id: 'c1', status: 'completed' },
    { type: 'function_call', name: 'exec', arguments: {}, call_id: 'c1' },
    { type: 'function_call_output', call_id: 'c1', output: ['x'] },
    { type: 'function_call_output', call_id: 'c1', output: { content: 'x' } },
    { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'x' }] },
    { type: 'function_call_output', output: 'x', call_id: 'c1' },
  ])
    expect(typeof payload(item), JSON.stringify(item)).toBe(JSON.stringify(item) === JSON.stringify(said('user', 'input_text')) ? 'string' : 'object');
});

test('a text that looks like such a form is none', () => {
  for (const text of ['=m0', '=f1', '=r1', '=m']) payload(said('user', 'input_text', text));
  payload({ type: 'reasoning', summary: '=m0', encrypted_content: '=f0' });
});
