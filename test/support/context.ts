import { randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import type { LaidOut } from './layout.ts';

/** Adds an answer to a session, for which so many tokens were read. */
export function answerMore(session: Pick<LaidOut, 'agent' | 'id' | 'path' | 'cwd'>, tokens: number): void {
  const records = readFileSync(session.path, 'utf8')
    .split('\n')
    .flatMap((line): Entry[] => {
      try {
        return line ? [JSON.parse(line)] : [];
      } catch {
        return [];
      }
    });
  const record = session.agent === 'codex' ? countOf(records, tokens) : answerOf(session, records, tokens);
  appendFileSync(session.path, `${JSON.stringify({ timestamp: new Date().toISOString(), ...record })}\n`);
}

function answerOf({ id, cwd }: Pick<LaidOut, 'id' | 'cwd'>, records: Entry[], tokens: number): Entry {
  const last = records.findLast((record) => record.type === 'assistant' && record.message?.usage);
  const parentUuid = records.findLast((record) => record.uuid && !record.isSidechain)?.uuid ?? null;
  const usage = { input_tokens: 4, cache_read_input_tokens: tokens - 4, cache_creation_input_tokens: 0, output_tokens: 9 };
  const content = [{ type: 'text', text: `Done, with ${tokens} tokens.` }];
  const message = { role: 'assistant', type: 'message', model: last?.message.model ?? 'claude-opus-5-5', id: `msg_${randomUUID()}`, content, usage };
  return { type: 'assistant', isSidechain: false, sessionId: id, cwd, parentUuid, uuid: randomUUID(), message };
}

function countOf(records: Entry[], tokens: number): Entry {
  const ordinal = records.findLast((record) => record.ordinal !== undefined)?.ordinal;
  const usage = { input_tokens: tokens - 20, output_tokens: 20, total_tokens: tokens };
  const info = { total_token_usage: usage, last_token_usage: usage, model_context_window: 258_400 };
  return { ...(ordinal === undefined ? {} : { ordinal: ordinal + 1 }), type: 'event_msg', payload: { type: 'token_count', info } };
}

// biome-ignore lint/suspicious/noExplicitAny: records of the clients, changed by tests
type Entry = any;

/** Changes each record of a session file; what is no record stays as it is. */
export function editRecords({ path }: Pick<LaidOut, 'path'>, edit: (record: Entry) => void): void {
  const lines = readFileSync(path, 'utf8').split('\n');
  writeFileSync(
    path,
    lines
      .map((line) => {
        if (!line) return line;
        try {
          const record = JSON.parse(line);
          edit(record);
          return JSON.stringify(record);
        } catch {
          return line;
        }
      })
      .join('\n'),
  );
}

/**
 * Makes every answer of a session one of so many tokens read, of that many as a window where the client records one. `model`: Claude Code's
 * name of the model, as it was asked for.
 */
export function fill(session: Pick<LaidOut, 'agent' | 'path'>, tokens: number, { window = 258_400, model }: { window?: number; model?: string } = {}): void {
  editRecords(session, (record) => {
    if (session.agent === 'codex') fillCodex(record, tokens, window);
    else if (record.type === 'assistant' && record.message?.usage?.input_tokens) {
      Object.assign(record.message.usage, {
        input_tokens: 4,
        cache_read_input_tokens: tokens - 1004,
        cache_creation_input_tokens: 1000,
        output_tokens: 30_000,
      });
      delete record.message.usage.iterations;
      if (model) Object.assign(record, { requestedModel: model, message: { ...record.message, model: model.replace(/\[1m\]$/, '') } });
    }
  });
}

function fillCodex(record: Entry, tokens: number, window: number): void {
  const { type, info } = record.payload ?? {};
  if (type === 'task_started') record.payload.model_context_window = window;
  if (type !== 'token_count' || !info) return;
  info.model_context_window = window;
  // More than was in the context last: the sum over all requests.
  info.total_token_usage = { ...info.total_token_usage, input_tokens: tokens * 7, total_tokens: tokens * 7 + 20 };
  info.last_token_usage = { ...info.last_token_usage, input_tokens: tokens - 20, output_tokens: 20, total_tokens: tokens };
}
