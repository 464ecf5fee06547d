import { estimateTokenCount } from 'tokenx';
import type { Entry } from '#session/conversation.ts';
import type { Block, ResultBlock } from '#session/record.ts';

/** What a piece of a conversation weighs in a request: tokens (estimated, erring high), items, bytes of JSON. */
export interface Size {
  tokens: number;
  items: number;
  bytes: number;
}

/** Tokens of an image, whatever its number of pixels: clients scale them down to about this. */
export const IMAGE_TOKENS = 1600;
/** Words are looked at one by one up to this length; beyond it that would take too long. In UTF-16 units. */
const SHORT = 2000;
/** What an item weighs beside its text: role, type, ids, braces. */
const ITEM_TOKENS = 6;
const ITEM_BYTES = 120;

/** Classes of characters. A token is made of characters of one class; a small letter goes on from a capital. */
const START = 0;
const SPACE = 1;
const LINE = 2;
const LOWER = 3;
const UPPER = 4;
const DIGIT = 5;
const MARK = 6;
const OTHER = 7;
const CLASS = Uint8Array.from({ length: 128 }, (_, c) => {
  if (c === 10 || c === 13) return LINE;
  if (c <= 32) return SPACE;
  if (c >= 97 && c <= 122) return LOWER;
  if (c >= 65 && c <= 90) return UPPER;
  if (c >= 48 && c <= 57) return DIGIT;
  return MARK;
});
/** Bytes that JSON adds to a character by escaping it. */
const ESCAPE = Uint8Array.from({ length: 128 }, (_, c) => JSON.stringify(String.fromCharCode(c)).length - 3);

/** Hundredths of a token: [first of its class, each further one]. A single space belongs to the word behind it. */
const COST: Record<number, [number, number]> = {
  [SPACE]: [0, 14],
  [LINE]: [90, 40],
  [LOWER]: [72, 12],
  [UPPER]: [105, 65],
  [DIGIT]: [105, 50],
  [MARK]: [75, 40],
  [OTHER]: [0, 0],
};
/** Cost of a character of class `next` after one of class `last`, at `last * 8 + next`. */
const STEP = Uint8Array.from({ length: 64 }, (_, at) => {
  const last = at >> 3;
  const next = at & 7;
  const [first, further] = COST[next] ?? [0, 0];
  if (last === UPPER && next === LOWER) return 25;
  // Ids, hashes and base64: hardly two characters of such a mixture are one token.
  if (last === DIGIT && next === LOWER) return 110;
  return last === next ? further : first;
});

/** Hundredths of a token of a character outside ASCII, by script: half an emoji, Latin with accents, Greek, Cyrillic; all others one token. */
function foreign(code: number): number {
  if (code >= 0xd800 && code <= 0xdfff) return 150;
  return code < 0x250 || (code >= 0x370 && code < 0x530) ? 75 : 100;
}

/**
 * Tokens and JSON bytes of a text. Short texts are looked at word by word, long ones by classes of characters,
 * which errs high: a budget that is kept by the estimate is kept by the model's own count.
 */
export function measure(text: string): { tokens: number; bytes: number } {
  const length = text.length;
  let sum = 0;
  let bytes = length + 2;
  let last = START;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code < 128) {
      const next = CLASS[code] as number;
      sum += STEP[(last << 3) | next] as number;
      bytes += ESCAPE[code] as number;
      last = next;
    } else {
      sum += foreign(code);
      bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
      last = OTHER;
    }
  }
  const byClass = Math.ceil(sum / 100);
  return { tokens: length <= SHORT ? shortTokens(text, byClass) : byClass, bytes };
}

/** The higher of two estimates, as long as they do not differ wildly; words decide. */
function shortTokens(text: string, byClass: number): number {
  const byWord = Math.ceil(estimateTokenCount(text) * 1.05);
  return Math.max(byWord, Math.ceil(byClass * 0.9));
}

/** Estimated tokens of a text, erring high. */
export const estimateTokens = (text: string): number => measure(text).tokens;

const zero = (): Size => ({ tokens: 0, items: 0, bytes: 0 });

function addText(size: Size, text: string): void {
  const { tokens, bytes } = measure(text);
  size.tokens += tokens;
  size.bytes += bytes;
}

function addItem(size: Size): void {
  size.items++;
  size.tokens += ITEM_TOKENS;
  size.bytes += ITEM_BYTES;
}

/** What one entry weighs. An image counts a flat number of tokens and all its bytes. */
export function sizeOf(entry: Entry): Size {
  const size = zero();
  let plain = false;
  for (const block of entry.content) plain = addBlock(size, block) || plain;
  if (plain) addItem(size);
  return size;
}

/** Adds a block; true: it is part of the entry's message, not an item of its own. */
function addBlock(size: Size, block: Block): boolean {
  switch (block.type) {
    case 'tool_call':
      addItem(size);
      addText(size, block.name);
      addText(size, typeof block.input === 'string' ? block.input : JSON.stringify(block.input));
      size.bytes += block.id.length;
      return false;
    case 'tool_result':
      addItem(size);
      size.bytes += block.call_id.length;
      for (const part of block.content) addPlain(size, part);
      return false;
    case 'thinking':
      addItem(size);
      addText(size, block.text);
      return false;
    default:
      addPlain(size, block);
      return true;
  }
}

function addPlain(size: Size, block: ResultBlock): void {
  if (block.type === 'text') addText(size, block.text);
  else if (block.type === 'image') size.tokens += IMAGE_TOKENS;
  // A page of a document is ~50 kB of base64 and a few thousand tokens.
  else if (block.type === 'file') size.tokens += Math.max(IMAGE_TOKENS, Math.ceil(block.data.length / (block.media_type.startsWith('text/') ? 3 : 20)));
  if (block.type === 'image' || block.type === 'file') size.bytes += block.data.length + 60;
}

/** Whether something fits into a limit, by each of the three measures. */
export const within = (size: Size, limit: Size): boolean => size.tokens <= limit.tokens && size.items <= limit.items && size.bytes <= limit.bytes;

/** Sum of some sizes. */
export function total(sizes: Iterable<Size>): Size {
  const sum = zero();
  for (const size of sizes) add(sum, size);
  return sum;
}

export function add(sum: Size, size: Size): void {
  sum.tokens += size.tokens;
  sum.items += size.items;
  sum.bytes += size.bytes;
}
