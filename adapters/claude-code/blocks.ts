import { asArray, asObject, asString, type Json, type JsonObject } from '#lib/json.ts';
import type { Block, ResultBlock, ToolResult } from '#session/record.ts';

/** Content of a message: a string, or API content blocks. Strings and tool inputs are the same objects as in the source, so that folding finds them. */
export function contentBlocks(content: Json | undefined): Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return asArray(content).flatMap((item) => {
    if (typeof item === 'string') return [{ type: 'text' as const, text: item }];
    const block = asObject(item);
    return block ? [blockOf(block)] : [];
  });
}

function blockOf(block: JsonObject): Block {
  switch (block.type) {
    case 'thinking':
      return { type: 'thinking', text: asString(block.thinking) ?? '', ...(block.signature ? { sealed: true } : {}) };
    case 'redacted_thinking':
      return { type: 'thinking', text: '', sealed: true };
    case 'tool_use':
      return { type: 'tool_call', id: asString(block.id) ?? '', name: asString(block.name) ?? '', input: block.input ?? {} };
    case 'tool_result':
      return resultOf(block);
    default:
      return plainBlock(block);
  }
}

function resultOf(block: JsonObject): ToolResult {
  const content = contentBlocks(block.content).map(
    (b): ResultBlock => (b.type === 'text' || b.type === 'image' || b.type === 'file' || b.type === 'unknown' ? b : { type: 'unknown', kind: b.type }),
  );
  const failed = block.is_error === true;
  const code = failed ? exitCode(content[0]) : undefined;
  return {
    type: 'tool_result',
    call_id: asString(block.tool_use_id) ?? '',
    ...(failed ? { is_error: true } : {}),
    ...(code === undefined ? {} : { exit_code: code }),
    content,
  };
}

/** A failed Bash call says its exit code in the first line of the output (from 2.0.37 on). */
function exitCode(first: ResultBlock | undefined): number | undefined {
  const code = first?.type === 'text' ? /^Exit code (\d{1,10})(?:\n|$)/.exec(first.text)?.[1] : undefined;
  return code === undefined ? undefined : Number(code);
}

function plainBlock(block: JsonObject): ResultBlock {
  const source = asObject(block.source);
  const data = asString(source?.data);
  if (block.type === 'text' && typeof block.text === 'string') return isBare(block) ? (block as ResultBlock) : { type: 'text', text: block.text };
  if (data !== undefined && source?.type === 'base64') {
    if (block.type === 'image') return { type: 'image', media_type: asString(source.media_type) ?? 'image/png', data };
    if (block.type === 'document') return { type: 'file', media_type: asString(source.media_type) ?? 'application/pdf', ...nameOf(block), data };
  }
  if (block.type === 'document' && source?.type === 'text' && data !== undefined) return { type: 'text', text: data };
  return { type: 'unknown', kind: asString(block.type) ?? 'untyped' };
}

/** Nothing but type and text: the block itself can stand in the canonical record, so that it is stored once. */
const isBare = (block: JsonObject): boolean => Object.keys(block).length === 2;

const nameOf = (block: JsonObject): { name?: string } => (typeof block.title === 'string' ? { name: block.title } : {});
