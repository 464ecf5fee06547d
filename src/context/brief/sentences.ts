import { type Block, blocks } from './blocks.ts';

/** A sentence as it stands in a text: `text` is `source.slice(start, end)`, in UTF-16 units, without the white space around it. */
export interface Sentence {
  text: string;
  start: number;
  end: number;
  /** what it is a part of; code and quote: a fence and `>` lines, which are not the writer's own words */
  kind: Block['kind'];
  /** Index of the sentence that this item of a list stands under: one that ends with a colon, or a heading. */
  under?: number;
}

/**
 * The sentences of a text, in order, whatever its language. A fence of code is one. A list's mark is left out.
 * A line that was broken to fit a width goes on in the next one. Time grows linearly with the text.
 */
export function sentences(text: string): Sentence[] {
  const out: Sentence[] = [];
  let heading: number | undefined;
  let lead: number | undefined;
  for (const block of blocks(text)) {
    const first = out.length;
    const under = block.kind === 'item' || block.kind === 'row' ? (lead ?? heading) : undefined;
    for (const [start, end] of block.kind === 'prose' || block.kind === 'item' || block.kind === 'quote'
      ? split(text, block)
      : [[block.start, block.end] as const])
      add(out, text, start, end, block.kind, under);
    if (out.length === first) continue;
    if (block.kind === 'heading') [heading, lead] = [first, undefined];
    // An item may itself lead a list below it, a paragraph without a colon ends what led the list.
    else if (block.kind === 'prose') lead = /[:：]$/.test((out.at(-1) as Sentence).text) ? out.length - 1 : undefined;
  }
  return out;
}

function add(out: Sentence[], text: string, from: number, to: number, kind: Block['kind'], under: number | undefined): void {
  let [start, end] = [from, to];
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  if (start === end) return;
  out.push({ text: text.slice(start, end), start, end, kind, ...(under === undefined ? {} : { under }) });
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 0x3000 || code === 0xa0;

/** What belongs together, with its closing mark: nothing ends within. Longer ones are taken for marks without a partner. */
const PAIRS: Readonly<Record<string, string>> = { '`': '`', '(': ')', '（': '）', '“': '”', '"': '"', '「': '」', '『': '』', '《': '》', '【': '】' };
const PAIR_MAX = 240;
const ENDS = /[.!?。！？；…]/;
const CLOSING = /["'”’)）」』*_`]/;
/** Words with a dot that go on. `no.` only before a number. */
const ABBREVIATION =
  /(?:^|[^A-Za-z0-9_])(?:[Ee]\.g|[Ii]\.e|eg|ie|vs|cf|approx|resp|incl|excl|Mr|Mrs|Ms|Dr|Prof|St|[Ff]ig|[Ss]ec|[Cc]h|[Vv]ol|[Vv]er|ca|al|[A-Z])\.$/;

function* split(text: string, block: Block): Generator<readonly [number, number]> {
  let start = block.start;
  let i = start;
  while (i < block.end) {
    const char = text.charAt(i);
    if (char === '\n' && block.breaks.has(i)) {
      yield [start, i];
      start = ++i;
      continue;
    }
    const close = PAIRS[char];
    const closed = close === undefined ? -1 : text.slice(i + 1, Math.min(block.end, i + 1 + PAIR_MAX)).indexOf(close);
    if (closed >= 0) {
      i += closed + 2;
      // "Leave it." ends the sentence around the quote, too.
      if (!(ENDS.test(text.charAt(i - 2)) && followed(text, i, block.end))) continue;
    } else if (ENDS.test(char)) {
      const at = i;
      i = pastEnd(text, i, block.end);
      if (!ends(text, at, i, start, block.end)) continue;
    } else {
      i++;
      continue;
    }
    yield [start, i];
    start = i;
  }
  yield [start, block.end];
}

/** Behind a run of ends and what closes with them. */
function pastEnd(text: string, from: number, end: number): number {
  let i = from;
  while (i < end && ENDS.test(text.charAt(i))) i++;
  while (i < end && CLOSING.test(text.charAt(i))) i++;
  return i;
}

function ends(text: string, at: number, past: number, start: number, end: number): boolean {
  const char = text.charAt(at);
  if ('。！？；'.includes(char)) return true;
  if (!followed(text, past, end)) return false;
  if (char !== '.' || past - at > 1) return true;
  const before = text.slice(Math.max(start, at - 12), at + 1);
  if (/^\s*\(?\d{1,2}\.$/.test(before) && at - start < 6) return false;
  if (/(?:^|\W)etc\.$/i.test(before)) return past >= end || /^\s+[A-Z]/.test(text.slice(past, past + 3));
  if (/(?:^|\W)no\.$/i.test(before)) return !/^\s+\d/.test(text.slice(past, past + 4));
  return !ABBREVIATION.test(before);
}

/** A new sentence may begin here: behind a space, or where the next letter is Chinese. */
const followed = (text: string, at: number, end: number): boolean => at >= end || /[\s\u2e80-\u9fff\uff00-\uffef]/.test(text.charAt(at));
