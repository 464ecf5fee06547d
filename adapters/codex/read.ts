import { asArray, asObject, asString, isObject, type JsonObject } from '#lib/json.ts';
import type { BoundaryRecord, Draft } from '#session/record.ts';
import { contextEvent, type EventDraft, metaEvent, readEvent, unknown } from './events.ts';
import { readItem } from './items.ts';
import { isTime } from './native.ts';

/** Response items that set something up; the model's view is not told by them. */
const SETTING_ITEMS = new Set(['additional_tools', 'ghost_snapshot']);

/** The canonical record of one rollout line. Sees no other line. */
export function draft(value: JsonObject): Draft {
  const time = isTime(value.timestamp) ? { time: value.timestamp } : {};
  const type = asString(value.type) ?? '';
  const payload = asObject(value.payload);
  // The client skips a line that has no timestamp.
  if (!payload || typeof value.timestamp !== 'string') return { type: 'event', ...unknown(type || 'no type'), ...time };
  if (type === 'response_item') return itemDraft(payload, value, time);
  if (type === 'compacted') return { type: 'boundary', ...boundary(payload), ...time };
  return { type: 'event', ...lineEvent(type, payload), ...time };
}

function lineEvent(type: string, payload: JsonObject): EventDraft {
  switch (type) {
    case 'event_msg':
      return readEvent(payload);
    case 'session_meta':
      return metaEvent(payload);
    case 'turn_context':
      return contextEvent(payload);
    case 'world_state':
      return { kind: 'settings' };
    case 'token_usage_record':
      return { kind: 'usage' };
    default:
      return unknown(type);
  }
}

function itemDraft(item: JsonObject, line: JsonObject, time: { time?: string }): Draft {
  const id = asString(item.id);
  const base = { ...(id === undefined ? {} : { id }), ...time };
  const type = asString(item.type) ?? '';
  if (SETTING_ITEMS.has(type)) return { type: 'event', kind: 'settings', data: { name: type }, ...base };
  const message = readItem(item);
  if (!message) return { type: 'event', ...unknown(`response_item/${type}`), ...base };
  const turn = asString(asObject(item.internal_chat_message_metadata_passthrough)?.turn_id);
  const { role, content, ...more } = message;
  // The model's answer to the request for a summary; the client shows it to nobody and puts it into `compacted`.
  const forCompaction = asObject(line.metadata)?.compaction_output === true;
  return {
    type: 'message',
    role,
    content,
    ...more,
    ...(turn === undefined ? {} : { turn }),
    ...(forCompaction ? { summary: true } : {}),
    ...(forCompaction || more.origin === 'harness' ? { hidden: true } : {}),
    ...base,
  };
}

function boundary(payload: JsonObject): Pick<BoundaryRecord, 'summary' | 'sealed' | 'view'> {
  const summary = asString(payload.message);
  const items = Array.isArray(payload.replacement_history) ? asArray(payload.replacement_history).filter(isObject) : undefined;
  const sealed = items?.some((item) => item.type !== 'reasoning' && typeof item.encrypted_content === 'string');
  const view = items?.flatMap((item) => {
    const message = readItem(item);
    return message ? [{ role: message.role, content: message.content, ...(message.origin ? { origin: message.origin } : {}) }] : [];
  });
  return { ...(summary ? { summary } : {}), ...(sealed ? { sealed: true } : {}), ...(view ? { view } : {}) };
}
