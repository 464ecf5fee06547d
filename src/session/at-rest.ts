import { isObject, type Json, type JsonObject } from '#lib/json.ts';
import type { Draft, SessionRecord } from './record.ts';

/**
 * A record as it stands in a stored line: the same, without what a reader can tell anyway. Lines are short and many, so what is said
 * in each of them decides how much larger a stored session is than its source.
 * - `type` is left out of a message (told by `role`) and of an event (told by `kind`), of a tool call (`input`) and a tool result (`call_id`).
 * - A text block that holds nothing else is its text; a list of one block is that block.
 * - `id`, `parent` and `time` are left out where `native` has the same under `uuid`, `parentUuid` and `timestamp`; `false` where it has
 *   something there that they are not.
 */
const IMPLIED = { id: 'uuid', parent: 'parentUuid', time: 'timestamp' } as const;
type Field = keyof typeof IMPLIED;
const FIELDS = Object.keys(IMPLIED) as Field[];
/** The key of a source record that a field of the record is the same as. */
const FIELD_OF: Record<string, Field> = { uuid: 'id', parentUuid: 'parent', timestamp: 'time' };

/** True for a value of the source record that stands for a field of the canonical one, so that it is not to be folded. */
export function isImplied(key: string, value: Json, record: object): boolean {
  const field = Object.hasOwn(FIELD_OF, key) ? FIELD_OF[key] : undefined;
  return field !== undefined && implies(field, value) && (record as JsonObject)[field] === value;
}

const implies = (field: Field, value: Json | undefined): boolean =>
  typeof value === 'string' ? value.charCodeAt(0) !== 61 : value === null && field === 'parent';

/** What `native` says of a field; undefined where it says nothing. */
function implied(field: Field, native: Json | undefined): Json | undefined {
  const key = IMPLIED[field];
  if (!isObject(native) || !Object.hasOwn(native, key)) return undefined;
  return implies(field, native[key]) ? native[key] : undefined;
}

/** The fields that may be left out come last, in one order: folding counts the strings of a record. */
export function ordered(draft: Draft): Draft {
  const { id, parent, time, ...rest } = draft;
  return { ...rest, ...(id === undefined ? {} : { id }), ...(parent === undefined ? {} : { parent }), ...(time === undefined ? {} : { time }) };
}

/** What to write down of a record. Shares its parts with it and leaves it as it is. */
export function atRest(record: SessionRecord): Json {
  const { type, ...rest } = record as unknown as JsonObject;
  if (type === 'raw') return record as unknown as Json;
  const out: JsonObject = type === 'boundary' ? { type, ...rest } : rest;
  if (type === 'message') out.content = shortBlocks(rest.content as Json[]);
  if (type === 'boundary' && rest.view) out.view = (rest.view as JsonObject[]).map((entry) => ({ ...entry, content: shortBlocks(entry.content as Json[]) }));
  for (const field of FIELDS) {
    const said = implied(field, rest.native);
    if (said === undefined) continue;
    if (rest[field] === said) delete out[field];
    else if (rest[field] === undefined) out[field] = false;
  }
  return out;
}

function shortBlocks(blocks: Json[]): Json {
  const [first] = blocks;
  return blocks.length === 1 ? shortBlock(first as Json) : blocks.map(shortBlock);
}

function shortBlock(block: Json): Json {
  const { type, ...rest } = block as JsonObject;
  // The order of the keys comes back only where it is the usual one.
  if (Object.keys(block as JsonObject)[0] !== 'type') return block;
  if (type === 'text') return Object.keys(rest).length === 1 && typeof rest.text === 'string' ? rest.text : block;
  if (type === 'tool_call') return rest;
  return type === 'tool_result' ? { ...rest, content: shortBlocks(rest.content as Json[]) } : block;
}

/** The record that a stored line stands for. What is no such line comes back in some form that the schema refuses. */
export function fromRest(line: JsonObject): JsonObject {
  if (line.type === 'raw') return line;
  const type = line.type ?? (line.role !== undefined ? 'message' : line.kind !== undefined ? 'event' : undefined);
  const { type: _, id, parent, time, ...rest } = line;
  const out: JsonObject = type === undefined ? rest : { type, ...rest };
  if (type === 'message' && rest.content !== undefined) out.content = longBlocks(rest.content);
  if (Array.isArray(rest.view))
    out.view = rest.view.map((entry) => (isObject(entry) && entry.content !== undefined ? { ...entry, content: longBlocks(entry.content) } : entry));
  const given = { id, parent, time };
  for (const field of FIELDS) {
    const value = given[field] === undefined ? implied(field, rest.native) : given[field];
    if (value !== undefined && value !== false) out[field] = value;
  }
  return out;
}

const longBlocks = (content: Json): Json[] => (Array.isArray(content) ? content : [content]).map(longBlock);

function longBlock(block: Json): Json {
  if (typeof block === 'string') return { type: 'text', text: block };
  if (!isObject(block) || block.type !== undefined) return block;
  if (block.input !== undefined) return { type: 'tool_call', ...block };
  return block.call_id === undefined || block.content === undefined ? block : { type: 'tool_result', ...block, content: longBlocks(block.content) };
}
