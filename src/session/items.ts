import type { Json, JsonObject } from '#lib/json.ts';

/**
 * Items of OpenAI's Responses API, which several clients keep as their own lines: where one says nothing but what the canonical record says,
 * folding names the form alone. Each is built with the keys in the order of the API.
 */
type Build = (part: Json[] | JsonObject, record: JsonObject) => JsonObject | undefined;

export const ITEMS: Record<string, { type: string; build: Build }> = {
  m: { type: 'message', build: (content, record) => (Array.isArray(content) ? message(record.role, content) : undefined) },
  f: { type: 'function_call', build: (block) => (Array.isArray(block) || block.type !== 'tool_call' ? undefined : call(block)) },
  r: { type: 'function_call_output', build: (block) => (Array.isArray(block) || block.type !== 'tool_result' ? undefined : output(block)) },
};

/** The letter of the form that an object may have, by its type. */
export function itemForm(value: JsonObject): string | undefined {
  if (value.type === 'message') return 'm';
  if (value.type === 'function_call') return 'f';
  return value.type === 'function_call_output' ? 'r' : undefined;
}

function message(role: Json | undefined, content: Json[]): JsonObject | undefined {
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return undefined;
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  const parts: Json[] = [];
  for (const block of content as JsonObject[]) {
    if (block.type !== 'text' || block.text === undefined) return undefined;
    parts.push({ type, text: block.text });
  }
  return { type: 'message', role: role === 'system' ? 'developer' : role, content: parts };
}

const call = ({ name, input, id }: JsonObject): JsonObject => ({
  type: 'function_call',
  name: name as Json,
  arguments: typeof input === 'string' ? input : JSON.stringify(input),
  call_id: id as Json,
});

function output({ call_id, content }: JsonObject): JsonObject | undefined {
  const [only, more] = content as JsonObject[];
  return only?.type === 'text' && more === undefined ? { type: 'function_call_output', call_id: call_id as Json, output: only.text as Json } : undefined;
}

/** Deep equality, the order of keys included. */
export function isSame(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return keys.length === others.length && keys.every((key, i) => key === others[i] && isSame((a as JsonObject)[key] as Json, (b as JsonObject)[key] as Json));
}
