/**
 * What may be done with a string of a source record (see Adapter.slot).
 * `kept`: by position and shape an id, a signature, a sealed blob: rules pass over it, a known value in it stops the push.
 * `fixed`: by position an id, a role, a type or a time, but not of that shape: anything found in it stops the push.
 */
export type Slot = 'kept' | 'fixed' | undefined;

/** @param path JSON path from the record's root, e.g. ["message", "content", 0, "signature"] */
export type Slots = (path: readonly (string | number)[], value: string) => Slot;
