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

/** The hits without the parts that are placeholders already. */
export function cutOut(hits: Hit[], masks: readonly Range[], text: string): Hit[] {
  if (!masks.length) return hits;
  const out: Hit[] = [];
  for (const hit of hits) {
    let from = hit.start;
    for (const mask of masks) {
      if (mask.end <= from || mask.start >= hit.end) continue;
      if (mask.start > from) out.push({ ...hit, start: from, end: mask.start });
      from = mask.end;
    }
    if (from < hit.end) out.push({ ...hit, start: from });
  }
  const whole = new Set(hits);
  return out.filter((hit) => whole.has(hit) || hit.end - hit.start >= REST_MIN || !masks.some((mask) => mask.end === hit.start || mask.start === hit.end)).filter((hit) => /[\p{L}\p{N}]/u.test(text.slice(hit.start, hit.end)));
}
