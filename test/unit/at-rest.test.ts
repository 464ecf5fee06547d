import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { atRest, fromRest, ordered } from '#session/at-rest.ts';
import { encodeRecord, parseLine, type SourceLine, toRecord } from '#session/codec.ts';
import type { Draft, SessionRecord } from '#session/record.ts';
import { storedSchema } from '#session/stored-schema.ts';

const stored = (record: object) => JSON.parse(JSON.stringify(atRest(record as SessionRecord)));
const there = (record: object, rest: object) => {
  expect(stored(record)).toEqual(rest);
  expect(JSON.stringify(fromRest(stored(record)))).toBe(JSON.stringify(record));
  expect(storedSchema.safeParse(stored(record)).error).toBeUndefined();
};
const text = (words: string) => ({ type: 'text', text: words });

describe('a record at rest', () => {
  test('leaves out what can be told: types, lists of one, plain text', () => {
    there({ type: 'message', role: 'user', content: [text('hi')] }, { role: 'user', content: 'hi' });
    there({ type: 'message', role: 'user', content: [text('a'), text('b')] }, { role: 'user', content: ['a', 'b'] });
    there({ type: 'message', role: 'user', content: [] }, { role: 'user', content: [] });
    there({ type: 'event', kind: 'usage' }, { kind: 'usage' });
    there({ type: 'raw', text: 'x' }, { type: 'raw', text: 'x' });
    there(
      { type: 'message', role: 'assistant', content: [{ type: 'tool_call', id: 'c', name: 'Bash', input: null }] },
      { role: 'assistant', content: { id: 'c', name: 'Bash', input: null } },
    );
    there(
      { type: 'message', role: 'tool', content: [{ type: 'tool_result', call_id: 'c', is_error: true, content: [text('out')] }] },
      { role: 'tool', content: { call_id: 'c', is_error: true, content: 'out' } },
    );
    there(
      { type: 'message', role: 'assistant', content: [{ type: 'thinking', text: 'hm', sealed: true }] },
      { role: 'assistant', content: { type: 'thinking', text: 'hm', sealed: true } },
    );
    there({ type: 'boundary', view: [{ role: 'user', content: [text('sum')] }] }, { type: 'boundary', view: [{ role: 'user', content: 'sum' }] });
  });

  test('keeps the order of keys of a block that the source wrote in another one', () => {
    there({ type: 'message', role: 'user', content: [{ text: 'hi', type: 'text' }] }, { role: 'user', content: { text: 'hi', type: 'text' } });
  });

  test('takes id, parent and time over from its native part', () => {
    const native = { uuid: 'u', parentUuid: null, timestamp: 't' };
    there({ type: 'event', kind: 'x', native, id: 'u', parent: null, time: 't' }, { kind: 'x', native });
    there({ type: 'event', kind: 'x', native, id: 'u', parent: 'other', time: 't' }, { kind: 'x', native, parent: 'other' });
  });

  test('says where the native part has something that the record has not', () => {
    const native = { uuid: 'u', parentUuid: 'p', timestamp: 'no time' };
    there({ type: 'event', kind: 'x', native }, { kind: 'x', native, id: false, parent: false, time: false });
  });

  test('takes nothing over from a pointer, a line that is kept as text, or a value of another kind', () => {
    for (const native of [{ uuid: '=3', parentUuid: '==p', timestamp: 7 }, '{"uuid":"u"}', null])
      there({ type: 'event', kind: 'x', native }, { kind: 'x', native });
  });

  test('the source line keeps what the record takes over, also where it repeats', () => {
    const value = { parentUuid: 'aaaaaaaa-0000', uuid: 'bbbbbbbb-0000', timestamp: '2026-01-01T00:00:00Z', again: ['bbbbbbbb-0000', 'aaaaaaaa-0000'] };
    const { line } = parseLine(Buffer.from(JSON.stringify(value))) as { line: SourceLine };
    const draft: Draft = { time: value.timestamp, id: value.uuid, parent: value.parentUuid, type: 'event', kind: 'x' };
    expect(Object.keys(ordered(draft))).toEqual(['type', 'kind', 'id', 'parent', 'time']);
    expect(JSON.parse(encodeRecord(toRecord(draft, line), () => ''))).toEqual({ kind: 'x', native: { ...value, again: ['=2', '=3'] } });
  });

  test('what is no record stays refusable', () => {
    expect(fromRest({ role: 'user' })).toEqual({ type: 'message', role: 'user' });
    expect(fromRest({ role: 'user', content: 7 })).toEqual({ type: 'message', role: 'user', content: [7] });
    expect(fromRest({})).toEqual({});
    expect(z.toJSONSchema(storedSchema, { io: 'input' })).toBeDefined();
  });
});
