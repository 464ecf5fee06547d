import { type Json, type JsonObject, setOwn } from '#lib/json.ts';
import { type LiteralVisitor, mapLiterals, type Path } from './literals.ts';
import { nameIn, passed, scope } from './scope.ts';

/** Deeper than this a value is treated as text, which costs no stack. */
const DEPTH_MAX = 400;

/**
 * Treats every string, key and number of a parsed value. Copies only what changes; the value itself comes back when
 * nothing does. The same visitor over the value's text gives the same (literals.ts).
 */
export function mapValue(value: Json, visit: LiteralVisitor, name = ''): Json {
  return walk(value, name, visit, [], 0);
}

function walk(value: Json, name: string, visit: LiteralVisitor, path: Path, depth: number): Json {
  if (typeof value === 'string') return visit.string(value, name, path);
  if (typeof value === 'number') return visit.scalar(String(value), name, path) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEPTH_MAX) return visit.deep ? visit.deep(value) : asText(value, name, visit, path);
  return Array.isArray(value) ? walkList(value, name, visit, path, depth) : walkObject(value, name, visit, path, depth);
}

function asText(value: Json, name: string, visit: LiteralVisitor, path: Path): Json {
  const text = JSON.stringify(value);
  const base = path.slice();
  const deeper: LiteralVisitor = {
    string: (one, called, below) => visit.string(one, called, [...base, ...below]),
    key: (one, below) => visit.key(one, [...base, ...below]),
    scalar: (raw, called, below) => visit.scalar(raw, called, [...base, ...below]),
  };
  const made = mapLiterals(text, deeper, name);
  return made === text ? value : (JSON.parse(made) as Json);
}

function walkList(list: Json[], name: string, visit: LiteralVisitor, path: Path, depth: number): Json {
  const here = scope(true, name);
  let copy: Json[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const item = list[i] as Json;
    path.push(i);
    const made = walk(item, nameIn(here), visit, path, depth + 1);
    path.pop();
    passed(here, typeof made === 'string' ? made : '');
    if (made === item) continue;
    copy ??= list.slice();
    copy[i] = made;
  }
  return copy ?? list;
}

function walkObject(value: JsonObject, name: string, visit: LiteralVisitor, path: Path, depth: number): Json {
  const here = scope(false, name);
  let copy: JsonObject | undefined;
  let renamed: JsonObject | undefined;
  // Sooner than over a list of keys; a parsed value inherits none.
  for (const key in value) {
    const item = value[key] as Json;
    const newKey = visit.key(key, path);
    here.key = newKey;
    path.push(newKey);
    const made = walk(item, nameIn(here), visit, path, depth + 1);
    path.pop();
    passed(here, typeof made === 'string' ? made : '');
    // From here on keys change, and with them their order.
    if (newKey !== key && !renamed) renamed = before(key, copy ?? value);
    if (renamed) setOwn(renamed, newKey === key ? key : free(newKey, renamed, value), made);
    else if (made !== item) {
      copy ??= { ...value };
      setOwn(copy, key, made);
    }
  }
  return renamed ?? copy ?? value;
}

/** What an object holds before this key. */
function before(key: string, value: JsonObject): JsonObject {
  const out: JsonObject = {};
  for (const [one, item] of Object.entries(value)) {
    if (one === key) break;
    setOwn(out, one, item);
  }
  return out;
}

/** A key that neither the copy nor the source has yet. */
function free(key: string, copy: JsonObject, source: JsonObject): string {
  let name = key;
  for (let n = 2; Object.hasOwn(copy, name) || Object.hasOwn(source, name); n++) name = `${key}~${n}`;
  return name;
}
