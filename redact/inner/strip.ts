import { firstOf } from '../engine/ranges.ts';

/** Parts of a text, in order: [start, end, start, end …]. */
export type Cuts = number[];

/** A text without some parts. */
export interface Stripped {
  text: string;
  /** Where a character of it stands in the text that it was made from. */
  place(at: number): number;
  /** Where a character of the other text stands in this one; one that was cut out, where it stood. */
  find(at: number): number;
}

/** Where the next match begins; -1: there is none. Most texts have none, and a match need not be made of it then. */
function beginOf(text: string, pattern: RegExp): number {
  const found = pattern.exec(text);
  return found ? found.index : -1;
}

/** @param pattern with the flag g; matches no empty text
 * @param keep is this match to be cut out? */
export function cutsOf(text: string, pattern: RegExp, keep: (start: number) => boolean = () => true): Cuts {
  const cuts: Cuts = [];
  pattern.lastIndex = 0;
  for (let start = beginOf(text, pattern); start >= 0; start = beginOf(text, pattern)) if (keep(start)) cuts.push(start, pattern.lastIndex);
  return cuts;
}

const same = (at: number): number => at;
export const asItIs = (text: string): Stripped => ({ text, place: same, find: same });

/** @param before how `text` itself was made */
export function stripped(text: string, cuts: Cuts, before?: Stripped): Stripped {
  const parts: string[] = [];
  /** for each cut, where it would be in what is left, and how much was cut up to there */
  const at = new Uint32Array(cuts.length / 2);
  const gone = new Uint32Array(cuts.length / 2);
  let from = 0;
  let left = 0;
  for (let i = 0; i < at.length; i++) {
    const start = cuts[2 * i] as number;
    parts.push(text.slice(from, start));
    left += start - from;
    from = cuts[2 * i + 1] as number;
    at[i] = left;
    gone[i] = from - left;
  }
  parts.push(text.slice(from));
  const place = (index: number): number => {
    const cut = firstOf(at.length, (i) => (at[i] as number) > index);
    const here = index + (cut ? (gone[cut - 1] as number) : 0);
    return before ? before.place(here) : here;
  };
  const find = (index: number): number => {
    const there = before ? before.find(index) : index;
    const cut = firstOf(at.length, (i) => (cuts[2 * i + 1] as number) > there);
    const here = there - (cut ? (gone[cut - 1] as number) : 0);
    return cut < at.length ? Math.min(here, at[cut] as number) : here;
  };
  return { text: parts.join(''), place, find };
}
