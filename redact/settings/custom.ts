import { createHash } from 'node:crypto';
import { RelayError } from '#lib/errors.ts';
import type { Check, Found, Layer } from '../engine/layer.ts';
import { everyPlace, firstOf, type Hit, type Range } from '../engine/ranges.ts';
import { meter } from './meter.ts';

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
/** Different characters beyond ASCII that the anchors of all rules may hold: the automaton has room for 255 in all. */
const FOREIGN_MAX = 100;

const fold = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** A rule that can be run. */
interface Compiled {
  rule: CustomRule;
  /** with `d` and `g`, so that groups tell where they are */
  expression: RegExp;
}

const compile = (rule: CustomRule): Compiled => ({ rule, expression: new RegExp(rule.pattern, `${rule.flags ?? ''}dg`) });

/** Looks for matches around the places of a rule's anchors, a stretch at a time. */
function* stepsOf({ rule, expression }: Compiled, text: string, places: readonly number[], hits: Hit[]): Generator<[CustomRule, () => void]> {
  const sorted = [...places].sort((a, b) => a - b);
  for (const stretch of cover(sorted, text.length)) yield [rule, () => hits.push(...matches({ rule, expression }, text, stretch, sorted))];
}

/** True where a rule finds something in a text. It may last for ever. */
export function findsIn(rule: CustomRule, text: string): boolean {
  const hits: Hit[] = [];
  const folded = fold(text);
  const places = rule.anchors.flatMap((anchor) => [...everyPlace(folded, fold(anchor))]);
  for (const [, step] of stepsOf(compile(rule), text, places, hits)) step();
  return hits.length > 0;
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

function matches({ rule: { id: kind, group = 0 }, expression }: Compiled, text: string, within: Range, places: readonly number[]): Hit[] {
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

/**
 * Where the anchors of each rule stand in the text that is being scanned. Not a layer's own: the automaton of an earlier layer with the same
 * rules may be used again, with what its words start.
 */
const noted = new WeakMap<Found, Map<Compiled, number[]>>();

const noting =
  (rule: Compiled): Check =>
  (_text, at, _length, found) => {
    const rules = noted.get(found) ?? new Map<Compiled, number[]>();
    noted.set(found, rules);
    const places = rules.get(rule);
    if (places) places.push(at);
    else rules.set(rule, [at]);
  };

/** The layer of the rules of all settings. Each was checked by `faultIn` when the settings were read. The time that they may take is bounded. */
export function customLayer(rules: readonly CustomRule[]): Layer {
  const foreign = new Set(rules.flatMap((rule) => [...fold(rule.anchors.join(''))]).filter((char) => char > '\x7f'));
  if (foreign.size > FOREIGN_MAX)
    throw new RelayError('config', `The anchors of redact.rules hold more than ${FOREIGN_MAX} different characters beyond ASCII.`);
  const time = meter();
  return {
    id: `custom ${createHash('sha256').update(JSON.stringify(rules)).digest('hex')}`,
    words: rules.flatMap((rule) => {
      const payload = noting(compile(rule));
      return rule.anchors.map((anchor) => ({ text: fold(anchor), payload }));
    }),
    whole(text, found) {
      const due = noted.get(found);
      if (due) time.run(text.length, everyStep(due, text, found.hits));
      else time.passes(text.length);
    },
  };
}

function* everyStep(due: ReadonlyMap<Compiled, readonly number[]>, text: string, hits: Hit[]): Generator<[CustomRule, () => void]> {
  for (const [rule, places] of due) yield* stepsOf(rule, text, places, hits);
}
