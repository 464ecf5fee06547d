import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codex } from '#adapters/codex/index.ts';
import type { JsonObject } from '#lib/json.ts';
import { parseLine, toRecord } from '#session/codec.ts';
import type { Entry } from '#session/conversation.ts';
import type { SessionRecord } from '#session/record.ts';

export const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/codex/${name}`, import.meta.url));

/** Canonical records of the bytes of a rollout. */
export function recordsOf(bytes: Buffer): SessionRecord[] {
  const records: SessionRecord[] = [];
  for (let from = 0; from < bytes.length; ) {
    const lf = bytes.indexOf(10, from);
    const parsed = parseLine(bytes.subarray(from, lf < 0 ? bytes.length : lf));
    const record: SessionRecord = 'line' in parsed ? toRecord(codex.draft(parsed.line.value as JsonObject), parsed.line) : { type: 'raw', ...parsed };
    if (lf < 0) record.eol = false;
    records.push(record);
    from = lf < 0 ? bytes.length : lf + 1;
  }
  return records;
}

export const fixtureRecords = (name: string, end?: number): SessionRecord[] => recordsOf(readFileSync(fixture(`${name}.jsonl`)).subarray(0, end));

/** Lines of a made-up rollout. */
export const rolloutLine = (type: string, payload: JsonObject): string => JSON.stringify({ timestamp: '2026-11-30T11:00:00.000Z', type, payload });
export const metaLine = (more: JsonObject = {}): string =>
  rolloutLine('session_meta', {
    id: '01a22c35-2c91-79b0-a0af-b94749a2e016',
    timestamp: '2026-11-30T11:00:00.000Z',
    cwd: '/home/ann/proj',
    originator: 'codex_cli_rs',
    cli_version: '0.100.0',
    source: 'cli',
    model_provider: 'openai',
    ...more,
  });
export const asked = (text: string): string[] => [
  rolloutLine('event_msg', { type: 'user_message', message: text, images: [] }),
  rolloutLine('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
];
export const answered = (text: string): string[] => [
  rolloutLine('event_msg', { type: 'agent_message', message: text }),
  rolloutLine('response_item', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }),
];
export const rollout = (...lines: (string | string[])[]): SessionRecord[] => recordsOf(Buffer.from(`${lines.flat().join('\n')}\n`));

/** What the model is told, one line a block: without what the client puts in anew, and without reasoning and sealed parts. */
export const toldBy = (entries: readonly Entry[]): string[] =>
  entries.flatMap((entry) =>
    entry.role === 'system'
      ? []
      : entry.content.flatMap((block) => {
          if (block.type === 'thinking' || block.type === 'unknown') return [];
          if (block.type === 'text') return [`${entry.role}: ${block.text}`];
          if (block.type === 'tool_call')
            return [`call ${block.id} ${block.name} ${typeof block.input === 'string' ? block.input : JSON.stringify(block.input)}`];
          if (block.type === 'tool_result')
            return [`result ${block.call_id} ${block.content.map((part) => (part.type === 'text' ? part.text : part.type)).join('|')}`];
          return [`${entry.role}: ${block.type}`];
        }),
  );

type Item = Record<string, unknown> & { type: string };
const partText = (part: unknown): string => {
  const { text } = part as { text?: string };
  return text ?? 'image';
};

/** The same of a recorded request's input, read without the adapter. */
export const toldTo = (input: readonly Item[]): string[] =>
  input.flatMap((item) => {
    if (item.role === 'developer' || ['reasoning', 'compaction', 'additional_tools'].includes(item.type)) return [];
    if (item.type === 'message') return (item.content as unknown[]).map((part) => `${item.role}: ${partText(part)}`);
    if (item.type.endsWith('_call')) return [`call ${item.call_id} ${item.name} ${item.arguments ?? item.input}`];
    const output = typeof item.output === 'string' ? item.output : (item.output as unknown[]).map(partText).join('|');
    return [`result ${item.call_id} ${output}`];
  });

export const requests = (name: string): Item[][] =>
  (JSON.parse(readFileSync(fixture(`${name}.requests.json`), 'utf8')) as { input: Item[] }[]).map((request) => request.input);
