import { isObject, type Json, type JsonObject, setOwn } from '#lib/json.ts';
import type { Entry } from '#session/conversation.ts';
import type { Block, ResultBlock } from '#session/record.ts';

/** How many UTF-16 units stay of older tool results, of what a call was given, and of what was said. */
const RESULT_MAX = 1000;
const INPUT_MAX = 600;
const SAID_MAX = 8000;

/** Head and tail of a text that is longer than `max` UTF-16 units, with a note between them; no surrogate pair is cut. */
export function shortenText(text: string, max: number): string {
  if (text.length <= max + 80) return text;
  let head = Math.ceil(max * 0.7);
  let tail = text.length - Math.floor(max * 0.3);
  if (isHigh(text.charCodeAt(head - 1))) head--;
  if (isHigh(text.charCodeAt(tail - 1))) tail++;
  return `${text.slice(0, head)}\n[… ${tail - head} characters are left out here; the whole text is in the session file …]\n${text.slice(tail)}`;
}

/** The first `max` UTF-16 units of a text; no surrogate pair is cut. */
export const clip = (text: string, max: number): string => (text.length <= max ? text : text.slice(0, isHigh(text.charCodeAt(max - 1)) ? max - 1 : max));

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** An older entry as the model gets it: its calls and results kept as pairs, long ones by head and tail, pictures by name. The same object where nothing changes. */
export function shortenEntry(entry: Entry): Entry {
  let changed = false;
  const content: Block[] = [];
  for (const block of entry.content) {
    const short = shortenBlock(block);
    if (short !== block) changed = true;
    if (short) content.push(short);
  }
  return changed ? { ...entry, content } : entry;
}

function shortenBlock(block: Block): Block | undefined {
  switch (block.type) {
    case 'thinking':
      return undefined;
    case 'tool_call': {
      const input = shortenInput(block.input);
      return input === block.input ? block : { ...block, input };
    }
    case 'tool_result': {
      const content = block.content.map((part) => shortenPart(part, RESULT_MAX));
      return content.every((part, i) => part === block.content[i]) ? block : { ...block, content };
    }
    default:
      return shortenPart(block, SAID_MAX);
  }
}

function shortenPart(block: ResultBlock, max: number): ResultBlock {
  if (block.type === 'image') return { type: 'text', text: `[an image (${block.media_type}) stood here; it is in the session file]` };
  if (block.type === 'file') return { type: 'text', text: `[the file ${block.name ?? block.media_type} stood here; it is in the session file]` };
  if (block.type !== 'text') return block;
  const text = shortenText(block.text, max);
  return text === block.text ? block : { type: 'text', text };
}

function shortenInput(value: Json): Json {
  if (typeof value === 'string') return shortenText(value, INPUT_MAX);
  if (Array.isArray(value)) {
    const list = value.map(shortenInput);
    return list.every((item, i) => item === value[i]) ? value : list;
  }
  if (!isObject(value)) return value;
  const out: JsonObject = {};
  let changed = false;
  for (const [key, item] of Object.entries(value)) {
    const short = shortenInput(item);
    if (short !== item) changed = true;
    setOwn(out, key, short);
  }
  return changed ? out : value;
}
