import type { Evidence, Operation } from '#context/evidence/evidence.ts';
import { LOOKING } from '#context/shell/aside.ts';
import type { ShellCommand } from '#context/shell/commands.ts';
import { type CheckRun, checkRuns } from './check-runs.ts';
import { errorsIn, type Stated } from './error-lines.ts';
import { linesOf } from './output.ts';
import { outcomeOf, shellOf } from './shell-runs.ts';

/** A run of something that may show an error, or that one has gone. */
export interface Trial {
  operation: Operation;
  /** what was run, as typed; of a script the command that tells most */
  command: string;
  /** the same for the same run */
  key: string;
  check: CheckRun | undefined;
  ended: 'well' | 'badly' | 'unknown';
  errors: Stated[];
  /** errors that are not among them */
  more: number;
}

/** Everything that was run, in order. */
export function trials(evidence: Evidence): Trial[] {
  const checks = new Map<Operation, CheckRun[]>();
  for (const run of checkRuns(evidence)) if (!run.foreign) checks.set(run.operation, [...(checks.get(run.operation) ?? []), run]);
  return evidence.operations.flatMap((operation) => {
    const found = checks.get(operation) ?? [];
    return found.length ? found.map((check) => checkTrial(check, found.length > 1)) : otherTrials(operation, evidence);
  });
}

function checkTrial(check: CheckRun, shared: boolean): Trial {
  const { operation, outcome, command, key, result } = check;
  const ended = result === 'passed' ? 'well' : result === 'failed' ? 'badly' : 'unknown';
  // Where several share one output, its errors are those of the one that failed.
  const stated = ended === 'badly' || (ended === 'unknown' && !shared) ? errorsIn(linesOf(outcome.output)) : { errors: [], more: 0 };
  return { operation, command, key, check, ended, ...stated };
}

function otherTrials(operation: Operation, evidence: Evidence): Trial[] {
  return operation.actions.flatMap((action, at): Trial[] => {
    if (action.kind !== 'run') return [];
    const outcome = outcomeOf(operation, at);
    const main = mainOf(shellOf(evidence, action));
    if (!main || (outcome.state !== 'done' && outcome.state !== 'failed')) return [];
    const stated = outcome.state === 'failed' ? errorsIn(linesOf(outcome.output)) : { errors: [], more: 0 };
    return [
      {
        operation,
        command: main.text,
        key: `${main.words.join(' ')}@${main.cwd ?? ''}`,
        check: undefined,
        ended: outcome.state === 'failed' ? 'badly' : 'well',
        ...stated,
      },
    ];
  });
}

/** Of a script the last command that does something. */
const mainOf = (commands: readonly ShellCommand[]): ShellCommand | undefined =>
  commands.findLast(({ words: [name] }) => name !== undefined && !LOOKING.test(name));
