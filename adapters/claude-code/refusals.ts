import type { Outcome } from '#session/action.ts';

/** What the client puts in place of a result that it never got. */
const UNKNOWN = /^\[(?:Tool call interrupted:|Tool use interrupted\]|Tool result missing due to internal error\])/;

/** A person's refusal, or a stop: since 2.1.200 both are worded alike. */
const REFUSED = /^(?:The user doesn't want to proceed with this tool use\.|Permission for this tool use was denied\.)/;
const PLAN_REFUSED = /^The agent proposed a plan that was rejected by the user\./;
const DECLINED = /^User declined to answer questions/;
/** Up to 2.1.50 a stopped command is told with what it had printed. */
const STOPPED = /^\[Request interrupted by user(?: for tool use)?\]\n?/;
/** Not begun because of what happened to a call beside it, or since the person stopped the turn. */
const NOT_BEGUN = /^(?:<tool_use_error>(?:Cancelled: parallel tool call|Sibling tool call errored)|The user doesn't want to take this action right now\.)/;

/** Rules that refuse: the permission settings, the mode, the classifier, a hook, what the client itself blocks. */
const BY_RULE =
  /^(?:(?:<tool_use_error>|Error: )?(?:Permission to use \S+ |Permission for this action (?:has been|was) denied|Claude requested permissions? |This (?:Bash )?command (?:requires approval|contains multiple operations)|File is in a directory that is denied|Blocked: )|(?:Hook )?PreToolUse:\S+ )/;

/**
 * The outcome of a call that was refused, stopped, or whose result was never recorded; undefined: it ended by itself.
 * @param lasting the call takes its time: then a refusal without a reason may be a stop in mid-run, and counts as one
 */
export function brokenOff(text: string, lasting: boolean): Outcome | undefined {
  if (UNKNOWN.test(text)) return { state: 'none', output: '' };
  if (STOPPED.test(text)) return { state: 'aborted', output: text.replace(STOPPED, '') };
  if (NOT_BEGUN.test(text)) return { state: 'aborted', output: '' };
  if (PLAN_REFUSED.test(text) || DECLINED.test(text)) return { state: 'refused', by: 'user', output: '' };
  if (REFUSED.test(text)) {
    const said = reason(text);
    if (!said && lasting) return { state: 'aborted', output: '' };
    return { state: 'refused', by: 'user', output: '', ...(said ? { said } : {}) };
  }
  return BY_RULE.test(text) ? { state: 'refused', by: 'rule', output: withoutTags(text) } : undefined;
}

/** What the client adds for the model behind the person's words. */
const NOTE = "\n\nNote: The user's next message may contain";
/** What the client says when the person would rather talk about the questions. */
const CLIENT_SAYS = /^The user (?:wants to clarify these questions|has indicated they have provided enough answers)/;

/** The person's own words. */
function reason(text: string): string {
  const at = text.toLowerCase().indexOf('the user said:');
  if (at < 0) return '';
  const said = text.slice(at + 'the user said:'.length);
  const note = said.indexOf(NOTE);
  const own = (note < 0 ? said : said.slice(0, note)).trim();
  return CLIENT_SAYS.test(own) ? '' : own;
}

/** The text of an error without the client's marks. */
export const withoutTags = (text: string): string => text.replace(/^<tool_use_error>([\s\S]*?)<\/tool_use_error>\s*$/, '$1').replace(/^Error: /, '');
