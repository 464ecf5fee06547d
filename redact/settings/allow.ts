import { createHash } from 'node:crypto';
import { RelayError } from '#lib/errors.ts';
import { hintOn } from './backtracking.ts';
import { TimedOut, within } from './deadline.ts';
import { faultInPattern } from './trial.ts';
import { matchesGlob } from './wild.ts';

/** What its owner says is no secret. */
export interface Allow {
  /** part of the engine's id: another one for whatever allows something else */
  readonly id: string;
  /** Is this value no secret? A known one only where its fingerprint says so. */
  value(value: string, known: boolean): boolean;
  /** May all but known values stand at this place? See `placeOf`. Undefined where no place is allowed. */
  place?: (place: string) => boolean;
}

/** The settings redact.allow. */
export interface AllowSettings {
  /** `<kind>:<8 hex>` as reports and placeholders show them; the kind is for people, the hex decides */
  fingerprints: readonly string[];
  /** regular expressions; each must match the whole value */
  patterns: readonly string[];
  /** globs (wild.ts) over places */
  paths: readonly string[];
}

/** Longer values than this no pattern allows: a whole text that went for its secrets is none. In UTF-16 units. */
const VALUE_MAX = 4000;
/** Longer strings than this become files of their own in the store, where nobody can tell whose place they had. */
const PLACED_MAX = 100_000;
const DEADLINE = 1000;
const REMEMBERED = 10_000;

/** Where a string of a session stands, for redact.allow.paths: its stream, then the JSON pointer within the source record, e.g. main/toolUseResult/stdout. */
export const placeOf = (record: string, pointer: string): string => record.replace(/ \d+$/, '') + pointer;

/** May a string stand as it is at a place that is allowed? */
export const isPlaced = (value: string): boolean => value.length <= PLACED_MAX;

const whole = (source: string): string => `^(?:${source})$`;

/** Why a pattern of redact.allow.patterns cannot be used; undefined where it can. `trial`: see `faultIn`. */
export function faultInWhole(source: string, trial?: number): string | undefined {
  // By itself first: `a)|(b` would become a pattern that need not match the whole.
  return (
    faultInPattern(source, 's', [], trial) ?? faultInPattern(whole(source), 's', [], trial) ?? (new RegExp(whole(source), 's').test('') ? EMPTY : undefined)
  );
}
const EMPTY = 'its pattern matches the empty text';

/** @param print the clone's fingerprints */
export function createAllow({ fingerprints, patterns, paths }: AllowSettings, print: (value: string) => string): Allow {
  const prints = new Set(fingerprints.map((one) => one.slice(one.indexOf(':') + 1)));
  const expressions = patterns.map((source) => new RegExp(whole(source), 's'));
  const verdicts = new Map<string, boolean>();
  const byPattern = (value: string): boolean => {
    if (!expressions.length || value.length > VALUE_MAX) return false;
    let verdict = verdicts.get(value);
    if (verdict === undefined) {
      verdict = expressions.some((pattern, i) => tried(pattern, i, value));
      if (verdicts.size < REMEMBERED) verdicts.set(value, verdict);
    }
    return verdict;
  };
  return {
    id: createHash('sha256')
      .update(JSON.stringify([[...prints].sort(), patterns, paths]))
      .digest('hex'),
    value: (value, known) => (prints.size > 0 && prints.has(print(value))) || (!known && byPattern(value)),
    ...(paths.length ? { place: (place: string) => paths.some((glob) => matchesGlob(place, glob)) } : {}),
  };
}

function tried(pattern: RegExp, index: number, value: string): boolean {
  try {
    return within(DEADLINE, () => pattern.test(value));
  } catch (error) {
    if (!(error instanceof TimedOut)) throw error;
    throw new RelayError(
      'blocked',
      `Pattern ${index + 1} of redact.allow.patterns needs more than ${DEADLINE} ms for one value, so relay stopped there: what cannot be scanned is not let through.`,
      hintOn(pattern.source),
    );
  }
}

/** The same for a place that is allowed: there, only what is known is looked for. */
export const knownOnly = (allow: Allow): Allow => ({ ...allow, value: (value, known) => !known || allow.value(value, known) });
