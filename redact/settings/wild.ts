/**
 * Does a list match a pattern with items that stand for any number of items, none included? Takes time in proportion to the
 * product of both lengths at most, whatever the pattern is.
 */
function matches<T>(items: readonly T[], pattern: readonly T[], isAny: (item: T) => boolean, same: (item: T, wanted: T) => boolean): boolean {
  let at = 0;
  let p = 0;
  let retry = -1;
  let from = 0;
  while (at < items.length) {
    if (p < pattern.length && isAny(pattern[p] as T)) {
      retry = ++p;
      from = at;
    } else if (p < pattern.length && same(items[at] as T, pattern[p] as T)) {
      at++;
      p++;
    } else if (retry >= 0) {
      p = retry;
      at = ++from;
    } else return false;
  }
  while (p < pattern.length && isAny(pattern[p] as T)) p++;
  return p === pattern.length;
}

const step = (text: string, pattern: string): boolean =>
  matches(
    [...text],
    [...pattern],
    (unit) => unit === '*',
    (unit, wanted) => unit === wanted || wanted === '?',
  );

/** Does a path match a glob? `*`: any part of a step, `?`: one character, a step `**`: any number of steps, none included. */
export const matchesGlob = (path: string, glob: string): boolean => matches(path.split('/'), glob.split('/'), (one) => one === '**', step);
