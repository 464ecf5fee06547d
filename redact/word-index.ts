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
  /** units from the word's beginning to the end of the part that it is told by */
  back: number;
}

/** Units of a part. */
const PART = 4;
const UNIT_BITS = 5;
const MASK = (1 << (PART * UNIT_BITS)) - 1;

/** The hash of the last PART units from the one before: older units are shifted out. */
const rolled = (hash: number, unit: number): number => ((hash << UNIT_BITS) ^ (unit | 32)) & MASK;

/** Of the part of a word that ends before `end`. */
function partAt(text: string, end: number): number {
  let hash = 0;
  for (let i = end - PART; i < end; i++) hash = rolled(hash, text.charCodeAt(i));
  return hash;
}

export function wordIndex<T>(): WordIndex<T> {
  const filter = new Uint32Array((MASK + 1) >> 5);
  const byPart = new Map<number, Entry<T>[]>();

  /** The end of the part that fewest words share. */
  const bestEnd = (text: string): number => {
    let best = PART;
    let fewest = Number.POSITIVE_INFINITY;
    for (let end = PART; end <= text.length && fewest > 0; end++) {
      const shared = byPart.get(partAt(text, end))?.length ?? 0;
      if (shared < fewest) [best, fewest] = [end, shared];
    }
    return best;
  };

  return {
    add(word, crowd = Number.POSITIVE_INFINITY) {
      const back = bestEnd(word.text);
      const hash = partAt(word.text, back);
      const entries = byPart.get(hash) ?? [];
      if (entries.length >= crowd) return;
      entries.push({ ...word, back });
      byPart.set(hash, entries);
      filter[hash >> 5] = (filter[hash >> 5] as number) | (1 << (hash & 31));
    },
    run(text, hit) {
      if (!byPart.size) return;
      withUnits(text, (units, read) => {
        let hash = 0;
        for (let base = 0, count = read(0); count > 0; base += count, count = read(base)) {
          for (let i = 0; i < count; i++) {
            hash = rolled(hash, units[i] as number);
            if (!(((filter[hash >> 5] as number) >>> (hash & 31)) & 1)) continue;
            for (const one of byPart.get(hash) as Entry<T>[]) start(one, text, base + i + 1 - one.back, hit);
          }
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
