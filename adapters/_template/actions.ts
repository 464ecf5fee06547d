import { asObject, asString } from '#lib/json.ts';
import type { Action, Outcome, Report } from '#session/action.ts';
import { callInput, plainText, type ToolCall, type ToolResult } from '#session/record.ts';

/** What the client's tools do. List every tool of every version that you have seen; what has no kind is `other`. */
export function actions(call: ToolCall): Action[] | undefined {
  const input = asObject(callInput(call)) ?? {};
  const command = asString(input.cmd);
  if (call.name === 'exec_command') return [command === undefined ? { kind: 'other', text: '' } : { kind: 'run', command }];
  const path = asString(input.path);
  if (call.name === 'write') return [path === undefined ? { kind: 'other', text: '' } : { kind: 'change', files: [{ path, change: 'changed' }] }];
  return undefined;
}

/** How a call ended: learn how the client words a refusal, a stop, an exit code and what goes on in the background, and take its own words off the output. */
export function outcome(call: ToolCall, result: ToolResult | undefined): Outcome | undefined {
  if (!actions(call)) return undefined;
  if (!result) return { state: 'none', output: '' };
  return { state: result.is_error ? 'failed' : 'done', output: plainText(result.content) };
}

/** This client runs nothing in the background. */
export const report = (): Report | undefined => undefined;
