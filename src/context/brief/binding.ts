import type { Evidence } from '#context/evidence/evidence.ts';
import type { Words } from '#context/words/index.ts';
import { answers } from './answers.ts';
import { binds } from './binds.ts';
import { cite, quote } from './cite.ts';
import { documentRules } from './document-rules.ts';
import { saidIn, statementsOf } from './said.ts';
import type { Point } from './value.ts';

/**
 * All that the user has said that binds the work, in any turn, in passing, within a long text or as an answer: whole sentences, verbatim, in their order and each once,
 * as many as there are. A point that stands in a pasted document is marked as such. Line feeds within a sentence stay.
 */
export function binding(evidence: Evidence, words: Words): Point[] {
  const all = statementsOf(evidence, words);
  const answered = answers(evidence, words);
  const points = all.flatMap(({ statement }): Point[] => {
    const answer = answered.get(statement.n);
    const said = saidIn(statement, words)
      .map(({ text, under }) => ({ text, bound: binds(text, words), under }))
      .filter(({ text, bound, under }) => (bound || (under !== undefined && leads(under, words))) && !answer?.text.includes(text))
      .map(({ text, bound, under }): Point => point(bound || !under ? text : `${quote(under)} ${quote(text)}`, cite.statement(statement)));
    return [...(answer ? [answer] : []), ...said];
  });
  return once([...points, ...documentRules(all, words)]);
}

const point = (text: string, from: string): Point => ({ text, cites: [from], origin: 'user', mark: '' });

/** "Do not touch:" and "Constraints:" bind what stands under them. */
const leads = (lead: string, words: Words): boolean =>
  lead.length < 200 &&
  (binds(lead, words) ||
    /\b(?:constraints?|rules?|requirements?|must|limits?|non-goals?|out of scope|don['’]?ts?)\b|约束|要求|规则|限制|禁止|不做|范围|注意/i.test(lead));

/** Each sentence once, with all the places where it was said. */
function once(points: readonly Point[]): Point[] {
  const found = new Map<string, Point>();
  for (const one of points) {
    const key = one.text
      .toLowerCase()
      .replace(/[\s.,;:!。，；！*_`]+/g, ' ')
      .trim();
    const known = found.get(key);
    if (known) known.cites = [...new Set([...known.cites, ...one.cites])];
    else found.set(key, { ...one });
  }
  return [...found.values()];
}
