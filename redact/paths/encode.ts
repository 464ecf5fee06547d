import { type Automaton, automaton } from '../engine/automaton.ts';
import { fits, isInFileUrl } from './edges.ts';
import { type Spelling, spellings } from './forms.ts';
import type { Root } from './map.ts';

/** What is looked for: a path in one spelling; undefined: a token that stands in the text literally. */
type Word = Spelling | undefined;

interface Place {
  start: number;
  end: number;
  by: string;
}

/** The pattern of a token, without its dollars. */
export const tokenPattern = (names: readonly string[]): string => `\\{(${names.join('|')})((?::[a-z0-9]+){0,2})\\}`;

/** A longer path is told by its beginning and then compared. */
const ANCHOR_MAX = 64;

/** Which of several names of one folder; nothing for the first. */
export const alternative = (index: number): string => (index === 0 ? '' : index === 1 ? ':real' : `:real${index}`);

function words(roots: readonly Root[]): Spelling[] {
  const out = new Map<string, Spelling>();
  for (const { token, paths } of roots) {
    paths.forEach((path, index) => {
      // Two folders with one name: the first token stands for both.
      for (const one of spellings(path, (form) => `\${${token}${alternative(index)}${form && `:${form}`}}`)) if (!out.has(one.text)) out.set(one.text, one);
    });
  }
  return [...out.values()];
}

export function pathEncoder(roots: readonly Root[], names: readonly string[]): { encode(text: string): string; escapeOnly(text: string): string } {
  const literal = new RegExp(`\\$${tokenPattern(names)}`, 'y');
  const all = words(roots);
  let made: Automaton<Word> | undefined;
  const matcher = (): Automaton<Word> =>
    (made ??= automaton<Word>([{ text: '${', payload: undefined }, ...all.map((word) => ({ text: word.text.slice(0, ANCHOR_MAX), payload: word }))]));

  const literalAt = (text: string, start: number): Place | undefined => {
    literal.lastIndex = start;
    const match = literal.exec(text);
    return match ? { start, end: start + match[0].length, by: `$${match[0]}` } : undefined;
  };
  const find = (text: string, word: Spelling, start: number): Place | undefined => {
    const end = start + word.text.length;
    if (!text.startsWith(word.text, start) || !fits(text, start, end, word.form, word.strict)) return undefined;
    return { start, end, by: word.token !== word.uriToken && isInFileUrl(text, start) ? word.uriToken : word.token };
  };
  const replace = (text: string, withPaths: boolean): string => {
    const places: Place[] = [];
    matcher().run(text, (word, start) => {
      const place = word ? (withPaths ? find(text, word, start) : undefined) : literalAt(text, start);
      if (place) put(places, place);
    });
    return places.length ? written(text, places) : text;
  };
  const marks = marksOf(all);
  const encode = (text: string): string => (marks && !marks.some((mark) => text.includes(mark)) ? text : replace(text, true));
  return { encode, escapeOnly: (text) => replace(text, false) };
}

/** One of these stands in every text that holds a path or a token, and is found sooner. undefined: nothing is common to all spellings. */
function marksOf(words: readonly Spelling[]): string[] | undefined {
  const marks = ['${'];
  for (const { text } of [...words].sort((a, b) => a.text.length - b.text.length)) {
    if (marks.some((mark) => text.includes(mark))) continue;
    const runs = text.match(/[A-Za-z0-9]{3,}/g);
    if (!runs || marks.length > 2) return undefined;
    marks.push(runs.reduce((best, run) => (run.length > best.length ? run : best)));
  }
  return marks;
}

/** Keeps places apart: what starts first wins, then the longest. They come in the order of their ends. */
function put(places: Place[], place: Place): void {
  let last = places[places.length - 1];
  while (last && place.start <= last.start) {
    places.pop();
    last = places[places.length - 1];
  }
  if (!last || place.start >= last.end) places.push(place);
}

function written(text: string, places: readonly Place[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, by } of places) {
    parts.push(text.slice(from, start), by);
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join('');
}
