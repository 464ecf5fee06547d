import { type Sentence, sentences } from './sentences.ts';

/** A sentence of prose, or an item of a list as a whole: `text` is `source.slice(start, end)`, in UTF-16 units. */
export interface Piece {
  text: string;
  start: number;
  end: number;
  item: boolean;
  /** number or letter by which it can be named, in lower case: "2", "b"; "" where it has none. An item's text begins with it. */
  mark: string;
  /** true: a blank line, or a list, parts it from what stands before */
  apart: boolean;
}

const ITEM_MARK =
  /^(?:[-*+•·▪◦–]\s+)?\*{0,2}(?:(?:option|variant|方案|选项)\s*([a-z\d一二三四五六七八九])|[(（]([a-z\d一二三四五六七八九])[)）]|([a-z\d一二三四五六七八九])[.)）、:：]|([①-⑨]))/i;
/** "Option A: …", "方案一：…" at the beginning of a sentence. */
const LABEL = /^(?:\*{2})?(?:option|variant|alternative|plan|way|方案|选项|办法|做法)\s?([a-d\d一二三四])(?:\*{2})?\s*[:：.)）（(,，—–-]/i;

/** What was said as sentences and items in order, without code, tables, quotations and headings. */
export function piecesOf(text: string): Piece[] {
  const out: Piece[] = [];
  let former: Sentence | undefined;
  for (const one of sentences(text)) {
    const before = former;
    former = one;
    if (one.kind !== 'prose' && one.kind !== 'item') continue;
    const last = out.at(-1);
    const between = before ? text.slice(before.end, one.start) : '';
    if (one.kind === 'prose' || isBehind(text, one, between)) {
      const apart = last?.item !== false || (before?.kind !== 'prose' && before?.kind !== 'item') || /\n\s*\n/.test(between);
      out.push({ text: one.text, start: one.start, end: one.end, item: false, mark: markOf(LABEL.exec(one.text)?.[1]), apart });
    } else if (last?.item && !between.includes('\n')) {
      last.end = one.end;
      last.text = text.slice(last.start, last.end);
    } else {
      const line = beginOfLine(text, one.start);
      const mark = markOf(ITEM_MARK.exec(text.slice(line, one.end))?.slice(1).find(Boolean));
      const start = mark ? line : one.start;
      out.push({ text: text.slice(start, one.end), start, end: one.end, item: true, mark, apart: true });
    }
  }
  return out;
}

/** A line right behind a list, at the margin: "Which one?" */
const isBehind = (text: string, one: Sentence, between: string): boolean => between.includes('\n') && text.charAt(one.start - 1) === '\n';

const NUMBERS = '一二三四五六七八九';
const CIRCLED = '①②③④⑤⑥⑦⑧⑨';

/** The same name for "1", "一" and "①". */
export function markOf(written: string | undefined): string {
  const mark = written?.toLowerCase() ?? '';
  const at = mark === '' ? -1 : Math.max(NUMBERS.indexOf(mark), CIRCLED.indexOf(mark));
  return at < 0 ? mark : String(at + 1);
}

function beginOfLine(text: string, at: number): number {
  let start = text.lastIndexOf('\n', at - 1) + 1;
  while (start < at && /\s/.test(text.charAt(start))) start++;
  return start;
}

/** "(a) DuckDB, or (b) pyarrow" within a sentence. */
const INLINE = /[(（]([a-d1-5一二三四])[)）]\s*|(?:^|[\s,，;；:：])([A-D1-5])[:：]\s+/g;

/** The options that a sentence names by marks of its own: two and more, which follow one another. */
export function inlineOptions({ text }: Piece): { mark: string; text: string }[] {
  const found = [...text.matchAll(INLINE)].map((match) => ({ mark: markOf(match[1] ?? match[2]), at: match.index, end: match.index + match[0].length }));
  if (found.length < 2 || !found.every(({ mark }, n) => mark === String(n + 1) || mark === 'abcd'.charAt(n))) return [];
  return found.map(({ mark, at }, n) => ({ mark, text: trimmed(text.slice(at, found[n + 1]?.at)) }));
}

const trimmed = (option: string): string => option.replace(/^[\s,，;；:：]+|[\s,，;；]+(?:or|and|或者?|还是)?\s*$|\s+(?:or|and)\s*$/gi, '');
