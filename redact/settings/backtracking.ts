/** What stands in a pattern as one character, so that + and * in it mean nothing. */
const SINGLE = /\\.|\[(?:\\.|[^\]\\])*\]/gs;

/** What its author can do about a pattern that needs too long. */
export function adviceOn(pattern: string): string {
  const isBounded = !/[+*]|\{\d+,\}/.test(pattern.replace(SINGLE, 'x'));
  return isBounded
    ? 'write it with smaller bounds, and without repetitions inside one another or side by side that match the same'
    : 'write it with bounds ({1,64} instead of + and *) and without one repetition inside another';
}

/** The same as a sentence. */
export const hintOn = (pattern: string): string => `${adviceOn(pattern).replace(/^w/, 'W')}.`;
