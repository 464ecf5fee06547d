import { readFileSync, writeFileSync } from 'node:fs';
import type { Json, JsonObject } from '#lib/json.ts';

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

/** What kind of place a path is: all items of a list are one, and all keys that are file names, ids or placeholders. */
export const kindOf = (path: Path): string =>
  path.map((step) => (typeof step === 'number' ? '*' : /^\w+$/.test(step) && !/^\d/.test(step) ? step : '?')).join('/');

/** The record with another value at one place. Shares the rest. */
export function withValue(record: Json, [step, ...rest]: Path, value: string): Json {
  if (step === undefined) return value;
  if (Array.isArray(record)) return record.map((item, i) => (i === step ? withValue(item, rest, value) : item));
  return { ...(record as JsonObject), [step]: withValue((record as JsonObject)[step] as Json, rest, value) };
}

/** Changes the records of a file of lines; a line that is no record stays as it is. */
export function editLines(path: string, edit: (record: JsonObject, line: number) => Json): void {
  const lines = readFileSync(path, 'utf8').split('\n');
  const made = lines.map((text, i) => {
    try {
      const record = JSON.parse(text);
      return typeof record === 'object' && record !== null && !Array.isArray(record) ? JSON.stringify(edit(record, i)) : text;
    } catch {
      return text;
    }
  });
  writeFileSync(path, made.join('\n'));
}
