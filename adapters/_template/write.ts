import type { JsonObject } from '#lib/json.ts';
import { uuidOf } from '#lib/uuid.ts';
import type { Entry } from '#session/conversation.ts';
import type { Loss } from '#session/loss.ts';
import { type Block, plainText } from '#session/record.ts';
import type { Target, WriteInput, Written } from '../adapter.ts';
import { AGENT, FORM_VERSION, sessionPath } from './native.ts';

export const resume = (id: string, cwd: string): Written['resume'] => ({ command: AGENT, args: ['--resume', id], cwd });

/** A session made from any agent's conversation (see Adapter.write): everything in the file, `lead` and `tail` for the model. */
export async function write({ target, orientation, fitted }: WriteInput): Promise<Written> {
  const loss: Loss[] = [];
  const path = sessionPath(target.where, target.id);
  const lines = function* (): Generator<string> {
    const at = fitted.tail[0]?.time ?? target.now.toISOString();
    yield JSON.stringify({ kind: 'session', id: target.id, cwd: target.cwd, title: target.title, at, version: FORM_VERSION });
    if (orientation) yield JSON.stringify(said(target, 'orientation', 'user', orientation, at));
    // A client with a form for compactions gets `history`, then its own mark with `lead`, then `tail` (see claude-code, codex).
    yield* entryLines([...fitted.history, ...fitted.lead, ...fitted.tail], target, loss);
  };
  return { files: [{ path, lines: lines() }], appends: [], loss, session: target.id, path, resume: resume(target.id, target.cwd) };
}

/** Entries as lines of this agent. What it has no form for is told as text and named in the loss report. */
export function* entryLines(entries: readonly Entry[], target: Target, loss: Loss[]): Generator<string> {
  for (const [n, entry] of entries.entries()) {
    const at = entry.time ?? target.now.toISOString();
    for (const [i, block] of entry.content.entries()) {
      const line = lineOf(block, entry, { target, at, key: `${n} ${i}`, loss });
      if (line) yield JSON.stringify(line);
    }
  }
}

function lineOf(block: Block, entry: Entry, made: { target: Target; at: string; key: string; loss: Loss[] }): JsonObject | undefined {
  const { target, at, key, loss } = made;
  const by = entry.role === 'assistant' ? 'assistant' : 'user';
  if (block.type === 'text') return said(target, key, by, block.text, at);
  if (block.type === 'tool_call') return { kind: 'call', id: block.id, name: block.name, input: block.input, at };
  if (block.type === 'tool_result') return { kind: 'result', call: block.call_id, text: plainText(block.content), failed: block.is_error === true, at };
  const left = block.type === 'thinking';
  loss.push({
    record: entry.record < 0 ? null : entry.record,
    stream: entry.stream,
    kind: block.type,
    action: left ? 'left-out' : 'changed',
    reason: left ? 'This agent takes no reasoning of others.' : 'This agent has no form for it: a note stands in its place.',
  });
  return left ? undefined : said(target, key, by, plainText([block]) || `[${block.type}]`, at);
}

/** Ids are made from the session's, so that the same import gives the same file. */
const said = (target: Target, key: string, by: string, text: string, at: string): JsonObject => ({ kind: 'said', id: uuidOf(target.id, key), by, text, at });
