import type { Found, Word } from './layer.ts';

/**
 * Finds many words that come one by one while texts are read. One pass of a rolling hash, however many there are, and no
 * rebuilding; the automaton of the rules would have to be made anew for each. ASCII case is folded: a check looks again.
 */
export interface WordIndex {
  /**
   * @param word of at least 4 UTF-16 units
   * @param crowded false: left out where too many others begin alike, since a text made of that beginning would try them all
   */
  add(word: Word, crowded: boolean): void;
  /** Starts the checks of the words in a text, in the order of their ends. */
  run(text: string, found: Found): void;
}

interface Entry extends Word {
  /** units from the word's beginning to the end of the gram that it is told by */
  back: number;
}

/** The filter tells by so many units; what passes it is told by twice as many, where a word has them. */
const GRAM = 4;
const LONG_GRAM = 8;
const SIZES = [LONG_GRAM, GRAM] as const;
const MASK = (1 << 20) - 1;
const CROWD = 64;

/** The hash of the last GRAM units from the one before: older units are shifted out. */
const rolled = (hash: number, unit: number): number => ((hash << 5) ^ (unit | 32)) & MASK;

/** Of the `size` units before `end`. */
function gramKey(text: string, end: number, size: number): number {
  let key = size;
  for (let i = end - size; i < end; i++) key = Math.imul(key ^ (text.charCodeAt(i) | 32), 0x01000193);
  return key;
}

export function wordIndex(): WordIndex {
  const filter = new Uint32Array((MASK + 1) >> 5);
  const buckets = new Map<number, Entry[]>();

  /** The end of the gram that fewest words share. */
  const bestEnd = (text: string, size: number): number => {
    let best = size;
    let fewest = Number.POSITIVE_INFINITY;
    for (let end = size; end <= text.length; end++) {
      const shared = buckets.get(gramKey(text, end, size))?.length ?? 0;
      if (shared < fewest) [best, fewest] = [end, shared];
    }
    return best;
  };

  return {
    add(word, crowded) {
      const { text } = word;
      const size = text.length < LONG_GRAM ? GRAM : LONG_GRAM;
      const back = bestEnd(text, size);
      const key = gramKey(text, back, size);
      const bucket = buckets.get(key) ?? [];
      if (!crowded && bucket.length >= CROWD) return;
      bucket.push({ ...word, back });
      buckets.set(key, bucket);
      let hash = 0;
      for (let i = back - GRAM; i < back; i++) hash = rolled(hash, text.charCodeAt(i));
      filter[hash >> 5] = (filter[hash >> 5] as number) | (1 << (hash & 31));
    },
    run(text, found) {
      if (!buckets.size) return;
      let hash = 0;
      for (let i = 0; i < text.length; i++) {
        hash = rolled(hash, text.charCodeAt(i));
        if (!(((filter[hash >> 5] as number) >> (hash & 31)) & 1)) continue;
        for (const size of SIZES) {
          if (i + 1 < size) continue;
          const bucket = buckets.get(gramKey(text, i + 1, size));
          if (bucket) for (const entry of bucket) start(entry, text, i + 1 - entry.back, found);
        }
      }
    },
  };
}

function start({ text: word, payload }: Entry, text: string, at: number, found: Found): void {
  if (at < 0) return;
  for (let i = 0; i < word.length; i++) if (((text.charCodeAt(at + i) ^ word.charCodeAt(i)) & ~32) !== 0) return;
  payload(text, at, word.length, found);
}
