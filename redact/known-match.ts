import type { KnownValue } from './known.ts';
import type { Check, Word } from './layer.ts';

/** How a known value is looked for: by a literal of it that the automaton finds, or one by one where it has none. */
export interface KnownForm {
  value: string;
  /** undefined: no run of ASCII in it is long enough */
  word: Word | undefined;
  check: Check;
}

/** Every form in which a value may be written, each with its check. */
export function knownForms(known: KnownValue): KnownForm[] {
  return spellings(known.value).map((value) => {
    const anchor = anchorOf(value);
    const check = knownCheck({ ...known, value }, anchor?.[1] ?? 0);
    return { value, word: anchor && { text: anchor[0], payload: check }, check };
  });
}

const isWord = (text: string, at: number): boolean => at >= 0 && at < text.length && /[\p{L}\p{N}]/u.test(text.charAt(at));
/** A shorter known value must not be part of a longer word. */
const FREE_FROM = 16;

/** The longest run of ASCII in a value, as anchor: [text, where it begins]. */
function anchorOf(value: string): [string, number] | undefined {
  let best: [string, number] | undefined;
  for (const run of value.matchAll(/[\x21-\x7e]{4,}/g)) if (!best || run[0].length > best[0].length) best = [run[0].slice(0, 12), run.index];
  return best;
}

function knownCheck({ value, kind, learned }: KnownValue, offset: number): Check {
  return (text, at, _length, found) => {
    const start = at - offset;
    if (start < 0 || !text.startsWith(value, start)) return;
    const end = start + value.length;
    if (value.length < FREE_FROM) {
      if (isWord(value, 0) && isWord(text, start - 1)) return;
      if (isWord(value, value.length - 1) && isWord(text, end)) return;
    }
    found.hits.push({ start, end, kind, rank: learned ? 1 : 2 });
  };
}

/** How else a known value may be written: for a URL, inside JSON, in base64. */
function spellings(value: string): string[] {
  const out = new Set([value]);
  // A lone surrogate has no form in a URL.
  if (!/[\ud800-\udfff]/.test(value)) out.add(encodeURIComponent(value));
  out.add(JSON.stringify(value).slice(1, -1));
  if (value.length >= 12) out.add(Buffer.from(value).toString('base64').replace(/=+$/, '').slice(0, -1));
  return [...out].filter((form) => form.length >= Math.min(value.length, 6));
}
