import type { Evidence } from '#context/evidence/evidence.ts';
import { checkRuns } from './check-runs.ts';

/** A figure with decimals or with at least three digits: what a run printed, hardly by chance. */
const FIGURE = /\d+[.,]\d+|\d{3,}/g;
/** What a tool printed that nobody knows may be the number of something. */
const DECIMAL = /\d+\.\d+/g;

/**
 * Whether a sentence names figures of a run that was repeated since, with another result: the last one holds.
 * `order`: the sentence's place.
 */
export function staleFigures(evidence: Evidence): (sentence: string, order: number) => boolean {
  const byKey = new Map<string, { order: number; figures: Set<string> }[]>();
  for (const { key, operation, outcome, numbers, foreign } of checkRuns(evidence)) {
    if (outcome.state !== 'done' && outcome.state !== 'failed') continue;
    const run = { order: operation.ended.order, figures: new Set(numbers.join('\n').match(foreign ? DECIMAL : FIGURE) ?? []) };
    const runs = byKey.get(key);
    if (runs) runs.push(run);
    else byKey.set(key, [run]);
  }
  const repeated = [...byKey.values()].filter((runs) => runs.length > 1);
  return (sentence, order) => {
    const figures = sentence.match(FIGURE) ?? [];
    return repeated.some((runs) => {
      const last = runs.at(-1) as { order: number; figures: Set<string> };
      if (last.order <= order) return false;
      return figures.some((figure) => !last.figures.has(figure) && runs.some((run) => run.order <= order && run.figures.has(figure)));
    });
  };
}
