import * as z from 'zod';
import type { Json } from '#lib/json.ts';

/**
 * The canonical session: one record a source line, in source order. `docs/format.md` describes it for other readers.
 * A record is what everyone understands (type, role, content) plus `native`, the folded source line (see fold.ts).
 */
export const FORMAT = 'relay-session';
/** Version of the record format. A stream with a newer one is refused, never half-read. */
export const FORMAT_VERSION = 1;

/** Any JSON value, taken as it is: looking into each of them would cost more than the rest of the check. */
const json = z.any() as unknown as z.ZodType<Json>;

const text = z.strictObject({ type: z.literal('text'), text: z.string() });
const image = z.strictObject({
  type: z.literal('image'),
  /** e.g. image/png */
  media_type: z.string(),
  /** base64; "" at rest, where `attached` names the attachment */
  data: z.string(),
});
const file = z.strictObject({
  type: z.literal('file'),
  media_type: z.string(),
  name: z.string().optional(),
  data: z.string(),
});
/** A block of a kind that this version does not know. It stands whole in `native`. */
const unknownBlock = z.strictObject({ type: z.literal('unknown'), kind: z.string() });
const thinking = z.strictObject({
  type: z.literal('thinking'),
  text: z.string(),
  /** true: the provider signed or sealed it, so only the unchanged original may go back to that provider */
  sealed: z.boolean().optional(),
  /** sha256 of the text that was signed, where path mapping changed it; "" where a secret was taken out of it */
  signed: z.string().optional(),
});
const toolCall = z.strictObject({
  type: z.literal('tool_call'),
  /** the source's own call id, verbatim */
  id: z.string(),
  name: z.string(),
  /** Any JSON value. A string is raw input; where it parses as a JSON object it is read as that object (see callInput). */
  input: json,
});
const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  call_id: z.string(),
  is_error: z.boolean().optional(),
  exit_code: z.number().int().optional(),
  content: z.array(z.discriminatedUnion('type', [text, image, file, unknownBlock])),
});

export const blockSchema = z.discriminatedUnion('type', [text, image, file, thinking, toolCall, toolResult, unknownBlock]);
export type Block = z.infer<typeof blockSchema>;
export type TextBlock = z.infer<typeof text>;
export type ImageBlock = z.infer<typeof image>;
export type FileBlock = z.infer<typeof file>;
export type ToolCall = z.infer<typeof toolCall>;
export type ToolResult = z.infer<typeof toolResult>;
export type ResultBlock = ToolResult['content'][number];

export const roleSchema = z.enum(['user', 'assistant', 'system', 'tool']);
export type Role = z.infer<typeof roleSchema>;

const base = {
  /** the source's own id of this record */
  id: z.string().optional(),
  /** id of the record that this one answers; null for a root; absent where the source keeps a plain list */
  parent: z.string().nullable().optional(),
  /** ISO 8601 with zone. The source's own form stands in `native`. */
  time: z.string().optional(),
  /** true: part of a side chain (a sub-agent written into the same file) */
  side: z.boolean().optional(),
  /** The source record: an object is folded (fold.ts), a string is the source line itself. Absent in memory where it is not needed. */
  native: json.optional(),
  /** What was moved out of this record: [JSON pointer into the record, sha256, how the bytes become the string again]. */
  attached: z.array(z.tuple([z.string(), z.string(), z.enum(['utf8', 'base64'])])).optional(),
  /** false: the source's line had no line feed (the last one, perhaps cut) */
  eol: z.boolean().optional(),
};

const message = z.strictObject({
  type: z.literal('message'),
  role: roleSchema,
  content: z.array(blockSchema),
  /** Records with one `group` are parts of one reply of the model. */
  group: z.string().optional(),
  /** the turn that the source counts this to */
  turn: z.string().optional(),
  model: z.string().optional(),
  /** Who wrote it. `harness`: text put in by the client (context, reminders), which the model gets but no person typed. */
  origin: z.enum(['person', 'model', 'tool', 'harness']).optional(),
  /** true: the model gets it, people do not see it */
  hidden: z.boolean().optional(),
  /** What the source calls a text that its client put in, e.g. environment, instructions, hook_success. */
  name: z.string().optional(),
  /** true: the text of a compaction summary */
  summary: z.boolean().optional(),
  ...base,
});

const boundary = z.strictObject({
  type: z.literal('boundary'),
  /** the summary, where it stands in the boundary itself */
  summary: z.string().optional(),
  /** true: what the model got in place of the earlier conversation is sealed by its provider */
  sealed: z.boolean().optional(),
  /** Exactly what the model got in place of the earlier conversation, where the source lists it. */
  view: z
    .array(z.strictObject({ role: roleSchema, content: z.array(blockSchema), origin: z.enum(['person', 'model', 'tool', 'harness']).optional() }))
    .optional(),
  /** ids of earlier records that stay in the model's view, after the summary; `first..last` is that stretch of the branch */
  preserved: z.array(z.string()).optional(),
  /** id of the record that the preserved ones follow, where the source names it */
  anchor: z.string().optional(),
  ...base,
});

const event = z.strictObject({
  type: z.literal('event'),
  /** The model never sees it. Well-known kinds: title, leaf, rollback, turn-start, turn-end, command, file-change, tool, usage, settings, unknown. */
  kind: z.string(),
  /** what this kind says; for `unknown` {name: the source's own type} */
  data: z.record(z.string(), json).optional(),
  ...base,
});

const raw = z.strictObject({
  type: z.literal('raw'),
  /** the line, where it is valid UTF-8 but no record; also a line that does not end */
  text: z.string().optional(),
  /** the line's bytes, where it is not valid UTF-8 */
  base64: z.string().optional(),
  attached: base.attached,
  eol: base.eol,
});

export const recordSchema = z.discriminatedUnion('type', [message, boundary, event, raw]);
export type MessageRecord = z.infer<typeof message>;
export type BoundaryRecord = z.infer<typeof boundary>;
export type EventRecord = z.infer<typeof event>;
export type RawRecord = z.infer<typeof raw>;
export type SessionRecord = z.infer<typeof recordSchema>;
/** What an adapter makes of a source line: a record without `native`, which the codec adds. */
export type Draft =
  | Omit<MessageRecord, 'native' | 'attached' | 'eol'>
  | Omit<BoundaryRecord, 'native' | 'attached' | 'eol'>
  | Omit<EventRecord, 'native' | 'attached' | 'eol'>;

/** First line of each stream. */
export const streamHeaderSchema = z.strictObject({
  type: z.literal('stream'),
  format: z.literal(FORMAT),
  version: z.number().int().positive(),
  /** main, or the name of a side stream such as agent/a61f9a5ca49263b16 */
  stream: z.string(),
  agent: z.string(),
});
export type StreamHeader = z.infer<typeof streamHeaderSchema>;

/** The input of a call as the tool saw it: an object where there is one, however the source wrote it down. */
export function callInput(call: ToolCall): Json {
  if (typeof call.input !== 'string') return call.input;
  try {
    const value = JSON.parse(call.input) as Json;
    return typeof value === 'object' && value !== null ? value : call.input;
  } catch {
    return call.input;
  }
}

/** The text of some blocks, joined by line feeds; images and files as a short note. */
export function plainText(blocks: readonly Block[]): string {
  return blocks
    .map((b) => {
      if (b.type === 'text' || b.type === 'thinking') return b.text;
      if (b.type === 'tool_result') return plainText(b.content);
      if (b.type === 'image') return `[image ${b.media_type}]`;
      if (b.type === 'file') return `[file ${b.name ?? b.media_type}]`;
      return '';
    })
    .filter(Boolean)
    .join('\n');
}
