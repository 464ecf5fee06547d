import { type Check, type Found, readTo, setReadTo, type Word } from '../engine/layer.ts';
import type { Hit } from '../engine/ranges.ts';
import { rules } from '../rules/index.ts';
import { shape } from '../shapes/shape.ts';
import { ESCAPE_MARKS, unescaped } from './escapes.ts';
import { eachRun } from './runs.ts';
import { isLogin, unwrap, type Wrapped } from './wrapped.ts';

const withoutMark = rules.filter((rule) => rule.anchors.length === 0);
const unmarked = withoutMark.map(shape);
/** Any of them: most runs are none. */
const UNMARKED = new RegExp(withoutMark.map((rule) => rule.pattern.source).join('|'), 'y');

/** What a run of characters is: a token that has no mark, or text in base64 or hex. */
export function inRuns(text: string, found: Found): void {
  eachRun(text, (start, end) => {
    UNMARKED.lastIndex = start;
    if (UNMARKED.test(text)) for (const check of unmarked) check(text, start, 0, found);
    const run = found.depth > 0 ? unwrap(text, start, end) : undefined;
    if (!run) return end;
    for (const hit of wrappedHits(run, found.again(run.inner, found.depth - 1))) found.hits.push(hit);
    return run.end;
  });
}

/** Up to this many characters go as a whole when they wrap a secret; of more, such as an inline source map, only those that do. */
const WHOLE_MAX = 4096;

function wrappedHits(run: Wrapped, inner: readonly Hit[]): Hit[] {
  const { start, end } = run;
  if (!inner.length && !isLogin(run.inner)) return [];
  const [characters, bytes] = run.ratio;
  // Where lines are broken or the text is not all ASCII, characters cannot be counted off.
  const even = Math.abs(run.inner.length * characters - (end - start) * bytes) <= 8;
  if (end - start <= WHOLE_MAX || !even) return [{ start, end, kind: 'b64', rank: 1 }];
  const at = (place: number, round: (n: number) => number): number => Math.min(end, start + round(place / bytes) * characters);
  return inner.map((hit) => ({ start: at(hit.start, Math.floor), end: at(hit.end, Math.ceil), kind: 'b64', rank: 1 }));
}

/** Secrets that are told only once the escapes around and in them are undone. */
const escaped: Check = (text, at, _length, found) => {
  const from = readTo(found, escaped);
  if (found.depth <= 0 || at < from) return;
  const plain = unescaped(text, at, from);
  if (!plain) return;
  setReadTo(found, escaped, plain.end);
  for (const hit of found.again(plain.text, found.depth - 1))
    found.hits.push({ ...hit, start: plain.places[hit.start] as number, end: plain.places[hit.end] as number });
};

/** What starts a look behind escapes. */
export const escapeWords: readonly Word[] = ESCAPE_MARKS.map((text) => ({ text, payload: escaped }));
