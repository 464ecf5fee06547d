import type { Evidence } from '#context/evidence/evidence.ts';
import { type CheckRun, checkRuns } from './check-runs.ts';
import { cite } from './cite.ts';
import { lastEdit } from './last-edit.ts';
import type { Check } from './value.ts';

/** The last run of each check, in the order of these runs. */
export function checks(evidence: Evidence): Check[] {
  const edited = lastEdit(evidence);
  return lastRuns(checkRuns(evidence)).map(({ operation, command, result, numbers }) => ({
    command,
    cite: cite.operation(operation),
    record: { stream: operation.at.stream, record: operation.at.record },
    result,
    numbers,
    afterLastEdit: operation.n >= edited,
  }));
}

/** Programs and tools that only told figures: of so many, the last ones. */
const TOLD_MAX = 15;
/** Of the selections of one check that passed the last ones are told: they say less than the whole does. */
const SELECTIONS_MAX = 5;

/**
 * Of each check the last run; a selection of a check (one file, one case) is told by the whole where that has passed since.
 * A program of the project counts where its output tells how it went, any other tool where it tells figures.
 */
export function lastRuns(runs: readonly CheckRun[]): CheckRun[] {
  const last = new Map<string, CheckRun>();
  for (const run of runs) {
    if (run.program && !run.numbers.length && (run.foreign || run.result === 'passed' || (run.result === 'unknown' && run.outcome.state === 'done'))) {
      // It ran at last, and has nothing to show: what it said before holds no more.
      last.delete(run.key);
      continue;
    }
    last.delete(run.key);
    last.set(run.key, run);
  }
  const shown = [...last.values()].filter(({ within, operation }) => {
    const whole = within === undefined ? undefined : last.get(within);
    return !(whole && whole.result === 'passed' && whole.operation.n > operation.n);
  });
  const told = new Set(shown.filter(({ program, result }) => program && result !== 'failed').slice(0, -TOLD_MAX));
  return shown.filter((run, at) => !told.has(run) && (run.within === undefined || run.result !== 'passed' || later(shown, run, at) < SELECTIONS_MAX));
}

/** How many selections of the same check passed after this one. */
const later = (runs: readonly CheckRun[], { within }: CheckRun, at: number): number =>
  runs.slice(at + 1).filter((other) => other.within === within && other.result === 'passed').length;
