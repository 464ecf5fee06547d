import { isObject, type Json, type JsonObject, pointerStep } from '#lib/json.ts';
import { isJsonContainer, mapLiterals } from '../json/literals.ts';
import type { Taken } from '../taken.ts';
import { type Allow, isPlaced, placeOf } from './allow.ts';

/** `transcript/agent/x/000/000001.jsonl` -> `agent/x` */
const streamOf = (segment: string): string => segment.replace(/^transcript\//, '').replace(/\/\d{3}\/\d{6}\.jsonl$/, '');

/**
 * For the gate: what may stand in a stored record since the redactor left it at a place that redact.allow.paths names. The canonical part is
 * made from the source record, so the same values may stand there under another pointer.
 * @param native the source record
 * @param segment path of the record's segment in its version
 */
export function placedIn(native: () => JsonObject | undefined, segment: string, allow: Allow): (taken: readonly Taken[]) => boolean {
  let texts: string[] | undefined;
  return (taken) => {
    texts ??= textsAt(native(), streamOf(segment), allow);
    return taken.every(({ value }) => texts?.some((text) => text.includes(value)));
  };
}

function textsAt(native: JsonObject | undefined, stream: string, allow: Allow): string[] {
  const out: string[] = [];
  const add = (text: string): void => {
    out.push(text);
    if (isJsonContainer(text)) mapLiterals(text, { string: addInner, key: (key) => key, scalar: () => undefined });
  };
  const addInner = (text: string): string => {
    add(text);
    return text;
  };
  const visit = (value: Json | undefined, at: string): void => {
    if (typeof value === 'string') {
      if (isPlaced(value) && allow.place?.(placeOf(stream, at))) add(value);
    } else if (Array.isArray(value)) value.forEach((item, i) => visit(item, `${at}/${i}`));
    else if (isObject(value)) for (const key of Object.keys(value)) visit(value[key], `${at}/${pointerStep(key)}`);
  };
  if (native) visit(native, '');
  return out;
}
