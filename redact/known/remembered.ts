import { createHash, createHmac } from 'node:crypto';
import { automaton } from '../engine/automaton.ts';
import { type Check, type Layer, nothingYet, type Word } from '../engine/layer.ts';
import type { KnownValue } from './known.ts';

/** A secret that was found once, without its text: a stretch of new text can be tested for being it, nothing can be read from it. */
export interface RememberedValue {
  kind: string;
  /** in UTF-16 units */
  length: number;
  /** HMAC-SHA256 of the value under the clone's key, hex; its first 8 digits are the fingerprint */
  print: string;
  /** BITS of another keyed digest, of the first three characters: so that few stretches need an HMAC */
  start: number;
}

/** Shorter values are part of too much, longer ones are whole files. In UTF-16 units. */
const SHORTEST = 6;
const LONGEST = 4000;
/** Each start stands for many: 830,584 starts share 65,536 digests. */
const BITS = 16;
const PRINTABLE = { from: 33, to: 126 } as const;

const printOf = (key: Buffer, value: string): string => createHmac('sha256', key).update(value).digest('hex');

/** What to keep of a value; undefined for one that is not looked for again: too short or too long, or one that begins in no ASCII. */
export function remember(key: Buffer, { value, kind }: KnownValue): RememberedValue | undefined {
  if (value.length < SHORTEST || value.length > LONGEST || !/^[!-~]{3}/.test(value)) return undefined;
  return { kind, length: value.length, print: printOf(key, value), start: startDigest(key)(value.charCodeAt(0), value.charCodeAt(1), value.charCodeAt(2)) };
}

type StartDigest = (first: number, second: number, third: number) => number;

function startDigest(key: Buffer): StartDigest {
  const seed = createHmac('sha256', key).update('start of a remembered value').digest();
  const [a, b, c] = [0, 4, 8].map((at) => seed.readInt32LE(at) | 1) as [number, number, number];
  return (first, second, third) => Math.imul(Math.imul(Math.imul(first, a) ^ second, b) ^ third, c) >>> (32 - BITS);
}

/** Every start that one of the values may have, in small letters: words for the automaton. */
function startsOf(digest: StartDigest, isStart: Uint8Array): string[] {
  const out = new Set<string>();
  const { from, to } = PRINTABLE;
  for (let a = from; a <= to; a++)
    for (let b = from; b <= to; b++) for (let c = from; c <= to; c++) if (isStart[digest(a, b, c)]) out.add(String.fromCharCode(a, b, c).toLowerCase());
  return [...out];
}

const isWord = (unit: number): boolean => (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);

/** May a value begin here? Where a word begins, or at a symbol; behind the letter of an escape such as \n too. */
const begins = (text: string, at: number): boolean =>
  at === 0 || !isWord(text.charCodeAt(at - 1)) || !isWord(text.charCodeAt(at)) || (at > 1 && text.charCodeAt(at - 2) === 92);
const ends = (text: string, end: number): boolean => end === text.length || !isWord(text.charCodeAt(end)) || !isWord(text.charCodeAt(end - 1));

/** Another one for any other values. */
export function stateOf(values: readonly RememberedValue[]): string {
  const state = createHash('sha256');
  for (const value of values) state.update(`${value.kind} ${value.print}\n`);
  return state.digest('hex').slice(0, 12);
}

/**
 * Finds values of which only digests are kept. A candidate begins where a word or a symbol begins and is as long as one of the values, so
 * one is found in quotes, after `=`, in a URL and at a sentence's end.
 */
export function rememberedLayer(key: Buffer, values: readonly RememberedValue[]): Layer {
  const digest = startDigest(key);
  const byStart = new Map<number, RememberedValue[]>();
  const isStart = new Uint8Array(1 << BITS);
  for (const value of values) {
    byStart.set(value.start, [...(byStart.get(value.start) ?? []), value]);
    isStart[value.start] = 1;
  }
  const check: Check = (text, at, _length, found) => {
    const start = digest(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2));
    if (!isStart[start] || !begins(text, at)) return;
    for (const { length, print, kind } of byStart.get(start) as RememberedValue[]) {
      const end = at + length;
      if (end <= text.length && ends(text, end) && printOf(key, text.slice(at, end)) === print) found.hits.push({ start: at, end, kind, rank: 1 });
    }
  };
  return {
    id: 'remembered',
    state: stateOf(values),
    words: startsOf(digest, isStart).map((text): Word => ({ text, payload: check })),
  };
}

/** Tells which stretches of a text are such values. The text may be JSON as it stands, but for values with quotes or backslashes. */
export function rememberedFinder(key: Buffer, values: readonly RememberedValue[]): (text: string) => string[] {
  const matcher = automaton(rememberedLayer(key, values).words);
  return (text) => {
    const found = nothingYet();
    matcher.run(text, (check, at, length) => check(text, at, length, found));
    return found.hits.map(({ start, end }) => text.slice(start, end));
  };
}
