import { entropy } from './judge.ts';
import { isPersonal } from './pii.ts';

/** A secret that was taken out, before it counts. */
export interface Taken {
  kind: string;
  value: string;
  rank: 0 | 1 | 2;
  /** where it stood in the text that was looked at, in UTF-16 units */
  at?: number;
}

const LEARN_FROM = 8;
const LEARN_TO = 4000;
/** Kinds that people choose themselves: these may be words. */
const CHOSEN = new Set(['url', 'db', 'cli', 'hdr']);

/** Is a value that was found once to be taken out wherever it stands? Not where it might be an ordinary word. */
export function worthLearning({ kind, value, rank }: Taken): boolean {
  if (value.length < LEARN_FROM || value.length > LEARN_TO || rank === 2) return false;
  if (kind === 'b64' || isPersonal(kind)) return false;
  if (rank === 1 && !CHOSEN.has(kind)) return true;
  return /\d/.test(value) && /[A-Za-z]/.test(value) && entropy(value) > 2.5;
}
