/** Words that say nothing of what a sentence is about. */
const EMPTY = new Set(
  'the a an and or but of to in on at for with from by as is are was were be been it its this that these those then than also not no yes please can could should would will shall may must do does did done make makes made let lets get got have has had we you i they he she our your my their there here what which when where how why all any some one two first last next new now just only into out up down over again more most less too very so if else because about after before until while per via use used using add added adding run runs running need needs want wants like go goes going keep keeps'.split(
    ' ',
  ),
);
const CJK = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]/;
/** Pairs of characters that stand for no thing of their own. */
const EMPTY_PAIRS = new Set(
  '一下 这个 那个 我们 你们 他们 可以 需要 应该 然后 现在 先把 一个 就是 还是 不要 不用 的话 里面 上面 下面 之后 以后 以前 之前 已经 没有 如果 因为 所以 但是 而且 或者'.split(
    ' ',
  ),
);

/** What a text is about: its words without the empty ones, in lower case and without endings; of Chinese the pairs of characters; of a path also its last part. */
export function subjects(text: string): Set<string> {
  const found = new Set<string>();
  for (const [run] of text.toLowerCase().matchAll(/[a-z0-9_./\\-]+|[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+/g)) {
    if (CJK.test(run)) for (const pair of pairsOf(run)) found.add(pair);
    else for (const word of wordsOf(run)) found.add(word);
  }
  return found;
}

function* pairsOf(run: string): Generator<string> {
  for (let i = 0; i + 1 < run.length; i++) {
    const pair = run.slice(i, i + 2);
    if (!EMPTY_PAIRS.has(pair)) yield pair;
  }
}

function* wordsOf(run: string): Generator<string> {
  const word = run.replace(/^[./\\_-]+|[./\\_-]+$/g, '');
  if (word.length < 2 || EMPTY.has(word)) return;
  yield stem(word);
  const parts = word.split(/[/\\._-]+/).filter((part) => part.length > 2 && !EMPTY.has(part));
  if (parts.length > 1) for (const part of parts) yield stem(part);
}

/** Near enough to tell "tests" and "testing" from "test": nobody reads it. */
const stem = (word: string): string => (word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, '') : word);

/** How much of the shorter one's subjects the other shares, from 0 to 1. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  if (!small.size) return 0;
  let shared = 0;
  for (const word of small) if (large.has(word)) shared++;
  return shared / small.size;
}
