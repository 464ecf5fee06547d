/** A part of a text, in UTF-16 units; `end` is the first unit behind it. */
export interface Range {
  start: number;
  end: number;
}

/** A secret found in a text. */
export interface Hit extends Range {
  kind: string;
  /** 0: told by the name beside it; 1: by its own shape; 2: a value that is known. The highest names the kind. */
  rank: 0 | 1 | 2;
}

/** Joins what overlaps; the highest rank (then the longest) gives the kind. */
export function merge(hits: Hit[]): Hit[] {
  if (hits.length < 2) return hits;
  hits.sort((a, b) => a.start - b.start || b.end - a.end);
  const out: Hit[] = [];
  for (const hit of hits) {
    const last = out[out.length - 1];
    if (!last || hit.start >= last.end) {
      out.push({ ...hit });
      continue;
    }
    const better = hit.rank > last.rank || (hit.rank === last.rank && hit.end - hit.start > last.end - last.start);
    if (better) {
      last.kind = hit.kind;
      last.rank = hit.rank;
    }
    last.end = Math.max(last.end, hit.end);
  }
  return out;
}

/** Shorter than this, what is left of a hit beside a placeholder is punctuation. */
const REST_MIN = 4;

/** Where a match of a sticky pattern that begins at `at` ends; -1 where there is none. Costs half of what a match itself does. */
export function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** Every place where a word stands, also where it overlaps itself. */
export function* everyPlace(text: string, word: string): Generator<number> {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) yield at;
}

/** The first of `count` things, in order, of which `holds` is true, as it is of all behind it; `count` where it is of none. */
export function firstOf(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The first mask that ends behind `at`; masks are in order. */
const firstBehind = (masks: readonly Range[], at: number): number => firstOf(masks.length, (i) => (masks[i] as Range).end > at);

/** The hits without the parts that are placeholders already. */
export function cutOut(hits: Hit[], masks: readonly Range[], text: string): Hit[] {
  if (!masks.length) return hits;
  const out: Hit[] = [];
  const rest = (hit: Hit, start: number, end: number) => {
    if (end - start >= REST_MIN && /[\p{L}\p{N}]/u.test(text.slice(start, end))) out.push({ ...hit, start, end });
  };
  for (const hit of hits) {
    let from = hit.start;
    for (let i = firstBehind(masks, hit.start); i < masks.length && (masks[i] as Range).start < hit.end; i++) {
      const mask = masks[i] as Range;
      rest(hit, from, mask.start);
      from = mask.end;
    }
    if (from === hit.start) out.push(hit);
    else rest(hit, from, hit.end);
  }
  return out;
}
