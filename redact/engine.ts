import { createHash } from 'node:crypto';
import type { Allow } from './allow.ts';
import { type Automaton, automaton } from './automaton.ts';
import { cookieHeader, cookiePairs } from './cookies.ts';
import { escapeWords, inRuns } from './encoded.ts';
import { isSecret } from './judge.ts';
import type { KnownValue } from './known.ts';
import { knownForms } from './known-match.ts';
import { type Check, type Found, gate, type Layer, type Word } from './layer.ts';
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

const readTo = (found: Found, check: unknown): number => found.readTo.get(check) ?? 0;

const named: Check = (text, at, length, found) => {
  const hit = namedValue(text, at, length);
  if (hit) found.hits.push(hit);
};
const keyBlock: Check = (text, at, _length, found) => {
  if (at < readTo(found, keyBlock)) return;
  const hit = pemBlock(text, at);
  found.readTo.set(keyBlock, hit ? hit.end : at + 1);
  if (hit) found.hits.push(hit);
};
const keyTail: Check = (text, at, _length, found) => {
  const from = readTo(found, keyBlock);
  if (at < from) return;
  const hit = pemTail(text, at, from);
  found.readTo.set(keyBlock, at + 1);
  if (hit) found.hits.push(hit);
};
const cookies: Check = (text, at, _length, found) => {
  if (at < readTo(found, cookies)) return;
  const { hits, end } = cookieHeader(text, at);
  found.readTo.set(cookies, end);
  found.hits.push(...hits);
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
const LEARNED_MAX = 2000;

export interface EngineOptions {
  known?: readonly KnownValue[];
  /** what is looked for beside the built-in rules */
  layers?: readonly Layer[];
  /** what its owner says is no secret */
  allowed?: Allow | undefined;
}

export function createEngine({ known = [], layers = [], allowed }: EngineOptions = {}): Engine {
  const matcher = layers.length ? automaton([...rulesOnce().words, ...layers.flatMap((layer) => layer.words)]) : rulesOnce().matcher;
  const values = new Map<string, KnownValue>();
  const index = wordIndex();
  const add = (one: KnownValue) => {
    values.set(one.value, one);
    for (const { value, word, check } of knownForms(one)) index.add(word ?? { text: value, payload: check }, !one.learned);
  };
  for (const one of known) if (one.value.length >= SHORTEST && !values.has(one.value) && !allowed?.value(one.value, true)) add(one);

  const scan = (text: string, name: string, depth: number): Hit[] => {
    if (text.length < SHORTEST) return [];
    const found: Found = { hits: [], masks: [], depth, readTo: new Map(), gated: new Map(), again };
    matcher.run(text, (check, at, length) => check(text, at, length, found));
    index.run(text, found);
    for (const [rule, places] of found.gated) found.hits.push(...rule.find(text, places));
    if (name) found.hits.push(...underName(text, name));
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

let shared: { words: Word[]; matcher: Automaton<Check> } | undefined;
/** The rules' words and their automaton are the same for every engine. */
function rulesOnce(): { words: Word[]; matcher: Automaton<Check> } {
  if (!shared) {
    const words = fixedWords();
    shared = { words, matcher: automaton(words) };
  }
  return shared;
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

/** The whole text as the value of a name. */
function underName(text: string, name: string): Hit[] {
  if (/^(?:set-)?cookie$/i.test(name)) return cookiePairs(text, 0).hits;
  return isSecretName(name) && isSecret(text, name, WHOLE) ? [{ start: 0, end: text.length, kind: 'pw', rank: 0 }] : [];
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
