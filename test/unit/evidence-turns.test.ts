import { describe, expect, it } from 'vitest';
import { readStop } from '#adapters/actions.ts';
import { turnsOf } from '#context/evidence/turn-ends.ts';
import type { Entry, Streams } from '#session/conversation.ts';
import type { SessionRecord } from '#session/record.ts';

const asked: SessionRecord = { type: 'message', role: 'user', content: [{ type: 'text', text: 'do it' }], origin: 'person' };
const answered: SessionRecord = { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'done' }] };
const called: SessionRecord = { type: 'message', role: 'assistant', content: [{ type: 'tool_call', id: 'a', name: 't', input: {} }] };
const note = (kind: string, data?: Record<string, string>): SessionRecord => ({ type: 'event', kind, ...(data ? { data } : {}) });
const told = (text: string): SessionRecord => ({ type: 'message', role: 'user', content: [{ type: 'text', text }], origin: 'harness' });

function ends(...records: SessionRecord[]) {
  const entries = records.flatMap((record, n): Entry[] =>
    record.type === 'message' ? [{ role: record.role, content: record.content, origin: record.origin ?? 'model', stream: 'main', record: n }] : [],
  );
  const streams: Streams = new Map([['main', records]]);
  return turnsOf(streams, entries, entries.filter(({ origin }) => origin === 'person').length, readStop).map(({ ended }) => ended);
}

describe('how a turn ended', () => {
  it.each([
    ['with an answer', [asked, answered, note('turn-end')], ['complete']],
    ['with a call that nothing follows', [asked, called], ['open']],
    ['with nothing', [asked], ['open']],
    ['at a usage limit that the turn names', [asked, called, note('turn-end', { error: 'You have hit your usage limit.' })], ['limit']],
    ['at a limit of the provider', [asked, called, note('api-error', { text: 'API Error: 429 too many requests' })], ['limit']],
    ['with another error', [asked, called, note('error', { message: 'stream closed' })], ['failed']],
    ['where the person stopped it', [asked, called, note('turn-end', { reason: 'interrupted' })], ['interrupted']],
    ['where Claude Code says so', [asked, called, told('[Request interrupted by user for tool use]')], ['interrupted']],
    ['where Codex says so', [asked, called, told('<turn_aborted>\nThe user interrupted')], ['interrupted']],
    ['each by itself', [asked, called, note('error', { message: 'x' }), asked, answered], ['failed', 'complete']],
  ] as [string, SessionRecord[], string[]][])('%s', (_, records, expected) => {
    expect(ends(...records)).toEqual(expected);
  });
});
