import type { Evidence, Operation } from '#context/evidence/evidence.ts';
import type { Action, PlanItem, PlanState } from '#session/action.ts';
import { cite } from './cite.ts';

/** A thing to do as it stands at the end. */
export interface Todo {
  text: string;
  state: PlanState;
  cites: string[];
  origin: 'operation' | 'assistant' | 'user';
  /** place of the last word on it */
  order: number;
}

/** The to-do list at the end: all that plan tools were told, in order; where none was used, the last list of tasks in the chat. */
export function todos(evidence: Evidence): Todo[] {
  const kept = new Kept();
  for (const operation of evidence.operations) if (counts(operation)) for (const action of operation.actions) kept.take(action, operation);
  return kept.list.length ? kept.list : inChat(evidence);
}

/** A list that the client has no use for (Codex 0.171 knows no such tool any more) is the model's plan all the same; what somebody stopped is none. */
const counts = ({ outcome }: Operation): boolean => outcome.state !== 'refused' && outcome.state !== 'aborted';

class Kept {
  list: Todo[] = [];
  readonly #byId = new Map<string, Todo>();

  take(action: Action, operation: Operation): void {
    if (action.kind === 'plan') this.#replace(action.items, operation);
    else if (action.kind === 'plan-add') this.#add(action.item, operation);
    else if (action.kind === 'plan-update') this.#update(action, operation);
  }

  #replace(items: readonly PlanItem[], operation: Operation): void {
    const before = new Map(this.list.map((todo) => [todo.text, todo]));
    this.list = items.map((item) => {
      const former = before.get(item.text);
      const todo = former?.state === item.state ? former : todoOf(item, operation);
      if (item.id !== undefined) this.#byId.set(item.id, todo);
      return todo;
    });
  }

  #add(item: PlanItem, operation: Operation): void {
    const todo = todoOf(item, operation);
    this.list.push(todo);
    const id = item.id ?? operation.outcome.item;
    if (id !== undefined) this.#byId.set(id, todo);
  }

  #update({ id, text, state }: Extract<Action, { kind: 'plan-update' }>, operation: Operation): void {
    const todo = this.#byId.get(id);
    if (!todo) return;
    todo.text = text ?? todo.text;
    todo.state = state ?? todo.state;
    todo.order = operation.ended.order;
    todo.cites.push(cite.operation(operation));
  }
}

const todoOf = ({ text, state }: PlanItem, operation: Operation): Todo => ({
  text,
  state,
  cites: [cite.operation(operation)],
  origin: 'operation',
  order: operation.ended.order,
});

/** A line of a list that somebody may tick off, or a numbered one. */
const BOX = /^\s*(?:[-*+]|\d+[.)])\s+\[([ xX✓~-])\]\s+(.+)$/;
const NUMBERED = /^\s*(?:\d+[.)、]|[（(]\d+[）)])\s*(.+)$/;
/** What stands before a numbered list that is a plan. */
const PLAN =
  /\b(?:plan|steps?|to-?dos?|tasks?|remaining|left to do|next up)\b[^\n]{0,80}[:：]?\s*$|(?:计划|步骤|待办|任务|接下来|剩下|还要做)[^\n]{0,40}[:：]?\s*$/i;

/** The last message that holds a list of boxes, or a numbered plan of the assistant's. */
function inChat({ statements }: Evidence): Todo[] {
  for (const statement of statements.toReversed()) {
    const items = boxes(statement.text) ?? (statement.by === 'assistant' ? numbered(statement.text) : undefined);
    if (items) return items.map(({ text, state }) => ({ text, state, cites: [cite.statement(statement)], origin: statement.by, order: statement.at.order }));
  }
  return [];
}

function boxes(text: string): PlanItem[] | undefined {
  if (!text.includes('[')) return undefined;
  const items: PlanItem[] = [];
  for (const line of text.split('\n')) {
    const [, tick, what] = BOX.exec(line) ?? [];
    if (tick !== undefined && what !== undefined)
      items.push({ text: what.trim(), state: /[xX✓]/.test(tick) ? 'done' : tick === '~' || tick === '-' ? 'active' : 'open' });
  }
  return items.length ? items : undefined;
}

function numbered(text: string): PlanItem[] | undefined {
  const lines = text.split('\n');
  const head = lines.findIndex((line, at) => PLAN.test(line) && lines.slice(at + 1, at + 3).some((next) => NUMBERED.test(next)));
  if (head < 0) return undefined;
  const items: PlanItem[] = [];
  for (const line of lines.slice(head + 1)) {
    const what = NUMBERED.exec(line)?.[1];
    if (what !== undefined) items.push({ text: what.trim(), state: 'open' });
    else if (line.trim() && items.length && !/^\s/.test(line)) break;
  }
  return items.length > 1 ? items : undefined;
}
