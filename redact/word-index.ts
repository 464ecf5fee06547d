import { withUnits } from './units.ts';

type Hit<T> = (payload: T, start: number, length: number) => void;

/**
 * Finds many words that come one by one while texts are read. One pass of a rolling hash, however many there are, and no
 * rebuilding; an automaton would have to be made anew for each. ASCII case is folded: who cares looks at the text again.
 */
export interface WordIndex<T> {
  /**
   * @param word of at least 4 UTF-16 units
   * @param crowd the word is left out where so many others share a part with it: a text made of that part would try them all
   */
  add(word: { text: string; payload: T }, crowd?: number): void;
  /** Calls `hit(payload, start, length)` for every occurrence; those of one word in order. */
  run(text: string, hit: Hit<T>): void;
}

interface Entry<T> {
  text: string;
  payload: T;
  /** units from the word's beginning to the end of the part that it was told by */
  back: number;
}

/** Units of a part, and bits of its hash for each. */
const PART = 4;
const UNIT_BITS = 5;
const MASK = (1 << (PART * UNIT_BITS)) - 1;
/** A word of LONG units is told by each of its first parts, so that every STRIDE-th part of a text is enough to look at. */
const STRIDE = 4;
const LONG = STRIDE + PART - 1;

const hashOf = (a: number, b: number, c: number, d: number): number =>
  (((a | 32) << (3 * UNIT_BITS)) ^ ((b | 32) << (2 * UNIT_BITS)) ^ ((c | 32) << UNIT_BITS) ^ (d | 32)) & MASK;
const partAt = (text: string, end: number): number =>
  hashOf(text.charCodeAt(end - 4), text.charCodeAt(end - 3), text.charCodeAt(end - 2), text.charCodeAt(end - 1));

export function wordIndex<T>(): WordIndex<T> {
  const long = parts<T>(STRIDE);
  const short = parts<T>(1);
  return {
    add: (word, crowd) => (word.text.length < LONG ? short : long).add(word, crowd),
    run(text, hit) {
      long.run(text, hit);
      short.run(text, hit);
    },
  };
}

/** Words that are told by their first `stride` parts, in texts of which every stride-th part is looked at. */
function parts<T>(stride: number): WordIndex<T> {
  const filter = new Uint32Array((MASK + 1) >> 5);
  const byPart = new Map<number, Entry<T>[]>();
  return {
    add(word, crowd = Number.POSITIVE_INFINITY) {
      const entries = Array.from({ length: stride }, (_, i) => ({ ...word, back: PART + i }));
      const hashes = entries.map(({ back }) => partAt(word.text, back));
      if (hashes.some((hash) => (byPart.get(hash)?.length ?? 0) >= crowd)) return;
      hashes.forEach((hash, i) => {
        byPart.set(hash, [...(byPart.get(hash) ?? []), entries[i] as Entry<T>]);
        filter[hash >> 5] = (filter[hash >> 5] as number) | (1 << (hash & 31));
      });
    },
    run(text, hit) {
      if (!byPart.size || text.length < PART) return;
      withUnits(text, (units, read) => {
        for (let base = 0, count = read(0); count >= PART; count = read(base)) {
          let last = PART - 1;
          for (; last < count; last += stride) {
            const hash = hashOf(units[last - 3] as number, units[last - 2] as number, units[last - 1] as number, units[last] as number);
            if (!(((filter[hash >> 5] as number) >>> (hash & 31)) & 1)) continue;
            for (const one of byPart.get(hash) as Entry<T>[]) start(one, text, base + last + 1 - one.back, hit);
          }
          // A part may begin in this stretch and end in the next.
          base += last - (PART - 1);
        }
      });
    },
  };
}

function start<T>({ text: word, payload }: Entry<T>, text: string, at: number, hit: Hit<T>): void {
  if (at < 0) return;
  for (let i = 0; i < word.length; i++) if (((text.charCodeAt(at + i) ^ word.charCodeAt(i)) & ~32) !== 0) return;
  hit(payload, at, word.length);
}
