import { readFileSync, writeFileSync } from 'node:fs';
import { isObject, type Json, type JsonObject, parseJson } from '#lib/json.ts';

export type Path = (string | number)[];

/** Where a string stands in a record, and what it is. */
export interface Place {
  path: Path;
  value: string;
}

/** Every string value of a record, in order. */
export function places(record: Json | undefined, path: Path = []): Place[] {
  if (typeof record === 'string') return [{ path, value: record }];
  if (Array.isArray(record)) return record.flatMap((item, i) => places(item, [...path, i]));
  if (typeof record !== 'object' || record === null) return [];
  return Object.keys(record).flatMap((key) => places(record[key], [...path, key]));
}

/** What kind of place a path is: all items of a list are one, and all keys that are file names or ids. */
export const kindOf = (path: Path): string =>
  path.map((step) => (typeof step === 'number' ? '*' : /^\w+$/.test(step) && !/^\d/.test(step) ? step : '?')).join('/');

/** The record with another value at one place. Shares the rest. */
export function withValue(record: Json, [step, ...rest]: Path, value: string): Json {
  if (step === undefined) return value;
  if (Array.isArray(record)) return record.map((item, i) => (i === step ? withValue(item, rest, value) : item));
  return { ...(record as JsonObject), [step]: withValue((record as JsonObject)[step] as Json, rest, value) };
}

/** A value with a secret in it, as it might come about: below a path, behind a text, in every string of nested JSON and as a key of it, in place of a word. */
export function planted(value: string, secret: string): string {
  const inner = /^\s*[[{]/.test(value) ? parseJson(value) : undefined;
  if (typeof inner === 'object' && inner !== null) {
    let out: Json = inner;
    for (const place of places(inner)) out = withValue(out, place.path, planted(place.value, secret));
    return JSON.stringify(isObject(out) ? { ...out, [secret]: 'x' } : [...(out as Json[]), secret]);
  }
  if (/^(?:file:\/\/)?\//.test(value)) return `${value}/${secret}`;
  return /^[\w./:;,+=-]*$/.test(value) ? secret : `${value}\n${secret}`;
}

/** Objects whose keys are chosen by tools and people, by the key that they stand under. */
const FREE = new Set(['input', 'toolUseResult', 'changes', 'trackedFileBackups', 'structuredContent', 'arguments']);

/** The record with the secret as a key of every object whose keys are free. */
export function withKey(record: Json, secret: string, under = ''): Json {
  if (Array.isArray(record)) return record.map((item) => withKey(item, secret));
  if (!isObject(record)) return record;
  const made = Object.fromEntries(Object.entries(record).map(([key, value]) => [key, withKey(value, secret, key)]));
  return FREE.has(under) ? { ...made, [secret]: Object.values(made)[0] ?? 'x' } : made;
}

/** Kinds of the places in which something stands, each as often as it stands there. A key is a place of its own. `mark`: with flag g */
export function standsIn(value: Json | undefined, mark: RegExp, path: Path = []): string[] {
  const each = (text: string, kind: string): string[] => Array.from(text.matchAll(mark), () => kind);
  if (typeof value === 'string') return each(value, kindOf(path));
  if (Array.isArray(value)) return value.flatMap((item, i) => standsIn(item, mark, [...path, i]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => [...each(key, `${kindOf(path)} (key)`), ...standsIn(item, mark, [...path, key.replace(mark, '?')])]);
}

/** What of a list is not in the other one, each as often as it is missing there. */
export function notIn(wanted: readonly string[], given: readonly string[]): string[] {
  const left = [...given];
  return wanted.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** The records of a file of lines, or of its first few lines; a line that is none is left out. */
export const recordsOf = (path: string, lines?: number): JsonObject[] => readFileSync(path, 'utf8').split('\n').slice(0, lines).map(parseJson).filter(isObject);

/** Puts a secret into every place of a file that `wanted` chooses. `n`: number of the record, from 0. */
export function plantWhere(path: string, secret: string, wanted: (path: Path, n: number) => boolean): void {
  editRecords(path, (record, n) => {
    let out: Json = record;
    for (const place of places(record)) if (wanted(place.path, n)) out = withValue(out, place.path, planted(place.value, secret));
    return out;
  });
}

export const plantKeys = (path: string, secret: string): void => editRecords(path, (record) => withKey(record, secret));

/** A line that stays the same value stays as it is. */
function editRecords(path: string, edit: (record: JsonObject, n: number) => Json): void {
  let n = -1;
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .map((text) => {
      const record = parseJson(text);
      if (!isObject(record)) return text;
      n++;
      const out = edit(record, n);
      return out === record ? text : JSON.stringify(out);
    });
  writeFileSync(path, lines.join('\n'));
}
