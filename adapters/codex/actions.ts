import { asArray, asObject, asString, firstText, isObject, type Json, type JsonObject } from '#lib/json.ts';
import type { Action, AskedQuestion, PlanItem, PlanState } from '#session/action.ts';
import { describeCall } from '#session/pairs.ts';
import { callInput, type ToolCall } from '#session/record.ts';
import { patchFiles } from './patch.ts';
import { scriptCalls } from './script.ts';
import { commandText, shellActions } from './shell.ts';

/** What a tool does with this input. Nothing: the input lacks what says it. */
type Does = (input: JsonObject) => Action[];

/** Names under which later calls ask for what was started: commands and scripts are numbered apart. */
export const sessionName = (id: string): string => `session ${id}`;
export const cellName = (id: string): string => `cell ${id}`;

const shell: Does = (input) => {
  const list = asArray(input.command ?? input.cmd);
  if (list.length === 2 && list[0] === 'apply_patch') return patch(asString(list[1]) ?? '');
  const command = commandText(input.cmd ?? input.command);
  return command === undefined ? [] : shellActions(command, firstText(input, 'workdir', 'working_directory') || undefined);
};

function patch(text: string): Action[] {
  const files = patchFiles(text);
  return files.length ? [{ kind: 'change', files }] : [];
}

const CTRL_C = '\u0003';

const stdin: Does = (input) => {
  const id = firstText(input, 'session_id');
  const typed = asString(input.chars) ?? '';
  if (!id) return [];
  return typed.includes(CTRL_C) ? [{ kind: 'stop', of: sessionName(id) }] : [{ kind: 'wait', of: sessionName(id), ...(typed ? { typed } : {}) }];
};

const agents = (input: JsonObject): string[] => {
  const named = [input.targets, input.ids, input.target, input.id].find((value) => value !== undefined && value !== null);
  return (Array.isArray(named) ? named : [named]).filter((one) => typeof one === 'string');
};

/** One wait for each of the agents; without names for whichever comes first. */
const waitForAgents: Does = (input) => {
  const of = agents(input);
  return of.length ? of.map((one) => ({ kind: 'wait', of: one })) : [{ kind: 'wait', of: '' }];
};

/** `wait` means a script where it names a cell; in older versions, agents. */
const wait: Does = (input) => {
  const cell = firstText(input, 'cell_id');
  if (!cell) return waitForAgents(input);
  return [{ kind: input.terminate === true ? 'stop' : 'wait', of: cellName(cell) }];
};

const stopAgent: Does = (input) => agents(input).map((of) => ({ kind: 'stop', of }));

const delegate: Does = (input) => {
  const items = asArray(input.items).flatMap((item) => asString(asObject(item)?.text) ?? []);
  const task = firstText(input, 'message') || items.join('\n') || firstText(input, 'task_name');
  return task ? [{ kind: 'delegate', task }] : [];
};

const read =
  (...keys: string[]): Does =>
  (input) =>
    firstText(input, ...keys) ? [{ kind: 'read', paths: [firstText(input, ...keys)] }] : [];
const search =
  (...keys: string[]): Does =>
  (input) => [{ kind: 'search', text: firstText(input, ...keys) }];

/** At the provider (`action`), or as a tool of code mode (`search_query`, `open`). */
const web: Does = (input) => {
  const queries = [...asArray(input.queries), input.query, ...asArray(input.search_query).map((one) => asObject(one)?.q ?? null)];
  const pages = [input.url, ...asArray(input.open).map((one) => asObject(one)?.ref_id ?? null)];
  const texts = (values: (Json | undefined)[]): string[] => [...new Set(values.filter((one) => typeof one === 'string' && one !== ''))] as string[];
  return [...texts(pages).map((text): Action => ({ kind: 'fetch', text })), ...texts(queries).map((text): Action => ({ kind: 'search', text }))];
};

const STATES: Record<string, PlanState> = { pending: 'open', in_progress: 'active', completed: 'done' };

const plan: Does = (input) => {
  if (!Array.isArray(input.plan)) return [];
  const items = input.plan.flatMap((value): PlanItem[] => {
    const { step, status } = asObject(value) ?? {};
    const state = typeof status === 'string' && Object.hasOwn(STATES, status) ? STATES[status] : undefined;
    return typeof step === 'string' && step ? [{ text: step, state: state ?? 'open' }] : [];
  });
  return [{ kind: 'plan', items }];
};

/** The questions as asked, each with the id that its answer stands under. */
export function questionsOf(input: JsonObject): (AskedQuestion & { id: string })[] {
  return asArray(input.questions).flatMap((value) => {
    const asked = asObject(value);
    const text = firstText(asked, 'question');
    return asked && text ? [{ id: firstText(asked, 'id'), text, options: asArray(asked.options).map((option) => firstText(asObject(option), 'label')) }] : [];
  });
}

/** There is no kind for it. */
const other: Does = () => [];

/** Tools of versions 0.50 to 0.171. */
const TOOLS: Record<string, Does> = {
  exec_command: shell,
  shell,
  shell_command: shell,
  local_shell: shell,
  'container.exec': shell,
  write_stdin: stdin,
  apply_patch: (input) => patch(firstText(input, 'input', 'patch')),
  update_plan: plan,
  view_image: read('path'),
  read_file: read('file_path', 'path'),
  list_dir: search('dir_path', 'path'),
  grep_files: search('pattern'),
  web_search: web,
  web__run: web,
  read_mcp_resource: (input) => [{ kind: 'fetch', text: firstText(input, 'uri') }],
  spawn_agent: delegate,
  send_input: delegate,
  assign_task: delegate,
  followup_task: delegate,
  wait_agent: waitForAgents,
  wait,
  close_agent: stopAgent,
  interrupt_agent: stopAgent,
  request_user_input: (input) => [{ kind: 'ask', questions: questionsOf(input).map(({ text, options }) => ({ text, options })) }],
  exec: other,
  // A word in passing, which sets no agent to work.
  send_message: other,
  // These look at something or set the client up.
  resume_agent: other,
  list_agents: other,
  list_mcp_resources: other,
  list_mcp_resource_templates: other,
  tool_search: other,
  image_generation: other,
  request_permissions: other,
  get_goal: other,
  create_goal: other,
  update_goal: other,
};

export const isOwn = (name: string): boolean => Object.hasOwn(TOOLS, name) || name.startsWith('mcp__');

/** See Adapter.actions. */
export function actions(call: ToolCall): Action[] | undefined {
  if (!isOwn(call.name)) return undefined;
  const input = callInput(call);
  const script = call.name === 'exec' ? scriptOf(input) : undefined;
  if (script !== undefined) return scriptActions(script);
  const done = does(call.name, input);
  return done.length ? done : [{ kind: 'other', text: describeCall(call) }];
}

/** The input of a tool is an object, that of a patch may be the patch itself. */
function does(name: string, input: Json): Action[] {
  const given = isObject(input) ? input : typeof input === 'string' ? { input } : {};
  return Object.hasOwn(TOOLS, name) ? (TOOLS[name] as Does)(given) : [];
}

const scriptOf = (input: Json): string | undefined => asString(input) ?? (isObject(input) ? firstText(input, 'input', 'code') || undefined : undefined);

/** What the tools do that a script calls. Where the script alone does not tell, it is told as it stands there. */
function scriptActions(script: string): Action[] {
  const calls = scriptCalls(script);
  if (!calls?.length) return [{ kind: 'other', text: script }];
  return calls.flatMap(({ name, input, certain, source }) => {
    const done = certain && input !== undefined ? does(name, input) : [];
    return done.length ? done : [{ kind: 'other' as const, text: source }];
  });
}
