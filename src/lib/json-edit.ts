import { createScanner, type Node, type ParseError, parseTree } from 'jsonc-parser';
import type { Json } from './json.ts';

export type { Node };

/** Text to put into another text, at an offset of that other text. */
export interface Insertion {
  at: number;
  text: string;
}

/** A part of a text, from offset to offset. */
export type Range = [from: number, to: number];

/** The syntax tree of a JSON text, which may hold comments and trailing commas; the line of the fault where it is none. */
export function readTree(text: string): Node | { faultAt: number } {
  const errors: ParseError[] = [];
  // The mark at the beginning is no part of JSON, and offsets count it.
  const root = parseTree(text.replace(/^\ufeff/, ' '), errors, { allowTrailingComma: true });
  const [fault] = errors;
  if (!root || fault) return { faultAt: text.slice(0, fault?.offset ?? 0).split('\n').length };
  return root;
}

/** The value of an object's property: of the last one, as parsers have it, where its name stands twice. */
export const propertyOf = (object: Node, name: string): Node | undefined =>
  object.children?.findLast((property) => property.children?.[0]?.value === name)?.children?.[1];

/** The insertions that make `items` the last ones of an object or array, in the form that the text has: nothing that stands there moves or changes. */
export function insertLast(text: string, container: Node, items: readonly { key?: string; value: Json }[]): Insertion[] {
  const form = formOf(text, container);
  const close = endOf(container) - 1;
  const at = text.slice(0, close).trimEnd().length;
  const before = form.spread ? form.eol + form.indent : '';
  const body = items.map(({ key, value }) => before + (key === undefined ? '' : `${JSON.stringify(key)}: `) + written(value, form)).join(',');
  const last = container.children?.at(-1);
  if (!last) return [{ at, text: body + (form.spread && !text.slice(at, close).includes('\n') ? form.eol + form.outer : '') }];
  const comma = commaWithin(text, endOf(last), close) === undefined ? [{ at: endOf(last), text: ',' }] : [];
  return [...comma, { at, text: body }];
}

/** What to cut out of a text so that these children of an object or array are gone, and nothing else. Some other child must stay. */
export function cutsOf(text: string, container: Node, gone: ReadonlySet<Node>): Range[] {
  const children = container.children ?? [];
  return children.flatMap((child, n): Range[] => {
    if (!gone.has(child)) return [];
    const own: Range = [text.slice(0, child.offset).trimEnd().length, endOf(child)];
    const keptBefore = children.slice(0, n).some((one) => !gone.has(one));
    const [from, to] = keptBefore ? [endOf(children[n - 1] as Node), child.offset] : [endOf(child), children[n + 1]?.offset ?? endOf(container)];
    const comma = commaWithin(text, from, to);
    return comma === undefined ? [own] : [own, [comma, comma + 1]];
  });
}

/** A text with all insertions made; their offsets are those of the text as it was. */
export function inserted(text: string, insertions: readonly Insertion[]): string {
  let made = '';
  let from = 0;
  for (const one of insertions.toSorted((a, b) => a.at - b.at)) {
    made += text.slice(from, one.at) + one.text;
    from = one.at;
  }
  return made + text.slice(from);
}

/** A text without some parts of it, which may touch but not overlap. */
export function without(text: string, ranges: readonly Range[]): string {
  let kept = '';
  let at = 0;
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    kept += text.slice(at, from);
    at = to;
  }
  return kept + text.slice(at);
}

/** Where insertions came to stand in the text that they made. */
export function rangesOf(insertions: readonly Insertion[]): Range[] {
  let shift = 0;
  return insertions
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, text }) => {
      const from = at + shift;
      shift += text.length;
      return [from, from + text.length];
    });
}

const endOf = (node: Node): number => node.offset + node.length;

interface Form {
  /** an item a line */
  spread: boolean;
  eol: string;
  /** what indents an item, and what one step more adds */
  indent: string;
  step: string;
  /** what indents the line of the container's end */
  outer: string;
}

/** How an object or array is laid out, or, where it is empty, how the whole text is. */
function formOf(text: string, container: Node): Form {
  const children = container.children ?? [];
  const step = /^[ \t]+(?=\S)/m.exec(text)?.[0] ?? '  ';
  const outer = indentAt(text, container.offset);
  const first = children[0];
  const own = first && text.slice(container.offset, first.offset).includes('\n') ? indentAt(text, first.offset) : outer + step;
  const spread = children.length ? text.slice(container.offset, endOf(container)).includes('\n') : !container.parent || text.trim().includes('\n');
  return { spread, eol: text.includes('\r\n') ? '\r\n' : '\n', indent: own, step, outer };
}

/** The white space that begins the line of an offset. */
const indentAt = (text: string, offset: number): string => /^\ufeff?([ \t]*)/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))?.[1] ?? '';

const written = (value: Json, { spread, eol, indent, step }: Form): string =>
  spread ? JSON.stringify(value, null, step).replaceAll('\n', eol + indent) : JSON.stringify(value);

/** The first comma between two offsets that stands in no comment. */
function commaWithin(text: string, from: number, to: number): number | undefined {
  const scanner = createScanner(text.slice(from, to), true);
  while (scanner.getPosition() < to - from) {
    scanner.scan();
    const at = from + scanner.getTokenOffset();
    if (at < to && text[at] === ',') return at;
  }
  return undefined;
}
