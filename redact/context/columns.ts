import { type Hit, matchEnd } from '../engine/ranges.ts';
import { isSecret, isStandIn } from './judge.ts';
import { isPasswordName, isSecretName } from './names.ts';

/** Longer lines are no part of a table: cells are as wide as the longest value in a column. */
const LINE_MAX = 16_000;
/** So many rows in a row may have other cells than the head, such as a value with a comma, before the table is over. */
const ODD_MAX = 2;

export interface Below {
  hits: Hit[];
  /** how far was read */
  end: number;
}

const RULE = /^[\s|│┃+:=─━┼┿├┤┌┬┐└┴┘╭╮╰╯╞╪╡-]*$/;
const NAME_CELL = /^["'`*_ ]{0,4}([\w .\u4e00-\u9fff-]{2,40}?)["'`*_ ]{0,4}$/;

interface Cell {
  text: string;
  start: number;
}

function lineAround(text: string, at: number): { start: number; end: number } {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  return { start, end: end < 0 ? text.length : end };
}

/** The cells of a line between a mark, with where each starts in the text. */
function cells(line: string, mark: RegExp, offset: number): Cell[] {
  const out: Cell[] = [];
  let from = 0;
  for (const { 0: found, index } of line.matchAll(mark)) {
    out.push({ text: line.slice(from, index), start: offset + from });
    from = index + found.length;
  }
  out.push({ text: line.slice(from), start: offset + from });
  return out;
}

const MARKS: readonly RegExp[] = [/[|│┃]/g, /\t/g, /,/g, /;/g, / {2,}/g];
/** One sign of each mark, where it has but one. */
const SIGNS: readonly string[] = ['', '\t', ',', ';', '  '];
const markOf = (line: string): RegExp | undefined => MARKS.find((mark, i) => (SIGNS[i] ? line.includes(SIGNS[i]) : line.search(mark) >= 0));

function valueIn(cell: Cell, name: string): Hit | undefined {
  const text = cell.text.replace(/^[\s"'`]+/, '');
  const value = text.replace(/[\s"'`]+$/, '');
  if (!value || /\s/.test(value) || !isSecret(value, name, isPasswordName(name) ? 'said' : 'gap')) return undefined;
  const start = cell.start + cell.text.length - text.length;
  return { start, end: start + value.length, kind: 'pw', rank: 0 };
}

const nameIn = (cell: string): string => NAME_CELL.exec(cell.trim())?.[1]?.trim() ?? '';
const isSecretHead = (name: string): boolean => name !== '' && isSecretName(name.replaceAll(' ', '_'));

/** What of a head may stand behind one of its words, up to the next cell. */
const REST_OF_CELL = /(?:[\w.\u4e00-\u9fff"'`*-]| (?! )){0,64}/y;
/** May the head of a column end behind this word? Most words stand elsewhere, which is told at once. */
export function isCellEnd(text: string, at: number): boolean {
  const end = matchEnd(REST_OF_CELL, text, at);
  return end === text.length || '|│┃\t,;\r\n '.includes(text.charAt(end));
}

/** Is the cell around this place the head of a column? Sooner told than for the whole line. */
function isNameCell(line: string, mark: RegExp, at: number): boolean {
  const from = Math.max(0, ...[...line.slice(0, at).matchAll(mark)].slice(-1).map(({ 0: found, index }) => index + found.length));
  const length = line.slice(at).search(mark);
  return isSecretHead(nameIn(line.slice(from, length < 0 ? line.length : at + length)));
}

/** The columns of a head that hold secrets, with their names; none where the cells are no names. */
function secretColumns(names: readonly string[]): [column: number, name: string][] {
  // A row of values is no head.
  if (names.filter(Boolean).length < 2 || names.some((name) => /^(?:0x)?\d/.test(name))) return [];
  return [...names.entries()].filter(([, name]) => isSecretHead(name));
}

/** The values in the columns of a table (Markdown, psql, CSV, columns of blanks) whose head is the line at `at`. A row may be a head again. */
export function columns(text: string, at: number): Below {
  const head = lineAround(text, at);
  const line = text.slice(head.start, Math.min(head.end, head.start + LINE_MAX));
  const mark = head.end - head.start > LINE_MAX ? undefined : markOf(line.trim());
  if (!mark) return { hits: [], end: head.end };
  if (!isNameCell(line, mark, at - head.start)) return { hits: [], end: at + 1 };
  const names = cells(line, mark, head.start).map(({ text: cell }) => nameIn(cell));
  const wanted = new Map(secretColumns(names));
  if (!wanted.size) return { hits: [], end: head.end };
  const hits: Hit[] = [];
  let from = head.end + 1;
  for (let row = 0, odd = 0; from < text.length && odd <= ODD_MAX; row++) {
    const { end } = lineAround(text, from);
    const body = text.slice(from, Math.min(end, from + LINE_MAX));
    if (!RULE.test(body)) {
      const found = cells(body, mark, from);
      odd = found.length === names.length ? 0 : odd + 1;
      if (!odd) for (const [column, name] of secretColumns(found.map((cell) => nameIn(cell.text)))) wanted.set(column, name);
      if (!odd) hits.push(...[...wanted].flatMap(([column, name]) => valueIn(found[column] as Cell, name) ?? []));
    } else if (!body.trim() && row > 0) break;
    from = end + 1;
  }
  return { hits, end: Math.min(from, text.length) };
}

const INSERT = /insert (?:ignore )?into [\w."`[\]]{1,100} ?\(([^()]{1,600})\)\s{1,8}values\s{0,8}/iy;
const TUPLE = /[\s,]{0,8}\(((?:'(?:[^'\\]|\\.|''){0,400}'|"[^"]{0,400}"|[^'"()]){0,60})\)/y;
const ITEM = /\s*(?:N?'((?:[^'\\]|\\.|'')*)'|"([^"]*)"|[^,]*)\s*(?:,|$)/g;

/** The passwords in an INSERT that names its columns. */
export function inserted(text: string, at: number): Below {
  INSERT.lastIndex = at;
  const head = INSERT.exec(text);
  if (!head) return { hits: [], end: at + 1 };
  const names = (head[1] as string).split(',').map((name) => name.replace(/["'`[\]\s]/g, ''));
  const hits: Hit[] = [];
  let end = at + head[0].length;
  for (;;) {
    TUPLE.lastIndex = end;
    const tuple = TUPLE.exec(text);
    if (!tuple) break;
    const inner = end + tuple[0].length - 1 - (tuple[1] as string).length;
    let column = 0;
    for (const item of (tuple[1] as string).matchAll(ITEM)) {
      const value = item[1] ?? item[2];
      const name = names[column++];
      if (!value || !name || !isSecretName(name) || !isSecret(value, name, 'quoted')) continue;
      const start = inner + item.index + item[0].indexOf(value);
      hits.push({ start, end: start + value.length, kind: 'pw', rank: 0 });
    }
    end += tuple[0].length;
  }
  return { hits, end };
}

/** How far from its data the kind of a Kubernetes object may stand. */
export const KIND_NEAR = 2000;
const DATA_LINE = /\n[ \t]{1,12}[\w.-]{1,128}: ["']?([A-Za-z0-9+/]{8,8000}={0,2})["']?(?=[ \t]*(?:\r?\n|$))|\n[ \t]{1,12}[\w.-]{1,128}:[^\n]{0,200}/y;

/** The values of a Kubernetes Secret: `data:` at `at`, base64 under any name. */
export function secretData(text: string, at: number): Below {
  const end = at + '\ndata:'.length;
  if (!/kind: ["']?Secret\b/.test(text.slice(Math.max(0, at - KIND_NEAR), at + KIND_NEAR))) return { hits: [], end };
  const hits: Hit[] = [];
  let from = end;
  for (;;) {
    DATA_LINE.lastIndex = from;
    const found = DATA_LINE.exec(text);
    if (!found) break;
    const value = found[1];
    if (value && !isStandIn(value)) {
      const start = from + found[0].lastIndexOf(value);
      hits.push({ start, end: start + value.length, kind: 'pw', rank: 0 });
    }
    from += found[0].length;
  }
  return { hits, end: from };
}
