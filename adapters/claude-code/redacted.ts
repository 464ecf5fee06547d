import { asArray, asObject, isObject, type Json, type JsonObject, parseJson } from '#lib/json.ts';
import { isRedacted, mending, type Say, toolName } from '#session/redacted.ts';
import type { RestoreInput } from '../adapter.ts';

/** Puts right what a redaction left in a line that the API would refuse. */
export const mender = ({ redacted, records }: RestoreInput, stream: string) =>
  mending<string>(redacted ? records(stream) : undefined, {
    begins: (record) => record.type === 'message' && record.role === 'user' && record.origin === 'person',
    sealed: /"type":"redacted_thinking"|"thinking":""/,
    mend: mendLine,
  });

function mendLine(line: string, unseal: boolean, say: Say): string {
  const value = parseJson(line);
  const message = isObject(value) ? asObject(value.message) : undefined;
  const blocks = asArray(message?.content);
  const made = blocks.map((block) => mended(block, unseal, say));
  if (made.every((block, i) => block === blocks[i])) return line;
  return JSON.stringify({ ...(value as JsonObject), message: { ...message, content: made } });
}

function mended(value: Json, unseal: boolean, say: Say): Json {
  const block = asObject(value);
  switch (block?.type) {
    case 'thinking':
    case 'redacted_thinking':
      return unsealed(block, unseal, say);
    case 'tool_use':
    case 'server_tool_use':
      return withToolName(block, say);
    case 'tool_result':
      return withReadableParts(block, say);
    case 'image':
    case 'document':
      return readable(block, say);
    default:
      return value;
  }
}

/** An empty text is passed over by the client, and the entry keeps its place in the tree. */
function unsealed(block: JsonObject, unseal: boolean, say: Say): JsonObject {
  const text = typeof block.thinking === 'string' ? block.thinking : '';
  const seal = block.signature ?? block.data;
  const broken = typeof seal === 'string' && isRedacted(seal);
  if (!broken && !(unseal && text === '' && seal)) return block;
  if (text) say('thinking', 'changed', 'signed thinking whose signature was redacted is written as plain text');
  else say('thinking', 'left-out', 'sealed thinking of a turn in which something was redacted is left out: it may hold what was taken out');
  return { type: 'text', text };
}

function withToolName(block: JsonObject, say: Say): JsonObject {
  if (typeof block.name !== 'string' || !isRedacted(block.name)) return block;
  const name = toolName(block.name);
  say('tool-name', 'changed', `the name of a tool was redacted; it is ${name}, in letters that the API takes`);
  return { ...block, name };
}

function withReadableParts(block: JsonObject, say: Say): JsonObject {
  if (!Array.isArray(block.content)) return block;
  const parts = block.content;
  const made = parts.map((part) => mended(part, false, say));
  return made.every((part, i) => part === parts[i]) ? block : { ...block, content: made };
}

function readable(block: JsonObject, say: Say): JsonObject {
  const source = asObject(block.source) ?? {};
  if (![source.data, source.url, source.file_id].some((text) => typeof text === 'string' && isRedacted(text))) return block;
  if (source.type === 'text') return block;
  say('image', 'changed', `the data of ${block.type === 'image' ? 'an image' : 'a document'} was redacted; a note stands in its place`);
  return { type: 'text', text: `[${String(block.type)} that was redacted: left out]` };
}
