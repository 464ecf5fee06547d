import type { Evidence, Statement } from '#context/evidence/evidence.ts';
import { shortenText } from '#context/shorten.ts';
import { cite } from './cite.ts';
import type { Claim } from './claims.ts';
import type { Point } from './value.ts';

/** A longer account is told by its head and tail. In UTF-16 units. */
const LONGEST = 3000;

/** What the assistant said last, if nobody spoke after it: without what operations refute; what none shows is a point of its own and says so. */
export function lastWord({ statements }: Evidence, claims: readonly Claim[]): Point[] {
  const last = statements.at(-1);
  if (last?.by !== 'assistant') return [];
  const own = claims.filter(({ n }) => n === last.n);
  const unproven = own.filter(({ standing }) => standing === 'not shown').map(({ text }) => pointOf(last, text, '(claimed, not shown)'));
  const rest = without(
    last.text,
    own.filter(({ standing }) => standing !== 'shown').map(({ text }) => text),
  );
  return [...(rest ? [pointOf(last, shortenText(rest, LONGEST), '')] : []), ...unproven];
}

const pointOf = (statement: Statement, text: string, mark: string): Point => ({ text, cites: [cite.statement(statement)], origin: 'assistant', mark });

function without(text: string, sentences: readonly string[]): string {
  let rest = text;
  for (const sentence of sentences) rest = rest.replace(sentence, '…');
  return rest.replace(/^[\s…]+|[\s…]+$/g, '');
}
