import type { Evidence, Turn } from '#context/evidence/evidence.ts';
import { cite, code } from './cite.ts';
import { started, startedPoint } from './started.ts';
import type { Todo } from './todos.ts';
import type { Check, Point } from './value.ts';

/** What the other parts of a brief have found, as far as it says how things stand. */
export interface Known {
  todos: readonly Todo[];
  checks: readonly Check[];
  /** the assistant's last word, without what later operations refute */
  last: readonly Point[];
  /** questions that nobody has answered */
  questions: readonly Point[];
  /** what the user put off, or waits for */
  postponed: readonly Point[];
}

const point = (text: string, cites: string[], mark = '', origin: Point['origin'] = 'relay'): Point => ({ text, cites, origin, mark });

/** How things stand: how the session ended, what is not known to have ended, which checks fail, what the assistant said last. */
export function state(evidence: Evidence, { checks, last }: Known): Point[] {
  const open = started(evidence).map(startedPoint);
  return [ending(evidence), ...open, ...checks.filter(({ result }) => result === 'failed').map(failing), ...last];
}

const HOW: Record<Turn['ended'], string> = {
  complete: "The session ends with the assistant's answer",
  interrupted: 'The session ends where the person stopped the assistant',
  failed: 'The session ends with an error of the client',
  limit: 'The session ends at a usage limit: the task was not finished by then',
  open: 'The session ends in the midst of a turn: nothing follows',
};

/** The client's own words, which may be a whole document. In UTF-16 units. */
const REASON_MAX = 200;

function ending({ turns, statements, operations }: Evidence): Point {
  const turn = turns.at(-1);
  if (!turn) return point(statements.length || operations.length ? 'The session holds no request of a person.' : 'The session is empty.', []);
  const last = statements.at(-1);
  const operation = operations.at(-1);
  const cites = turn.ended === 'complete' ? (last ? [cite.statement(last)] : []) : operation ? [cite.operation(operation)] : [];
  const why = turn.reason?.split('\n', 1)[0]?.trim();
  return point(`${HOW[turn.ended]} (T${turn.n}).${why ? ` The client says: ${why.slice(0, REASON_MAX)}` : ''}`, cites);
}

const failing = ({ command, cite: at, numbers }: Check): Point =>
  point(`the last run of ${code(command)} failed${numbers.length ? `: ${numbers.join(', ')}` : ''}`, [at], '', 'operation');

/** What is not done: open to-dos in their order, what was started, failing checks, what was put off; a request that got no answer. */
export function pending(evidence: Evidence, known: Known): Point[] {
  const { todos, checks, postponed } = known;
  return [
    ...unanswered(evidence),
    ...todos.filter(isOpen).map(todoPoint),
    ...started(evidence).map(startedPoint),
    ...checks.filter(({ result }) => result === 'failed').map(failing),
    ...checks.filter(({ result, afterLastEdit }) => result === 'passed' && !afterLastEdit).map(stale),
    ...postponed,
  ];
}

const isOpen = ({ state: now }: Todo): boolean => now === 'open' || now === 'active';

const todoPoint = (todo: Todo): Point => point(`${todo.state === 'active' ? 'in progress: ' : ''}${todo.text}`, todo.cites, '', todo.origin);

const stale = ({ command, cite: at }: Check): Point => point(`${code(command)} has not been run since files were changed`, [at], '', 'operation');

/** The last request, where the turn did not end with an answer. */
function unanswered({ turns, statements }: Evidence): Point[] {
  if (!turns.length || turns.at(-1)?.ended === 'complete') return [];
  const request = statements.findLast(({ by }) => by === 'user');
  return request ? [point(request.text, [cite.statement(request)], '(not answered yet)', 'user')] : [];
}

/** What comes first: the to-do at hand, else what was broken off, else the assistant's own next step, else the question that waits. */
export function next(evidence: Evidence, known: Known, steps: readonly Point[]): Point[] {
  const todo = known.todos.find(({ state: now }) => now === 'active') ?? known.todos.find(({ state: now }) => now === 'open');
  if (todo) return [todoPoint(todo)];
  const broken = unanswered(evidence);
  if (broken.length) return [point(`Go on with what was asked last (${broken[0]?.cites.join(', ')}); look first at what is there.`, broken[0]?.cites ?? [])];
  if (known.questions.length) return known.questions.slice(-1).map(({ cites }) => point('The user has to answer the open question first.', cites));
  return [...steps];
}
