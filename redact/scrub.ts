import { bytesToText, textToBytes } from '#lib/bytes.ts';
import { RelayError } from '#lib/errors.ts';
import { isObject, type Json, type JsonObject } from '#lib/json.ts';
import type { Slots } from '#session/slot.ts';
import type { Engine } from './engine.ts';
import { isPicture } from './images.ts';
import { knownForms } from './known-match.ts';
import { type Found, nothingFound } from './layer.ts';
import { isJsonContainer, type LiteralVisitor, mapLiterals } from './literals.ts';
import { merge } from './ranges.ts';
import { cleanText } from './redactor.ts';
import { mapValue } from './walk.ts';

/** Takes given values out of anything, and nothing else: no rule has a say, so that the same content always becomes the same. */
export interface Scrubber {
  finds(text: string): boolean;
  /** A parsed value. @param slots throws `secret-left` where a value stands in a place that must stay as it is */
  value<T extends Json>(value: T, slots?: Slots): T;
  /** A line as it stands, JSON literal by literal. */
  line(text: string, slots?: Slots): string;
  text(text: string): string;
  bytes(bytes: Buffer): Buffer;
}

/** @param mark what is put in the place of a value, whichever it is */
export function createScrubber(values: readonly string[], mark: string): Scrubber {
  const engine = finder(values);
  const finds = (text: string): boolean => engine.scan(text, '').length > 0;
  const clean = (text: string): string => {
    const made = cleanText(engine, text, '', [], () => mark);
    return finds(made) ? cleanText(engine, `"${made}`, '', [], () => mark).slice(1) : made;
  };
  const visitor = (slots: Slots): LiteralVisitor => ({
    string(value, _name, path) {
      const made = clean(value);
      if (made === value) return value;
      const slot = slots(path, value);
      if (slot === 'fixed' || slot === 'kept') throw inSlot();
      return made;
    },
    key: clean,
    scalar: (raw) => (finds(raw) ? mark : undefined),
  });
  const line = (text: string, slots = nowhere): string => (isJsonContainer(text) ? mapLiterals(text, visitor(slots)) : clean(text));
  return {
    finds,
    value: (value, slots = nowhere) => mapValue(value, visitor(slots)) as typeof value,
    line,
    text: (text) => line(text),
    bytes(bytes) {
      if (isPicture(bytes)) return Buffer.from(clean(bytes.toString('base64')), 'base64');
      const text = bytesToText(bytes);
      const made = line(text);
      return made === text ? bytes : textToBytes(made);
    },
  };
}

const nowhere: Slots = () => undefined;
const inSlot = (): RelayError => new RelayError('secret-left', 'The value stands in a place that must not be edited.');

/** An engine of nothing but these values. A value is taken out also where it is part of a longer word: whoever purges it wants it gone. */
function finder(values: readonly string[]): Engine {
  const forms = values.flatMap((value) => knownForms({ value, kind: 'purged' }));
  const scan: Engine['scan'] = (text) => {
    const found: Found = nothingFound(0, () => []);
    for (const { value, word, check } of forms) everyPlace(text, word?.text ?? value, (at, length) => check(text, at, length, found));
    for (const value of values) everyPlace(text, value, (start, length) => found.hits.push({ start, end: start + length, kind: 'purged', rank: 2 }));
    return merge(found.hits);
  };
  return { id: '', scan, scalar: (raw) => values.some((value) => raw.includes(value)), learn: () => false, learned: () => [] };
}

function everyPlace(text: string, literal: string, visit: (at: number, length: number) => void): void {
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + 1)) visit(at, literal.length);
}

/** Values that stand in `before` where `after` has the mark; undefined where anything else differs. */
export function valuesBetween(before: Json, after: Json, mark: string): string[] | undefined {
  const found: string[] = [];
  return compare(before, after, mark, found) ? found : undefined;
}

function compare(before: Json, after: Json, mark: string, found: string[]): boolean {
  if (typeof before === 'string' && typeof after === 'string') return before === after || compareText(before, after, mark, found);
  if (Array.isArray(before) && Array.isArray(after))
    return before.length === after.length && before.every((item, i) => compare(item, after[i] as Json, mark, found));
  if (isObject(before) && isObject(after)) return compareObjects(before, after, mark, found);
  return before === after;
}

function compareObjects(before: JsonObject, after: JsonObject, mark: string, found: string[]): boolean {
  const [old, now] = [Object.keys(before), Object.keys(after)];
  return (
    old.length === now.length &&
    old.every((key, i) => compare(key, now[i] as string, mark, found) && compare(before[key] as Json, after[now[i] as string] as Json, mark, found))
  );
}

function compareText(before: string, after: string, mark: string, found: string[]): boolean {
  if (!after.includes(mark)) return false;
  if (isJsonContainer(before) && isJsonContainer(after)) return compare(JSON.parse(before) as Json, JSON.parse(after) as Json, mark, found);
  const [first = '', ...parts] = after.split(mark);
  if (!before.startsWith(first)) return false;
  let at = first.length;
  for (const [i, part] of parts.entries()) {
    const end = i === parts.length - 1 ? before.length - part.length : before.indexOf(part, at + 1);
    if (end <= at || !before.startsWith(part, end)) return false;
    found.push(before.slice(at, end));
    at = end + part.length;
  }
  return at === before.length;
}
