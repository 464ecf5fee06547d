import { done, read, type Units, unitsToFill } from './units.ts';

/**
 * Finds many literals in one pass (Aho-Corasick, compiled to a table). ASCII case is folded, so a caller that cares
 * about case looks at the text again. Costs one table look-up per UTF-16 unit, however many words there are.
 */
export interface Automaton<T> {
  /** Calls `hit(payload, start, length)` for every occurrence, in order of its end. */
  run(text: string, hit: (payload: T, start: number, length: number) => void): void;
}

interface Word<T> {
  text: string;
  payload: T;
}

/** Where each state goes on each class, and the words that end in it. `parent` and `by`: the state and the class that first led to it. */
interface States {
  go: Int32Array;
  count: number;
  words: (number[] | undefined)[];
  parent: Int32Array;
  by: Uint8Array;
}

const fold = (unit: number): number => (unit >= 65 && unit <= 90 ? unit + 32 : unit);

/** These come first, so that what is looked up most lies close together. */
const FREQUENT = 'abcdefghijklmnopqrstuvwxyz0123456789_-./';

/** Gives every unit that stands in a word a class of its own; 0 is everything else. */
function classes(words: readonly { text: string }[], alike: readonly string[]): { table: Uint8Array; count: number } {
  const table = new Uint8Array(65536);
  const taken = new Set(alike.flatMap((group) => group.slice(1).split('')));
  let count = 1;
  for (const text of [FREQUENT, ...words.map((word) => word.text)]) {
    for (let i = 0; i < text.length; i++) {
      const unit = fold(text.charCodeAt(i));
      if (table[unit] || taken.has(text.charAt(i))) continue;
      if (count > 255) throw new Error('too many different characters in the words');
      table[unit] = count;
      if (unit >= 97 && unit <= 122) table[unit - 32] = count;
      count++;
    }
  }
  for (const group of alike) for (let i = 1; i < group.length; i++) table[group.charCodeAt(i)] = table[group.charCodeAt(0)] as number;
  return { table, count };
}

/** The words as a tree: 0 stands for no way on, since none leads to the root. */
function tree(words: readonly { text: string }[], classOf: Uint8Array, width: number): States {
  const most = 1 + words.reduce((sum, { text }) => sum + text.length, 0);
  const go = new Int32Array(most * width);
  const [parent, by] = [new Int32Array(most), new Uint8Array(most)];
  const ends: (number[] | undefined)[] = [];
  let count = 1;
  words.forEach(({ text }, index) => {
    let state = 0;
    for (let i = 0; i < text.length; i++) {
      const unit = classOf[text.charCodeAt(i)] as number;
      const at = state * width + unit;
      if (!go[at]) {
        parent[count] = state;
        by[count] = unit;
        go[at] = count++;
      }
      state = go[at] as number;
    }
    ends[state] = [...(ends[state] ?? []), index];
  });
  return { go, count, words: ends, parent, by };
}

/** The states that lead on from each, one behind the other: `first` of a state, `next` of a state of the same parent; 0 ends it. */
function children({ parent, count }: States): { first: Int32Array; next: Int32Array } {
  const [first, next] = [new Int32Array(count), new Int32Array(count)];
  for (let state = count - 1; state > 0; state--) {
    next[state] = first[parent[state] as number] as number;
    first[parent[state] as number] = state;
  }
  return { first, next };
}

/**
 * Fills in the ways on where no word goes on, breadth first: as from the longest end of the state that begins a word. That one's row is copied as a whole;
 * what is done a class at a time takes ten times as long at the start of a process.
 */
function complete(states: States, width: number): States {
  const { go, count, words, by } = states;
  const { first, next } = children(states);
  const shorter = new Int32Array(count);
  const queue = new Int32Array(count);
  for (let head = 0, tail = 1; head < tail; head++) {
    const state = queue[head] as number;
    const back = shorter[state] as number;
    if (state) {
      if (words[back]) words[state] = [...(words[state] ?? []), ...words[back]];
      go.copyWithin(state * width, back * width, (back + 1) * width);
    }
    for (let to = first[state] as number; to; to = next[to] as number) {
      const at = state * width + (by[to] as number);
      shorter[to] = state ? (go[at] as number) : 0;
      go[at] = to;
      queue[tail++] = to;
    }
  }
  return states;
}

/** Numbers the states so that those with a hit come last: the loop then needs one comparison. */
function table({ go, count, words }: States, shift: number): { rows: Uint16Array | Uint32Array; firstHit: number; hits: number[][] } {
  const quiet: number[] = [];
  const telling: number[] = [];
  for (let state = 0; state < count; state++) (words[state] ? telling : quiet).push(state);
  const order = [...quiet, ...telling];
  const place = new Uint32Array(count);
  order.forEach((old, now) => {
    place[old] = now;
  });
  const rows = count > 0x1_0000 ? new Uint32Array(count << shift) : new Uint16Array(count << shift);
  order.forEach((old, now) => {
    for (let unit = 0; unit < 1 << shift; unit++) rows[(now << shift) + unit] = place[go[(old << shift) + unit] as number] as number;
  });
  return { rows, firstHit: quiet.length, hits: telling.map((old) => words[old] as number[]) };
}

/**
 * Builds the automaton. Empty words are ignored.
 * @param alike groups of characters that are taken for the first of each
 */
export function automaton<T>(all: readonly Word<T>[], alike: readonly string[] = []): Automaton<T> {
  const words = all.filter((word) => word.text);
  const { table: classOf, count } = classes(words, alike);
  const shift = Math.max(1, Math.ceil(Math.log2(count)));
  const { rows, firstHit, hits } = table(complete(tree(words, classOf, 1 << shift), 1 << shift), shift);
  const payloads = words.map((word) => word.payload);
  const lengths = words.map((word) => word.text.length);

  const pass = (text: string, mine: Units, hit: (payload: T, start: number, length: number) => void): void => {
    const { units } = mine;
    let state = 0;
    for (let from = 0, count = read(mine, text, 0); count > 0; from += count, count = read(mine, text, from)) {
      for (let i = 0; i < count; i++) {
        state = rows[(state << shift) | (classOf[units[i] as number] as number)] as number;
        if (state < firstHit) continue;
        const found = hits[state - firstHit] as number[];
        for (let k = 0; k < found.length; k++) {
          const word = found[k] as number;
          const size = lengths[word] as number;
          hit(payloads[word] as T, from + i + 1 - size, size);
        }
      }
    }
  };
  return {
    run(text, hit) {
      const mine = unitsToFill();
      try {
        pass(text, mine, hit);
      } finally {
        done(mine);
      }
    },
  };
}
