import type { KnownValue } from '../known/known.ts';
import { knownForms } from '../known/match.ts';
import { type Automaton, automaton } from './automaton.ts';
import { ALIKE, builtInWords } from './checks.ts';
import type { Check, Layer, Word } from './layer.ts';

let builtIn: Word[] | undefined;
let latest: { of: readonly string[]; matcher: Automaton<Check> } | undefined;

/**
 * What finds the built-in words, those of layers and those of some values in one pass. Redactor and gates look for the same
 * one after the other, and it takes some milliseconds to make, so the latest is kept.
 */
export function matcherOf(layers: readonly Layer[], values: readonly KnownValue[]): Automaton<Check> {
  const of = [...layers.map(({ id, state }) => `${id} ${state}`), '', ...values.map(({ value, kind }) => `${kind} ${value}`)];
  if (latest && latest.of.length === of.length && of.every((one, i) => one === latest?.of[i])) return latest.matcher;
  builtIn ??= builtInWords();
  const matcher = automaton([...builtIn, ...layers.flatMap((layer) => layer.words), ...values.flatMap(knownForms)], ALIKE);
  latest = { of, matcher };
  return matcher;
}
