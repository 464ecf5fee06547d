import { asObject, isObject, type Json, parseJson } from '#lib/json.ts';
import type { Action, Outcome } from '#session/action.ts';
import type { ToolCall } from '#session/record.ts';
import { actions, cellName, sessionName } from './actions.ts';
import { together } from './agents.ts';
import type { Framed } from './framing.ts';

const STATES: Record<NonNullable<Framed['script']>, Outcome['state']> = { completed: 'done', failed: 'failed', terminated: 'aborted', running: 'running' };

/**
 * How a script of code mode ended, and its commands, where it prints what they gave (`text(JSON.stringify(result))`).
 * That the script completed says nothing of a command whose exit code it did not print.
 * @param texts what it printed, a text for each time
 */
export function scriptOutcome(frame: Framed, texts: readonly string[], call: ToolCall): Outcome {
  const printed = texts.map((text) => ({ text, results: resultsIn(text) }));
  const results = printed.flatMap((one) => one.results);
  const output = printed
    .map(({ text, results: found }) => (found.length ? found.map((one) => one.output).join('\n') : text))
    .filter(Boolean)
    .join('\n');
  const state = STATES[frame.script ?? 'completed'];
  if (state === 'running') return { state, ...(frame.cell === undefined ? {} : { running: cellName(frame.cell) }), output };
  if (state !== 'done' || !results.length) return { state, output };
  const [first, ...more] = results;
  const parts = partsOf(actions(call) ?? [], results);
  return { ...(more.length || !first ? together(results) : first), output, ...(parts ? { parts } : {}) };
}

/** Results are printed in the order of the calls; where not all are, nobody can tell which belongs to which. */
function partsOf(did: readonly Action[], results: readonly Outcome[]): Outcome[] | undefined {
  const gives = ({ kind }: Action): boolean => kind === 'run' || kind === 'wait' || kind === 'stop';
  if (did.length < 2 || did.filter(gives).length !== results.length) return undefined;
  let next = 0;
  return did.map((action) => (gives(action) ? (results[next++] as Outcome) : { state: 'done', output: '' }));
}

/** The results of commands in a printed text: one, a list, or what `Promise.allSettled` makes of them. Empty: it is another text. */
function resultsIn(text: string): Outcome[] {
  const start = text.trimStart()[0];
  const value = start === '{' || start === '[' ? parseJson(text) : undefined;
  const found = (Array.isArray(value) ? value : [value]).map(resultOf);
  return found.every((one) => one !== undefined) ? found : [];
}

function resultOf(value: Json | undefined): Outcome | undefined {
  const settled = asObject(value);
  if (settled?.status === 'rejected') return { state: 'failed', output: typeof settled.reason === 'string' ? settled.reason : '' };
  const result = settled?.status === 'fulfilled' ? asObject(settled.value) : settled;
  if (!isObject(result) || typeof result.output !== 'string' || !('exit_code' in result || 'session_id' in result || 'chunk_id' in result)) return undefined;
  const { output, exit_code: exit, session_id: session } = result;
  if (typeof exit === 'number') return { state: exit === 0 ? 'done' : 'failed', exit, output };
  if (typeof session === 'number' || typeof session === 'string') return { state: 'running', running: sessionName(String(session)), output };
  return { state: 'done', output };
}
