import { createHash } from 'node:crypto';
import type { Allow } from './allow.ts';
import { type Automaton, automaton } from './automaton.ts';
import { cookieHeader, cookiePairs } from './cookies.ts';
import { escapeWords, inRuns } from './encoded.ts';
import { isSecret } from './judge.ts';
import type { KnownValue } from './known.ts';
import { knownForms } from './known-match.ts';
import { type Check, type Found, gate, type Layer, nothingFound, readTo, setReadTo, type Word } from './layer.ts';
import { isPasswordName, isSecretName, NAME_PARTS, namedValue } from './named.ts';
import { pemBlock, pemTail } from './pem.ts';
import { PLACEHOLDER, PLACEHOLDER_START } from './placeholder.ts';
import { cutOut, type Hit, merge } from './ranges.ts';
import { rules } from './rules/index.ts';
import { GATES, gatedRules } from './secretlint.ts';
import { shape } from './shape.ts';
import { wordIndex } from './word-index.ts';

/** Rises with every change of what the code finds; the rules' own text is hashed in beside it. */
const VERSION = 2;

/** Finds secrets in decoded texts. Everything that looks for secrets goes through `scan`. */
export interface Engine {
  readonly id: string;
  /**
   * The secrets in a text, in order, not overlapping; placeholders are no secrets.
   * @param name the name that the text stands under (JSON key, option), "" where there is none
   */
  scan(text: string, name: string): Hit[];
  /** Must a bare number or boolean under this name go? */
  scalar(raw: string, name: string): boolean;
  /** From now on this value is found wherever it stands. False: it was known already. */
  learn(value: string, kind: string): boolean;
  learned(): KnownValue[];
}

const named: Check = (text, at, length, found) => {
  const hit = namedValue(text, at, length);
  if (hit) found.hits.push(hit);
};
const keyBlock: Check = (text, at, _length, found) => {
  if (at < readTo(found, keyBlock)) return;
  const hit = pemBlock(text, at);
  setReadTo(found, keyBlock, hit ? hit.end : at + 1);
  if (hit) found.hits.push(hit);
};
const keyTail: Check = (text, at, _length, found) => {
  const from = readTo(found, keyBlock);
  if (at < from) return;
  const hit = pemTail(text, at, from);
  setReadTo(found, keyBlock, at + 1);
  if (hit) found.hits.push(hit);
};
const cookies: Check = (text, at, _length, found) => {
  if (at < readTo(found, cookies)) return;
  const { hits, end } = cookieHeader(text, at);
  setReadTo(found, cookies, end);
  for (const hit of hits) found.hits.push(hit);
};
const mask: Check = (text, at, _length, found) => {
  PLACEHOLDER.lastIndex = at;
  const match = PLACEHOLDER.exec(text);
  if (match) found.masks.push({ start: at, end: at + match[0].length });
};
/** Shorter than this nothing is a secret, and a known value would be part of everything. In UTF-16 units. */
const SHORTEST = 4;
/** How deep wrapped text is opened: base64 of base64, in a URL. */
const DEPTH = 3;
/** More learned values than this are not kept: something is wrong with the input then. */
const LEARNED_MAX = 20_000;
/** So many learned values may be told by the same few characters. */
const CROWD = 64;

export interface EngineOptions {
  known?: readonly KnownValue[];
  /** what is looked for beside the built-in rules */
  layers?: readonly Layer[];
  /** what its owner says is no secret */
  allowed?: Allow | undefined;
}

export function createEngine({ known = [], layers = [], allowed }: EngineOptions = {}): Engine {
  const values = new Map<string, KnownValue>();
  const matcher = layers.length ? matcherWith(layers) : ruleMatcher();
  const index = wordIndex<Check>();
  const add = (one: KnownValue) => {
    values.set(one.value, one);
    for (const { value, word, check } of knownForms(one)) index.add(word ?? { text: value, payload: check }, one.learned ? CROWD : undefined);
  };
  for (const one of known) if (one.value.length >= SHORTEST && !values.has(one.value) && !allowed?.value(one.value, true)) add(one);

  const scan = (text: string, name: string, depth: number): Hit[] => {
    if (text.length < SHORTEST) return [];
    const found = nothingFound(depth, again);
    const start = (check: Check, at: number, length: number): void => check(text, at, length, found);
    matcher.run(text, start);
    index.run(text, start);
    for (const [rule, places] of found.gated ?? []) for (const hit of rule.find(text, places)) found.hits.push(hit);
    if (name) underName(text, name, found);
    inRuns(text, found);
    for (const layer of layers) layer.whole?.(text, name, found);
    if (!found.hits.length) return found.hits;
    const hits = merge(cutOut(found.hits, found.masks, text));
    return allowed ? hits.filter((hit) => !allowed.value(text.slice(hit.start, hit.end), hit.rank === 2)) : hits;
  };

  const again = (text: string, depth: number): Hit[] => scan(text, '', depth);

  return {
    id: engineId(layers, allowed),
    scan: (text, name) => scan(text, name, DEPTH),
    scalar: (raw, name) => isPasswordName(name) && isSecretName(name) && /^-?\d{4,}$/.test(raw) && !allowed?.value(raw, false),
    learn: (value, kind) => {
      if (values.has(value) || values.size >= LEARNED_MAX + known.length) return false;
      add({ value, kind, learned: true });
      return true;
    },
    learned: () => [...values.values()].filter((one) => one.learned),
  };
}

/** The words of the rules and what finds them are the same for every engine. */
const ruleWords = once(fixedWords);
const ruleMatcher = once((): Automaton<Check> => automaton(ruleWords()));

let latest: { of: string; matcher: Automaton<Check> } | undefined;
/** Redactor and gates look for the same one after the other, and an automaton takes some 20 ms to make. */
function matcherWith(layers: readonly Layer[]): Automaton<Check> {
  const of = layers.map(({ id, state }) => `${id} ${state}`).join('\n');
  if (latest?.of !== of) latest = { of, matcher: automaton([...ruleWords(), ...layers.flatMap((layer) => layer.words)]) };
  return latest.matcher;
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function fixedWords(): Word[] {
  const words: Word[] = [];
  for (const rule of rules) {
    const check = shape(rule);
    for (const text of rule.anchors) words.push({ text, payload: check });
  }
  for (const rule of gatedRules()) for (const text of rule.anchors) words.push({ text, payload: gate(rule) });
  for (const text of NAME_PARTS) words.push({ text, payload: named });
  words.push(...escapeWords);
  words.push({ text: '-----begin ', payload: keyBlock }, { text: '-----end ', payload: keyTail });
  words.push({ text: 'cookie', payload: cookies }, { text: PLACEHOLDER_START, payload: mask });
  return words;
}

const WHOLE = { quoted: true, env: false, flag: false };

const COOKIE = /^(?:set-)?cookie$/i;

/** The whole text as the value of a name. */
function underName(text: string, name: string, found: Found): void {
  if (isSecretName(name)) {
    if (isSecret(text, name, WHOLE)) found.hits.push({ start: 0, end: text.length, kind: 'pw', rank: 0 });
  } else if (name.length <= 10 && COOKIE.test(name)) for (const hit of cookiePairs(text, 0).hits) found.hits.push(hit);
}

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
  for (const rule of rules) hash.update(`${rule.kind} ${rule.anchors.join()} ${rule.pattern} ${rule.notAfter} ${rule.back} ${rule.check}\n`);
  hash.update(NAME_PARTS.join()).update(JSON.stringify(GATES)).update(`${namedValue}${isSecret}${pemBlock}`);
  id = `${VERSION}-${hash.digest('hex').slice(0, 12)}`;
  return id;
}
