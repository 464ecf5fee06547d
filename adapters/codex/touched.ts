import { asArray, asObject, asString, isObject, type Json } from '#lib/json.ts';
import { callInput, type SessionRecord, type ToolCall } from '#session/record.ts';
import { patchFiles } from './patch.ts';

interface Touch {
  path: string;
  change: 'read' | 'changed';
}

/** Files that a record says were read or changed, as written there. */
export function touched(record: SessionRecord): Touch[] {
  if (record.type === 'event') return fromEvent(record.kind, record.data ?? {});
  if (record.type !== 'message') return [];
  return record.content.flatMap((block) => (block.type === 'tool_call' ? fromCall(block) : []));
}

function fromEvent(kind: string, data: Record<string, Json>): Touch[] {
  if (kind === 'file-change' && isObject(data.changes) && data.failed !== true)
    return Object.entries(data.changes).flatMap(([path, change]) => [path, ...movedTo(change)].map(changed));
  if (kind === 'command') return asArray(data.parsed).flatMap(fromParsed);
  if (kind === 'tool' && data.name === 'view_image' && typeof data.path === 'string') return [read(withoutScheme(data.path))];
  return [];
}

const changed = (path: string): Touch => ({ path, change: 'changed' });
const read = (path: string): Touch => ({ path, change: 'read' });

function movedTo(change: Json): string[] {
  const path = asString(asObject(change)?.move_path) ?? asString(asObject(asObject(change)?.update)?.move_path);
  return path === undefined ? [] : [path];
}

/** The client's own reading of a shell command. */
function fromParsed(parsed: Json): Touch[] {
  const { type, path } = asObject(parsed) ?? {};
  return type === 'read' && typeof path === 'string' && path ? [read(path)] : [];
}

function withoutScheme(path: string): string {
  if (!path.startsWith('file://')) return path;
  try {
    return decodeURIComponent(path.slice(7));
  } catch {
    return path.slice(7);
  }
}

function fromCall(call: ToolCall): Touch[] {
  const input = callInput(call);
  const text = typeof input === 'string' ? input : asString(asObject(input)?.input);
  const patched = (call.name === 'apply_patch' || call.name === 'exec') && text !== undefined ? fromPatch(text) : [];
  if (!isObject(input)) return patched;
  if (call.name === 'view_image' && typeof input.path === 'string') return [read(input.path)];
  // Tools of another agent, in a session that came from there.
  if (typeof input.file_path === 'string') return [/edit|write/i.test(call.name) ? changed(input.file_path) : read(input.file_path)];
  const command = input.cmd ?? input.command;
  return [...patched, ...fromCommand(Array.isArray(command) ? command.at(-1) : command)];
}

function fromPatch(text: string): Touch[] {
  return patchFiles(text).flatMap(({ path, to }) => [path, ...(to === undefined ? [] : [to])].map(changed));
}

/** Legacy rollouts keep no reading of a command: the plain `cat file` forms, and a patch given to the shell. */
function fromCommand(command: Json | undefined): Touch[] {
  if (typeof command !== 'string') return [];
  if (command.includes('*** Begin Patch')) return fromPatch(command);
  const match = /^\s*(?:cat|head|tail|nl|less|sed -n \S+)((?:\s+(?:-\S+|[^\s'"|&;<>$`*?]+))+)\s*(?:[|&;].*)?$/s.exec(command);
  const words = match?.[1]?.trim().split(/\s+/) ?? [];
  return words.filter((word) => !word.startsWith('-') && /[./]/.test(word)).map(read);
}
