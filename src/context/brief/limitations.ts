import type { Evidence, Operation, Supporting, Turn } from '#context/evidence/evidence.ts';
import { cite } from './cite.ts';
import type { Point } from './value.ts';

/** What the source lacks, so that nobody takes its silence for an answer. */
export function limitations(evidence: Evidence): Point[] {
  const { abandoned, compactions, sealed, supporting, operations, turns, statements } = evidence;
  const points: Point[] = [];
  const add = (text: string, cites: string[] = []): void => void points.push({ text, cites, origin: 'relay', mark: '' });
  if (!statements.length) add('No message of a person or of the model is on record.');
  else if (!statements.some(({ by }) => by === 'user')) add('No person speaks in this session: there is no request in it.');
  if (abandoned)
    add(`${count(abandoned, 'message')} of an abandoned branch (a rewind) ${abandoned === 1 ? 'is' : 'are'} left out: nothing of it is stated here.`);
  if (compactions)
    add(
      `The client compacted the conversation ${compactions === 1 ? 'once' : `${compactions} times`}; what is stated here comes from the whole of it.${sealed ? ' Its last summary is sealed by the provider and cannot be read.' : ''}`,
      summaries(supporting),
    );
  for (const turn of turns) if (turn.ended === 'failed' || turn.ended === 'limit' || turn.ended === 'interrupted') add(endOf(turn));
  const silent = operations.filter(({ outcome }) => outcome.state === 'none');
  if (silent.length) add(`${count(silent.length, 'operation')} without a result on record: whether they finished is not known.`, silent.map(cite.operation));
  const agents = operations.filter(delegates);
  if (agents.length) add(`Of ${count(agents.length, 'other agent')} only the report is here, not how it was reached.`, agents.map(cite.operation));
  if (operations.some(changes)) add('Files are stated as the operations tell them; this is no snapshot of the disk.');
  return points;
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;

const summaries = (supporting: readonly Supporting[]): string[] => supporting.filter(({ kind }) => kind === 'summary').map(cite.supporting);

const ENDED = { failed: 'ended with an error', limit: 'was stopped by a usage limit', interrupted: 'was stopped by the person' } as const;

/** The reason is the client's own text: its first line, quoted. */
function endOf({ n, ended, reason }: Turn): string {
  const line = reason?.split('\n', 1)[0]?.trim();
  return `Turn T${n} ${ENDED[ended as keyof typeof ENDED]}${line ? `; the client says: ${line.slice(0, REASON_MAX)}` : ''}`;
}

const REASON_MAX = 200;

const delegates = ({ actions }: Operation): boolean => actions.some(({ kind }) => kind === 'delegate');
const changes = ({ actions }: Operation): boolean => actions.some(({ kind }) => kind === 'change' || kind === 'run');
