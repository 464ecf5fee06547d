import { createHash } from 'node:crypto';
import { RelayError } from '#lib/errors.ts';
import { type Gated, gate, type Layer } from '../engine/layer.ts';
import { everyPlace, firstOf, type Hit, type Range } from '../engine/ranges.ts';
import { namedKinds } from '../shapes/kinds.ts';
import { adviceOn, hintOn } from './backtracking.ts';
import { TimedOut, within } from './deadline.ts';
import { hostileTexts } from './hostile.ts';

/** A rule of the settings (redact.rules). */
export interface CustomRule {
  /** kind in the placeholder */
  id: string;
  /** literals; one of them stands in whatever the pattern matches. ASCII case does not matter. */
  anchors: readonly string[];
  pattern: string;
  flags?: string | undefined;
  /** the group that is the secret; 0 or none: all that the pattern matches */
  group?: number | undefined;
  /** texts in which something must be found, and texts in which nothing must be */
  hits: readonly string[];
  misses: readonly string[];
}

/** How far a match may reach before and behind its anchor. In UTF-16 units. */
const REACH = 1000;
/** Anchors that stand so close together are looked at in one stretch. */
const SPAN = 2000;
/** Time for all hostile texts of a pattern when it is tried, in ms. Those without nested repetitions need a hundredth of it. */
const TRIAL = 1000;
/** Time for one text of a session: so much, and so much for each stretch of it, in ms. */
const DEADLINE = 2000;
const DEADLINE_PER_STRETCH = 20;
/** Different characters beyond ASCII that the anchors of all rules may hold: the automaton has room for 255 in all. */
const FOREIGN_MAX = 100;

const fold = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The rule as something to be run on the places of its anchors; with `d` and `g`, so that groups tell where they are. */
function compile(rule: CustomRule): Gated {
  const { pattern, flags = '', group = 0, id } = rule;
  const expression = new RegExp(pattern, `${flags}dg`);
  return {
    find(text, places) {
      const sorted = [...places].sort((a, b) => a - b);
      const stretches = cover(sorted, text.length);
      return guarded(rule, DEADLINE + DEADLINE_PER_STRETCH * stretches.length, () =>
        stretches.flatMap((one) => matches(expression, group, text, one, sorted, id)),
      );
    },
  };
}

/** Stretches of a text that hold all places with what is around them. */
function cover(places: readonly number[], length: number): Range[] {
  const out: Range[] = [];
  let first = Number.NEGATIVE_INFINITY;
  for (const place of places) {
    if (place > first + SPAN) {
      first = place;
      out.push({ start: Math.max(0, place - REACH), end: 0 });
    }
    (out[out.length - 1] as Range).end = Math.min(length, place + REACH);
  }
  return out;
}

function matches(expression: RegExp, group: number, text: string, within: Range, places: readonly number[], kind: string): Hit[] {
  const hits: Hit[] = [];
  for (const match of text.slice(within.start, within.end).matchAll(expression)) {
    const [whole, secret] = [match.indices?.[0], match.indices?.[group]];
    if (!whole || !secret || secret[0] === secret[1]) continue;
    const next = places[firstFrom(places, within.start + whole[0])];
    if (next === undefined || next >= within.start + whole[1]) continue;
    hits.push({ ...widened(text, { start: within.start + secret[0], end: within.start + secret[1] }, within), kind, rank: 1 });
  }
  return hits;
}

/** Index of the first place that is not before `at`; places are in order. */
const firstFrom = (places: readonly number[], at: number): number => firstOf(places.length, (i) => (places[i] as number) >= at);

/** What reaches to an end of the stretch may go on behind it: taken is all up to the next space. */
function widened(text: string, range: Range, { start, end }: Range): Range {
  const out = { ...range };
  if (range.start === start) while (out.start > 0 && /\S/.test(text.charAt(out.start - 1))) out.start--;
  if (range.end === end) while (out.end < text.length && /\S/.test(text.charAt(out.end))) out.end++;
  return out;
}

function guarded<T>({ id, pattern }: CustomRule, ms: number, work: () => T): T {
  try {
    return within(ms, work);
  } catch (error) {
    throw new RelayError(
      'blocked',
      `The rule "${id}" of redact.rules ${error instanceof TimedOut ? `needs more than ${ms / 1000} s for one text` : 'fails on a text'}, so relay stopped there: what cannot be scanned is not let through.`,
      hintOn(pattern),
    );
  }
}

function placesOf(text: string, anchors: readonly string[]): number[] {
  const folded = fold(text);
  return anchors.flatMap((anchor) => [...everyPlace(folded, fold(anchor))]);
}

/** The layer of the rules of all settings. Each was checked by `faultIn` when the settings were read. */
export function customLayer(rules: readonly CustomRule[]): Layer {
  const foreign = new Set(rules.flatMap((rule) => [...fold(rule.anchors.join(''))]).filter((char) => char > '\x7f'));
  if (foreign.size > FOREIGN_MAX)
    throw new RelayError('config', `The anchors of redact.rules hold more than ${FOREIGN_MAX} different characters beyond ASCII.`);
  return {
    id: `custom ${createHash('sha256').update(JSON.stringify(rules)).digest('hex')}`,
    words: rules.flatMap((rule) => {
      const payload = gate(compile(rule));
      return rule.anchors.map((anchor) => ({ text: fold(anchor), payload }));
    }),
  };
}

/**
 * Why a rule cannot be used; undefined where it can. Its samples are tried, and texts made to keep its pattern busy.
 * Never says what a sample holds.
 * @param trial time for these texts, in ms
 */
export function faultIn(rule: CustomRule, trial = TRIAL): string | undefined {
  const malformed = faultInForm(rule);
  if (malformed) return malformed;
  if (namedKinds.includes(rule.id)) return `"${rule.id}" is a kind that relay itself finds; take another id`;
  const fault = faultInPattern(rule.pattern, rule.flags, rule.hits, trial);
  if (fault) return fault;
  const groups = (new RegExp(`${rule.pattern}|`, rule.flags).exec('')?.length ?? 1) - 1;
  if ((rule.group ?? 0) > groups)
    return `its pattern has ${groups ? `only ${groups}` : 'no'} group${groups === 1 ? '' : 's'}, so there is no group ${rule.group}`;
  if (new RegExp(rule.pattern, rule.flags).test('')) return 'its pattern matches the empty text';
  return faultInSamples(rule);
}

/** What the settings' schema asks for as well; a program may hand over anything. */
function faultInForm({ id, anchors, pattern, flags = '' }: CustomRule): string | undefined {
  if (typeof id !== 'string' || !/^[a-z][a-z0-9]{0,11}$/.test(id)) return 'its id must be a small letter and up to 11 more small letters or digits';
  if (typeof pattern !== 'string') return 'it needs a pattern, as text';
  if (!Array.isArray(anchors) || !anchors.length || anchors.some((anchor) => anchor.length < 3)) return 'it needs anchors, each of at least 3 characters';
  return /^[isum]*$/.test(flags) ? undefined : 'only the flags i, s, u and m can be used';
}

function faultInSamples(rule: CustomRule): string | undefined {
  const finds = (text: string) => compile(rule).find(text, placesOf(text, rule.anchors), []).length > 0;
  const lost = rule.hits.findIndex((text) => !finds(text));
  if (lost >= 0) {
    const matched = new RegExp(rule.pattern, rule.flags).test(rule.hits[lost] as string);
    return `hits.${lost} is not found: ${matched ? 'no anchor stands in what the pattern matches there' : 'the pattern does not match it'}`;
  }
  const found = rule.misses.findIndex(finds);
  return found >= 0 ? `misses.${found} is found, and must not be` : undefined;
}

/** Why a regular expression cannot be used: it does not compile, or may run for ever. */
export function faultInPattern(source: string, flags = '', samples: readonly string[] = [], trial = TRIAL): string | undefined {
  let expression: RegExp;
  try {
    expression = new RegExp(source, `${flags}g`);
  } catch (error) {
    return `its pattern does not compile: ${(error as Error).message.replace(/^.*: /s, '').toLowerCase()}`;
  }
  return endsIn(trial, () => {
    for (const text of hostileTexts(source, flags, samples)) for (const _ of text.matchAll(expression));
  })
    ? undefined
    : `its pattern may run for ever (catastrophic backtracking); ${adviceOn(source)}`;
}

/** Does work end within so many ms of this process's own time? On a busy machine it may take longer. */
function endsIn(ms: number, work: () => void): boolean {
  for (const patience of [1, 5]) {
    const start = process.cpuUsage();
    try {
      within(ms * patience, work);
      return true;
    } catch (error) {
      const { user, system } = process.cpuUsage(start);
      if (!(error instanceof TimedOut) || (user + system) / 1000 > 0.5 * ms) return false;
    }
  }
  return false;
}
