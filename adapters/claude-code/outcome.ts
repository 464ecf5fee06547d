import { asArray, asObject, asString, type JsonObject, parseJson } from '#lib/json.ts';
import type { Outcome } from '#session/action.ts';
import { callInput, plainText, type ToolCall, type ToolResult } from '#session/record.ts';
import { isOwn } from './actions.ts';
import { answersTo, partialAnswers } from './answers.ts';
import { brokenOff, withoutTags } from './refusals.ts';
import { taskLookedAt } from './task-output.ts';
import { agentReport, bare, tag, unnumbered } from './wrapping.ts';

/** What a tool's own wording tells beyond the error mark. `text` is without the client's wrapping, `plain` what it means to any tool. */
type Reads = (text: string, plain: Outcome, input: JsonObject) => Outcome;

/** The client only says that it did it. */
const confirmed: Reads = (_, plain) => (plain.state === 'done' ? { ...plain, output: '' } : plain);
const READS: Record<string, Reads> = {
  Bash: command,
  PowerShell: command,
  Monitor: command,
  BashOutput: task,
  AgentOutputTool: task,
  TaskOutput: task,
  Read: (text, plain) => ({ ...plain, output: plain.state === 'done' ? unnumbered(text) : plain.output }),
  Edit: confirmed,
  MultiEdit: confirmed,
  Write: confirmed,
  NotebookEdit: confirmed,
  TodoWrite: confirmed,
  ExitPlanMode: confirmed,
  TaskCreate: (text, plain) => {
    const item = /^Task #(\S+) created/.exec(text)?.[1];
    return { ...confirmed(text, plain, {}), ...(item === undefined ? {} : { item }) };
  },
  TaskUpdate: (text, plain) => (/^Task .{0,40}not found/.test(text) ? { ...plain, state: 'failed' } : confirmed(text, plain, {})),
  Agent: agent,
  Task: agent,
  SendMessage: message,
  AskUserQuestion: (text, plain, input) => answered(answersTo(questionsOf(input), text), { ...plain, output: '' }),
};

/** Tools that are over as soon as they are let run: a refusal of these is never a stop in mid-run. */
const AT_ONCE: ReadonlySet<string> = new Set(
  'Read NotebookRead Edit MultiEdit Write NotebookEdit TodoWrite TodoRead TaskCreate TaskUpdate TaskList TaskGet AskUserQuestion EnterPlanMode ExitPlanMode'.split(
    ' ',
  ),
);

/** See Adapter.outcome. */
export function outcome(call: ToolCall, result: ToolResult | undefined): Outcome | undefined {
  if (!isOwn(call.name)) return undefined;
  if (!result) return { state: 'none', output: '' };
  const said = plainText(result.content);
  const input = asObject(callInput(call)) ?? {};
  const broken = brokenOff(said, !AT_ONCE.has(call.name));
  if (broken) return call.name === 'AskUserQuestion' ? answered(partialAnswers(questionsOf(input), said), broken) : broken;
  const text = bare(said);
  const failed = result.is_error === true || text.startsWith('<tool_use_error>');
  const exit = result.exit_code === undefined ? {} : { exit: result.exit_code };
  const plain: Outcome = { state: failed ? 'failed' : 'done', ...exit, output: failed ? withoutTags(text) : text };
  const looked = failed ? undefined : taskLookedAt(call.name, input);
  // Nothing says whether it has ended. Of an agent the file holds its whole conversation.
  if (looked !== undefined) return { state: 'running', running: looked, output: text.startsWith('{"') ? '' : unnumbered(text) };
  const reads = Object.hasOwn(READS, call.name) ? READS[call.name] : undefined;
  return reads ? reads(text, plain, input) : plain;
}

/** It goes on: since that was asked for, since the person or the client moved it, or since its time was up. */
const BACKGROUND =
  /^(?:Command (?:running in background|was manually backgrounded by user) with ID: |Command (?:did not complete within its \S+ timeout and )?was moved to the background \(ID: |Monitor started \(task )([\w-]+)/m;
/** What the client says stands at the beginning, or behind what was printed until then. */
const NOTICE_MAX = 1500;
const TIMED_OUT = /(?:^|\n)Command timed out after [\dhms. ]+(?=\n|$)\n?/;
const ABORTED = /\n?<error>Command was aborted before completion<\/error>\s*$/;

function command(text: string, plain: Outcome): Outcome {
  const from = Math.max(0, text.length - NOTICE_MAX);
  const moved = BACKGROUND.exec(text.slice(from));
  if (moved) return { state: 'running', running: moved[1] as string, output: text.slice(0, from + moved.index).trimEnd() };
  // A session that came through another agent has no error mark, and no exit code beside its text.
  const [head, code] = /^Exit code (\d{1,10})(?:\n|$)/.exec(plain.output) ?? [''];
  const exit = plain.exit ?? (code === undefined ? undefined : Number(code));
  const output = plain.output.slice(head.length);
  const failed = plain.state === 'failed' || (exit ?? 0) !== 0;
  const stopped = ABORTED.test(output) || (failed && TIMED_OUT.test(output));
  return {
    state: stopped ? 'aborted' : failed ? 'failed' : 'done',
    ...(exit === undefined ? {} : { exit }),
    output: stopped ? output.replace(ABORTED, '').replace(TIMED_OUT, '') : output,
  };
}

const STATES: Record<string, Outcome['state']> = {
  running: 'running',
  pending: 'running',
  completed: 'done',
  failed: 'failed',
  killed: 'aborted',
  stopped: 'aborted',
};

/** What became of something in the background: `<status>`, `<exit_code>`, and what it printed. */
function task(text: string, plain: Outcome, input: JsonObject): Outcome {
  const status = tag(text, 'status');
  const state = status !== undefined && Object.hasOwn(STATES, status) ? STATES[status] : undefined;
  if (!state) return plain;
  const code = tag(text, 'exit_code');
  const output = agentReport(['output', 'stdout', 'stderr', 'error'].flatMap((name) => tag(text, name, true) ?? []).join('\n'));
  const of = asString(input.task_id) ?? asString(input.bash_id) ?? asString(input.agentId);
  return {
    state: state === 'done' && code !== undefined && code !== '0' ? 'failed' : state,
    ...(code === undefined ? {} : { exit: Number(code) }),
    ...(state === 'running' && of !== undefined ? { running: of } : {}),
    output,
  };
}

const LAUNCHED = /^(?:Async agent launched successfully|Remote agent launched|Spawned successfully)/;

function agent(text: string, plain: Outcome): Outcome {
  if (!LAUNCHED.test(text)) return { ...plain, output: plain.state === 'done' ? agentReport(text) : plain.output };
  const id = /^(?:agentId|agent_id|task_id): ([\w@-]+)/m.exec(text)?.[1];
  return { state: 'running', ...(id === undefined ? {} : { running: id }), output: '' };
}

/** Words to another agent, which may set it to work again. */
function message(text: string, plain: Outcome, input: JsonObject): Outcome {
  const told = asObject(parseJson(text));
  const output = asString(told?.message) ?? plain.output;
  if (told?.success === false) return { ...plain, state: 'failed', output };
  const to = asString(input.to);
  return /\bresumed\b.*\bin the background\b/.test(output)
    ? { state: 'running', ...(to === undefined ? {} : { running: to }), output: '' }
    : { ...plain, output };
}

const questionsOf = (input: JsonObject): string[] => asArray(input.questions).map((one) => asString(asObject(one)?.question) ?? '');

function answered(answers: string[], plain: Outcome): Outcome {
  const said = answers.filter(Boolean).join('\n');
  return said ? { ...plain, answers, said } : plain;
}
