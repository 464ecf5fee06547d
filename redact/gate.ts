import { isUtf8 } from 'node:buffer';
import { bytesToText } from '#lib/bytes.ts';
import { RelayError } from '#lib/errors.ts';
import { asArray, asObject, asString, isObject, type Json, type JsonObject, parseJson, pointerKey, pointerStep } from '#lib/json.ts';
import { fromRest } from '#session/at-rest.ts';
import { nativeValue } from '#session/codec.ts';
import type { SessionRecord } from '#session/record.ts';
import type { Slots } from '#session/slot.ts';
import { cleanText } from './clean-text.ts';
import { createEngine, type Engine } from './engine/engine.ts';
import type { Finding, RedactionOptions } from './index.ts';
import { isPicture } from './inner/images.ts';
import type { Path } from './json/literals.ts';
import { mapValue } from './json/walk.ts';
import { fingerprints, placeholder } from './placeholder.ts';
import type { Allow } from './settings/allow.ts';
import { TimedOut, within } from './settings/deadline.ts';
import { placedIn } from './settings/placed.ts';
import type { Taken } from './taken.ts';
import { tally } from './tally.ts';

/** The last look at what is about to leave. */
export interface Gate {
  /** engine version, hash of the rules and state of what grows with use: a verdict is only good for the same id */
  readonly id: string;
  /**
   * Secrets in an object: a blob, a commit or a tree. Placeholders are none. What cannot be examined counts as a finding of kind `error`,
   * what takes too long as one of kind `time`; a rule of the settings that takes too long throws RelayError `blocked`, which names it.
   * An attachment is judged by the records that refer to it: they must have passed before.
   * @param path where the blob stands in its version (told by `.jsonl`: canonical records, one a line); "" for commits and trees
   */
  check(bytes: Buffer, path: string): Finding[];
}

interface Look {
  engine: Engine;
  allowed: Allow | undefined;
  slots: Slots | undefined;
  /** sha256 of attachments -> where in their source records they stand, and as what; undefined: as content too */
  places: Map<string, { path: Path; as: BufferEncoding }[] | undefined>;
  add(taken: readonly Taken[], record: string, path?: string): void;
}

/** How long an object of so many bytes may take, in ms: hundreds of times what any was seen to need. */
const patienceFor = (bytes: number): number => 20_000 + bytes / 100;

/** @param options `slots`: of the agent whose records are looked at; `patience`: ms that an object of so many bytes may take */
export function createGate({ slots, patience = patienceFor, ...options }: RedactionOptions & { slots?: Slots; patience?: (bytes: number) => number }): Gate {
  const engine = createEngine(options);
  const print = fingerprints(options.key);
  const places: Look['places'] = new Map();
  return {
    id: [engine.id, ...(options.layers ?? []).flatMap((layer) => layer.state ?? [])].join('+'),
    check(bytes, path) {
      const findings = tally();
      const look: Look = {
        engine,
        allowed: options.allowed,
        slots,
        places,
        add: (taken, record, at = '') => taken.forEach((one) => findings.add(one.kind, print(one.value), record, at)),
      };
      try {
        within(Math.ceil(patience(bytes.length)), () => examine(bytes, path, look));
      } catch (error) {
        // A rule of the settings that takes too long says so itself, and which one it is.
        if (error instanceof RelayError && error.code === 'blocked') throw error;
        // Any other reason could hold the text; that there is one is enough to stop.
        findings.add(error instanceof TimedOut ? 'time' : 'error', '00000000', path, '');
      }
      return findings.done().findings;
    },
  };
}

/** Nothing is put in place of what the gate finds. */
const label = ({ kind }: Taken): string => placeholder(kind, '00000000');

function inText(text: string, name: string, engine: Engine): Taken[] {
  const taken: Taken[] = [];
  cleanText(engine, text, name, taken, label);
  return taken;
}

function examine(bytes: Buffer, path: string, look: Look): void {
  if (!isUtf8(bytes)) return binary(bytes, path, look);
  const text = bytes.toString('utf8');
  if (!path.endsWith('.jsonl')) return addWhole(inText(text, '', look.engine), bytes, path, look);
  let number = 0;
  for (let from = 0; from < text.length; number++) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? text.length : end);
    from = end < 0 ? text.length : end + 1;
    examineLine(line, `${path} ${number}`, look);
  }
}

function addWhole(taken: readonly Taken[], bytes: Buffer, path: string, look: Look): void {
  if (taken.length && !isKeptAttachment(bytes, path, taken, look)) look.add(taken, path);
}

/** Long signatures and sealed blobs lie beside the records whose places they have. */
function isKeptAttachment(bytes: Buffer, path: string, taken: readonly Taken[], { slots, places }: Look): boolean {
  const where = places.get(path.slice(path.lastIndexOf('/') + 1));
  if (!slots || !where || taken.some((one) => one.rank === 2)) return false;
  return where.every((place) => slots(place.path, bytes.toString(place.as)) === 'kept');
}

/** Notes the places of a record's attachments; one within the canonical part is content. */
function notePlaces(record: JsonObject, places: Look['places']): void {
  for (const one of asArray(record.attached)) {
    const [pointer, sha256, as] = asArray(one);
    if (typeof pointer !== 'string' || typeof sha256 !== 'string') continue;
    const known = places.has(sha256) ? places.get(sha256) : [];
    const place = { path: pathOf(record, pointer).slice(1), as: as === 'base64' ? ('base64' as const) : ('utf8' as const) };
    places.set(sha256, known && pointer.startsWith('/native/') ? [...known, place] : undefined);
  }
}

/** The steps of a JSON pointer; those into a list as numbers. */
function pathOf(record: Json, pointer: string): Path {
  let at: Json | undefined = record;
  return pointer
    .split('/')
    .slice(1)
    .map((step) => {
      const key = pointerKey(step);
      const place = Array.isArray(at) ? Number(key) : key;
      at = Array.isArray(at) ? at[Number(key)] : asObject(at)?.[key];
      return place;
    });
}

function binary(bytes: Buffer, path: string, look: Look): void {
  const taken = inText(bytes.toString('latin1'), '', look.engine);
  // Names beside a value mean nothing in the bytes of a picture.
  addWhole(isPicture(bytes) ? taken.filter((one) => one.rank > 0) : taken, bytes, path, look);
  // Known values in another script stand there as UTF-8, as in the names of a tree.
  look.add(
    inText(bytes.toString('utf8'), '', look.engine).filter((one) => one.rank === 2),
    path,
  );
}

function examineLine(line: string, at: string, look: Look): void {
  let record = parseJson(line);
  if (!isObject(record)) return look.add(inText(line, '', look.engine), at);
  if (record.type === 'raw' && typeof record.base64 === 'string') {
    look.add(inText(bytesToText(Buffer.from(record.base64, 'base64')), '', look.engine), at);
    record = { ...record, base64: '' };
  }
  notePlaces(record, look.places);
  const placed = look.allowed?.place && placedIn(record, at.slice(0, at.lastIndexOf(' ')), look.allowed);
  let sealed: Set<string> | undefined;
  const allowed = (value: string, taken: readonly Taken[]): boolean => {
    if (taken.some((one) => one.rank === 2)) return false;
    if (look.slots) sealed ??= keptValues(record, look.slots);
    return sealed?.has(value) || placed?.(taken) === true;
  };
  const judge = (value: string, name: string, path: Path): boolean => {
    const text = path[0] === 'native' && path.length > 1 ? unfolded(value) : value;
    if (text.length < 4) return true;
    const taken = inText(text, name, look.engine);
    const clean = !taken.length || allowed(text, taken);
    if (!clean) look.add(taken, at, `/${path.map(pointerStep).join('/')}`);
    return clean;
  };
  mapValue(record, {
    string(value, name, path) {
      judge(value, name, path);
      return value;
    },
    key(value, path) {
      // A secret must not become part of the path that is shown.
      return value.length < 6 || judge(value, '', path.length ? path : ['']) ? value : '(key)';
    },
    scalar(raw, name, path) {
      if (look.engine.scalar(raw, name)) look.add([{ kind: 'pw', value: raw, rank: 0 }], at, `/${path.map(pointerStep).join('/')}`);
      return undefined;
    },
  });
}

/** A string of a folded record (src/session/fold.ts): "" for a pointer, since what it points to is looked at where it stands. */
function unfolded(value: string): string {
  if (value.charCodeAt(0) !== 61) return value;
  return value.startsWith('==') ? value.slice(1) : '';
}

function keptValues(record: JsonObject, slots: Slots): Set<string> {
  const out = new Set<string>();
  const visit = (value: Json | undefined, path: Path): void => {
    if (typeof value === 'string') {
      if (slots(path, value) === 'kept') out.add(value);
    } else if (Array.isArray(value)) value.forEach((item, i) => visit(item, [...path, i]));
    else if (isObject(value)) for (const key of Object.keys(value)) visit(value[key], [...path, key]);
  };
  if (asString(record.type) !== 'raw') visit(nativeValue(fromRest(record) as unknown as SessionRecord), []);
  return out;
}
