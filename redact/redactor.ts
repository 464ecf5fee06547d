import { bytesToText, textToBytes } from '#lib/bytes.ts';
import { RelayError } from '#lib/errors.ts';
import { isObject, type Json, parseJson, pointerStep } from '#lib/json.ts';
import type { Slots } from '#session/slot.ts';
import { cleanText } from './clean-text.ts';
import { tellsSecret } from './context/under.ts';
import { copyOf } from './copy.ts';
import { createEngine, type Engine } from './engine/engine.ts';
import { type Recent, recent } from './engine/recent.ts';
import { type Floor, flooredText, floorOf } from './floor.ts';
import type { RedactionOptions, Redactor } from './index.ts';
import { jsonContainer, type LiteralVisitor, mapLiterals, type Path } from './json/literals.ts';
import { mapParsed } from './json/parsed.ts';
import { mapValue } from './json/walk.ts';
import { unescaped, worthLearning } from './known/learnable.ts';
import type { PathMap } from './paths/map.ts';
import { fingerprints, placeholder } from './placeholder.ts';
import { isPlaced, placeOf } from './settings/allow.ts';
import { kindName } from './shapes/kinds.ts';
import type { Taken } from './taken.ts';
import { tally } from './tally.ts';

/** Rounds until a record holds nothing any more that was learned from it. */
const ROUNDS = 6;
/** Keys that were found clean once; schemas repeat them in every record. */
const KEYS_MAX = 20_000;
const KEY_LONGEST = 64;
/** Ids, signatures and sealed blobs are no shorter than this. */
const ID_SHORTEST = 16;
/** Values whose kind is remembered, so that they are called alike wherever they stand. A log may hold a new token in each line. */
const KINDS_MAX = 50_000;

/** Whether paths are mapped, and what was made in this way of the texts that came last. */
interface Manner {
  portable(text: string): string;
  settled: Recent<Clean>;
}

/** What was made of a text, and what was taken out of it. */
interface Clean {
  made: string;
  taken: readonly Taken[];
  /** how many values had been learned then */
  learned: number;
}

/** @param options `paths`: home and project paths to be made portable */
export function createRedactor({ paths, ...options }: RedactionOptions & { paths?: PathMap }): Redactor {
  const engine = createEngine(options);
  const print = fingerprints(options.key);
  const kinds = new Map<string, string>();
  const report = tally();
  let learnedCount = 0;
  /** keys that are clean, with how many values had been learned then */
  const cleanKeys = new Map<string, number>();
  const isCleanKey = (key: string): boolean => {
    const learned = cleanKeys.get(key);
    if (learned === undefined || (learned !== learnedCount && engine.holdsLearned(key))) return false;
    if (learned !== learnedCount) cleanKeys.set(key, learnedCount);
    return true;
  };

  const label = ({ kind, value }: Taken): string => {
    const first = kinds.get(value);
    if (first === undefined && kinds.size < KINDS_MAX) kinds.set(value, kind);
    return placeholder(first ?? kind, print(value));
  };
  const withPaths: Manner = { portable: (text) => (paths ? paths.encode(text) : text), settled: recent() };
  const asItIs: Manner = { portable: (text) => text, settled: recent() };
  const cleaned = (by: Engine, text: string, telling: string, before: readonly Taken[] = []): Clean => {
    const taken = [...before];
    return { made: cleanText(by, text, telling, taken, label), taken, learned: learnedCount };
  };
  /** The clean text. One that comes again is treated once. */
  const clean = (text: string, telling: string, { portable, settled }: Manner = asItIs): Clean => {
    let one = telling ? undefined : settled.get(text);
    if (!one || (one.learned !== learnedCount && engine.holdsLearned(one.made))) {
      one = cleaned(engine, portable(text), telling);
      if (!telling) settled.set(text, one);
    }
    one.learned = learnedCount;
    return one;
  };
  /** For places where only known values are taken out. */
  const lenient: Engine = { ...engine, scan: (text, name) => engine.scan(text, name).filter((hit) => hit.rank === 2) };
  const allowsPlace = options.allowed?.place;
  const isOpen = (value: string, record: string, path: Path): boolean => (allowsPlace?.(placeOf(record, pointer(path))) && isPlaced(value)) === true;
  const commit = (taken: readonly Taken[], record: string | ((one: Taken) => string), path: string) => {
    for (const one of taken) {
      report.add(kinds.get(one.value) ?? one.kind, print(one.value), typeof record === 'string' ? record : record(one), path);
      const value = unescaped(one.value);
      if (!worthLearning({ ...one, value }) || !engine.learn(value, one.kind)) continue;
      learnedCount++;
    }
  };
  /** What is learned at the end of something may stand bare at its beginning. */
  const untilSettled = <T>(first: () => T, again: (made: T) => T): T => {
    let before = learnedCount;
    let made = first();
    for (let round = 1; learnedCount > before && round < ROUNDS; round++) {
      before = learnedCount;
      made = again(made);
    }
    return made;
  };

  const visitor = (record: string, slots: Slots, manner: Manner, floor?: Floor, note = commit): LiteralVisitor => ({
    string(value, name, path) {
      const floored = floor?.strings.get(value);
      const telling = name !== '' && tellsSecret(name) ? name : '';
      if (!floored && (value.length < 4 || (!telling && engine.passesBy(value)))) return value;
      // Rules pass over these, so most of a sealed blob's time is saved.
      if (value.length >= ID_SHORTEST && !floored && isPassedOver(slots(path, value)) && !engine.holdsKnown(value)) return value;
      const by = isOpen(value, record, path) ? lenient : engine;
      const { made, taken } =
        by === engine && !floored ? clean(value, telling, manner) : cleaned(by, floored?.text ?? manner.portable(value), telling, floored?.taken);
      if (made === value) return value;
      const slot = slots(path, value);
      const known = taken.some((one) => one.rank === 2);
      if ((slot === 'fixed' && taken.length) || (slot === 'kept' && known))
        throw leftOver(record, path, taken.find((one) => one.rank === 2) ?? (taken[0] as Taken), print);
      if (slot === 'kept' || (slot === 'likely' && !known)) return value;
      if (taken.length) note(taken, record, pointer(path));
      return made;
    },
    key(value, path) {
      const floored = floor?.strings.get(value);
      if (!floored && (value.length < 6 || isCleanKey(value))) return value;
      const { made, taken } = floored ? cleaned(engine, floored.text, '', floored.taken) : clean(value, '', manner);
      if (made === value && value.length <= KEY_LONGEST && cleanKeys.size < KEYS_MAX) cleanKeys.set(copyOf(value), learnedCount);
      if (taken.length) note(taken, record, `${pointer(path)} (key)`);
      return made;
    },
    scalar(raw, name, path) {
      const floored = floor?.numbers.get(raw);
      if (!floored && !engine.scalar(raw, name)) return undefined;
      const taken: Taken = { kind: 'pw', value: raw, rank: 0 };
      note([taken], record, pointer(path));
      return floored ?? label(taken);
    },
  });
  /** For what is clean but for values that were learned since. */
  const onlyLearned = (visit: LiteralVisitor): LiteralVisitor => ({
    string: (value, name, path) => (engine.holdsLearned(value) ? visit.string(value, name, path) : value),
    key: (value, path) => (engine.holdsLearned(value) ? visit.key(value, path) : value),
    scalar: () => undefined,
  });
  const portableText = (value: string, record: string, path: string): string => {
    const { made, taken } = clean(value, '');
    if (taken.length) commit(taken, record, path);
    return made;
  };
  /** The text with paths mapped, and what was stored of it before kept. */
  const onFloor = (value: string, record: string, path: string, stored: string | undefined): string => {
    const encoded = withPaths.portable(value);
    const floored = stored === undefined ? undefined : flooredText(stored, encoded, options.allowed);
    if (floored) commit(floored.taken, record, path);
    return floored?.text ?? encoded;
  };
  const text: Redactor['text'] = (value, record, path = '', stored) => {
    const treat = (made: string) => portableText(made, record, path);
    return untilSettled(
      () => treat(onFloor(value, record, path, stored)),
      (made) => (engine.holdsLearned(made) ? treat(made) : made),
    );
  };

  // Paths are mapped in the text as it stands: decoding and encoding literals would lose their escapes.
  const json: Redactor['json'] = (text, value, record, slots, stored) => {
    const begun = onFloor(text, record, '', stored);
    const treat = (one: string, parsed: Json | undefined, of: (visit: LiteralVisitor) => LiteralVisitor): string => {
      const notes: Parameters<typeof commit>[] = [];
      const visit = visitor(record, slots, asItIs, undefined, (...note) => notes.push(note));
      const made = parsed === undefined ? undefined : mapParsed(one, parsed, of(visit));
      if (made === undefined) return mapLiterals(one, of(visitor(record, slots, asItIs)));
      for (const note of notes) commit(...note);
      return made;
    };
    return untilSettled(
      () => treat(begun, begun === text ? value : parseJson(begun), (visit) => visit),
      (made) => treat(made, parseJson(made), onlyLearned),
    );
  };

  return {
    id: engine.id,
    record(value, record, slots, stored) {
      const floor = stored && floorOf(stored, value, withPaths.portable, options.allowed);
      const made = untilSettled<Json>(
        () => mapValue(value, visitor(record, slots, withPaths, floor)),
        (one) => mapValue(one, onlyLearned(visitor(record, slots, asItIs))),
      );
      if (!isObject(made)) throw new Error('a redacted record is no record');
      return made;
    },
    line(value, record, slots, stored) {
      const bom = value.charCodeAt(0) === 0xfeff ? 1 : 0;
      const parsed = jsonContainer(bom ? value.slice(1) : value);
      return parsed === undefined ? text(value, record, '', stored) : json(value, parsed, record, slots, stored);
    },
    json,
    text,
    lines(value, place) {
      const treat = (one: string): string => {
        const { made, taken } = clean(one, '');
        const feeds = lineFeeds(one);
        if (taken.length) commit(taken, ({ at = 0 }) => place(feeds(at)), '');
        return made;
      };
      return untilSettled(
        () => treat(withPaths.portable(value)),
        (made) => (engine.holdsLearned(made) ? treat(made) : made),
      );
    },
    mayCut(left, right) {
      const whole = engine.scan(left + right, '');
      const apart = [...engine.scan(left, ''), ...engine.scan(right, '').map((hit) => ({ start: hit.start + left.length, end: hit.end + left.length }))];
      return whole.length === apart.length && whole.every((hit, i) => hit.start === apart[i]?.start && hit.end === apart[i]?.end);
    },
    bytes(value, record, stored) {
      const one = bytesToText(value);
      const made = text(one, record, '', stored && bytesToText(stored));
      return made === one ? value : textToBytes(made);
    },
    learned: () => engine.learned(),
    learnedCount: () => learnedCount,
    found: (value) => report.has(print(value)),
    report: () => report.done(),
  };
}

/** Counts the line feeds of a text up to a place; cheap when the places come in order. */
function lineFeeds(text: string): (end: number) => number {
  const first = text.indexOf('\n');
  let next = first;
  let count = 0;
  let last = 0;
  return (end) => {
    if (end < last) [next, count] = [first, 0];
    last = end;
    for (; next >= 0 && next < end; next = text.indexOf('\n', next + 1)) count++;
    return count;
  };
}

/** Only given values are taken out of these, or stop a push. */
const isPassedOver = (slot: ReturnType<Slots>): boolean => slot === 'kept' || slot === 'likely';

const pointer = (path: Path): string => `/${path.map(pointerStep).join('/')}`;

function leftOver(record: string, path: Path, { kind, value }: Taken, print: (value: string) => string): RelayError {
  const fingerprint = `${kind}:${print(value)}`;
  return new RelayError(
    'secret-left',
    `A secret stands in record ${record} at ${pointer(path)}, a place that must not be edited: ${kindName(kind)} (${fingerprint}).`,
    `Take it out of the session. If it is no secret: relay redact --allow ${fingerprint}, for this clone only.`,
  );
}
