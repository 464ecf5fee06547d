import type { Evidence, Operation } from '#context/evidence/evidence.ts';
import { readScript, type ShellCommand } from '#context/shell/commands.ts';
import { resolvePath } from '#context/shell/paths.ts';
import type { Action, Outcome } from '#session/action.ts';
import { once } from './once.ts';

type Run = Extract<Action, { kind: 'run' }>;

/** How one action of an operation ended. */
export const outcomeOf = ({ outcome }: Operation, at: number): Outcome => outcome.parts?.[at] ?? outcome;

/** The commands of a shell action, each with the folder where it ran. Worked out once for an evidence. */
export function shellOf(evidence: Evidence, action: Run): ShellCommand[] {
  return readAll(evidence).get(action) ?? [];
}

/** Goes through the operations in order, since a shell that the client keeps goes on where it was left. */
const readAll = once(({ operations, source }: Evidence): ReadonlyMap<Run, ShellCommand[]> => {
  const all = new Map<Run, ShellCommand[]>();
  let kept: string | undefined = source.cwd;
  for (const operation of operations) {
    operation.actions.forEach((action, at) => {
      if (action.kind !== 'run') return;
      const { command, cwd, shell } = action;
      const start = cwd === undefined ? (shell === undefined ? source.cwd : kept) : resolvePath(cwd, source.cwd);
      const read = readScript(command, start);
      all.set(action, read.commands);
      if (shell === undefined) return;
      if (shell !== 'kept') kept = resolvePath(shell, source.cwd);
      else if (moved(outcomeOf(operation, at))) kept = read.cwd;
    });
  }
  return all;
});

/** What goes on in the background has a shell of its own; what was not run, or found no such folder, left it where it was. */
const moved = ({ state, output }: Outcome): boolean => (state === 'done' || state === 'failed') && !/\bcd: /.test(output);
