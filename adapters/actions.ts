import { isObject } from '#lib/json.ts';
import type { Action, Outcome, Report } from '#session/action.ts';
import { describeCall } from '#session/pairs.ts';
import { callInput, plainText, type ToolCall, type ToolResult } from '#session/record.ts';
import type { Adapter } from './adapter.ts';
import { adapters } from './registry.ts';

/**
 * What a call does and how it ended. An imported session holds tools of other agents, under their own names or as
 * `mcp__<agent>__<tool>`, and results in their words, so every adapter is asked. Never throws.
 * @param first id of the adapter whose session it is
 */
export function readCall(call: ToolCall, result: ToolResult | undefined, first: string): { actions: Action[]; outcome: Outcome } {
  const { agent, own } = named(call);
  const order = inOrder(agent, first);
  for (const adapter of order) {
    const made = adapter.id === agent ? own : call;
    const actions = adapter.actions(made, result);
    // Words that only one client has tell more than the name under which the call goes.
    const worded = result && order.filter((one) => one !== adapter).map((one) => one.outcome({ ...call, name: '' }, result));
    if (actions) return { actions, outcome: worded?.find((one) => one !== undefined) ?? adapter.outcome(made, result) ?? plainOutcome(result) };
  }
  return { actions: [{ kind: 'other', text: describeCall(call) }], outcome: plainOutcome(result) };
}

/** True for a text by which any of the clients notes that the person stopped it. */
export const readStop = (text: string): boolean => adapters.some(({ stopped }) => stopped?.test(text) === true);

/** What a text says of something that went on meanwhile (see Adapter.report), whichever client wrote it. */
export function readReport(text: string, first: string): Report | undefined {
  for (const adapter of inOrder(first)) {
    const report = adapter.report(text);
    if (report) return report;
  }
  return undefined;
}

/** Every adapter, those with these ids first. */
function inOrder(...ids: (string | undefined)[]): readonly Adapter[] {
  const named = ids.flatMap((id) => adapters.find((adapter) => adapter.id === id) ?? []);
  return [...new Set<Adapter>([...named, ...adapters])];
}

/** A call that was imported under another agent's name, as that agent had it: its input may have been wrapped, since it was no object. */
function named(call: ToolCall): { agent?: string; own: ToolCall } {
  const [, agent, name] = /^mcp__([\w-]+?)__(.+)$/.exec(call.name) ?? [];
  if (agent === undefined || name === undefined || !adapters.some(({ id }) => id === agent)) return { own: call };
  const input = callInput(call);
  const bare = isObject(input) && Object.keys(input).length === 1 && input.value !== undefined ? input.value : input;
  return { agent, own: { ...call, name, input: bare } };
}

function plainOutcome(result: ToolResult | undefined): Outcome {
  if (!result) return { state: 'none', output: '' };
  const { is_error: failed, exit_code: exit } = result;
  const code = exit === undefined ? {} : { exit };
  return { state: failed || (exit ?? 0) !== 0 ? 'failed' : 'done', ...code, output: plainText(result.content) };
}
