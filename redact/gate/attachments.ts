import { asArray, asObject, type Json, type JsonObject, pointerKey } from '#lib/json.ts';
import { attachmentId } from '#session/codec.ts';
import type { Path } from '../json/literals.ts';
import type { Taken } from '../taken.ts';
import type { Look } from './look.ts';

const PATH = /^attachments\/([0-9a-f]{2})\/(\1[0-9a-f]{62})$/;

/** Only what lies under its own hash may be anything but text: pictures, documents. */
export const isAttachment = (bytes: Buffer, path: string): boolean => PATH.exec(path)?.[2] === attachmentId(bytes);

/** Long signatures and sealed blobs lie beside the records whose places they have. */
export function isKeptAttachment(bytes: Buffer, path: string, taken: readonly Taken[], { slots, places }: Look): boolean {
  const where = places.get(path.slice(path.lastIndexOf('/') + 1));
  if (!slots || !where || taken.some((one) => one.rank === 2)) return false;
  return where.every((place) => slots(place.path, bytes.toString(place.as)) === 'kept');
}

/** Notes the places of a record's attachments; one within the canonical part is content. */
export function notePlaces(record: JsonObject, places: Look['places']): void {
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
