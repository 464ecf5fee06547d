import { bytesToText, textToBytes } from '#lib/bytes.ts';
import { RelayError } from '#lib/errors.ts';
import { isObject, type Json, type JsonObject } from '#lib/json.ts';
import type { Slots } from '#session/slot.ts';
import { cleanText } from './clean-text.ts';
import type { Engine } from './engine/engine.ts';
import { nothingYet } from './engine/layer.ts';
import { everyPlace, merge } from './engine/ranges.ts';
import { isPicture } from './inner/images.ts';
import { isJsonContainer, type LiteralVisitor, mapLiterals } from './json/literals.ts';
import { mapValue } from './json/walk.ts';
import { knownForms } from './known/match.ts';

/** Takes given values out of anything, and nothing else: no rule has a say, so that the same content always becomes the same. */
export interface Scrubber {
  finds(text: string): boolean;
  /** False where no form of a value can stand in these bytes, escapes of plain letters aside. Costs no decoding. */
  mayHold(bytes: Buffer): boolean;
  /** A parsed value. @param slots throws `secret-left` where a value stands in a place that must stay as it is */
  value<T extends Json>(value: T, slots?: Slots): T;
  /** A line as it stands, JSON literal by literal. */
  line(text: string, slots?: Slots): string;
  text(text: string): string;
  bytes(bytes: Buffer): Buffer;
}

/** @param mark what is put in the place of a value, whichever it is */
export function createScrubber(values: readonly string[], mark: string): Scrubber {
  const { engine, anchors } = finder(values);
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
    mayHold: (bytes) => anchors.some((anchor) => bytes.includes(anchor)),
    value: (value, slots = nowhere) => mapValue(value, visitor(slots)) as typeof value,
    line,
    text: (text) => line(text),
    bytes(bytes) {
      if (isPicture(bytes)) return overwritten(bytes, engine);
      const text = bytesToText(bytes);
      const made = line(text);
      return made === text ? bytes : textToBytes(made);
    },
  };
}

/** A picture stays one only when nothing in it moves. */
function overwritten(bytes: Buffer, engine: Engine): Buffer {
  const hits = engine.scan(bytes.toString('latin1'), '');
  if (!hits.length) return bytes;
  const made = Buffer.from(bytes);
  for (const { start, end } of hits) made.fill('*', start, end);
  return made;
}

const nowhere: Slots = () => undefined;
const inSlot = (): RelayError => new RelayError('secret-left', 'The value stands in a place that must not be edited.');

/** An engine of nothing but these values. A value is taken out also where it is part of a longer word: whoever purges it wants it gone. */
function finder(values: readonly string[]): { engine: Engine; anchors: Buffer[] } {
  const forms = values.flatMap((value) => knownForms({ value, kind: 'purged' }));
  const scan: Engine['scan'] = (text) => {
    const found = nothingYet();
    for (const { text: anchor, payload } of forms) for (const at of everyPlace(text, anchor)) payload(text, at, anchor.length, found);
    for (const value of values) for (const start of everyPlace(text, value)) found.hits.push({ start, end: start + value.length, kind: 'purged', rank: 2 });
    return merge(found.hits);
  };
  const scalar: Engine['scalar'] = (raw) => values.some((value) => raw.includes(value));
  const literals = new Set([...values, ...forms.map(({ text }) => text)]);
  return {
    engine: { id: '', scan, passesBy: () => false, scalar, learn: () => false, learned: () => [], holdsKnown: () => true, holdsLearned: () => false },
    anchors: [...literals].map((one) => Buffer.from(one)),
  };
}

/** A value that stood where a mark stands now. */
export type Marked = [mark: string, value: string];

/** The values that stand in `before` where `after` has one of the marks; undefined where anything else differs. */
export function valuesBetween(before: Json, after: Json, marks: readonly string[]): Marked[] | undefined {
  const found: Marked[] = [];
  return compare(before, after, marks, found) ? found : undefined;
}

function compare(before: Json, after: Json, marks: readonly string[], found: Marked[]): boolean {
  if (typeof before === 'string' && typeof after === 'string') return before === after || compareText(before, after, marks, found);
  if (Array.isArray(before) && Array.isArray(after))
    return before.length === after.length && before.every((item, i) => compare(item, after[i] as Json, marks, found));
  if (isObject(before) && isObject(after)) return compareObjects(before, after, marks, found);
  return before === after;
}

function compareObjects(before: JsonObject, after: JsonObject, marks: readonly string[], found: Marked[]): boolean {
  const [old, now] = [Object.keys(before), Object.keys(after)];
  return (
    old.length === now.length &&
    old.every((key, i) => compare(key, now[i] as string, marks, found) && compare(before[key] as Json, after[now[i] as string] as Json, marks, found))
  );
}

/** What stands between two marks is looked for from left to right: where a value holds it too, the texts are taken for different. */
function compareText(before: string, after: string, marks: readonly string[], found: Marked[]): boolean {
  if (isJsonContainer(before) && isJsonContainer(after)) return compare(JSON.parse(before) as Json, JSON.parse(after) as Json, marks, found);
  let at = 0;
  let mark: string | undefined;
  for (const part of parted(after, marks)) {
    if (part.mark !== undefined) {
      // Two marks side by side: nobody can tell whose is what.
      if (mark !== undefined) return false;
      mark = part.mark;
      continue;
    }
    const start = mark === undefined ? at : part.last ? before.length - part.text.length : before.indexOf(part.text, at + 1);
    if (start < at || !before.startsWith(part.text, start) || (mark === undefined && start !== at)) return false;
    if (mark !== undefined) found.push([mark, before.slice(at, start)]);
    mark = undefined;
    at = start + part.text.length;
  }
  return at === before.length;
}

/** A text cut at the marks in it; a text follows each mark, if only an empty one. */
function parted(text: string, marks: readonly string[]): { text: string; mark?: string; last: boolean }[] {
  const parts: { text: string; mark?: string; last: boolean }[] = [];
  for (let at = 0; ; ) {
    const next = marks.map((mark) => ({ mark, at: text.indexOf(mark, at) })).filter((one) => one.at >= 0);
    const first = next.sort((a, b) => a.at - b.at)[0];
    if (!first) return [...parts, { text: text.slice(at), last: true }];
    if (first.at > at || !parts.length) parts.push({ text: text.slice(at, first.at), last: false });
    parts.push({ text: '', mark: first.mark, last: false });
    at = first.at + first.mark.length;
  }
}
