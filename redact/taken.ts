/** A secret that was taken out, before it counts. */
export interface Taken {
  kind: string;
  value: string;
  rank: 0 | 1 | 2;
  /** where it stood in the text that was looked at, in UTF-16 units */
  at?: number;
}
