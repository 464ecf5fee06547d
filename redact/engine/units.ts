import { endianness } from 'node:os';

/** Characters that are looked at in one go. */
const SIZE = 16_384;
const SWAPPED = endianness() === 'BE';

/** Stretches of a text as UTF-16 units: a loop over numbers takes half the time of one over the characters of a string. */
export interface Units {
  readonly bytes: Buffer;
  readonly units: Uint16Array;
  /** what `units` holds: one pass follows another over the same text */
  text: string;
  from: number;
  count: number;
}

/** A scan may start another one on what it found, which needs units of its own. */
const spare: Units[] = [];

function made(): Units {
  const units = new Uint16Array(SIZE);
  return { bytes: Buffer.from(units.buffer), units, text: '', from: 0, count: 0 };
}

/** To be given back by `done`. A function that was handed over would cost more: it is called for every text, by several passes. */
export const unitsToFill = (): Units => spare.pop() ?? made();

export const done = (mine: Units): void => {
  spare.push(mine);
};

/** How many units of a text there are in `units` now from `from` on; 0 behind its end. Most texts are one stretch, so nobody should ask for less than the rest that matters. */
export function read(mine: Units, text: string, from: number): number {
  // Nothing is there any more; what was read last stays for the next pass.
  if (from >= text.length) return 0;
  if (mine.from !== from || mine.text !== text) fill(mine, text, from);
  return mine.count;
}

/** A shorter text is copied sooner here than by a call of the buffer. */
const SHORT = 40;

function fill(mine: Units, text: string, from: number): void {
  mine.text = text;
  mine.from = from;
  if (text.length <= SHORT) {
    mine.count = Math.max(0, text.length - from);
    for (let i = from; i < text.length; i++) mine.units[i - from] = text.charCodeAt(i);
    return;
  }
  const written = mine.bytes.write(from === 0 && text.length <= SIZE ? text : text.slice(from, from + SIZE), 0, 'utf16le');
  if (SWAPPED) mine.bytes.subarray(0, written).swap16();
  mine.count = written >> 1;
}
