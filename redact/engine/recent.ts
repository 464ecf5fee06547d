import { copyOf } from '../copy.ts';

/**
 * Answers for the texts that were asked last. Clients write one output several times, in one record and from record to
 * record, and the same short texts in each.
 */
export interface Recent<T> {
  get(text: string): T | undefined;
  set(text: string, answer: T): void;
}

const SIZE = 8;
/** Texts up to this length are kept by the thousand; of longer ones, up to the second, a few. In UTF-16 units. */
const SHORT = 64;
const LONGEST = 1 << 20;
const SHORT_MAX = 4096;

export function recent<T>(): Recent<T> {
  const texts = new Array<string>(SIZE).fill('');
  const answers = new Array<T | undefined>(SIZE).fill(undefined);
  let next = 0;
  const short = new Map<string, T>();
  return {
    get(text) {
      if (text.length <= SHORT) return short.get(text);
      const at = texts.indexOf(text);
      return at < 0 ? undefined : answers[at];
    },
    set(text, answer) {
      if (text.length > LONGEST) return;
      if (text.length <= SHORT) {
        if (short.size >= SHORT_MAX) short.clear();
        short.set(copyOf(text), answer);
        return;
      }
      let at = texts.indexOf(text);
      if (at < 0) {
        at = next;
        next = (next + 1) % SIZE;
      }
      texts[at] = text;
      answers[at] = answer;
    },
  };
}
