import type { Evidence, Operation } from '#context/evidence/evidence.ts';
import type { ShellCommand } from '#context/shell/commands.ts';
import { type Effect, effectsOf } from '#context/shell/effects.ts';
import { happened } from '#context/shell/happened.ts';
import { resolvePath } from '#context/shell/paths.ts';
import type { FileChange, Outcome } from '#session/action.ts';
import { GitLedger, type PrintedCommit, printedCommits } from './git-ledger.ts';
import { Ledger, type Step } from './ledger.ts';
import { once } from './once.ts';
import { outcomeOf, shellOf } from './shell-runs.ts';

/** Files and commits as the operations of a session leave them. */
export interface Replayed {
  files: Ledger;
  git: GitLedger;
}

/** Goes through the operations in order, and books what each did to files. What failed or was refused did nothing. Worked out once for an evidence. */
export const replay = once((evidence: Evidence): Replayed => {
  const { operations, source } = evidence;
  const files = new Ledger();
  const git = new GitLedger(files);
  for (const operation of operations) {
    operation.actions.forEach((action, at) => {
      const done = { operation, outcome: outcomeOf(operation, at) };
      if (action.kind === 'run') {
        const printed = printedCommits(done.outcome.output);
        for (const command of shellOf(evidence, action)) run(command, done, { files, git }, printed);
      } else if (action.kind === 'change') for (const change of action.files) edit(change, done, files, source.cwd);
      else if (action.kind === 'read') for (const path of action.paths) look(path, done, files, source.cwd);
    });
  }
  return { files, git };
});

interface Done {
  operation: Operation;
  outcome: Outcome;
}

function run(command: ShellCommand, { operation, outcome }: Done, { files, git }: Replayed, printed: PrintedCommit[]): void {
  const [name, ...words] = command.words;
  if (name === 'git' && words.some((word) => ASKS_ID.test(word))) git.learnIds(outcome.output, words.includes('HEAD'));
  const effects = effectsOf(command);
  const certainty = effects.length ? happened(command, outcome) : 'no';
  for (const effect of effects) {
    const step = stepOf(operation, effect.kind === 'commit' ? commits(certainty, outcome.output, printed) : certainty === 'yes');
    if (!step.sure && certainty === 'no') continue;
    if (isOfFile(effect)) files.apply(effect, step);
    else if (step.sure) git.apply(effect, step, printed);
  }
}

const ASKS_ID = /^(?:log|rev-parse|reflog|show)$/;

/** What Git prints of a commit outweighs exit codes. */
const commits = (certainty: string, output: string, printed: readonly PrintedCommit[]): boolean =>
  printed.length > 0 || (certainty === 'yes' && !/\bnothing (?:added )?to commit\b|无文件要提交/.test(output));

const OF_FILE = new Set<string>(['read', 'write', 'edit', 'make', 'delete', 'move', 'copy']);
const isOfFile = (effect: Effect): effect is Parameters<Ledger['apply']>[0] => OF_FILE.has(effect.kind);

function edit({ path, change, to, swaps }: FileChange, { operation, outcome: { state } }: Done, files: Ledger, root: string): void {
  const from = resolvePath(path, root);
  if (state === 'failed' || state === 'refused' || from === undefined) return;
  const step = stepOf(operation, state === 'done');
  const target = to === undefined ? undefined : resolvePath(to, root);
  if (change === 'renamed') {
    if (target === undefined) return;
    files.apply({ kind: 'move', from, to: target, into: false }, step);
    if (swaps?.length) files.apply({ kind: 'edit', path: target }, step, swaps);
  } else files.apply({ kind: KINDS[change], path: from }, step, swaps);
}

const KINDS = { created: 'write', changed: 'edit', deleted: 'delete' } as const;

function look(path: string, { operation, outcome }: Done, files: Ledger, root: string): void {
  const at = resolvePath(path, root);
  if (outcome.state === 'done' && at !== undefined) files.apply({ kind: 'read', path: at }, stepOf(operation, true));
}

const stepOf = ({ n, ended }: Operation, sure: boolean): Step => ({ operation: n, order: ended.order, sure });
