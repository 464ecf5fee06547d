/** So long is a text that a pattern is tried on: what it gets to see of a session at once (custom.ts). In UTF-16 units. */
const LENGTH = 4000;
/** Places of a sample at which a part of it is said over and over. */
const PLACES = 24;
const SAMPLE_MAX = 200;
/** What no pattern expects, so that it tries every other way before it gives up. */
const TAIL = '\u0001\n';

const TOKEN = /\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|[pk][{<][^}>]*[}>]|.)|\[(?:\\.|[^\]\\])*\]|[^()|?*+{}^$]/gisu;
const CANDIDATES = 'aA0-_. /:@="\n,;#é中';

/** The first character that a literal or a class of a pattern stands for; "" where it stands for none. */
function sampleOf(token: string, flags: string): string {
  try {
    const one = new RegExp(`^${token}$`, flags);
    return [token, ...CANDIDATES].find((char) => one.test(char)) ?? '';
  } catch {
    return '';
  }
}

/** What groups and repetitions are written with, and is no character of what is matched. */
const SYNTAX = /(?<!\\)\(\?(?:[:=!]|<[=!]|<\w+>)|(?<!\\)\{\d*,?\d*\}/g;

/** Characters of the pattern, alone and up to three together, with all that the pattern has before them. */
function partsOf(source: string, flags: string): { part: string; before: string }[] {
  const chars = [...source.replace(SYNTAX, '(').matchAll(TOKEN)].slice(0, 64).map(([token]) => sampleOf(token, flags));
  return chars.flatMap((_, i) => [1, 2, 3].map((length) => ({ part: chars.slice(i, i + length).join(''), before: chars.slice(0, i).join('') })));
}

const pumped = (before: string, part: string): string => before + part.repeat(Math.ceil((LENGTH - before.length) / part.length)) + TAIL;

/**
 * Texts on which a careless pattern runs for ever: parts of it, and of texts that it matches, said over and over.
 * @param samples texts that the pattern matches
 */
export function hostileTexts(source: string, flags: string, samples: readonly string[]): string[] {
  const texts = new Set<string>();
  const add = (before: string, part: string): void => {
    if (part) texts.add(pumped(before, part));
  };
  const short = samples.map((one) => one.slice(0, SAMPLE_MAX));
  for (const { part, before } of partsOf(source, flags)) for (const head of ['', before, ...short]) add(head, part);
  for (const sample of short) {
    const step = Math.max(1, Math.floor(sample.length / PLACES));
    for (let at = 0; at < sample.length; at += step) for (const length of [1, 2, 5]) add(sample.slice(0, at), sample.slice(at, at + length));
  }
  return [...texts];
}
