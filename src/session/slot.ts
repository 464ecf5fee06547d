/**
 * What may be done with a string of a source record (see Adapter.slot).
 * `kept`: by position and shape an id, a time, a signature, a sealed blob: rules pass over it, a known value in it stops the push.
 * `fixed`: by position an id, a role, a type or a time, but not of that shape: anything found in it stops the push.
 * `likely`: of a format that nobody knows, told by its key and its shape alone: rules pass over it, a known value in it is taken out.
 */
export type Slot = 'kept' | 'fixed' | 'likely' | undefined;

/** @param path JSON path from the record's root, e.g. ["message", "content", 0, "signature"] */
export type Slots = (path: readonly (string | number)[], value: string) => Slot;

/** Is this value one that the client or its provider puts in such a place? */
export type Shape = (value: string) => boolean;

/** Of roles and types: no shape tells one from a word that somebody chose. */
export const anyWord: Shape = () => false;

const TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?)?$/;
export const time: Shape = (value) => TIME.test(value);

/**
 * Slots of a format by place. A place is a path of keys joined by `/`; `*` stands for any number of a list, `?` for any key.
 * @param fixed places of ids, roles, types, times: a value of another shape must not be edited either
 * @param sealed places of signatures and sealed blobs: a value of another shape is content
 */
export function slotsOf(fixed: readonly [Shape, readonly string[]][], sealed: readonly [Shape, readonly string[]][]): Slots {
  const root: Place = { next: new Map() };
  for (const [shape, places] of fixed) for (const place of places) placeAt(root, place).slot = (value) => (shape(value) ? 'kept' : 'fixed');
  for (const [shape, places] of sealed) for (const place of places) placeAt(root, place).slot = (value) => (shape(value) ? 'kept' : undefined);
  return (path, value) => {
    let at: Place | undefined = root;
    for (const step of path) at = typeof step === 'number' ? at?.next.get('*') : (at?.next.get(step) ?? at?.next.get('?'));
    return at?.slot?.(value);
  };
}

interface Place {
  next: Map<string, Place>;
  slot?: (value: string) => Slot;
}

function placeAt(root: Place, place: string): Place {
  let at = root;
  for (const step of place.split('/')) {
    const to = at.next.get(step) ?? { next: new Map() };
    at.next.set(step, to);
    at = to;
  }
  return at;
}

/** Places below each of some others: `under(['a', 'b'], ['id'])` is `a/id` and `b/id`. "" is the place itself. */
export const under = (holders: readonly string[], places: readonly string[]): string[] =>
  holders.flatMap((holder) => places.map((place) => [holder, place].filter(Boolean).join('/')));
