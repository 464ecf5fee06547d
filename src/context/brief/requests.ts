import type { Evidence, Statement } from '#context/evidence/evidence.ts';
import type { Words } from '#context/words/index.ts';
import { cite } from './cite.ts';
import type { Overridden } from './overrides.ts';
import { partsOf } from './said.ts';
import type { Point } from './value.ts';

/**
 * What the user asked for, in the user's own words: the first request as it is, though later words may replace some of it (then it says so);
 * every later one that says more than "go on", without what was replaced.
 */
export function requests(evidence: Evidence, replaced: readonly Overridden[], words: Words): Point[] {
  const said = evidence.statements.filter(({ by }) => by === 'user');
  return said.flatMap((statement, at) => {
    const text = ownText(statement, words);
    const gone = replaced.filter(({ n }) => n === statement.n);
    if (at === 0) return text ? [pointOf(statement, text, gone.map(supersededIn(text)).join(' '))] : [];
    const rest = left(text, gone);
    return rest && !isSmallTalk(rest, words) ? [pointOf(statement, rest, '')] : [];
  });
}

const pointOf = (statement: Statement, text: string, mark: string): Point => ({ text, cites: [cite.statement(statement)], origin: 'user', mark });

const supersededIn =
  (text: string) =>
  ({ text: sentence, by }: Overridden): string =>
    sentence === text ? `(superseded by #${by})` : `("${sentence}" superseded by #${by})`;

/** Of a message with something pasted into it, what was typed. */
function ownText(statement: Statement, words: Words): string {
  return partsOf(statement, words)
    .own.map((part) => part.text)
    .join('\n…\n');
}

function left(text: string, gone: readonly Overridden[]): string {
  let rest = text;
  for (const one of gone) rest = rest.replace(one.text, () => `${one.rest} …`);
  return rest.replace(/^[\s…]+|[\s…]+$/g, '');
}

/** In UTF-16 units: who only says "yes, go on" says no more. */
const SHORT = 40;
const isSmallTalk = (text: string, words: Words): boolean => text.length <= SHORT && words.small_talk.test(text);
