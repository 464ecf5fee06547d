import { fingerprints, type KnownValue } from '#redact/index.ts';
import { type RememberedValue, rememberedFinder } from '#redact/known/remembered.ts';
import { valueFinder } from '#redact/known/value-finder.ts';

/** What is looked for by value. */
interface LookedFor {
  key: Buffer;
  known: readonly KnownValue[];
  remembered: readonly RememberedValue[];
}

/** Fingerprints of all of it. */
export function lookedFor({ key, known, remembered }: LookedFor): string[] {
  const print = fingerprints(key);
  return [...known.map((one) => print(one.value)), ...remembered.map((one) => one.print.slice(0, 8))];
}

/**
 * Tells whether a text holds one of the values that had not been looked for yet; undefined: all had been.
 * @param before fingerprints of those that had
 */
export function newsSince(before: readonly string[], { key, known, remembered }: LookedFor): ((text: string) => boolean) | undefined {
  const checked = new Set(before);
  const print = fingerprints(key);
  const [values, digests] = [known.filter((one) => !checked.has(print(one.value))), remembered.filter((one) => !checked.has(one.print.slice(0, 8)))];
  if (!values.length && !digests.length) return undefined;
  const [find, recall] = [valueFinder(values), rememberedFinder(key, digests)];
  return (text) => find(text).size > 0 || recall(text).length > 0;
}
