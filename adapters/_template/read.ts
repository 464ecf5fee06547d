import { asString, type JsonObject } from '#lib/json.ts';
import type { Conversation, Entry, Streams } from '#session/conversation.ts';
import type { Draft, SessionRecord } from '#session/record.ts';
import type { Slots } from '#session/slot.ts';
import type { Touch } from '../adapter.ts';

/**
 * The canonical record of one line. Looks at no other line and changes nothing of `value`: strings and containers of the draft
 * should be those of `value` itself, so that they are stored once. Unknown types become events of kind `unknown`, never an error.
 */
export function draft(value: JsonObject): Draft {
  const base = { ...(typeof value.id === 'string' ? { id: value.id } : {}), ...(typeof value.at === 'string' ? { time: value.at } : {}) };
  switch (value.kind) {
    case 'session':
      return { type: 'event', kind: 'settings', ...base };
    case 'said':
      return { type: 'message', role: value.by === 'assistant' ? 'assistant' : 'user', content: [{ type: 'text', text: asString(value.text) ?? '' }], ...base };
    case 'call': {
      const call = { type: 'tool_call' as const, id: asString(value.id) ?? '', name: asString(value.name) ?? '', input: value.input ?? null };
      return { type: 'message', role: 'assistant', content: [call], ...base };
    }
    case 'result': {
      const failed = value.failed === true ? { is_error: true } : {};
      const content = [{ type: 'text' as const, text: asString(value.text) ?? '' }];
      return { type: 'message', role: 'tool', content: [{ type: 'tool_result', call_id: asString(value.call) ?? '', ...failed, content }], ...base };
    }
    default:
      return { type: 'event', kind: 'unknown', data: { name: asString(value.kind) ?? '(no kind)' }, ...base };
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Places that redaction may not edit: ids that hold the file together, the kind of a record. */
export const slot: Slots = (path, value) => {
  if (path.length !== 1) return undefined;
  if (path[0] === 'id' || path[0] === 'call') return UUID.test(value) ? 'kept' : 'fixed';
  return path[0] === 'kind' ? (/^[a-z]{1,24}$/.test(value) ? 'kept' : 'fixed') : undefined;
};

/** Files that a record says were read or changed. */
export function touched(record: SessionRecord): Touch[] {
  if (record.type !== 'message') return [];
  return record.content.flatMap((block): Touch[] => {
    const path = block.type === 'tool_call' && typeof block.input === 'object' && block.input && 'path' in block.input ? block.input.path : undefined;
    return block.type === 'tool_call' && typeof path === 'string' ? [{ path, change: block.name === 'write' ? 'changed' : 'read' }] : [];
  });
}

const ORIGIN = { user: 'person', assistant: 'model', tool: 'tool', system: 'harness' } as const;

/**
 * What the client would resume. Here every line in order; a client that rewinds, forks or compacts needs its own rules, learnt
 * from the request that it sends when it resumes. `view` is the same array as `entries` where nothing was compacted.
 */
export function conversation(streams: Streams): Conversation {
  const entries = (streams.get('main') ?? []).flatMap((record, n): Entry[] => {
    if (record.type !== 'message') return [];
    const { role, content, time } = record;
    return [{ role, content, stream: 'main', record: n, origin: record.origin ?? ORIGIN[role], ...(time === undefined ? {} : { time }) }];
  });
  return { entries, view: entries, sealed: false, abandoned: 0 };
}
