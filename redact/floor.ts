import { isObject, type Json, type JsonObject } from '#lib/json.ts';
import { imageStart } from './inner/images.ts';
import { PLACEHOLDER, PLACEHOLDERS, withoutPlaceholders } from './placeholder.ts';
import type { Allow } from './settings/allow.ts';
import type { Taken } from './taken.ts';

/** A text with the placeholders that it had when it was stored, and what they stand for. */
export interface Floored {
  text: string;
  taken: Taken[];
}

/** What must not become looser in a record that is redacted again: its strings and numbers as they are in the source, and as they were stored. */
export interface Floor {
  strings: Map<string, Floored>;
  numbers: Map<string, string>;
}

/** Told by the name beside them or chosen by people, so that they may be words. */
const WEAK = new Set(['pw', 'text', 'url', 'db', 'cli', 'hdr', 'ck']);

/**
 * The stored text where it is the source's but for placeholders; undefined where anything else differs.
 * @param source with its paths mapped, as the stored text has them
 * @param allowed what it allows now stays as it is
 */
export function flooredText(stored: string, source: string, allowed?: Allow): Floored | undefined {
  const literals = stored.split(PLACEHOLDERS);
  if (literals.length === 1) return undefined;
  const labels = stored.match(PLACEHOLDERS) as string[];
  const taken: Taken[] = [];
  let text = literals[0] as string;
  if (!source.startsWith(text)) return undefined;
  let at = text.length;
  for (let i = 0; i < labels.length; i++) {
    let label = labels[i] as string;
    // Placeholders side by side stand for one stretch.
    while (literals[i + 1] === '' && i + 1 < labels.length) label += labels[++i];
    const literal = literals[i + 1] as string;
    const end = i + 1 === labels.length ? source.length - literal.length : source.indexOf(literal, at + 1);
    if (end <= at || !source.startsWith(literal, end)) return undefined;
    const value = source.slice(at, end);
    const kind = label.split(':')[1] as string;
    const isAllowed = value === label || allowed?.value(value, kind === 'known');
    if (!isAllowed) taken.push({ kind, value, rank: WEAK.has(kind) ? 0 : 1 });
    text += (isAllowed ? value : label) + literal;
    at = end + literal.length;
  }
  return taken.length ? { text, taken } : undefined;
}

/**
 * Walks through a stored record and the source record of the same number.
 * @param encode maps the paths of a text
 * @returns undefined where the two are not the same but for placeholders: the source was edited, so the number says nothing
 */
export function floorOf(stored: Json, source: Json, encode: (text: string) => string, allowed?: Allow): Floor | undefined {
  const floor: Floor = { strings: new Map(), numbers: new Map() };
  const text = (was: string, is: string): boolean => {
    const encoded = encode(is);
    if (was === encoded) return true;
    if (imageStart(is) !== undefined && isOverwritten(was, is)) {
      floor.strings.set(is, { text: was, taken: [] });
      return true;
    }
    const floored = flooredText(was, encoded, allowed);
    // One text may stand in a record twice, and have been redacted more in one place: that counts for both.
    if (floored && left(floored) < left(floor.strings.get(is))) floor.strings.set(is, floored);
    return floored !== undefined || isAllowedNow(was, encoded, allowed);
  };
  const object = (was: JsonObject, is: JsonObject): boolean => {
    const [old, now] = [Object.keys(was), Object.keys(is)];
    return old.length === now.length && old.every((key, i) => text(key, now[i] as string) && same(was[key] as Json, is[now[i] as string] as Json));
  };
  const same = (was: Json, is: Json): boolean => {
    if (typeof was === 'string' && typeof is === 'string') return text(was, is);
    if (typeof was === 'string' && typeof is === 'number') return number(was, String(is));
    if (Array.isArray(was) && Array.isArray(is)) return was.length === is.length && was.every((item, i) => same(item, is[i] as Json));
    if (isObject(was) && isObject(is)) return object(was, is);
    return was === is;
  };
  const number = (was: string, is: string): boolean => {
    PLACEHOLDER.lastIndex = 0;
    if (PLACEHOLDER.exec(was)?.[0] !== was) return false;
    if (!allowed?.value(is, false)) floor.numbers.set(is, was);
    return true;
  };
  return same(stored, source) && floor.strings.size + floor.numbers.size > 0 ? floor : undefined;
}

/** How much of a text is no placeholder. */
const left = (floored: Floored | undefined): number => (floored ? withoutPlaceholders(floored.text).length : Number.POSITIVE_INFINITY);

/** The texts agree, but nothing of the placeholders is left. */
const isAllowedNow = (stored: string, source: string, allowed: Allow | undefined): boolean =>
  allowed !== undefined && flooredText(stored, source) !== undefined;

/** Secrets in a picture's bytes are overwritten in place. */
function isOverwritten(stored: string, source: string): boolean {
  const start = imageStart(source) ?? 0;
  if (stored.length !== source.length || !stored.startsWith(source.slice(0, start))) return false;
  const [was, is] = [Buffer.from(stored.slice(start), 'base64'), Buffer.from(source.slice(start), 'base64')];
  return was.every((byte, i) => byte === is[i] || byte === STAR);
}
const STAR = 42;
