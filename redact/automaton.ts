import { withUnits } from './units.ts';

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

interface Trie {
  next: Map<number, number>[];
  words: number[][];
}

const fold = (unit: number): number => (unit >= 65 && unit <= 90 ? unit + 32 : unit);

/** Gives every unit that stands in a word a class of its own; 0 is everything else. */
function classes(words: readonly { text: string }[]): { table: Uint8Array; count: number } {
  const table = new Uint8Array(65536);
  let count = 1;
  for (const { text } of words) {
    for (let i = 0; i < text.length; i++) {
      const unit = fold(text.charCodeAt(i));
      if (table[unit]) continue;
      if (count > 255) throw new Error('too many different characters in the words');
      table[unit] = count;
      if (unit >= 97 && unit <= 122) table[unit - 32] = count;
      count++;
    }
  }
  return { table, count };
}

function trie(words: readonly { text: string }[], table: Uint8Array): Trie {
  const next: Map<number, number>[] = [new Map()];
  const ends: number[][] = [[]];
  words.forEach(({ text }, index) => {
    let state = 0;
    for (let i = 0; i < text.length; i++) {
      const unit = table[text.charCodeAt(i)] as number;
      let to = next[state]?.get(unit);
      if (to === undefined) {
        to = next.length;
        next.push(new Map());
        ends.push([]);
        next[state]?.set(unit, to);
      }
      state = to;
    }
    ends[state]?.push(index);
  });
  return { next, words: ends };
}

/** Fills in where each state goes on each class, breadth first. */
function complete({ next, words }: Trie, width: number): { go: Int32Array; words: number[][] } {
  const go = new Int32Array(next.length * width);
  const fail = new Int32Array(next.length);
  const queue: number[] = [];
  for (const [unit, to] of next[0] ?? []) {
    go[unit] = to;
    queue.push(to);
  }
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head] as number;
    const back = fail[state] as number;
    if (words[back]?.length) words[state] = (words[state] ?? []).concat(words[back] as number[]);
    for (let unit = 0; unit < width; unit++) {
      const to = next[state]?.get(unit);
      const other = go[back * width + unit] as number;
      if (to === undefined) go[state * width + unit] = other;
      else {
        go[state * width + unit] = to;
        fail[to] = other;
        queue.push(to);
      }
    }
  }
  return { go, words };
}

/** Numbers the states so that those with a hit come last, and stores row offsets: the loop then needs one comparison. */
function table(go: Int32Array, words: number[][], shift: number): { rows: Uint32Array; firstHit: number; hits: number[][] } {
  const states = words.length;
  const order = Array.from({ length: states }, (_, i) => i).sort((a, b) => Number(!!words[a]?.length) - Number(!!words[b]?.length) || a - b);
  const place = new Int32Array(states);
  order.forEach((old, now) => {
    place[old] = now;
  });
  const rows = new Uint32Array(states << shift);
  order.forEach((old, now) => {
    for (let unit = 0; unit < 1 << shift; unit++) rows[(now << shift) + unit] = (place[go[(old << shift) + unit] as number] as number) << shift;
  });
  const quiet = order.findIndex((old) => words[old]?.length);
  const first = quiet < 0 ? states : quiet;
  return { rows, firstHit: first << shift, hits: order.slice(first).map((old) => words[old] as number[]) };
}

/** Builds the automaton. Empty words are ignored. */
export function automaton<T>(all: readonly Word<T>[]): Automaton<T> {
  const words = all.filter((word) => word.text);
  const { table: classOf, count } = classes(words);
  const shift = Math.max(1, Math.ceil(Math.log2(count)));
  const completed = complete(trie(words, classOf), 1 << shift);
  const { rows, firstHit, hits } = table(completed.go, completed.words, shift);
  const payloads = words.map((word) => word.payload);
  const lengths = words.map((word) => word.text.length);

  const run: Automaton<T>['run'] = (text, hit) => {
    withUnits(text, (units, read) => {
      let state = 0;
      for (let from = 0, count = read(0); count > 0; from += count, count = read(from)) {
        for (let i = 0; i < count; i++) {
          state = rows[state + (classOf[units[i] as number] as number)] as number;
          if (state < firstHit) continue;
          const found = hits[(state - firstHit) >> shift] as number[];
          for (let k = 0; k < found.length; k++) {
            const word = found[k] as number;
            const size = lengths[word] as number;
            hit(payloads[word] as T, from + i + 1 - size, size);
          }
        }
      }
    });
  };
  return { run };
}
