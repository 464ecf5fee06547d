import { isRequest } from '#context/turns.ts';
import type { Action, Outcome, Report } from '#session/action.ts';
import type { Conversation, Entry, Streams } from '#session/conversation.ts';
import { describeCall, matchCalls } from '#session/pairs.ts';
import { type Block, plainText, type ToolCall, type ToolResult } from '#session/record.ts';
import type { Evidence, Operation, Place, Source, Statement, Supporting } from './evidence.ts';
import { turnsOf } from './turn-ends.ts';

/** What the agents' adapters know of their own clients. */
export interface Reader {
  call(call: ToolCall, result: ToolResult | undefined): { actions: Action[]; outcome: Outcome };
  /** undefined: the text is no such report */
  report(text: string): Report | undefined;
  /** Does the client note by it that the person stopped the model? */
  stop(text: string): boolean;
}

/** Longest account of an operation, in UTF-16 units: of a patch the beginning is enough. */
const WHAT_MAX = 4000;

/** Puts together what a session says and shows. Time grows with its length; nothing is shortened. */
export function collect(streams: Streams, conversation: Conversation, reader: Reader, source: Source): Evidence {
  const collector = new Collector(reader, conversation.entries);
  for (const entry of conversation.entries) collector.entry(entry);
  return {
    source,
    ...collector.found,
    turns: turnsOf(streams, conversation.entries, collector.turn, reader.stop),
    abandoned: conversation.abandoned,
    compactions: compactionsIn(streams, conversation.entries),
    sealed: conversation.sealed,
  };
}

const OVER: ReadonlySet<Outcome['state']> = new Set(['done', 'failed', 'aborted']);

/** Those of other agents' streams are none of this conversation's. */
function compactionsIn(streams: Streams, entries: readonly Entry[]): number {
  const own = new Set(['main', ...entries.map(({ stream }) => stream)]);
  let count = 0;
  for (const name of own) for (const { type } of streams.get(name) ?? []) if (type === 'boundary') count++;
  return count;
}

/** Goes through the entries once, and knows what still runs. */
class Collector {
  readonly found: Pick<Evidence, 'statements' | 'supporting' | 'operations'> = { statements: [], supporting: [], operations: [] };
  turn = 0;
  readonly #reader: Reader;
  readonly #results = new Map<ToolCall, { block: ToolResult; entry: number }>();
  /** by id of the call, and by the name that its outcome gave it */
  readonly #started = new Map<string, Operation>();
  /** operations whose result is still to come, by that result */
  readonly #open = new Map<ToolResult, Operation>();
  #order = 0;

  constructor(reader: Reader, entries: readonly Entry[]) {
    this.#reader = reader;
    for (const call of matchCalls(entries).calls) if (call.result) this.#results.set(call.block, call.result);
  }

  entry(entry: Entry): void {
    if (isRequest(entry)) this.turn++;
    const said = spoken(entry.content);
    if (said) this.#say(entry, said);
    for (const block of entry.content) {
      if (block.type === 'tool_call') this.#operate(entry, block);
      else if (block.type === 'tool_result') this.#end(entry, block);
    }
  }

  #place(entry: Entry): Place {
    const { stream, record, time } = entry;
    return { stream, record, order: this.#order++, turn: this.turn, ...(time === undefined ? {} : { time }) };
  }

  #say(entry: Entry, text: string): void {
    if (entry.role === 'assistant' && entry.origin === 'model') this.#state('assistant', text, entry);
    else if (isRequest(entry)) this.#state('user', text, entry);
    else this.#support(entry, text);
  }

  #state(by: Statement['by'], text: string, entry: Entry, operation?: number): void {
    const { statements } = this.found;
    statements.push({ n: statements.length + 1, by, text, at: this.#place(entry), ...(operation === undefined ? {} : { operation }) });
  }

  #support(entry: Entry, text: string): void {
    const { supporting } = this.found;
    const report = entry.summary ? undefined : this.#reader.report(text);
    const kind: Supporting['kind'] = entry.summary ? 'summary' : report?.agent ? 'agent' : entry.role === 'system' ? 'system' : 'context';
    const at = this.#place(entry);
    supporting.push({ n: supporting.length + 1, kind, text, at });
    const operation = report?.of.map((id) => this.#started.get(id)).find((one) => one !== undefined);
    if (report && operation) {
      operation.outcome = { ...operation.outcome, state: report.state, output: report.output || operation.outcome.output };
      operation.ended = at;
    }
  }

  #operate(entry: Entry, call: ToolCall): void {
    const { operations } = this.found;
    const result = this.#results.get(call)?.block;
    const { actions, outcome } = this.#reader.call(call, result);
    const at = this.#place(entry);
    const operation: Operation = { n: operations.length + 1, tool: call.name, what: describeCall(call, WHAT_MAX), actions, outcome, at, ended: at };
    operations.push(operation);
    this.#started.set(call.id, operation);
    // A call that waits names what it waited for once more; that stays with the call that started it.
    if (!actions.every(({ kind }) => kind === 'wait' || kind === 'stop'))
      for (const { running } of [outcome, ...(outcome.parts ?? [])]) if (running !== undefined) this.#started.set(running, operation);
    if (result) this.#open.set(result, operation);
  }

  #end(entry: Entry, result: ToolResult): void {
    const operation = this.#open.get(result);
    if (!operation) return;
    const { actions, outcome } = operation;
    operation.ended = this.#place(entry);
    if (outcome.said) this.#state('user', outcome.said, entry, operation.n);
    for (const [i, action] of actions.entries())
      if (action.kind === 'wait' || action.kind === 'stop') this.#hear(action, operation, outcome.parts?.[i] ?? outcome);
  }

  /** What was heard of an operation that was started before belongs to that one. */
  #hear(action: { kind: 'wait' | 'stop'; of: string }, by: Operation, heard: Outcome): void {
    const started = this.#started.get(action.of);
    if (!started || started === by) return;
    const { state, exit, output, running } = heard;
    // A script that is over may leave a command behind, under a name of its own.
    if (running !== undefined && !this.#started.has(running)) this.#started.set(running, started);
    if (action.kind === 'stop' && state === 'done') started.outcome = { ...started.outcome, state: 'aborted' };
    else if (state !== 'none' && state !== 'refused') {
      const joined = [started.outcome.output, output].filter(Boolean).join('\n');
      // A look at what it has printed does not set it going again.
      const now = state === 'running' && OVER.has(started.outcome.state) ? started.outcome.state : state;
      started.outcome = { ...started.outcome, state: now, output: joined, ...(exit === undefined ? {} : { exit }) };
    }
    started.ended = by.ended;
  }
}

/** What was said: text, and pictures and files by name. */
function spoken(content: readonly Block[]): string {
  return plainText(content.filter(({ type }) => type === 'text' || type === 'image' || type === 'file')).trim();
}
