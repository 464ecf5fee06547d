import type { Evidence, Operation, Statement } from '#context/evidence/evidence.ts';
import { cite, quote } from './cite.ts';
import type { Point } from './value.ts';

/** What was asked or proposed with a tool of the client's own, by how the person answered. */
export interface Asked {
  decided: Point[];
  rejected: Point[];
  postponed: Point[];
  /** nobody has answered, in whatever way */
  open: Point[];
}

/** Questions with options, plans that wait for approval, and operations that the person did not let run. */
export function askedOf({ operations, statements }: Evidence): Asked {
  const out: Asked = { decided: [], rejected: [], postponed: [], open: [] };
  const answers = new Map(statements.filter(({ operation }) => operation !== undefined).map((one) => [one.operation, one]));
  const lastPlan = operations.findLast((one) => one.actions.some(({ kind }) => kind === 'propose') && one.outcome.state === 'done');
  for (const operation of operations) {
    const answer = answers.get(operation.n);
    for (const action of operation.actions) {
      if (action.kind === 'ask') action.questions.forEach((one, n) => ask(out, operation, one, operation.outcome.answers?.[n] ?? '', answer, statements));
      else if (action.kind === 'propose') propose(out, operation, operation === lastPlan ? action.text : firstLine(action.text), answer);
    }
    if (refusedWithWords(operation)) out.rejected.push(refused(operation, answer as Statement));
  }
  return out;
}

const LATER = /\b(?:later|not now|skip|postpone|defer|next time)\b|以后|先不|暂不|跳过|稍后/i;

function ask(
  out: Asked,
  operation: Operation,
  { text, options }: { text: string; options: string[] },
  answer: string,
  said: Statement | undefined,
  all: readonly Statement[],
): void {
  const offered = options.length ? ` (${options.map(quote).join(', ')})` : '';
  const asked = `asked: ${quote(text)}${offered} (${cite.operation(operation)})`;
  const words = answer || (operation.outcome.answers?.some(Boolean) ? '' : (said?.text ?? ''));
  const cites = [...(said ? [cite.statement(said)] : []), cite.operation(operation)];
  if (words)
    out[LATER.test(words) ? 'postponed' : 'decided'].push({ text: `${asked}; answered by the user: ${quote(words)}`, cites, origin: 'user', mark: '' });
  // Who closes the question and types something instead has answered in the chat.
  else if (!all.some((one) => one.by === 'user' && one.operation === undefined && one.at.order > operation.at.order))
    out.open.push({ text: `${quote(text)}${offered}`, cites: [cite.operation(operation)], origin: 'assistant', mark: '' });
}

function propose(out: Asked, operation: Operation, text: string, said: Statement | undefined): void {
  const { state, by } = operation.outcome;
  const cites = [...(said ? [cite.statement(said)] : []), cite.operation(operation)];
  const proposed = `proposed: ${quote(text)} (${cite.operation(operation)})`;
  if (state === 'done') out.decided.push({ text: `${proposed}; accepted by the user${said ? `: ${quote(said.text)}` : ''}`, cites, origin: 'user', mark: '' });
  else if (state === 'refused' && by !== 'rule')
    out.rejected.push({ text: `${proposed}; refused by the user${said ? `: ${quote(said.text)}` : ', without a reason'}`, cites, origin: 'user', mark: '' });
}

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] as string;

const refusedWithWords = ({ outcome, actions }: Operation): boolean =>
  outcome.state === 'refused' && outcome.by === 'user' && outcome.said !== undefined && !actions.some(({ kind }) => kind === 'ask' || kind === 'propose');

/** In UTF-16 units: of a command, so much tells which it was. */
const SHOWN = 200;

function refused(operation: Operation, said: Statement): Point {
  const [action] = operation.actions;
  const what =
    action?.kind === 'run'
      ? `to run \`${firstLine(action.command).slice(0, SHOWN)}\``
      : action?.kind === 'change'
        ? `to change ${action.files.map(({ path }) => path).join(', ')}`
        : `an operation (${operation.tool})`;
  return {
    text: `wanted: ${what}; refused by the user: ${quote(said.text)}`,
    cites: [cite.statement(said), cite.operation(operation)],
    origin: 'user',
    mark: '',
  };
}
