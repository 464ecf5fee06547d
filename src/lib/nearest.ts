/** The candidate that differs least from `word`, or undefined when none is near. For "did you mean …?". */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(word.length > 3 ? 2 : 1, Math.ceil(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = edits(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** Levenshtein distance, where two neighbours that changed places are one edit. */
function edits(a: string, b: string): number {
  let [before, row]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(
        Math.min(
          (row?.[j] as number) + 1,
          (next[j - 1] as number) + 1,
          (row?.[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1),
          swapped ? (before?.[j - 2] as number) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row?.[b.length] as number;
}
