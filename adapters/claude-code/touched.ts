import { asObject, asString, type JsonObject } from '#lib/json.ts';
import { nativeValue } from '#session/codec.ts';
import { callInput, type SessionRecord, type ToolCall } from '#session/record.ts';
import type { Touch } from '../adapter.ts';

const FILE_TOOLS: Readonly<Record<string, Touch['change']>> = {
  Read: 'read',
  Edit: 'changed',
  MultiEdit: 'changed',
  Write: 'changed',
  NotebookEdit: 'changed',
};

/** Files that a record says were read or changed: file tools, files named in a prompt, checkpoint copies of changed files. */
export function touched(record: SessionRecord): Touch[] {
  if (record.type === 'event')
    return record.kind === 'file-change' && typeof record.data?.path === 'string' ? [{ path: record.data.path, change: 'changed' }] : [];
  if (record.type !== 'message') return [];
  if (record.name === 'file') return namedFile(nativeValue(record));
  return record.content.flatMap((block) => (block.type === 'tool_call' ? ofCall(block) : []));
}

function ofCall(call: ToolCall): Touch[] {
  const change = Object.hasOwn(FILE_TOOLS, call.name) ? FILE_TOOLS[call.name] : undefined;
  const input = asObject(callInput(call));
  const path = asString(input?.file_path) ?? asString(input?.notebook_path);
  return change && path ? [{ path, change }] : [];
}

function namedFile(value: JsonObject | undefined): Touch[] {
  const path = asString(asObject(value?.attachment)?.filename);
  return path ? [{ path, change: 'read' }] : [];
}
