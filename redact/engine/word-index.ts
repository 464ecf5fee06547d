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

/** Bits of the hash of a part. */
const BITS = 20;
/** A word of LONG units is told by each of its first parts, so that every STRIDE-th part of a text is enough to look at. */
const STRIDE = 5;
/** Units of a part of a long word, and of a short one. Longer parts stand by chance less often. */
const LONG_PART = 5;
const SHORT_PART = 4;
const LONG = STRIDE + LONG_PART - 1;

export function wordIndex<T>(): WordIndex<T> {
  const long = parts<T>(STRIDE, LONG_PART);
  const short = parts<T>(1, SHORT_PART);
  return {
    add: (word, crowd) => (word.text.length < LONG ? short : long).add(word, crowd),
    run(text, hit) {
      long.run(text, hit);
      short.run(text, hit);
    },
  };
}

/** ASCII case is folded. A processor works on all units at once, as on one after the other it would not. */
const hashOf = (a: number, b: number, c: number, d: number, e: number): number =>
  Math.imul(((a | 32) << 24) ^ ((b | 32) << 18) ^ ((c | 32) << 12) ^ ((d | 32) << 6) ^ (e | 32), 0x9e3779b1) >>> (32 - BITS);

/** A short part has no fifth unit. */
function hashAt(text: string, end: number, part: number): number {
  const unit = (back: number): number => (back > part ? 0 : text.charCodeAt(end - back));
  return hashOf(unit(5), unit(4), unit(3), unit(2), unit(1));
}

/** Words that are told by their first `stride` parts of `part` units, in texts of which every stride-th part is looked at. */
function parts<T>(stride: number, part: number): WordIndex<T> {
  const filter = new Uint32Array(1 << (BITS - 5));
  const byPart = new Map<number, Entry<T>[]>();
  return {
    add(word, crowd = Number.POSITIVE_INFINITY) {
      const entries = Array.from({ length: stride }, (_, i) => ({ ...word, back: part + i }));
      const hashes = entries.map(({ back }) => hashAt(word.text, back, part));
      if (hashes.some((hash) => (byPart.get(hash)?.length ?? 0) >= crowd)) return;
      hashes.forEach((hash, i) => {
        const there = byPart.get(hash);
        if (there) there.push(entries[i] as Entry<T>);
        else byPart.set(hash, [entries[i] as Entry<T>]);
        filter[hash >> 5] = (filter[hash >> 5] as number) | (1 << (hash & 31));
      });
    },
    run(text, hit) {
      if (!byPart.size || text.length < part) return;
      const long = part === LONG_PART;
      withUnits(text, (units, read) => {
        for (let base = 0; base + part <= text.length; ) {
          const count = read(base);
          let end = part;
          for (; end <= count; end += stride) {
            const a = long ? (units[end - 5] as number) : 0;
            const hash = hashOf(a, units[end - 4] as number, units[end - 3] as number, units[end - 2] as number, units[end - 1] as number);
            if (!(((filter[hash >> 5] as number) >>> (hash & 31)) & 1)) continue;
            for (const one of byPart.get(hash) as Entry<T>[]) start(one, text, base + end - one.back, hit);
          }
          // A part may begin in this stretch and end in the next.
          base += end - part;
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
