import { atPointer, isObject, type Json, type JsonObject, parseJson, pointerStep } from '#lib/json.ts';
import { fromRest } from '#session/at-rest.ts';
import { nativeValue } from '#session/codec.ts';
import { POINTER } from '#session/fold.ts';
import type { SessionRecord } from '#session/record.ts';
import type { Slots } from '#session/slot.ts';
import { tellsSecret } from '../context/under.ts';
import { type LiteralVisitor, mapLiterals, type Path } from '../json/literals.ts';
import { mapValue } from '../json/walk.ts';
import { placedIn } from '../settings/placed.ts';
import type { Taken } from '../taken.ts';
import { notePlaces } from './attachments.ts';
import { inBytes } from './bytes.ts';
import { inText, type Look } from './look.ts';

/** Looks at a line of a segment. @param at path of the segment and number of the line */
export function examineLine(line: string, at: string, look: Look): void {
  const record = parseJson(line);
  if (!isObject(record)) {
    look.add(inText(line, '', look.engine), at);
    if (line.trim()) look.refuse(at);
    return;
  }
  notePlaces(record, look.places);
  // Of two equal keys the first is not in the value, and leaves all the same: such a line is gone through as it stands.
  const exact = JSON.stringify(record) === line;
  const visit = visitor(record, exact, at, look);
  if (exact) mapValue(record, visit);
  else mapLiterals(line, visit);
}

const pointer = (path: Path): string => `/${path.map(pointerStep).join('/')}`;

function visitor(record: JsonObject, exact: boolean, at: string, look: Look): LiteralVisitor {
  const { engine } = look;
  const native = nativeOf(record);
  const mayStand = exceptions(native, at, look);
  const meant = unfolding(native, exact, look);
  const judge = (text: string, name: string, path: Path): boolean => {
    if (text.length < 4) return true;
    const taken = inText(text, name, engine);
    const clean = !taken.length || mayStand(text, taken);
    if (!clean) look.add(taken, at, pointer(path));
    return clean;
  };
  return {
    string(value, name, path) {
      if (path.length === 1 && path[0] === 'base64') look.add(inBase64(value, look), at, pointer(path));
      else judge(path[0] === 'native' && path.length > 1 ? meant(value, name, path) : value, name, path);
      return value;
    },
    key(value, path) {
      // A secret must not become part of the path that is shown.
      return value.length < 6 || judge(value, '', path.length ? path : ['']) ? value : '(key)';
    },
    scalar(raw, name, path) {
      if (engine.scalar(raw, name)) look.add([{ kind: 'pw', value: raw, rank: 0 }], at, pointer(path));
      return undefined;
    },
  };
}

/** The bytes of a raw line; or the text itself, since it need be no base64. */
function inBase64(value: string, { engine }: Look): Taken[] {
  const taken = inBytes(Buffer.from(value, 'base64'), engine);
  return taken.length ? taken : inText(value, '', engine).filter((one) => one.rank > 0);
}

type Native = () => JsonObject | undefined;

/** The source record, put together when it is asked for; undefined where it cannot be. Nothing is excused in such a record. */
function nativeOf(record: JsonObject): Native {
  const unfolded = (): { native?: JsonObject | undefined } => {
    try {
      return { native: nativeValue(fromRest(record) as unknown as SessionRecord) };
    } catch {
      return {};
    }
  };
  let made: ReturnType<typeof unfolded> | undefined;
  return () => {
    made ??= unfolded();
    return made.native;
  };
}

/** What may stand in a record though it looks like a secret. */
function exceptions(native: Native, at: string, { allowed, slots }: Look): (text: string, taken: readonly Taken[]) => boolean {
  const placed = allowed?.place && placedIn(native, at.slice(0, at.lastIndexOf(' ')), allowed);
  let kept: Set<string> | undefined;
  return (text, taken) => {
    if (taken.some((one) => one.rank === 2)) return false;
    if (slots) kept ??= keptValues(native(), slots);
    return kept?.has(text) || placed?.(taken) === true;
  };
}

function keptValues(native: JsonObject | undefined, slots: Slots): Set<string> {
  const out = new Set<string>();
  const visit = (value: Json | undefined, path: Path): void => {
    if (typeof value === 'string') {
      if (slots(path, value) === 'kept') out.add(value);
    } else if (Array.isArray(value)) value.forEach((item, i) => visit(item, [...path, i]));
    else if (isObject(value)) for (const key of Object.keys(value)) visit(value[key], [...path, key]);
  };
  visit(native, []);
  return out;
}

/**
 * What a string of a folded record says: nothing for a pointer, since what it leads to is looked at where it stands, unless it stands under the
 * name of a secret here. Only what leads somewhere is a pointer.
 */
function unfolding(native: Native, exact: boolean, { engine }: Look): (value: string, name: string, path: Path) => string {
  return (value, name, path) => {
    if (value.charCodeAt(0) !== 61) return value;
    if (value.startsWith('==')) return value.slice(1);
    const source = POINTER.test(value) ? native() : undefined;
    // Where keys stand twice, nobody tells which of them the source record has.
    if (!source || (!exact && engine.holdsKnown(value))) return value;
    const target = tellsSecret(name) ? atPointer(source, pointer(path.slice(1))) : undefined;
    return typeof target === 'string' ? target : '';
  };
}
