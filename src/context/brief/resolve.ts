import type { Evidence } from '#context/evidence/evidence.ts';
import { quotesIn } from './cite.ts';
import { withoutColours } from './output.ts';
import type { Brief, Point } from './value.ts';

/** What stands at a place that is cited; undefined: there is no such place. */
export function textAt({ statements, supporting, operations }: Evidence, cite: string): string | undefined {
  const [, kind, number] = /^([SE]?)#(\d+)$/.exec(cite) ?? [];
  const at = Number(number) - 1;
  if (kind === '') return statements[at]?.text;
  if (kind === 'S') return supporting[at]?.text;
  const operation = operations[at];
  return operation && [operation.what, operation.outcome.output, operation.outcome.said].filter(Boolean).join('\n');
}

/** Points whose citations name no place, or whose quotes do not stand there: each with what is wrong. */
export function unresolved(evidence: Evidence, brief: Brief): { point: Point; fault: string }[] {
  const { requests, decisions, rejected, files, errors, state, pending, next, questions, limitations } = brief;
  const faults: { point: Point; fault: string }[] = [];
  for (const point of [requests, decisions, rejected, files, errors, state, pending, next, questions, limitations].flat()) {
    const texts = point.cites.map((cite) => textAt(evidence, cite));
    if (texts.includes(undefined)) faults.push({ point, fault: `${point.cites[texts.indexOf(undefined)]} is no place of the session` });
    else {
      const said = flat(texts.join('\n'));
      const missing = missingOf(point, (piece) => said.includes(flat(piece)));
      if (missing !== undefined) faults.push({ point, fault: `"${missing.slice(0, 80)}" does not stand in ${point.cites.join(', ') || 'any place'}` });
    }
  }
  return faults;
}

/** Words of a point that do not stand where it says. Somebody's words are quoted as a whole; of what a rule has put together the quotations count. */
function missingOf({ text, origin }: Point, stands: (piece: string) => boolean): string | undefined {
  const whole = piecesOf(text).find((piece) => !stands(piece));
  if (whole === undefined) return undefined;
  const quotes = quotesIn(text);
  if (!quotes.length) return origin === 'relay' || origin === 'operation' ? undefined : whole;
  return quotes.flatMap(piecesOf).find((piece) => !stands(piece));
}

/** An ellipsis stands where something was taken out. */
const piecesOf = (text: string): string[] =>
  text
    .split('…')
    .map((piece) => piece.trim())
    .filter(Boolean);

const flat = (text: string): string => withoutColours(text).replace(/\s+/g, ' ').trim();
