import { automaton } from './automaton.ts';
import { fits } from './path-edges.ts';
import { type Spelling, spellings } from './path-forms.ts';
import type { Root } from './paths.ts';

/** What is looked for: a path in one spelling; undefined: a token that stands in the text literally. */
type Word = (Spelling & { order: number; sameAsPlain: boolean }) | undefined;

interface Place {
  start: number;
  end: number;
  by: string;
  order: number;
}

/** The pattern of a token, without its dollars. */
export const tokenPattern = (names: readonly string[]): string => `\\{(${names.join('|')})((?::[a-z0-9]+){0,2})\\}`;

/** A longer path is told by its beginning and then compared. */
const ANCHOR_MAX = 64;

/** Which of several names of one folder; nothing for the first. */
export const alternative = (index: number): string => (index === 0 ? '' : index === 1 ? ':real' : `:real${index}`);

function words(roots: readonly Root[]): Exclude<Word, undefined>[] {
  const out: Exclude<Word, undefined>[] = [];
  let order = 0;
  for (const { token, paths } of roots) {
    paths.forEach((path, index) => {
      const all = spellings(path, (form) => `\${${token}${alternative(index)}${form && `:${form}`}}`);
      // After `file://` the percent-encoded form wins, even where it looks the same.
      for (const one of all.sort((a, b) => Number(b.form === 'uri') - Number(a.form === 'uri'))) out.push({ ...one, order: order++, sameAsPlain: one.text === path });
    });
  }
  return out;
}

export function pathEncoder(roots: readonly Root[], names: readonly string[]): { encode(text: string): string; escapeOnly(text: string): string } {
  const literal = new RegExp(`\\$${tokenPattern(names)}`, 'y');
  const all = words(roots);
  const matcher = automaton<Word>([{ text: '${', payload: undefined }, ...all.map((word) => ({ text: word.text.slice(0, ANCHOR_MAX), payload: word }))]);

  const escape = (text: string, start: number): Place | undefined => {
    literal.lastIndex = start;
    const match = literal.exec(text);
    return match ? { start, end: start + match[0].length, by: `$${match[0]}`, order: -1 } : undefined;
  };
  const find = (text: string, word: Exclude<Word, undefined>, start: number): Place | undefined => {
    const end = start + word.text.length;
    if (!text.startsWith(word.text, start) || !fits(text, start, end, word.form, word.strict, word.sameAsPlain)) return undefined;
    return { start, end, by: word.token, order: word.order };
  };
  const places = (text: string, withPaths: boolean): Place[] => {
    const found: Place[] = [];
    matcher.run(text, (word, start) => {
      const place = word ? withPaths && find(text, word, start) : escape(text, start);
      if (place) found.push(place);
    });
    return found;
  };
  return {
    encode: (text) => replace(text, places(text, true)),
    escapeOnly: (text) => replace(text, places(text, false)),
  };
}

/** The first in the text wins, then the longest, then the one named first. */
function replace(text: string, places: Place[]): string {
  if (!places.length) return text;
  places.sort((a, b) => a.start - b.start || b.end - a.end || a.order - b.order);
  let out = '';
  let from = 0;
  for (const { start, end, by } of places) {
    if (start < from) continue;
    out += text.slice(from, start) + by;
    from = end;
  }
  return out + text.slice(from);
}
