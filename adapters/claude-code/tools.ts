import { isObject, type Json, type JsonObject } from '#lib/json.ts';
import { callInput, type ToolCall } from '#session/record.ts';
import { AGENT } from './native.ts';

/** Longest name and id that the API takes without complaint. */
const NAME_MAX = 64;
const SAFE = /^[A-Za-z0-9_-]{1,64}$/;
const MCP = /^mcp__[A-Za-z0-9_-]+__[A-Za-z0-9_-]+$/;

export const isSafeId = (id: string): boolean => SAFE.test(id);

/** A call under a name that the client shows and an input that the API takes. */
export interface NativeCall {
  name: string;
  input: JsonObject;
}

interface Tool {
  /** what other agents call it */
  aliases: string[];
  /** our key -> the keys that others have for it */
  keys: Record<string, string[]>;
  required: string[];
  /** keys of other agents that steer only how the tool ran there */
  ignored: string[];
}

const FILE = ['filePath', 'path', 'absolute_path'];
const TOOLS: Record<string, Tool> = {
  Bash: {
    aliases: ['exec_command', 'shell', 'shell_command', 'local_shell', 'bash', 'run_shell_command'],
    keys: { command: ['cmd'], description: ['justification'], timeout: ['timeout_ms'], run_in_background: [], dangerouslyDisableSandbox: [] },
    required: ['command'],
    ignored: ['yield_time_ms', 'max_output_tokens', 'login', 'shell', 'tty', 'with_escalated_permissions', 'sandbox_permissions', 'prefix_rule'],
  },
  Read: { aliases: ['read', 'read_file'], keys: { file_path: FILE, offset: [], limit: [], pages: [] }, required: ['file_path'], ignored: [] },
  Write: { aliases: ['write', 'write_file'], keys: { file_path: FILE, content: [] }, required: ['file_path', 'content'], ignored: [] },
  Edit: {
    aliases: ['edit', 'replace'],
    keys: { file_path: FILE, old_string: ['oldString', 'oldText'], new_string: ['newString', 'newText'], replace_all: ['replaceAll'] },
    required: ['file_path', 'old_string', 'new_string'],
    ignored: [],
  },
};
const WORKDIR = ['workdir', 'cwd'];

/**
 * A call of any agent as this client's own: the same tool where name and input fit its schema, otherwise `mcp__<agent>__<name>`,
 * which the client shows, while it hides tools that it does not know.
 * @param cwds folders that a command may name as its own without saying anything
 */
export function nativeCall(call: ToolCall, agent: string, cwds: readonly string[]): NativeCall {
  const value = callInput(call);
  const input: JsonObject = isObject(value) ? value : { value: value ?? null };
  if (agent === AGENT && SAFE.test(call.name)) return { name: call.name, input };
  for (const [name, tool] of Object.entries(TOOLS)) {
    if (call.name !== name && !tool.aliases.includes(call.name)) continue;
    const fitting = isObject(value) ? inOwnKeys(value, tool, cwds) : undefined;
    if (fitting) return { name, input: sameKeys(fitting, value as JsonObject) ? (value as JsonObject) : fitting };
  }
  if (MCP.test(call.name) && call.name.length <= NAME_MAX) return { name: call.name, input };
  return { name: `mcp__${safe(agent)}__${safe(call.name) || 'tool'}`.slice(0, NAME_MAX), input };
}

const safe = (text: string): string => text.replace(/[^A-Za-z0-9_-]/g, '_');

function sameKeys(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/** The input in this client's keys; undefined when a key says something that the tool has no word for. */
function inOwnKeys(input: JsonObject, tool: Tool, cwds: readonly string[]): JsonObject | undefined {
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(input)) {
    const own = Object.hasOwn(tool.keys, key) ? key : Object.keys(tool.keys).find((k) => tool.keys[k]?.includes(key));
    if (own !== undefined) {
      if (Object.hasOwn(out, own)) return undefined;
      out[own] = own === 'command' ? commandText(value) : value;
    } else if (!tool.ignored.includes(key) && !(WORKDIR.includes(key) && tool === TOOLS.Bash && cwds.includes(String(value ?? '')))) return undefined;
  }
  const complete = tool.required.every((key) => typeof out[key] === 'string');
  const typed = ['timeout', 'offset', 'limit'].every((key) => out[key] === undefined || typeof out[key] === 'number');
  const described = out.description === undefined || typeof out.description === 'string';
  return complete && typed && described ? out : undefined;
}

/** `["bash", "-lc", "ls"]` is the command `ls`; other lists have no exact text. */
function commandText(value: Json): Json {
  if (!Array.isArray(value)) return value;
  const [shell, flag, text] = value;
  return value.length === 3 && /(?:^|\/)(?:ba|z|da)?sh$/.test(String(shell)) && /^-l?c$/.test(String(flag)) && typeof text === 'string' ? text : null;
}

/** What the client's screen shows for a result. The model does not get it. */
export function shownResult(call: NativeCall, text: string, failed: boolean): Json {
  if (failed) return text.startsWith('Error: ') ? text : `Error: ${text}`;
  const path = call.input.file_path as string;
  switch (call.name) {
    case 'Bash':
      return { stdout: text, stderr: '', interrupted: false, isImage: false, noOutputExpected: false };
    case 'Read': {
      const lines = text.split('\n').length;
      return { type: 'text', file: { filePath: path, content: text, numLines: lines, startLine: 1, totalLines: lines } };
    }
    case 'Write':
      return { type: 'create', filePath: path, content: call.input.content as string, structuredPatch: [], originalFile: null };
    case 'Edit': {
      const { old_string: before, new_string: after } = call.input as { old_string: string; new_string: string };
      return {
        filePath: path,
        oldString: before,
        newString: after,
        originalFile: before,
        structuredPatch: [hunk(before, after)],
        userModified: false,
        replaceAll: call.input.replace_all === true,
      };
    }
    default:
      return text;
  }
}

function hunk(before: string, after: string): JsonObject {
  const old = before.split('\n');
  const now = after.split('\n');
  return { oldStart: 1, oldLines: old.length, newStart: 1, newLines: now.length, lines: [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)] };
}
