import type { Outcome } from '#session/action.ts';

const ABORTED = /^(?:Wall time:? [\d.]+ seconds?\n)?aborted(?: by user(?: after [\d.]+s)?)?\s*$/;
const CANCELLED = /^request_user_input was cancelled/;
const BY_USER = /^(?:(?:exec )?(?:command|patch|tool call) )?rejected by user\s*$|^user (?:rejected|cancelled) MCP tool call/i;
/** Settings, the mode and the reviewer refuse in these words, in the first line. */
const BY_RULE =
  /^(?:approval policy is |(?:patch|exec command|`[^\n]*`) rejected: |rejected: |Rejected\(|[^\n]*; rejected by user approval settings|[^\n]*reject command — |[^\n]*This action was rejected due to)/;
/** An error that ends a script holds the words of the tool. */
const SCRIPT_ERROR = /(?:^|\n)Script error:\n(?:Error: )?([^\n]*)/;

/** The outcome of a call that was refused or stopped; undefined: it ended by itself. */
export function brokenOff(text: string): Outcome | undefined {
  if (ABORTED.test(text) || CANCELLED.test(text)) return { state: 'aborted', output: '' };
  const told = SCRIPT_ERROR.exec(text)?.[1] ?? text;
  if (BY_USER.test(told)) return { state: 'refused', by: 'user', output: '' };
  return BY_RULE.test(told) ? { state: 'refused', by: 'rule', output: told } : undefined;
}
