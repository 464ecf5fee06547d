import { entropy, isSampleToken } from '../context/judge.ts';
import type { Rule } from './rule.ts';

/** What a class of a template may hold; in the tests the same names make samples (test/support/samples.ts). */
const CLASSES: Readonly<Record<string, string>> = {
  an: 'A-Za-z0-9',
  az: 'A-Za-z',
  hex: '0-9a-f',
  xhex: '0-9a-fA-F',
  up: 'A-Z0-9',
  url: 'A-Za-z0-9_-',
  b64: 'A-Za-z0-9+/',
  b32: 'A-Z2-7',
  dig: '0-9',
  low: 'a-z0-9',
};
const PART = /\{(b64|b32|[a-z]+?)(\d+)(?:-(\d+))?\}/;
/** A mark that is shorter may be the end of a word. */
const TELLING = 6;

interface Piece {
  literal: string;
  class: string;
  min: number;
  max: number;
}

function pieces(template: string): { parts: Piece[]; rest: string } {
  const split = template.split(new RegExp(PART.source, 'g'));
  const parts: Piece[] = [];
  for (let i = 0; i + 1 < split.length; i += 4) {
    const [literal = '', name = '', min = '', max] = split.slice(i, i + 4);
    const letters = CLASSES[name];
    if (!letters) throw new Error(`no class ${name} in the template ${template}`);
    parts.push({ literal, class: letters, min: Number(min), max: Number(max ?? min) });
  }
  return { parts, rest: split.at(-1) ?? '' };
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

function source(parts: readonly Piece[], rest: string): string {
  const body = parts.map((part) => `${escaped(part.literal)}[${part.class}]{${part.min},${part.max}}`).join('');
  const last = parts.at(-1)?.class ?? '';
  return body + (rest ? escaped(rest) : `(?![${last}])`);
}

/** The shortest and the longest token of a template, and one that is too short, as templates for samples. */
function samples(template: string): { hits: string[]; miss: string } {
  const each = (pick: (min: number, max: number, last: boolean) => number): string => {
    let left = template.split(PART).length >> 2;
    return template.replace(new RegExp(PART.source, 'g'), (_all, name: string, min: string, max?: string) => {
      left--;
      return `{${name}${pick(Number(min), Number(max ?? min), left === 0)}}`;
    });
  };
  return { hits: [...new Set([each((min) => min), each((_min, max) => max)])], miss: each((min, _max, last) => (last ? Math.min(6, min - 1) : min)) };
}

const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

/** Not one word or one character over and over. Enough behind a mark that nothing else has. */
function isVaried(tail: string): boolean {
  if (entropy(tail) < (tail.length < 24 ? 2.2 : 2.8)) return false;
  return /\d/.test(tail) || (count(tail, /[A-Z]/g) * 6 >= tail.length && /[a-z]/.test(tail));
}

const UNSPEAKABLE = /[bcdfghjklmnpqrstvwxz]{4}|^[^aeiouy]*$/i;
/** How much of a text is words: four letters or more that can be spoken, none but the first a capital. */
const wordShare = (text: string): number => (text.match(/[A-Za-z][a-z]{3,}/g) ?? []).filter((word) => !UNSPEAKABLE.test(word)).join('').length / text.length;

/** Characters drawn at random, not a name with a number in it. Takes the part behind the mark. */
export function isRandom(tail: string): boolean {
  if (!isVaried(tail)) return false;
  if (/^[0-9a-fA-F-]+$/.test(tail)) return /\d/.test(tail);
  return count(tail, /\d/g) * 12 >= tail.length || wordShare(tail) < 0.62;
}

/**
 * Rules of the plainest kind, each from a template that is pattern and sample in one: the mark of the family, then
 * characters of a class, e.g. `abc_{an32}`, `{an20-40}` where the length varies. A mark that is short or letters only must
 * not stand within a word, and what follows it must not be words.
 */
export function family(kind: string, ...templates: string[]): Rule[] {
  return templates.map((template) => {
    const { parts, rest } = pieces(template);
    const mark = parts[0]?.literal ?? '';
    const { hits, miss } = samples(template);
    const within = mark.length < TELLING || /^[A-Za-z]+$/.test(mark);
    return {
      kind,
      anchors: [mark.toLowerCase()],
      pattern: new RegExp(source(parts, rest), 'y'),
      ...(within ? { notAfter: /[A-Za-z0-9]/ } : {}),
      check: (value) => !isSampleToken(value) && (within ? isRandom : isVaried)(value.slice(mark.length)),
      hits,
      misses: [miss],
    };
  });
}
