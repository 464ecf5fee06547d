import { type Line, linesOf } from './blocks.ts';
import { isHeaderLine, isMachineLine } from './machine.ts';

/** What blank lines, fences, tags and front matter set apart in a message. */
export interface Paragraph {
  text: string;
  start: number;
  end: number;
  /** in a fence of code marks or quotes, or between a pair of tags */
  fenced: boolean;
  /** of what is fenced: it is made of sentences or headings, not of code */
  prose: boolean;
  /** it says itself where it ends */
  closed: boolean;
  heading: boolean;
  list: boolean;
  /** begins with front matter, or with a mark that something else begins here */
  marked: boolean;
}

const FENCE = /^\s*(`{3,}|~{3,}|"{3}|'{3})/;
const TAG = /^\s*<([A-Za-z][\w-]*)(?:\s[^<>]*)?>\s*$/;
const HEADING =
  /^\s{0,3}#{1,6}\s+\S|^\s*(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|第[一二三四五六七八九十\d]+[章节部条]|[A-Z]\.|(?:chapter|section|part|appendix) \w+[.:]?)\s+[A-Z\u3400-\u9fff][^.。!！?？]{0,80}$/i;
const LIST = /^\s*(?:[-*+•]\s|\d{1,3}[.)、]|\|)/;

/** Tags that say themselves that what stands between them comes from elsewhere. */
const FOREIGN_TAG = /^<(?:doc\w*|spec\w*|file|pasted|content|attachment|article|page|mail|email|transcript|quote|source)\b/i;
const MARK = /^\s*(?:[-=*_]{3,}|[-=]{2,}\s?\w.{0,60}[-=]{2,}|<{3,}.*)\s*$/;

/** The paragraphs of a text in order. */
export function paragraphs(text: string): Paragraph[] {
  const lines = linesOf(text);
  const closing = closings(lines.map((line) => line.text));
  const foreign = foreignRuns(lines);
  const at = (i: number): string => (lines[i] as Line).text;
  const out: Paragraph[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = at(i);
    if (!line.trim()) continue;
    const first = lines[i] as Line;
    const closed = closing.get(i);
    if (closed !== undefined) i = closed;
    else if (!HEADING.test(line))
      while (i + 1 < lines.length && at(i + 1).trim() && !closing.has(i + 1) && foreign[i + 1] === foreign[i] && !HEADING.test(at(i + 1))) i++;
    const last = lines[i] as Line;
    const body = text.slice(first.start, last.end);
    const front = closed !== undefined && line.trim() === '---';
    const fenced = closed !== undefined && !front;
    out.push({
      text: body,
      start: first.start,
      end: last.end,
      fenced,
      prose: fenced && isProse(body.split('\n').slice(1, -1), line),
      closed: fenced,
      heading: closed === undefined && HEADING.test(line),
      list: LIST.test(line),
      marked: front || (fenced ? FOREIGN_TAG.test(line.trim()) : MARK.test(line)),
    });
  }
  return out;
}

/** How many lines in a row are a log and no slip. */
const RUN = 3;

/** For each line whether it is in a run of lines that programs wrote. */
function foreignRuns(lines: readonly Line[]): boolean[] {
  const out = lines.map((line) => isMachineLine(line.text) || isHeaderLine(line.text));
  for (let i = 0; i < out.length; i++) {
    if (!out[i]) continue;
    let end = i;
    while (end < out.length && out[end]) end++;
    if (end - i < RUN) out.fill(false, i, end);
    i = end;
  }
  return out;
}

/** Lines that open something, with the line that closes it: fences, tags alone on a line, front matter. */
function closings(lines: readonly string[]): Map<number, number> {
  const out = new Map<number, number>();
  // Of what closes, all places, and how many of them lie behind: every line is looked at once.
  const places = new Map<string, { at: number[]; past: number }>();
  lines.forEach((line, i) => {
    const key = line.trim();
    if (!CLOSING.test(key)) return;
    const known = places.get(key);
    if (known) known.at.push(i);
    else places.set(key, { at: [i], past: 0 });
  });
  for (let i = 0; i < lines.length; i++) {
    const key = closingOf(lines, i);
    const known = key === undefined ? undefined : places.get(key);
    if (!known) continue;
    while ((known.at[known.past] ?? lines.length) <= i) known.past++;
    const end = known.at[known.past];
    if (end === undefined || (key === '---' && end - i > FRONT_MAX)) continue;
    out.set(i, end);
    i = end;
  }
  return out;
}

const CLOSING = /^(?:`{3,}|~{3,}|"{3}|'{3}|-{3}|<\/[\w-]+>)$/;
/** Front matter has no more lines. */
const FRONT_MAX = 60;

/** The line that closes what this line opens; undefined where it opens nothing. */
function closingOf(lines: readonly string[], i: number): string | undefined {
  const line = lines[i] as string;
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return fence;
  const tag = TAG.exec(line)?.[1];
  if (tag !== undefined) return `</${tag}>`;
  return line.trim() === '---' && /^[\w-]+:(?:\s|$)/.test(lines[i + 1] ?? '') ? '---' : undefined;
}

/** Sentences, headings and lists rather than code. */
function isProse(lines: readonly string[], open: string): boolean {
  if (/^\s*(?:`{3,}|~{3,})\s*(?!(?:md|markdown|text|txt|plain)?\s*$)\S/i.test(open)) return false;
  const said = lines.filter((line) => line.trim());
  const prose = said.filter((line) => HEADING.test(line) || /(?:[A-Za-z]{2,} ){3}|[\u3400-\u9fff]{6}/.test(line)).length;
  return said.length > 2 && prose * 2 > said.length && !said.some((line) => /[{};]\s*$/.test(line));
}
