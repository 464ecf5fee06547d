import { asArray, asObject, asString, type JsonObject, parseJson } from '#lib/json.ts';
import type { Outcome } from '#session/action.ts';
import { callInput, plainText, type ToolCall, type ToolResult } from '#session/record.ts';
import { actions, cellName, isOwn, questionsOf, sessionName } from './actions.ts';
import { spawned, waited } from './agents.ts';
import { type Framed, unframed } from './framing.ts';
import { brokenOff } from './refusals.ts';
import { scriptOutcome } from './script-results.ts';

/** What a tool's own wording tells beyond exit code and error mark; `plain` what it means to any tool. Nothing: no more than that. */
type Reads = (plain: Outcome, call: ToolCall) => Outcome | undefined;

const READS: Record<string, Reads> = {
  write_stdin: stopped,
  update_plan: (plain) => (plain.output === 'Plan updated' ? { ...plain, output: '' } : undefined),
  spawn_agent: (plain) => spawned(plain.output) ?? unanswered(plain),
  send_input: sent,
  assign_task: sent,
  followup_task: sent,
  wait_agent: awaited,
  wait: awaited,
  close_agent: (plain) => (asObject(parseJson(plain.output)) ? { ...plain, output: '' } : undefined),
  request_user_input: answered,
  // Ran at the provider: the session holds what was asked for only.
  web_search: (plain) => ({ ...plain, output: '' }),
  image_generation: (plain) => ({ ...plain, output: '' }),
};

/** See Adapter.outcome. A result in this client's frame is known whatever its call is named: an imported session keeps it. */
export function outcome(call: ToolCall, result: ToolResult | undefined): Outcome | undefined {
  const own = isOwn(call.name);
  if (!result) return own ? { state: 'none', output: '' } : undefined;
  const [first = '', ...more] = result.content.map((block) => plainText([block]));
  const frame = unframed(first);
  if (!own && !frame) return undefined;
  const whole = [first, ...more].join('\n');
  const broken = own ? brokenOff(whole) : undefined;
  if (broken) return broken;
  if (frame?.script) return scriptOutcome(frame, [frame.output, ...more], call);
  const plain = ended(frame ? { ...frame, output: [frame.output, ...more].filter(Boolean).join('\n') } : { output: whole }, result);
  const reads = own && Object.hasOwn(READS, call.name) ? READS[call.name] : undefined;
  return reads?.(plain, call) ?? plain;
}

/** Failures that have neither code nor mark. */
const FAILED =
  /^(?:failed in sandbox|sandbox (?:denied|error)|execution error|(?:exec_command|write_stdin) failed|apply_patch verification failed|unsupported (?:custom tool )?call|failed to parse function arguments|tool call error|unable to locate image)/;
const DENIED = /^sandbox denied exec error, exit code: (-?\d+)/;
const TIMED_OUT = /^command timed out after \d+ milliseconds\n?/;

function ended(frame: Framed, result: ToolResult): Outcome {
  const denied = DENIED.exec(frame.output)?.[1];
  const exit = result.exit_code ?? frame.exit ?? (denied === undefined ? undefined : Number(denied));
  const code = exit === undefined ? {} : { exit };
  if (TIMED_OUT.test(frame.output)) return { state: 'aborted', ...code, output: frame.output.replace(TIMED_OUT, '') };
  if (frame.session !== undefined) return { state: 'running', running: sessionName(frame.session), output: frame.output };
  const failed = exit === undefined ? result.is_error === true || FAILED.test(frame.output) : exit !== 0;
  return { state: failed ? 'failed' : 'done', ...code, output: frame.output };
}

const inputOf = (call: ToolCall): JsonObject => asObject(callInput(call)) ?? {};

/** An answer in other words than the tool has for success. */
const unanswered = (plain: Outcome): Outcome => ({ ...plain, state: 'failed' });

/** What a command says when it is stopped is no failure of its own. */
function stopped(plain: Outcome, call: ToolCall): Outcome | undefined {
  return plain.state === 'failed' && plain.exit !== undefined && actions(call)?.[0]?.kind === 'stop' ? { ...plain, state: 'aborted' } : undefined;
}

/** An agent that is given more to do goes on. */
function sent(plain: Outcome, call: ToolCall): Outcome {
  const answer = asObject(parseJson(plain.output));
  if (!answer && plain.output) return unanswered(plain);
  const input = inputOf(call);
  const to = asString(input.target) ?? asString(input.id);
  return { state: 'running', ...(to === undefined ? {} : { running: to }), output: '' };
}

function awaited(plain: Outcome, call: ToolCall): Outcome | undefined {
  const of = (actions(call) ?? []).flatMap((action) => (action.kind === 'wait' && action.of ? [action.of] : []));
  return of.some((name) => name === cellName(String(inputOf(call).cell_id))) ? undefined : (waited(plain.output, of) ?? unanswered(plain));
}

/** `{"answers": {"<id>": {"answers": ["<label>", "user_note: …"]}}}` */
function answered(plain: Outcome, call: ToolCall): Outcome {
  const given = asObject(asObject(parseJson(plain.output))?.answers);
  const answers = questionsOf(inputOf(call)).map(({ id }) => {
    const said = given && Object.hasOwn(given, id) ? asArray(asObject(given[id])?.answers) : [];
    return said.flatMap((one) => asString(one)?.replace(/^user_note: /, '') ?? []).join('\n');
  });
  const said = answers.filter(Boolean).join('\n');
  return said ? { state: 'done', output: '', answers, said } : { ...plain, output: given ? '' : plain.output };
}
