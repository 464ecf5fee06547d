import type { Evidence, Operation } from '#context/evidence/evidence.ts';
import { clip } from '#context/shorten.ts';
import type { Action } from '#session/action.ts';
import { cite, code, quote } from './cite.ts';
import { linesOf } from './output.ts';
import type { Point } from './value.ts';

/** In UTF-16 units: of a command and of what it said last, its beginning is enough to know it again. */
const SHOWN = 300;

/** Kinds of action that leave something behind when they are not finished. */
const LASTING: ReadonlySet<Action['kind']> = new Set(['run', 'change', 'delegate', 'other']);

/** Operations that were begun and of which nobody knows that they ended: no result, still running, or stopped. Not what was done again later. */
export function started({ operations }: Evidence): Operation[] {
  const ended = new Map<string, number>();
  for (const operation of operations) if (hasEnded(operation)) ended.set(operation.what, operation.at.order);
  return operations.filter(
    (operation) =>
      !hasEnded(operation) &&
      operation.outcome.state !== 'refused' &&
      operation.actions.some(({ kind }) => LASTING.has(kind)) &&
      (ended.get(operation.what) ?? -1) < operation.at.order,
  );
}

const hasEnded = ({ outcome }: Operation): boolean => outcome.state === 'done' || outcome.state === 'failed';

const HOW = { running: 'started and not seen to end', aborted: 'stopped before its end', none: 'started, without a result on record' } as const;

/** What is known of such an operation: what it was, how far it came, the last line that was seen. */
export function startedPoint(operation: Operation): Point {
  const { state, output } = operation.outcome;
  const last = linesOf(output).at(-1)?.trim();
  const seen = last ? `; last line seen: ${quote(short(last))}` : '';
  const what = short(oneLine(operation.what));
  return {
    text: `${HOW[state as keyof typeof HOW]}: ${what ? code(what) : operation.tool}${seen}`,
    cites: [cite.operation(operation)],
    origin: 'operation',
    mark: '(to be confirmed)',
  };
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const short = (text: string): string => (text.length > SHOWN ? `${clip(text, SHOWN)}…` : text);
