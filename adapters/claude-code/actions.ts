import { asArray, asObject, firstText, isObject, type Json, type JsonObject } from '#lib/json.ts';
import type { Action, FileChange, PlanItem, PlanState } from '#session/action.ts';
import { describeCall } from '#session/pairs.ts';
import { callInput, plainText, type ToolCall, type ToolResult } from '#session/record.ts';
import { approvedPlan } from './answers.ts';
import { swapsOf } from './swaps.ts';
import { taskLookedAt } from './task-output.ts';
import { folderAfter } from './wrapping.ts';

/** What a tool does with this input; `said` is the text of its result, "" where there is none. Nothing: the input lacks what says it. */
type Does = (input: JsonObject, said: string) => Action | undefined;

const run: Does = (input) => (firstText(input, 'command') ? { kind: 'run', command: firstText(input, 'command') } : undefined);
/** The client has one shell, which goes on where the last command left it. */
const inShell: Does = (input, said) => {
  const command = firstText(input, 'command');
  return command ? { kind: 'run', command, shell: folderAfter(said) ?? 'kept' } : undefined;
};
const search =
  (...keys: string[]): Does =>
  (input) => ({ kind: 'search', text: firstText(input, ...keys) });
const fetched =
  (...keys: string[]): Does =>
  (input) => ({ kind: 'fetch', text: firstText(input, ...keys) });
const read =
  (...keys: string[]): Does =>
  (input) =>
    firstText(input, ...keys) ? { kind: 'read', paths: [firstText(input, ...keys)] } : undefined;
const wait =
  (...keys: string[]): Does =>
  (input) => ({ kind: 'wait', of: firstText(input, ...keys) });
const stop =
  (...keys: string[]): Does =>
  (input) => ({ kind: 'stop', of: firstText(input, ...keys) });
const delegate =
  (...keys: string[]): Does =>
  (input) =>
    firstText(input, ...keys) ? { kind: 'delegate', task: firstText(input, ...keys) } : undefined;
/** There is no kind for it. */
const other: Does = () => undefined;

function changing(how: (input: JsonObject, said: string) => FileChange['change']): Does {
  return (input, said) => {
    const path = firstText(input, 'file_path', 'notebook_path');
    if (!path) return undefined;
    const change = how(input, said);
    const swaps = change === 'changed' ? swapsOf(input) : [];
    return { kind: 'change', files: [{ path, change, ...(swaps.length ? { swaps } : {}) }] };
  };
}

/** Tools of versions 1.0.44 to 2.1.332. */
const TOOLS: Record<string, Does> = {
  Bash: inShell,
  PowerShell: inShell,
  Monitor: run,
  BashOutput: wait('bash_id'),
  AgentOutputTool: wait('agentId', 'agent_id'),
  TaskOutput: wait('task_id'),
  KillShell: stop('shell_id'),
  KillBash: stop('shell_id'),
  TaskStop: stop('task_id', 'shell_id'),
  Read: read('file_path'),
  NotebookRead: read('notebook_path'),
  LSP: read('filePath', 'file_path'),
  // Only the result tells whether there was such a file.
  Write: changing((_, said) => (said.startsWith('File created successfully') ? 'created' : 'changed')),
  // An edit that replaces nothing makes the file.
  Edit: changing((input) => (input.old_string === '' ? 'created' : 'changed')),
  MultiEdit: changing((input) => (asObject(asArray(input.edits)[0])?.old_string === '' ? 'created' : 'changed')),
  NotebookEdit: changing(() => 'changed'),
  Grep: search('pattern'),
  Glob: search('pattern'),
  LS: search('path'),
  WebSearch: search('query'),
  WebFetch: fetched('url'),
  ReadMcpResourceTool: fetched('uri'),
  TodoWrite: (input) => (Array.isArray(input.todos) ? { kind: 'plan', items: input.todos.flatMap((todo) => todoItem(todo, 'content')) } : undefined),
  TaskCreate: (input) => {
    const text = firstText(input, 'subject', 'description');
    return text ? { kind: 'plan-add', item: { text, state: 'open' } } : undefined;
  },
  TaskUpdate: (input) => {
    const [id, text, state] = [firstText(input, 'taskId'), firstText(input, 'subject'), stateOf(input.status)];
    return id ? { kind: 'plan-update', id, ...(text ? { text } : {}), ...(state ? { state } : {}) } : undefined;
  },
  TaskList: (_, said) => taskList(said),
  Agent: delegate('prompt', 'description'),
  Task: delegate('prompt', 'description'),
  SendMessage: delegate('message', 'content'),
  AskUserQuestion: (input) => ({ kind: 'ask', questions: asArray(input.questions).flatMap(question) }),
  // Later versions keep the plan in a file; the result repeats what was accepted.
  ExitPlanMode: (input, said) => ({ kind: 'propose', text: firstText(input, 'plan') || (approvedPlan(said) ?? '') }),
  // These set the client up, look at the to-do list, or start what their own name says.
  EnterPlanMode: other,
  EnterWorktree: other,
  ExitWorktree: other,
  Skill: other,
  SlashCommand: other,
  ToolSearch: other,
  TodoRead: other,
  TaskGet: other,
  ListMcpResourcesTool: other,
  Workflow: other,
  ScheduleWakeup: other,
  CronCreate: other,
  CronDelete: other,
  CronList: other,
};

export const isOwn = (name: string): boolean => Object.hasOwn(TOOLS, name) || name.startsWith('mcp__');

/** See Adapter.actions. */
export function actions(call: ToolCall, result?: ToolResult): Action[] | undefined {
  if (!isOwn(call.name)) return undefined;
  const given = callInput(call);
  const input = isObject(given) ? given : {};
  const task = result?.is_error ? undefined : taskLookedAt(call.name, input);
  if (task !== undefined) return [{ kind: 'wait', of: task }];
  const does = Object.hasOwn(TOOLS, call.name) ? TOOLS[call.name] : undefined;
  return [does?.(input, result ? plainText(result.content) : '') ?? { kind: 'other', text: describeCall(call) }];
}

const STATES: Record<string, PlanState> = { pending: 'open', in_progress: 'active', completed: 'done', cancelled: 'dropped', deleted: 'dropped' };
const stateOf = (status: Json | undefined): PlanState | undefined => (typeof status === 'string' && Object.hasOwn(STATES, status) ? STATES[status] : undefined);

function todoItem(value: Json, key: string): PlanItem[] {
  const todo = asObject(value);
  const text = firstText(todo, key);
  return text ? [{ text, state: stateOf(todo?.status) ?? 'open' }] : [];
}

const TASK = /^#(\d+)\.? \[(\w+)\] (.+?)(?: \[blocked by [^\]]*\])?$/;

/** The list as the client shows it, `#1 [completed] Fix sum`; nothing where a line says something else. */
function taskList(said: string): Action | undefined {
  const items = said
    .trim()
    .split('\n')
    .map((line): PlanItem | undefined => {
      const [, id, status, text] = TASK.exec(line.trim()) ?? [];
      const state = stateOf(status);
      return id && text && state ? { id, text, state } : undefined;
    });
  const known = items.filter((item) => item !== undefined);
  return known.length === items.length ? { kind: 'plan', items: known } : undefined;
}

function question(value: Json): { text: string; options: string[] }[] {
  const asked = asObject(value);
  const text = firstText(asked, 'question');
  return text ? [{ text, options: asArray(asked?.options).map((option) => firstText(asObject(option), 'label')) }] : [];
}
