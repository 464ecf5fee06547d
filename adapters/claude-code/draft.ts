import { asArray, asObject, asString, type Json, type JsonObject } from '#lib/json.ts';
import type { Block, Draft } from '#session/record.ts';
import { contentBlocks } from './blocks.ts';
import { HARNESS_TEXT, isSetup, LOOSE, SYNTHETIC } from './native.ts';

type Data = Record<string, Json>;

/** What every entry of the tree has; loose lines have at most a time. */
interface Base {
  id?: string;
  parent?: string | null;
  time?: string;
  side?: boolean;
}

/** The canonical record for one line of a session file. Looks at no other line. */
export function draft(value: JsonObject): Draft {
  const base = baseOf(value);
  switch (value.type) {
    case 'user':
      return userDraft(value, base);
    case 'assistant':
      return assistantDraft(value, base);
    case 'attachment':
      return attachmentDraft(value, base);
    case 'system':
      return systemDraft(value, base);
    default:
      return looseDraft(value, base);
  }
}

function baseOf(value: JsonObject): Base {
  const base: Base = {};
  if (typeof value.uuid === 'string') base.id = value.uuid;
  if (typeof value.parentUuid === 'string' || value.parentUuid === null) base.parent = value.parentUuid;
  if (typeof value.timestamp === 'string' && !Number.isNaN(Date.parse(value.timestamp))) base.time = value.timestamp;
  if (value.isSidechain === true) base.side = true;
  return base;
}

const event = (kind: string, data: Data | undefined, base: Base): Draft => ({ type: 'event', kind, ...(data ? { data } : {}), ...base });
const unknown = (value: JsonObject, base: Base): Draft => event('unknown', { name: asString(value.type) ?? '(no type)' }, base);

function userDraft(value: JsonObject, base: Base): Draft {
  const message = asObject(value.message);
  if (!message) return unknown(value, base);
  const content = contentBlocks(message.content);
  const summary = value.isCompactSummary === true;
  const result = content.some((b) => b.type === 'tool_result');
  const origin = result ? undefined : summary || value.isMeta === true || isHarness(value, content) ? 'harness' : 'person';
  return {
    type: 'message',
    role: result ? 'tool' : 'user',
    content,
    ...(origin ? { origin } : {}),
    ...(value.isMeta === true ? { hidden: true } : {}),
    ...(summary ? { summary: true } : {}),
    ...base,
  };
}

/** True for text that no person typed: wrapped commands, reminders, notes about an interruption. */
function isHarness(value: JsonObject, content: Block[]): boolean {
  const kind = asObject(value.origin)?.kind;
  if (kind !== undefined && kind !== 'human') return true;
  const first = content.find((b) => b.type === 'text');
  return first?.type === 'text' && HARNESS_TEXT.test(first.text);
}

function assistantDraft(value: JsonObject, base: Base): Draft {
  const message = asObject(value.message);
  if (!message) return unknown(value, base);
  const content = contentBlocks(message.content);
  const synthetic = message.model === SYNTHETIC;
  // The client shows such a line ("API Error: …") and never sends it. Without the made-up model name it does send it.
  if (synthetic && value.isApiErrorMessage === true)
    return event('api-error', { text: content.map((b) => (b.type === 'text' ? b.text : '')).join('\n') }, base);
  const madeUp = synthetic && content.length === 1 && content[0]?.type === 'text' && content[0].text === 'No response requested.';
  return {
    type: 'message',
    role: 'assistant',
    content,
    ...(typeof message.id === 'string' ? { group: message.id } : {}),
    ...(typeof message.model === 'string' && !synthetic ? { model: message.model } : {}),
    ...(madeUp ? { origin: 'harness' } : {}),
    ...base,
  };
}

function attachmentDraft(value: JsonObject, base: Base): Draft {
  const attachment = asObject(value.attachment);
  const name = asString(attachment?.type);
  if (!attachment || name === undefined) return unknown(value, base);
  if (name === 'queued_command' && typedByPerson(attachment))
    return { type: 'message', role: 'user', content: contentBlocks(attachment.prompt), origin: 'person', name, ...base };
  // What describes this client and machine is no part of the conversation, though the model got it.
  if (isSetup(name)) return event('context', undefined, base);
  const content = asArray(value.rendered).flatMap((r) => contentBlocks(asObject(r)?.content));
  if (!content.length) content.push(...unrendered(name, attachment));
  if (!content.length) return event('context', { name }, base);
  return { type: 'message', role: value.renderedRole === 'user' ? 'user' : 'system', content, origin: 'harness', hidden: true, name, ...base };
}

/** A prompt typed while a tool ran never becomes a user entry: it stands in this attachment only (2.1.332). */
function typedByPerson(attachment: JsonObject): boolean {
  const kind = asObject(attachment.origin)?.kind;
  if (kind !== undefined) return kind === 'human';
  return attachment.humanTurn === true || attachment.commandMode === 'prompt';
}

/** Versions without `rendered` built the text at each request; of these the content of a named file cannot be had again. */
function unrendered(name: string, attachment: JsonObject): Block[] {
  const text = name === 'file' ? asString(asObject(asObject(attachment.content)?.file)?.content) : undefined;
  return text ? [{ type: 'text', text }] : [];
}

function systemDraft(value: JsonObject, base: Base): Draft {
  const text = asString(value.content);
  if (value.subtype === 'compact_boundary') return boundaryDraft(value, base);
  if (value.subtype === 'local_command' && text !== undefined)
    return { type: 'message', role: 'user', content: [{ type: 'text', text }], origin: 'harness', ...base };
  const name = asString(value.subtype) ?? '(no subtype)';
  return event(name === 'turn_duration' ? 'turn-end' : 'notice', { name, ...(text ? { text } : {}) }, base);
}

/**
 * The tree is cut at a boundary (parentUuid null); what it followed stands in logicalParentUuid, which becomes its parent here.
 * A list of kept messages is taken as it is; where only a segment is named it is written `first..last`.
 */
function boundaryDraft(value: JsonObject, base: Base): Draft {
  const logical = asString(value.logicalParentUuid);
  const meta = asObject(value.compactMetadata);
  const ids = asArray(asObject(meta?.preservedMessages)?.uuids).filter((id) => typeof id === 'string');
  const segment = asObject(meta?.preservedSegment);
  if (!ids.length && typeof segment?.headUuid === 'string' && typeof segment.tailUuid === 'string') ids.push(`${segment.headUuid}..${segment.tailUuid}`);
  const anchor = asString(asObject(meta?.preservedMessages)?.anchorUuid) ?? asString(segment?.anchorUuid);
  return {
    type: 'boundary',
    ...(ids.length ? { preserved: ids } : {}),
    ...(ids.length && anchor ? { anchor } : {}),
    ...base,
    ...(logical === undefined ? {} : { parent: logical }),
  };
}

function looseDraft(value: JsonObject, base: Base): Draft {
  const type = asString(value.type);
  switch (type) {
    case 'last-prompt':
      return event(
        'leaf',
        { ...(typeof value.leafUuid === 'string' ? { leaf: value.leafUuid } : {}), ...(value.explicit === true ? { explicit: true } : {}) },
        base,
      );
    case 'custom-title':
      return title(value.customTitle, type, base);
    case 'ai-title':
      return title(value.aiTitle, type, base);
    case 'summary':
      return title(value.summary, type, base);
    case 'file-history-delta':
      return event('file-change', typeof value.trackingPath === 'string' ? { path: value.trackingPath } : undefined, base);
    default: {
      if (type === 'tag' && typeof value.tag === 'string') return event('tag', { tag: value.tag }, base);
      const kind = type !== undefined && Object.hasOwn(LOOSE, type) ? LOOSE[type] : undefined;
      return kind === undefined ? unknown(value, base) : event(kind, undefined, base);
    }
  }
}

const title = (text: Json | undefined, by: string, base: Base): Draft => event('title', { title: asString(text) ?? '', by }, base);
