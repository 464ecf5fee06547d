import type { Evidence, Operation, Statement } from '#context/evidence/evidence.ts';
import { claimsSuccess } from './claims.ts';
import { tells } from './findings.ts';
import { subjects } from './likeness.ts';
import { sentences } from './sentences.ts';

/** A sentence that says why something went wrong, or what mended it. */
export interface Explanation {
  text: string;
  by: Statement['by'];
  n: number;
}

export interface Asked {
  /** the error */
  text: string;
  /** files that were changed until it had gone */
  files: readonly string[];
  from: Operation;
  /** where it had gone; undefined: nowhere */
  to: Operation | undefined;
}

const WHY =
  /\b(?:because|cause[ds]?|due to|reason|culprit|turn(?:s|ed) out|that(?:'|’)?s why|forgot|forgets?|was missing|is missing|lacked|never (?:set|called|closed|awaited|reset)|(?:comes?|came|stems?|stemmed|result(?:s|ed)) from|fix(?:ed|es)?|mend(?:ed|s)?|the (?:problem|issue|bug)|a real bug|the slow part)\b|因为|由于|原因|根因|问题(?:在于|出在|是)|导致|修复|修好|改成|改为|忘了|漏了|缺少|缺了|所以/i;
/** What is only meant to be done, or asked. */
const NOT_YET =
  /\?|？|^(?:let me|let(?:'|’)s|i(?:'|’)ll|i will|now i|next|maybe|perhaps|can you|could you|please|if )|\b(?:might|may be|probably|perhaps|maybe|suspect)\b|可能|也许|怀疑|是不是|大概|我(?:来|先|去)|先看/i;
/** So many statements after the error, and behind what showed that it has gone, are looked at. */
const STATEMENTS_MAX = 30;
const BEHIND = 2;
const QUOTES_MAX = 2;
/** So many statements behind the error speak of it. */
const NEXT = 2;
/** A word that says why counts as much as so many shared ones. */
const WHY_SCORE = 2;
/** Longer ones are no short quote. In UTF-16 units. */
const QUOTE_MAX = 400;

/** Who says why an error came about, or what fixed it: sentences between the error and its end that share words with it or name a changed file. */
export function explanation({ statements }: Evidence, { text, files, from, to }: Asked): Explanation[] {
  const about = subjects(`${text} ${files.join(' ')}`);
  const start = statements.findIndex(({ at }) => at.order > from.ended.order);
  if (start < 0) return [];
  const end = to ? statements.findIndex(({ at }) => at.order > to.ended.order) : -1;
  const range = statements.slice(start, Math.min(start + STATEMENTS_MAX, end < 0 ? statements.length : end + BEHIND));
  const found = range.flatMap((statement, at) => reasons(statement, about, at < NEXT && (!to || statement.at.order < to.ended.order)));
  return found
    .toSorted((a, b) => b.score - a.score || a.n - b.n)
    .slice(0, QUOTES_MAX)
    .toSorted((a, b) => a.n - b.n)
    .map(({ text, by, n }) => ({ text, by, n }));
}

/** What is said next of an error tells why also without a word for it, where it speaks of the same things. */
function reasons({ text, by, n }: Statement, about: ReadonlySet<string>, next: boolean): (Explanation & { score: number })[] {
  if (!next && !WHY.test(text)) return [];
  const all = sentences(text);
  return all.flatMap((sentence, at) => {
    const { kind, text: said } = sentence;
    if ((kind !== 'prose' && kind !== 'item') || said.length > QUOTE_MAX || NOT_YET.test(said) || claimsSuccess(said)) return [];
    const shared = [...subjects(said)].filter((word) => about.has(word)).length;
    const why = WHY.test(said);
    if (why ? shared === 0 : !next || by !== 'assistant' || shared < 2) return [];
    // What follows says what to do about it.
    const following = all[at + 1];
    const more = why && by === 'assistant' && following && tells(following, sentence) && !NOT_YET.test(following.text) ? following : sentence;
    return [{ text: text.slice(sentence.start, more.end), by, n, score: shared + (why ? WHY_SCORE : 0) }];
  });
}
