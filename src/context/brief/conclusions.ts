import type { Evidence, Operation, Place } from '#context/evidence/evidence.ts';
import { cite } from './cite.ts';
import { claims } from './claims.ts';
import { type Finding, findingOf, type Speaker, saysEnough, tells } from './findings.ts';
import { likeness, subjects } from './likeness.ts';
import { type Sentence, sentences } from './sentences.ts';
import { staleFigures } from './stale.ts';
import type { Point } from './value.ts';

/** What was found out: causes and measurements stand among the decisions, what was ruled out among what was rejected. */
export interface Conclusions {
  decisions: Point[];
  rejected: Point[];
}

/** Longer sentences are no short quote. In UTF-16 units. */
const QUOTE_MAX = 500;
/** Of one report of an agent so much is quoted. */
const REPORT_MAX = 20;
/** A cause that was ruled out later shares so much with what rules it out. */
const SAME = 0.6;
/** What was measured anew is told in nearly the same words. */
const AGAIN = 0.8;

interface Found {
  finding: Finding;
  text: string;
  at: Place;
  point: Point;
}

/** Short quotes of the assistant, the user and other agents that state a cause, a measured result or what something is not; each with the operation before it. */
export function conclusions(evidence: Evidence): Conclusions {
  const stale = staleFigures(evidence);
  const claimed = new Map(claims(evidence).map((claim) => [claim.text, claim.standing]));
  const found = [...said(evidence), ...reported(evidence)]
    .filter(({ text }) => claimed.get(text) !== 'refuted')
    .map((one) => (claimed.get(one.text) === 'not shown' ? { ...one, point: { ...one.point, mark: '(claimed, not shown)' } } : one))
    .toSorted((a, b) => a.at.order - b.at.order);
  const ruledOut = found.filter(({ finding }) => finding === 'ruled out');
  const kept = found.filter(
    ({ finding, text, at }) =>
      finding !== 'ruled out' && !stale(text, at.order) && !ruledOut.some((later) => later.at.order > at.order && overturns(later, text, finding)),
  );
  const measured = kept.filter(({ finding }) => finding === 'measured').map((one) => ({ ...one, of: subjectOf(one.text) }));
  const before = new Set(measured.filter((one, at) => measured.slice(at + 1).some(({ of }) => isSame(of, one.of))).map(({ point }) => point));
  return { decisions: once(kept.filter(({ point }) => !before.has(point))), rejected: once(ruledOut) };
}

const overturns = (later: Found, text: string, finding: Finding): boolean => finding === 'cause' && likeness(subjects(text), subjects(later.text)) >= SAME;

/** What a measurement is of: its words and units without the figures. */
const subjectOf = (text: string): Set<string> => subjects(text.replace(/\d[\d.,]*/g, ' '));
const isSame = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size > 1 && b.size > 1 ? likeness(a, b) >= AGAIN : a.size > 0 && a.size === b.size && likeness(a, b) === 1;

function said({ statements, operations }: Evidence): Found[] {
  let at = 0;
  return statements.flatMap((statement) => {
    while (operations[at] && (operations[at] as Operation).ended.order < statement.at.order) at++;
    const near = operations[at - 1];
    const cites = [cite.statement(statement), ...(near && near.at.turn === statement.at.turn ? [cite.operation(near)] : [])];
    return quotesOf(statement.text, statement.by === 'user' ? 'user' : 'assistant').map(
      ({ finding, text }): Found => ({ finding, text, at: statement.at, point: { text, cites, origin: statement.by, mark: '' } }),
    );
  });
}

/** What other agents report is evidence; what they advise is not. */
function reported({ supporting, operations }: Evidence): Found[] {
  const reports = [
    ...supporting.filter(({ kind }) => kind === 'agent').map((one) => ({ text: one.text, at: one.at, cite: cite.supporting(one) })),
    ...operations
      .filter(({ actions, outcome }) => outcome.state === 'done' && actions.some(({ kind }) => kind === 'delegate'))
      .map((one) => ({ text: one.outcome.output, at: one.ended, cite: cite.operation(one) })),
  ];
  return reports.flatMap((report) =>
    quotesOf(report.text, 'agent')
      .slice(0, REPORT_MAX)
      .map(({ finding, text }): Found => ({ finding, text, at: report.at, point: { text, cites: [report.cite], origin: 'agent', mark: '' } })),
  );
}

interface Quote {
  finding: Finding;
  text: string;
}

function quotesOf(whole: string, by: Speaker): Quote[] {
  const all = sentences(whole);
  const findings = all.map(({ text, kind }) => (isPlain(kind) && text.length <= QUOTE_MAX && saysEnough(text) ? findingOf(text, by) : undefined));
  return all.flatMap((sentence, at): Quote[] => {
    const finding = findings[at];
    if (!finding) return [];
    // A cause is often told in two sentences: what happens, and whose doing it is.
    const near = (other: number): Sentence | undefined =>
      finding === 'cause' && by === 'assistant' && findings[other] === undefined && tells(all[other], sentence) ? all[other] : undefined;
    return [{ finding, text: whole.slice((near(at - 1) ?? sentence).start, (near(at + 1) ?? sentence).end) }];
  });
}

const isPlain = (kind: Sentence['kind']): boolean => kind === 'prose' || kind === 'item' || kind === 'row';

/** Each sentence once, where it was said last. */
function once(found: readonly Found[]): Point[] {
  const points = new Map<string, Point>();
  for (const { text, point } of found) {
    points.delete(text);
    points.set(text, point);
  }
  return [...points.values()];
}
