import { type Check, nothingYet } from '../engine/layer.ts';
import { wordIndex } from '../engine/word-index.ts';
import type { KnownValue } from './known.ts';
import { knownForms } from './match.ts';

/** Tells which of some values stand in a text, in any of their forms. The text may be JSON as it stands. */
export function valueFinder(values: readonly KnownValue[]): (text: string) => Set<KnownValue> {
  const index = wordIndex<{ value: KnownValue; check: Check }>();
  for (const value of values) for (const { text, payload: check } of knownForms(value)) index.add({ text, payload: { value, check } });
  return (text) => {
    const out = new Set<KnownValue>();
    const found = nothingYet();
    index.run(text, ({ value, check }, at, length) => {
      if (out.has(value)) return;
      check(text, at, length, found);
      if (found.hits.length) out.add(value);
      found.hits.length = 0;
    });
    return out;
  };
}
