import { done, read, unitsToFill } from '../engine/units.ts';

/** Shorter runs hold no wrapped secret, and no token without a mark. */
const LONG = 24;

/** What a run may consist of. Without a capital or a digit it is words: a path, a name. */
const [PLAIN, MIXED] = [1, 2];
const TOKEN = new Uint8Array(65536);
for (const one of 'abcdefghijklmnopqrstuvwxyz+/_-') TOKEN[one.charCodeAt(0)] = PLAIN;
for (const one of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789') TOKEN[one.charCodeAt(0)] = MIXED;

/** Where a run begins whose first letters may be the end of a terminal colour code (`[32m`) or of an escape (`\\n`). */
function begin(text: string, from: number, end: number): number {
  const before = text.charCodeAt(from - 1);
  if (before === 92) return from + 1;
  if (before !== 91 || text.charCodeAt(from - 2) !== 27) return from;
  const letter = text.indexOf('m', from);
  return letter >= 0 && letter < end ? letter + 1 : from;
}

/**
 * Visits every run of 24 or more characters of base64, base64url, hex and the like with a capital or a digit in it. Looks at the far end of each possible run
 * first, so that most of a text of words is never read.
 * @param visit returns where to go on; anything up to the end of the run goes on behind the run
 */
export function eachRun(text: string, visit: (start: number, end: number) => number): void {
  if (text.length < LONG) return;
  const mine = unitsToFill();
  try {
    for (let base = 0; base + LONG <= text.length; ) base += runsOf(text, base, mine.units, read(mine, text, base), visit);
  } finally {
    done(mine);
  }
}

/** The runs that begin in a stretch of a text. How much of it was looked at. */
function runsOf(text: string, base: number, units: Uint16Array, count: number, visit: (start: number, end: number) => number): number {
  let from = 0;
  while (from + LONG <= count) {
    let at = from + LONG - 1;
    let kinds = 0;
    for (; at >= from; at--) {
      const kind = TOKEN[units[at] as number] as number;
      if (!kind) break;
      kinds |= kind;
    }
    if (at >= from) {
      from = at + 1;
      continue;
    }
    let end = base + from + LONG;
    for (; end < text.length; end++) {
      const kind = TOKEN[text.charCodeAt(end)] as number;
      if (!kind) break;
      kinds |= kind;
    }
    const start = begin(text, base + from, end);
    from = Math.max(end - start < LONG || !(kinds & MIXED) ? end : visit(start, end), end + 1) - base;
  }
  return from;
}
