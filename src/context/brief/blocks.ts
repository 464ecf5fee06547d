/** A stretch of a text that its lines set apart: a paragraph, an item of a list, a heading … */
export interface Block {
  kind: 'prose' | 'item' | 'heading' | 'row' | 'quote' | 'code';
  /** `start` behind the mark of an item, heading or quote; `end` before the last line feed */
  start: number;
  end: number;
  /** places of the line feeds that end a sentence; at all others the line was broken to fit a width */
  breaks: ReadonlySet<number>;
}

/** A line without its line feed; `text` also without a carriage return. */
export interface Line {
  start: number;
  end: number;
  text: string;
}

const ITEM =
  /^\s*(?:[-*+•·▪◦–]\s+|[(（]?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)）]\s+|\d{1,3}、\s*|[（(]?[一二三四五六七八九十]{1,3}[、）)]\s*|[①-⑳]\s*)(?:\[[ xX]\]\s+)?/;
const HEADING = /^\s{0,3}#{1,6}\s+/;
const QUOTE = /^\s{0,3}>\s?/;
const FENCE = /^\s*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})/;
const ROW = /^\s*\|.*\|\s*$/;

/** The blocks of a text in order; blank lines are in none of them. */
export function* blocks(text: string): Generator<Block> {
  const lines = linesOf(text);
  const closing = fences(lines);
  for (let i = 0; i < lines.length; ) {
    const line = lines[i] as Line;
    const fenced = closing[i];
    if (fenced !== undefined) {
      yield { kind: 'code', start: line.start, end: (lines[fenced] as Line).end, breaks: new Set() };
      i = fenced + 1;
      continue;
    }
    const [kind, mark] = kindOf(line.text);
    if (kind === undefined) {
      i++;
      continue;
    }
    let last = i;
    if (kind === 'prose' || kind === 'item')
      while (last + 1 < lines.length && closing[last + 1] === undefined && kindOf((lines[last + 1] as Line).text)[0] === 'prose') last++;
    yield { kind, start: line.start + mark, end: (lines[last] as Line).end, breaks: breaks(lines, i, last) };
    i = last + 1;
  }
}

function kindOf(line: string): [Block['kind'] | undefined, number] {
  if (!line.trim() || /^\s*[-=*_]{3,}\s*$/.test(line)) return [undefined, 0];
  for (const [kind, pattern] of [
    ['heading', HEADING],
    ['quote', QUOTE],
    ['item', ITEM],
  ] as const) {
    const mark = pattern.exec(line);
    if (mark) return [kind, mark[0].length];
  }
  return [ROW.test(line) ? 'row' : 'prose', 0];
}

/** The lines of a text, also an empty last one. */
export function linesOf(text: string): Line[] {
  const out: Line[] = [];
  for (let start = 0; start <= text.length; ) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed;
    out.push({ start, end, text: text.slice(start, text.charAt(end - 1) === '\r' ? end - 1 : end) });
    start = end + 1;
  }
  return out;
}

/** For each line that opens a fence, the line that closes it. A fence that is never closed ends before the next blank line. */
function fences(lines: readonly Line[]): (number | undefined)[] {
  const out: (number | undefined)[] = new Array(lines.length);
  // Fences of at least this length are not closed any more: they are looked for once.
  const hopeless: Record<string, number> = {};
  for (let i = 0; i < lines.length; i++) {
    const mark = FENCE.exec((lines[i] as Line).text)?.[1];
    if (mark === undefined) continue;
    const char = mark.charAt(0);
    let end = i + 1;
    if (mark.length < (hopeless[char] ?? Number.POSITIVE_INFINITY)) while (end < lines.length && !closes(lines[end] as Line, mark)) end++;
    else end = lines.length;
    if (end === lines.length) {
      hopeless[char] = Math.min(mark.length, hopeless[char] ?? mark.length);
      for (end = i; end + 1 < lines.length && (lines[end + 1] as Line).text.trim(); ) end++;
    }
    out[i] = end;
    i = end;
  }
  return out;
}

function closes(line: Line, open: string): boolean {
  const mark = line.text.trim();
  return mark.length >= open.length && mark.startsWith(open) && mark === open.charAt(0).repeat(mark.length);
}

/** Shorter lines were ended by hand; no one breaks longer ones. In UTF-16 units. */
const BROKEN_MIN = 50;
const BROKEN_MAX = 140;

/** The line feeds that were typed to end something: an editor breaks a line only where the next word has no room. */
function breaks(lines: readonly Line[], first: number, last: number): Set<number> {
  const out = new Set<number>();
  let width = 0;
  for (let i = first; i <= last; i++) width = Math.max(width, (lines[i] as Line).text.trimEnd().length);
  for (let i = first; i < last; i++) {
    const line = lines[i] as Line;
    const said = line.text.trimEnd();
    const word = /^\s*(\S{1,40})/.exec((lines[i + 1] as Line).text)?.[1] ?? '';
    const broken =
      width <= BROKEN_MAX && said.length >= BROKEN_MIN && said.length + 1 + word.length > width && /[\w,`)'"/-]$/.test(said) && /^[a-z0-9`("'/]/.test(word);
    if (!broken) out.add(line.end);
  }
  return out;
}
