import { describe, expect, it } from 'vitest';
import { messagesFault } from '../support/model-server-anthropic.ts';
import { inputFault } from '../support/model-server-openai.ts';
import { compareRequest, reduceClaude, reduceCodex } from '../support/reduce.ts';

const user = (text: string) => ({ role: 'user', content: text });
const call = (id: string, more = {}) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'Bash', input: {}, ...more }] });
const result = (id: string, more = {}) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'out', ...more }] });

describe('the stand-in for the Messages API', () => {
  it('accepts a call with its result', () => {
    expect(messagesFault([user('hello'), call('a'), result('a'), { role: 'assistant', content: 'done' }])).toBeUndefined();
  });

  it.each([
    ['nothing', [], /at least one message/],
    ['an assistant first', [{ role: 'assistant', content: 'x' }], /first message/],
    ['blank text', [user('  ')], /non-whitespace/],
    ['a call without a result', [user('x'), call('a')], /without `tool_result`/],
    ['a result without a call', [user('x'), { role: 'assistant', content: 'y' }, result('a')], /unexpected `tool_use_id`/],
    ['an id used twice', [user('x'), call('a'), result('a'), call('a'), result('a')], /must be unique/],
    ['a name with spaces', [user('x'), call('a', { name: 'my tool' }), result('a')], /tool_use.name/],
    ['an input that is no object', [user('x'), call('a', { input: 'ls' }), result('a')], /valid dictionary/],
    ['a foreign signature', [user('x'), { role: 'assistant', content: [{ type: 'thinking', thinking: 'h', signature: 'Zm9yZWlnbg==' }] }], /signature/],
    ['an unknown block', [user('x'), { role: 'assistant', content: [{ type: 'reasoning' }] }], /expected tags/],
  ])('refuses %s', (_what, messages, fault) => {
    expect(messagesFault(messages)).toMatch(fault);
  });
});

const said = (role: string, type: string, text = 'x') => ({ type: 'message', role, content: [{ type, text }] });
const asked = (call_id: string, more = {}) => ({ type: 'function_call', name: 'exec_command', arguments: '{}', call_id, ...more });
const gave = (call_id: string, more = {}) => ({ type: 'function_call_output', call_id, output: 'out', ...more });

describe('the stand-in for the Responses API', () => {
  it('accepts a call with its output', () => {
    expect(inputFault([said('user', 'input_text'), asked('a'), gave('a'), said('assistant', 'output_text')])).toBeUndefined();
  });

  it.each([
    ['a call without output', [asked('a')], /No tool output/],
    ['an output before its call', [gave('a'), asked('a')], /No tool call/],
    ['two outputs', [asked('a'), gave('a'), gave('a')], /Duplicate output/],
    ['an id used twice', [asked('a'), gave('a'), asked('a')], /Duplicate call_id/],
    ['a long call id', [asked('a'.repeat(65)), gave('a'.repeat(65))], /64 characters/],
    ['arguments that are no string', [asked('a', { arguments: {} }), gave('a')], /arguments/],
    ['text of the wrong side', [said('assistant', 'input_text')], /content type/],
    ['raw reasoning', [{ type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'h' }] }], /maximum length 0/],
    ['reasoning of another provider', [{ type: 'reasoning', summary: [], encrypted_content: 'foreign' }], /could not be verified/],
    ['too many items', Array.from({ length: 16_385 }, () => said('user', 'input_text')), /16384/],
  ])('refuses %s', (_what, input, fault) => {
    expect(inputFault(input)).toMatch(fault);
  });
});

describe('the comparison of what reached a model', () => {
  const claude = reduceClaude([user('fix it'), call('toolu_1', { input: { command: 'ls' } }), result('toolu_1'), { role: 'assistant', content: 'Done.' }]);
  const items = [
    said('user', 'input_text', 'fix it'),
    asked('c9', { name: 'Bash', arguments: '{"command":"ls"}' }),
    gave('c9'),
    said('assistant', 'output_text', 'Done.'),
  ];

  it('sees the same conversation in the words of two services', () => {
    expect(compareRequest(claude, reduceCodex(items), { mode: 'other' })).toEqual([]);
  });

  it.each([
    ['a lost answer', items.slice(0, 3), ['missing: assistant text "Done."']],
    ['a changed input', [items[0], asked('c9', { name: 'Bash', arguments: '{"command":"rm"}' }), ...items.slice(2)], ['missing: call 0', 'unexpected: call 0']],
    ['another tool', [items[0], asked('c9', { name: 'Read', arguments: '{"command":"ls"}' }), ...items.slice(2)], ['missing: call 0', 'unexpected: call 0']],
    ['a changed result', [...items.slice(0, 2), gave('c9', { output: 'other' }), items[3]], ['missing: result of call 0', 'unexpected: result of call 0']],
    ['a wrong role', [...items.slice(0, 3), said('user', 'input_text', 'Done.')], ['missing: assistant text', 'unexpected: user text']],
    ['something nobody said', [...items, said('user', 'input_text', 'And more.')], ['unexpected: user text "And more."']],
  ])('names %s', (_what, actual, starts) => {
    const differences = compareRequest(claude, reduceCodex(actual), { mode: 'other' });
    expect(differences).toHaveLength(starts.length);
    for (const [at, start] of starts.entries()) expect(differences[at]).toContain(start);
  });

  it('takes a placeholder for what stood there, and nothing else', () => {
    const text = (value: string) => reduceClaude([user(value)]);
    const placeholder = '[REDACTED:name-value:0a1b2c3d]';
    expect(compareRequest(text('key=abc and more'), text(`key=${placeholder} and more`), { mode: 'same' })).toEqual([]);
    expect(compareRequest(text('key=abc and more'), text(`key=${placeholder} and less`), { mode: 'same' })).toHaveLength(2);
  });
});
