import { createHash } from 'node:crypto';
import { contextWords } from '../context/context.ts';
import { isPasswordName } from '../context/names.ts';
import { tellsSecret, valueUnder } from '../context/under.ts';
import { inDress } from '../inner/dressed.ts';
import { inRuns } from '../inner/encoded.ts';
import type { KnownValue } from '../known/known.ts';
import { knownForms } from '../known/match.ts';
import { rules } from '../rules/index.ts';
import type { Allow } from '../settings/allow.ts';
import { GATES } from '../shapes/secretlint.ts';
import { type Check, type Found, type Layer, nothingFound, nothingYet } from './layer.ts';
import { matcherOf } from './matcher.ts';
import { cutOut, type Hit, merge } from './ranges.ts';
import { recent } from './recent.ts';
import { type WordIndex, wordIndex } from './word-index.ts';

/** Rises with every change of what the code finds; the rules' own text is hashed in beside it. */
const VERSION = 5;

/** Finds secrets in decoded texts. Everything that looks for secrets goes through `scan`. */
export interface Engine {
  readonly id: string;
  /**
   * The secrets in a text, in order, not overlapping; placeholders are no secrets.
   * @param name the name that the text stands under (JSON key, option), "" where there is none
   */
  scan(text: string, name: string): Hit[];
  /** Is there nothing in a text that any rule or value could tell, whatever rules there are: an id, a time? */
  passesBy(text: string): boolean;
  /** Must a bare number or boolean under this name go? */
  scalar(raw: string, name: string): boolean;
  /** From now on this value is found wherever it stands. False: it was known already. */
  learn(value: string, kind: string): boolean;
  learned(): KnownValue[];
  /** Does a text hold one of the given values? */
  holdsKnown(text: string): boolean;
  /** Does a text hold one of the learned values? Sooner told than all that `scan` looks for. */
  holdsLearned(text: string): boolean;
}

/** Shorter than this nothing is a secret, and a known value would be part of everything. In UTF-16 units. */
const SHORTEST = 4;
/** Nor is anything shorter than this that is told by a rule. */
const TOLD_SHORTEST = 8;
/** How deep wrapped text is opened: base64 of base64, in a URL. */
const DEPTH = 3;
/** More learned values than this are not kept: something is wrong with the input then. */
const LEARNED_MAX = 5000;
/** So many given values are found by the automaton, at no cost; more would make it large. */
const BUILT_IN_MAX = 100;
/** So many learned values may be told by the same few characters. */
const CROWD = 64;

export interface EngineOptions {
  known?: readonly KnownValue[];
  /** what is looked for beside the built-in rules */
  layers?: readonly Layer[];
  /** what its owner says is no secret */
  allowed?: Allow | undefined;
  /** see RedactionOptions */
  brief?: boolean;
}

export function createEngine({ known = [], layers = [], allowed, brief = false }: EngineOptions = {}): Engine {
  const values = new Map<string, KnownValue>();
  for (const one of known) if (one.value.length >= SHORTEST && !values.has(one.value) && !allowed?.value(one.value, true)) values.set(one.value, one);
  const given = [...values.values()];
  const fixed = given.filter((one) => !one.learned).slice(0, brief ? 0 : BUILT_IN_MAX);
  const matcher = matcherOf(layers, fixed);
  const index = wordIndex<Check>();
  const add = (one: KnownValue): void => {
    for (const word of knownForms(one)) index.add(word, one.learned ? CROWD : undefined);
  };
  for (const one of given) if (!fixed.includes(one)) add(one);
  /** given values once more, for texts in which nothing else is looked for */
  const onlyGiven = wordIndex<Check>();
  for (const one of given) if (!one.learned) for (const word of knownForms(one)) onlyGiven.add(word);
  /** texts in which nothing was found, with the number of values that were looked for */
  const clean = recent<number>();

  const least = layers.length || given.some(({ value }) => value.length < TOLD_SHORTEST) ? SHORTEST : TOLD_SHORTEST;
  let looksAtIds = layers.length > 0 || given.some(({ value }) => OF_IDS.test(value));

  /** times that something within a text was looked at by itself */
  let within = 0;
  const again = (text: string, depth: number): Hit[] => {
    within++;
    return scan(text, '', depth);
  };
  const look = (text: string, name: string, found: Found, onlyValues: boolean): void => {
    const start = (check: Check, at: number, length: number): void => check(text, at, length, found);
    index.run(text, start);
    if (onlyValues && !found.hits.length) return;
    matcher.run(text, start);
    if (found.gated) {
      const taken = merge([...found.hits]);
      for (const [rule, places] of found.gated) found.hits.push(...rule.find(text, places, taken));
    }
    if (name) for (const hit of valueUnder(text, name)) found.hits.push(hit);
    inRuns(text, found);
    inDress(text, found);
    for (const layer of layers) layer.whole?.(text, found);
  };
  const passesBy = (text: string): boolean => !looksAtIds && isIdOrTime(text);
  const scan = (text: string, name: string, depth: number): Hit[] => {
    if (text.length < SHORTEST) return [];
    const telling = name !== '' && tellsSecret(name) ? name : '';
    if (!telling && (text.length < least || passesBy(text))) return [];
    const before = telling ? undefined : clean.get(text);
    if (before === values.size) return [];
    const found = nothingFound(depth, again);
    const outside = within;
    look(text, telling, found, before !== undefined);
    const hits = merge(cutOut(found.hits, found.masks, text));
    const taken = allowed ? hits.filter((hit) => !allowed.value(text.slice(hit.start, hit.end), hit.rank === 2)) : hits;
    if (!taken.length && depth === DEPTH && within === outside) clean.set(text, values.size);
    return taken;
  };

  return {
    id: engineId(layers, allowed),
    scan: (text, name) => scan(text, name, DEPTH),
    passesBy,
    scalar: (raw, name) => raw.length > 3 && isPasswordName(name) && /^-?\d{4,}$/.test(raw) && !allowed?.value(raw, false),
    learn: (value, kind) => {
      if (values.has(value) || values.size >= LEARNED_MAX + known.length) return false;
      const one = { value, kind, learned: true };
      values.set(value, one);
      looksAtIds ||= OF_IDS.test(value);
      add(one);
      return true;
    },
    learned: () => [...values.values()].filter((one) => one.learned),
    holdsKnown: (text) => holds(onlyGiven, text),
    holdsLearned: (text) => holds(index, text),
  };
}

function holds(index: WordIndex<Check>, text: string): boolean {
  const found = nothingYet();
  index.run(text, (check, at, length) => check(text, at, length, found));
  return found.hits.length > 0;
}

const ID_OR_TIME = /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/;
/** Every record has some of these. By itself neither is a secret that a rule could tell. */
const isIdOrTime = (text: string): boolean =>
  ((text.length === 36 && text.charCodeAt(8) === 45) || (text.length === 24 && text.charCodeAt(10) === 84)) && ID_OR_TIME.test(text);
/** What could be a part of one. */
const OF_IDS = /^[\dA-Fa-fTZ:.-]*$/;

/** Changes with every rule, layer and exception, so that a verdict is never taken for one of other rules. */
function engineId(layers: readonly Layer[], allowed: Allow | undefined): string {
  if (!layers.length && !allowed) return builtInId();
  const hash = createHash('sha256').update(builtInId());
  for (const layer of layers) hash.update(`\n${layer.id}`);
  if (allowed) hash.update(`\nallow ${allowed.id}`);
  return `${VERSION}-${hash.digest('hex').slice(0, 12)}`;
}

let id: string | undefined;
function builtInId(): string {
  if (id) return id;
  const hash = createHash('sha256');
  for (const rule of rules) hash.update(`${rule.kind} ${rule.anchors.join()} ${rule.pattern} ${rule.notAfter} ${rule.back} ${rule.long} ${rule.check}\n`);
  hash.update(JSON.stringify(GATES));
  for (const { text } of contextWords) hash.update(`${text}\n`);
  id = `${VERSION}-${hash.digest('hex').slice(0, 12)}`;
  return id;
}
