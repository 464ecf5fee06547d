import type { Hit, Range } from './ranges.ts';

/** What one scan of a text collects. */
export interface Found {
  hits: Hit[];
  /** placeholders that stand in the text already */
  masks: Range[];
  /** how deep wrapped text (base64) is still opened */
  depth: number;
  /** how far a check has read already, by check: a text made of anchors would else cost the square of its length */
  readTo: Map<unknown, number>;
  /** places where one of secretlint's rules wants to look */
  gated: Map<unknown, number[]>;
  /** the scan itself, for what is encoded in the text */
  again: (text: string, depth: number) => boolean;
}

/** Looks at a text where one of its literals stands, and adds what it finds. Reads a bounded stretch. */
export type Check = (text: string, at: number, length: number, found: Found) => void;

/** A literal (small letters; ASCII case is folded) and what it starts. */
export interface Word {
  text: string;
  payload: Check;
}

/** A group of checks that the engine runs beside the others in the same pass. */
export interface Layer {
  /** part of the engine's id: another one for whatever finds something else */
  readonly id: string;
  readonly words: readonly Word[];
  /** Looks once at the whole text after the words. `name`: what the text stands under, "" where there is none. */
  whole?(text: string, name: string, found: Found): void;
}
