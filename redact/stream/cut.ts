import { bytesToText } from '#lib/bytes.ts';

/** What a check sees on either side of a cut, in bytes: more than the longest thing that one looks for (a key block). */
export const WINDOW = 48 * 1024;
const LF = 10;

/** Line ends that are tried: those before an empty line, which mostly parts what does not belong together, come first. */
const [TRIED, LOOKED_AT] = [12, 400];

/**
 * A place, near the end of some lines of text, before which they can be treated by themselves: the offset behind a line feed. What follows it is more
 * than any check looks ahead.
 * @param force answer a place even where something is torn apart, and within a line if need be
 */
export function placeToCut(bytes: Buffer, mayCut: (left: string, right: string) => boolean, force: boolean): number | undefined {
  const places = lineEnds(bytes, bytes.length - WINDOW);
  if (force && !places.length) places.push(...withinLine(bytes, bytes.length - WINDOW));
  const safe = places.find((at) => mayCut(bytesToText(bytes.subarray(Math.max(0, at - WINDOW), at)), bytesToText(bytes.subarray(at, at + WINDOW))));
  return safe ?? (force ? places[0] : undefined);
}

function lineEnds(bytes: Buffer, before: number): number[] {
  const blank: number[] = [];
  const others: number[] = [];
  let at = bytes.lastIndexOf(LF, before - 1);
  for (let looked = 0; at >= 0 && looked < LOOKED_AT; looked++) {
    const next = bytes[at + 1];
    (next === LF || (next === 13 && bytes[at + 2] === LF) ? blank : others).push(at + 1);
    at = at === 0 ? -1 : bytes.lastIndexOf(LF, at - 1);
  }
  return [...blank.slice(0, TRIED / 2), ...others].slice(0, TRIED);
}

/** Places in a line that does not end: after a space, else anywhere between two characters. */
function withinLine(bytes: Buffer, before: number): number[] {
  const space = bytes.lastIndexOf(32, before);
  const places = space > before - WINDOW ? [space + 1] : [];
  for (let at = before; places.length < TRIED; at -= 997) {
    while (((bytes[at] as number) & 0xc0) === 0x80 && at > before - 5000) at--;
    places.push(at);
  }
  return places;
}
