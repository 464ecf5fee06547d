import type { Evidence, Operation } from '#context/evidence/evidence.ts';
import { checkOf, type ShellCheck } from '#context/shell/checks.ts';
import type { ShellCommand } from '#context/shell/commands.ts';
import type { Outcome } from '#session/action.ts';
import { figuresOf } from './figures.ts';
import { once } from './once.ts';
import { endOf, linesOf } from './output.ts';
import { outcomeOf, shellOf } from './shell-runs.ts';
import type { Check } from './value.ts';
import { failedOf, verdictOf } from './verdict.ts';

/** One run of a check. */
export interface CheckRun extends ShellCheck {
  operation: Operation;
  outcome: Outcome;
  /** as typed */
  command: string;
  result: Check['result'];
  numbers: string[];
}

/** All runs of checks in a session, in order. What was refused did not run. Worked out once for an evidence. */
export const checkRuns = once((evidence: Evidence): readonly CheckRun[] =>
  evidence.operations.flatMap((operation) =>
    operation.actions.flatMap((action, at) => {
      const outcome = outcomeOf(operation, at);
      return action.kind === 'run' && outcome.state !== 'refused' ? runsOf(shellOf(evidence, action), operation, outcome) : [];
    }),
  ),
);

interface Found {
  command: ShellCommand;
  check: ShellCheck;
}

function runsOf(commands: readonly ShellCommand[], operation: Operation, outcome: Outcome): CheckRun[] {
  const all = commands.flatMap((command) => {
    const check = checkOf(command);
    return check ? [{ command, check }] : [];
  });
  const found = all.filter(({ check }) => !check.foreign);
  const chain = found.filter(({ command }) => command.decides);
  const failed =
    outcome.state === 'failed' && chain.length > 1
      ? chain[
          failedOf(
            chain.map(({ check }) => check.kind),
            outcome.output,
          )
        ]
      : undefined;
  const past = failed ? found.slice(0, found.indexOf(failed) + 1) : found;
  // They share one output: its figures are those of the one that failed, else of the last that counts.
  const counting = failed ?? past.findLast(({ check: { kind } }) => kind === 'test' || kind === 'bench') ?? past.at(-1);
  const runs = past.map((one): CheckRun => {
    const { command, check } = one;
    const result = failed && command.decides ? (one === failed ? 'failed' : 'passed') : verdictOf(command, outcome, check, past.length > 1);
    const numbers = one === counting ? figuresOf(linesOf(outcome.output), check) : [];
    // A measurement that gave figures has run, whatever hides its exit code.
    const measured = result === 'unknown' && check.kind === 'bench' && numbers.length > 0 && outcome.state === 'done';
    return { ...check, operation, outcome, command: command.text, result: measured ? 'passed' : result, numbers };
  });
  const foreign = failed ? undefined : all.findLast(({ check }) => check.foreign);
  return foreign ? [...runs, foreignRun(foreign, operation, outcome, new Set(runs.flatMap(({ numbers }) => numbers)))] : runs;
}

/** A tool that nobody knows tells its results so near the end of its output. In UTF-16 units. */
const RESULT_MAX = 1500;
const RESULT_LINES = 15;

/** Of a script what the last tool that nobody knows has told, beside what belongs to its checks. */
function foreignRun({ command, check }: Found, operation: Operation, outcome: Outcome, known: ReadonlySet<string>): CheckRun {
  const ended = outcome.state === 'done' || outcome.state === 'failed';
  const numbers = ended ? figuresOf(linesOf(endOf(outcome.output, RESULT_MAX)).slice(-RESULT_LINES), check).filter((figure) => !known.has(figure)) : [];
  const result = outcome.state === 'failed' && command.last ? 'failed' : 'unknown';
  return { ...check, operation, outcome, command: command.text, result, numbers };
}
