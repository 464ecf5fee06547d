import type { Evidence, Operation, Statement } from '#context/evidence/evidence.ts';
import type { AskedQuestion } from '#session/action.ts';
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

/** Questions with options, plans that wait for approval, and operations that the person did not let run, with the person's words. */
export function askedOf({ operations, statements }: Evidence): Asked {
  const out: Asked = { decided: [], rejected: [], postponed: [], open: [] };
  const answers = new Map(statements.map((one) => [one.operation, one]));
  const lastPlan = operations.findLast((one) => one.actions.some(({ kind }) => kind === 'propose') && one.outcome.state === 'done');
  const spoken = statements.findLast(({ by, operation }) => by === 'user' && operation === undefined)?.at.order ?? -1;
  for (const operation of operations) {
    const cites = citesOf(operation, answers.get(operation.n));
    for (const action of operation.actions) {
      // Who closes the question and types something instead has answered in the chat.
      if (action.kind === 'ask') action.questions.forEach((one, n) => ask(out, operation, one, n, cites, spoken > operation.at.order));
      else if (action.kind === 'propose') propose(out, operation, operation === lastPlan ? action.text : firstLine(action.text), cites);
    }
    if (isHeldBack(operation)) out.rejected.push(heldBack(operation, cites));
  }
  return out;
}

const citesOf = (operation: Operation, said: Statement | undefined): string[] => [...(said ? [cite.statement(said)] : []), cite.operation(operation)];

const point = (text: string, cites: string[], origin: Point['origin'] = 'user'): Point => ({ text, cites, origin, mark: '' });

const LATER = /\b(?:later|not now|skip|postpone|defer|next time)\b|以后|先不|暂不|跳过|稍后/i;

function ask(out: Asked, operation: Operation, { text, options }: AskedQuestion, n: number, cites: string[], answeredInChat: boolean): void {
  const { answers, said } = operation.outcome;
  const offered = options.length ? ` (${options.map(quote).join(', ')})` : '';
  // Words without an answer to any of them are meant for all.
  const answer = answers?.some(Boolean) ? answers[n] : said;
  if (answer)
    out[LATER.test(answer) ? 'postponed' : 'decided'].push(
      point(`asked: ${quote(text)}${offered} (${cite.operation(operation)}); answered by the user: ${quote(answer)}`, cites),
    );
  else if (!answeredInChat) out.open.push(point(`asked: ${quote(text)}${offered}`, [cite.operation(operation)], 'assistant'));
}

function propose(out: Asked, operation: Operation, text: string, cites: string[]): void {
  const { state, by, said } = operation.outcome;
  const proposed = `proposed: ${quote(text)} (${cite.operation(operation)})`;
  if (state === 'done') out.decided.push(point(`${proposed}; accepted by the user${said ? `: ${quote(said)}` : ''}`, cites));
  else if (state === 'refused' && by !== 'rule')
    out.rejected.push(point(`${proposed}; refused by the user${said ? `: ${quote(said)}` : ', without a reason'}`, cites));
}

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] as string;

const isHeldBack = ({ outcome, actions }: Operation): boolean =>
  outcome.state === 'refused' && outcome.by === 'user' && outcome.said !== undefined && !actions.some(({ kind }) => kind === 'ask' || kind === 'propose');

/** In UTF-16 units: of a command, so much tells which it was. */
const SHOWN = 200;

function heldBack(operation: Operation, cites: string[]): Point {
  const [action] = operation.actions;
  const what =
    action?.kind === 'run'
      ? `to run \`${firstLine(action.command).slice(0, SHOWN)}\``
      : action?.kind === 'change'
        ? `to change ${action.files.map(({ path }) => path).join(', ')}`
        : `an operation (${operation.tool})`;
  return point(`wanted: ${what}; refused by the user: ${quote(operation.outcome.said ?? '')}`, cites);
}
