import { asObject, asString, type Json, parseJson } from '#lib/json.ts';
import type { Outcome } from '#session/action.ts';

/** How another agent stands: `"running"`, `{"completed": "<its report>"}`, `{"errored": "…"}`. */
export function agentOutcome(status: Json, of: string): Outcome {
  const ended = asObject(status);
  if (ended && 'completed' in ended) return { state: 'done', output: asString(ended.completed) ?? '' };
  if (ended && 'errored' in ended) return { state: 'failed', output: asString(ended.errored) ?? '' };
  if (status === 'running' || status === 'pending_init') return { state: 'running', running: of, output: '' };
  if (status === 'shutdown' || status === 'interrupted') return { state: 'aborted', output: '' };
  return { state: status === 'not_found' ? 'failed' : 'none', output: '' };
}

/** `{"agent_id": "…"}`, in later versions `{"task_name": "/root/…"}`. */
export function spawned(text: string): Outcome | undefined {
  const answer = asObject(parseJson(text));
  const running = asString(answer?.agent_id) ?? asString(answer?.task_name);
  return running === undefined ? undefined : { state: 'running', running, output: '' };
}

/**
 * `{"status": {"<id>": …}, "timed_out": false}`: only those that have ended are listed. Later versions say no more than
 * that something came.
 * @param of the agents that were waited for
 */
export function waited(text: string, of: readonly string[]): Outcome | undefined {
  const answer = asObject(parseJson(text));
  if (!answer) return undefined;
  const status = asObject(answer.status);
  if (!status) return answer.timed_out === true ? { state: 'running', output: '' } : { state: 'done', output: '' };
  const parts = of.map((id) => agentOutcome(Object.hasOwn(status, id) ? (status[id] as Json) : 'running', id));
  const [first, ...more] = parts;
  if (!first) return { state: 'done', output: '' };
  return more.length ? { ...together(parts), parts } : first;
}

/** What can be said of several at once: nothing goes before one that goes on, nothing behind one that failed. */
export function together(parts: readonly Outcome[]): Outcome {
  const is = (state: Outcome['state']): Outcome | undefined => parts.find((part) => part.state === state);
  const worst = is('running') ?? is('failed') ?? is('aborted') ?? is('none');
  const output = parts
    .map((part) => part.output)
    .filter(Boolean)
    .join('\n');
  return { state: worst?.state ?? 'done', ...(worst?.running === undefined ? {} : { running: worst.running }), output };
}
