import { done, read, type Units, unitsToFill } from './units.ts';

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
/** Units of the longest part. */
const PART = 5;
/**
 * A word is told by each of its first `stride` parts of `part` units, so that every stride-th part of a text is enough to look at: the longer the words,
 * the fewer. Longer parts stand by chance less often.
 */
const TIERS = [
  { stride: 5, part: PART },
  { stride: 3, part: 4 },
  { stride: 1, part: 4 },
];

export function wordIndex<T>(): WordIndex<T> {
  const tiers = TIERS.map(({ stride, part }) => ({ least: stride + part - 1, index: parts<T>(stride, part) }));
  return {
    add: (word, crowd) => tiers.find(({ least }) => word.text.length >= least)?.index.add(word, crowd),
    run(text, hit) {
      for (const { index } of tiers) index.run(text, hit);
    },
  };
}

/** ASCII case is folded. A processor works on all units at once, as on one after the other it would not. */
const partOf = (a: number, b: number, c: number, d: number, e: number): number =>
  ((a | 32) << 24) ^ ((b | 32) << 18) ^ ((c | 32) << 12) ^ ((d | 32) << 6) ^ (e | 32);
/** Two of them: by one alone so many parts of a text would come into question that looking for these took longer than the pass. */
const hashOf = (part: number): number => Math.imul(part, 0x9e3779b1) >>> (32 - BITS);
const otherHashOf = (part: number): number => Math.imul(part ^ (part >>> 15), 0x85ebca6b) >>> (32 - BITS);

/** A short part has no fifth unit. */
function partAt(text: string, end: number, part: number): number {
  const unit = (back: number): number => (back > part ? 0 : text.charCodeAt(end - back));
  return partOf(unit(5), unit(4), unit(3), unit(2), unit(1));
}

const isIn = (filter: Uint32Array, bit: number): boolean => (((filter[bit >> 5] as number) >>> (bit & 31)) & 1) === 1;
function put(filter: Uint32Array, bit: number): void {
  filter[bit >> 5] = (filter[bit >> 5] as number) | (1 << (bit & 31));
}

/** Words that are told by their first `stride` parts of `part` units, in texts of which every stride-th part is looked at. */
function parts<T>(stride: number, part: number): WordIndex<T> {
  const filter = new Uint32Array(1 << (BITS - 5));
  const other = new Uint32Array(1 << (BITS - 5));
  const byPart = new Map<number, Entry<T>[]>();
  const pass = (text: string, mine: Units, hit: Hit<T>): void => {
    const { units } = mine;
    const long = part === PART;
    for (let base = 0; base + part <= text.length; ) {
      const count = read(mine, text, base);
      let end = part;
      for (; end <= count; end += stride) {
        const a = long ? (units[end - 5] as number) : 0;
        const one = partOf(a, units[end - 4] as number, units[end - 3] as number, units[end - 2] as number, units[end - 1] as number);
        if (!isIn(filter, hashOf(one)) || !isIn(other, otherHashOf(one))) continue;
        for (const entry of byPart.get(one) ?? []) start(entry, text, base + end - entry.back, hit);
      }
      // A part may begin in this stretch and end in the next.
      base += end - part;
    }
  };
  return {
    add(word, crowd = Number.POSITIVE_INFINITY) {
      const entries = Array.from({ length: stride }, (_, i) => ({ ...word, back: part + i }));
      const told = entries.map(({ back }) => partAt(word.text, back, part));
      if (told.some((one) => (byPart.get(one)?.length ?? 0) >= crowd)) return;
      told.forEach((one, i) => {
        const there = byPart.get(one);
        if (there) there.push(entries[i] as Entry<T>);
        else byPart.set(one, [entries[i] as Entry<T>]);
        put(filter, hashOf(one));
        put(other, otherHashOf(one));
      });
    },
    run(text, hit) {
      if (!byPart.size || text.length < part) return;
      const mine = unitsToFill();
      try {
        pass(text, mine, hit);
      } finally {
        done(mine);
      }
    },
  };
}

function start<T>({ text: word, payload }: Entry<T>, text: string, at: number, hit: Hit<T>): void {
  if (at < 0) return;
  for (let i = 0; i < word.length; i++) if (((text.charCodeAt(at + i) ^ word.charCodeAt(i)) & ~32) !== 0) return;
  hit(payload, at, word.length);
}
