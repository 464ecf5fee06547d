import type { Evidence, Operation } from '#context/evidence/evidence.ts';
import { shownPath } from '#context/shell/paths.ts';
import { cite, code, quote } from './cite.ts';
import { explanation } from './explanation.ts';
import { type Trial, trials } from './failures.ts';
import { withoutContext } from './file-record.ts';
import { replay } from './replay.ts';
import type { Point } from './value.ts';

/** An error from the first time it was seen to the last. */
interface Met {
  quotes: string[];
  signature: string;
  first: Trial;
  last: Trial;
  /** after it was seen last: the run that shows that it has gone */
  gone?: Trial;
}

/** Of the command that an error came from so much is quoted. In UTF-16 units. */
const COMMAND_MAX = 160;
const FILES_MAX = 4;

/** The errors of a session, each once with its last state: what it came from, what fixed it, and who says why. What was refused follows. */
export function errors(evidence: Evidence): Point[] {
  const changed = changesOf(evidence);
  const met = follow(trials(evidence)).map((one) => ({ at: one.first.operation.n, point: pointOf(one, evidence, changed) }));
  const refused = evidence.operations.filter(({ outcome }) => outcome.state === 'refused').map((operation) => ({ at: operation.n, point: refusal(operation) }));
  return [...met, ...refused].toSorted((a, b) => a.at - b.at).map(({ point }) => point);
}

/** Goes through the runs once; an error is open until a run shows that it has gone, and open again when it is back. */
function follow(all: readonly Trial[]): Met[] {
  const known = new Map<string, Met>();
  for (const trial of all) {
    const here = new Set(trial.errors.map(({ signature }) => signature));
    for (const one of known.values()) if (!one.gone && !here.has(one.signature) && shows(trial, one)) one.gone = trial;
    for (const { quotes, signature } of trial.errors) {
      const one = known.get(signature);
      if (!one) known.set(signature, { quotes, signature, first: trial, last: trial });
      else {
        one.last = trial;
        delete one.gone;
      }
    }
  }
  return [...known.values()];
}

/** Whether a run without the error shows that it has gone: the same run, or one that passed and covers it. */
function shows({ ended, key, check, more, errors: others }: Trial, { last, quotes }: Met): boolean {
  if (key === last.key) return ended === 'well' || (ended === 'badly' && others.length > 0 && more === 0 && check !== undefined);
  if (ended !== 'well' || !check || !last.check || check.kind !== last.check.kind) return false;
  return check.within === undefined || namesFile(check.key, quotes.join('\n')) || check.within === last.check.within;
}

/** A selection by a file that the error names. */
const namesFile = (key: string, text: string): boolean =>
  key.split(' ').some((word) => /\.\w{1,5}(?:::|$)/.test(word) && text.includes(word.split('::', 1)[0]?.split('/').at(-1) as string));

function pointOf(met: Met, evidence: Evidence, changed: ReadonlyMap<number, string[]>): Point {
  const { quotes, first, last, gone } = met;
  const between = gone ? [...changed].filter(([n]) => n >= last.operation.n && n <= gone.operation.n) : [];
  const files = [...new Set(between.flatMap(([, paths]) => paths))];
  const why = explanation(evidence, { text: quotes.join(' '), files, from: first.operation, to: gone?.operation });
  const end = gone ? fixedBy(gone, evidence.operations[(between.at(-1)?.[0] ?? 0) - 1], files) : 'no later run shows that it has gone';
  const cites = [first, last].map(({ operation }) => cite.operation(operation));
  return {
    text: `${quotes.map(quote).join(', ')} in ${code(shortened(first.command))}${met.first === met.last ? '' : `, last seen in ${cite.operation(last.operation)}`}; ${end}${why.map(({ text, by, n }) => `; ${by}: ${quote(text)} (#${n})`).join('')}`,
    cites: [
      ...new Set([...cites, ...between.slice(-1).map(([n]) => `E#${n}`), ...(gone ? [cite.operation(gone.operation)] : []), ...why.map(({ n }) => `#${n}`)]),
    ],
    origin: 'operation',
    mark: gone ? '' : '(not shown to be fixed)',
  };
}

function fixedBy(gone: Trial, change: Operation | undefined, files: readonly string[]): string {
  const by = cite.operation(gone.operation);
  const seen = gone.ended === 'well' ? `fixed: passes in ${by}` : `fixed: gone in ${by}`;
  const rest = files.length - FILES_MAX;
  return change === undefined
    ? seen
    : `${seen} after changes to ${files.slice(0, FILES_MAX).join(', ')}${rest > 0 ? ` and ${rest} more` : ''} (${cite.operation(change)}${swapOf(change)})`;
}

/** Longer replacements are told by their file. In UTF-16 units. */
const SWAP_MAX = 120;

/** What a change put in the place of what, where that is one short line. */
function swapOf({ actions }: Operation): string {
  const swaps = actions.flatMap((action) => (action.kind === 'change' ? action.files.flatMap((file) => file.swaps ?? []) : [])).map(withoutContext);
  const [texts, more] = swaps;
  if (!texts || more || texts.some((text) => text.length > SWAP_MAX || /[\n"\\]/.test(text) || !text.trim())) return '';
  const [before, after] = texts.map((text) => code(text.trim()));
  return `: ${before} -> ${after}`;
}

const shortened = (command: string): string => {
  const line = command.split('\n', 1)[0] as string;
  return line.length > COMMAND_MAX ? `${line.slice(0, COMMAND_MAX)}…` : line;
};

/** Which files each operation changed. */
function changesOf(evidence: Evidence): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const { path, changes, merged, folder } of replay(evidence).files.records) {
    if (!merged && !folder) for (const n of changes) found.set(n, [...(found.get(n) ?? []), shownPath(path, evidence.source.cwd)]);
  }
  return new Map([...found].toSorted(([a], [b]) => a - b));
}

function refusal(operation: Operation): Point {
  const { what, outcome } = operation;
  const said = outcome.said ? `: ${quote(outcome.said)}` : '';
  const by = outcome.by === 'rule' ? 'by a rule' : 'by the user';
  return { text: `not run, refused ${by}: ${code(shortened(what))}${said}`, cites: [cite.operation(operation)], origin: 'operation', mark: '' };
}
