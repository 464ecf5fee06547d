import { entropy } from '../context/judge.ts';
import { type Check, readTo, setReadTo, type Word } from '../engine/layer.ts';
import type { Hit } from '../engine/ranges.ts';

const HEAD = /(?:set-)?cookie["'\\]{0,4}[ ]{0,2}[:=,][ ]{0,2}["'\\]{0,4}/iy;
const PAIR = /[ ]?([\w.$%-]{1,64})=([^;\s"'\\]{0,4096});?/y;
const PAIRS_MAX = 40;

interface Cookies {
  hits: Hit[];
  /** how far the pairs went */
  end: number;
}

/** Opaque values in the pairs of a Cookie header that starts at `at`. */
function cookieHeader(text: string, at: number): Cookies {
  HEAD.lastIndex = at;
  const head = HEAD.exec(text);
  return head ? cookiePairs(text, at + head[0].length) : { hits: [], end: at };
}

export function cookiePairs(text: string, from: number): Cookies {
  const hits: Hit[] = [];
  let at = from;
  for (let count = 0; count < PAIRS_MAX; count++) {
    PAIR.lastIndex = at;
    const pair = PAIR.exec(text);
    if (!pair) break;
    const value = pair[2] as string;
    const start = at + pair[0].indexOf('=') + 1;
    if (value.length >= 16 && /\d/.test(value) && entropy(value) > 3) hits.push({ start, end: start + value.length, kind: 'ck', rank: 0 });
    at += pair[0].length;
  }
  return { hits, end: at };
}

const header: Check = (text, at, _length, found) => {
  if (at < readTo(found, header)) return;
  const { hits, end } = cookieHeader(text, at);
  setReadTo(found, header, end);
  found.hits.push(...hits);
};

/** What starts a look for cookies. */
export const cookieWords: readonly Word[] = [{ text: 'cookie', payload: header }];
