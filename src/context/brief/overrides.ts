import type { Evidence } from '#context/evidence/evidence.ts';
import type { Words } from '#context/words/index.ts';
import { binds } from './binds.ts';
import { cite } from './cite.ts';
import { everything, type Held } from './held.ts';
import { once } from './once.ts';
import { type Clause, type Remark, remarkOf } from './remarks.ts';
import { saidIn, statementsOf } from './said.ts';
import { Standing } from './standing.ts';
import type { Point } from './value.ts';

/** A sentence of the user that a later one replaces, as a whole or in part. */
export interface Overridden {
  /** #n of the statement that it stands in */
  n: number;
  /** the sentence, verbatim */
  text: string;
  /** #n of the last statement that replaces it */
  by: number;
  /** What of it still holds, verbatim; "" where nothing does. Of a clause that says much else it is all: there only one value is another. */
  rest: string;
}

/**
 * The user's sentences that later ones replace. Both have to concern the same thing: they set one value of the same kind for the same purpose, or the later one names what
 * it gives up, allows what was forbidden, or goes back. Of several changes the last counts; who returns to the first value restores the first sentence.
 */
export const overridden = once((evidence: Evidence, words: Words): readonly Overridden[] => {
  const standing = new Standing();
  for (const { statement } of statementsOf(evidence, words)) {
    for (const said of saidIn(statement, words)) {
      const remark = remarkOf(said, words);
      if (remark) standing.add(remark);
    }
  }
  return bySentence(standing.replaced(), words);
});

function bySentence(replaced: ReadonlyMap<Held, Remark>, words: Words): Overridden[] {
  const found = new Map<Remark, { by: number; gone: Set<Clause> }>();
  for (const [{ remark, clause }, by] of replaced) {
    const known = found.get(remark) ?? { by: 0, gone: new Set() };
    known.by = Math.max(known.by, by.said.statement.n);
    if (!saysMore(clause, by)) known.gone.add(clause);
    found.set(remark, known);
  }
  return [...found].map(([{ said, clauses }, { by, gone }]) => ({ n: said.statement.n, text: said.text, by, rest: restOf(clauses, gone, words) }));
}

/** Subjects that a clause may have beside those of what replaces it; of Chinese, where each character begins one, twice as many. */
const MORE = 4;

/** Says so much else that not all of it can be meant: "the export runs at 02:30 as one CSV file, ..." when only the time is another. */
function saysMore(clause: Clause, by: Remark): boolean {
  const replaced = new Set(by.clauses.flatMap((one) => [...everything(one)]));
  const others = [...clause.topic].filter((word) => !replaced.has(word));
  return others.reduce((sum, word) => sum + (/[\u3400-\u9fff]/.test(word) ? 0.5 : 1), 0) > MORE;
}

function restOf(clauses: readonly Clause[], gone: ReadonlySet<Clause>, words: Words): string {
  const left = clauses.filter((clause) => !gone.has(clause));
  if (left.every((clause) => !binds(clause.text, words) && clause.topic.size < 2)) return '';
  return left.map((clause) => clause.text).join(' … ');
}

/**
 * Which of the points a later statement of the user replaces: `by` its number, `rest` what still holds of the point, verbatim ("" where all of it is replaced).
 * Points of a pasted document or of others than the user are left as they are.
 */
export function overrides(points: readonly Point[], evidence: Evidence, words: Words): Map<Point, { by: number; rest: string }> {
  const gone = overridden(evidence, words);
  const found = new Map<Point, { by: number; rest: string }>();
  for (const point of points) {
    if (point.origin !== 'user') continue;
    // Said more than once: the last time counts.
    const last = Math.max(...point.cites.map((one) => (/^#\d+$/.test(one) ? Number(one.slice(1)) : 0)));
    const within = gone.filter((one) => one.n === last && point.cites.includes(cite.statement(one)) && point.text.includes(one.text));
    if (within.length) found.set(point, { by: Math.max(...within.map((one) => one.by)), rest: leftOf(point.text, within) });
  }
  return found;
}

/** What is left of a text when the sentences are taken out of it, but for what still holds of them. */
function leftOf(text: string, gone: readonly Overridden[]): string {
  const answer = /^asked: [\s\S]*; answered: (["“][\s\S]*["”])$/.exec(text)?.[1]?.slice(1, -1) ?? text;
  let rest = answer;
  for (const one of gone) rest = rest.replace(one.text, () => `${one.rest} …`);
  return rest.replace(/^[\s"“”….,;]+|[\s"“”…,;]+$/g, '');
}
