import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaidOut } from './layout.ts';

/** Lines by which a session reads files of its working directory, each with a call and its result. */
export function readLines(session: LaidOut, files: string[]): string[] {
  const time = '2026-12-01T09:00:00.000Z';
  const paths = files.map((file) => join(session.cwd, file));
  if (session.agent === 'claude-code') return claudeReads(session, paths, time);
  const numbered = readFileSync(session.path, 'utf8')
    .match(/"ordinal":(\d+)/g)
    ?.at(-1);
  let ordinal = numbered ? Number(numbered.slice(10)) + 1 : undefined;
  const line = (payload: object) =>
    JSON.stringify({ timestamp: time, ...(ordinal === undefined ? {} : { ordinal: ordinal++ }), type: 'response_item', payload });
  return paths.flatMap((path, i) => [
    line({ type: 'function_call', name: 'read_file', arguments: JSON.stringify({ file_path: path }), call_id: `call_read_${i}` }),
    line({ type: 'function_call_output', call_id: `call_read_${i}`, output: 'read' }),
  ]);
}

function claudeReads(session: LaidOut, paths: string[], timestamp: string): string[] {
  let parentUuid =
    readFileSync(session.path, 'utf8')
      .match(/"uuid":"([^"]+)"/g)
      ?.at(-1)
      ?.slice(8, -1) ?? null;
  const line = (type: string, message: object, extra: object = {}) => {
    const uuid = crypto.randomUUID();
    const text = JSON.stringify({
      parentUuid,
      isSidechain: false,
      type,
      message,
      uuid,
      timestamp,
      cwd: session.cwd,
      sessionId: session.id,
      version: '2.1.332',
      ...extra,
    });
    parentUuid = uuid;
    return text;
  };
  return paths.flatMap((path, i) => {
    const id = `toolu_read_${i}`;
    return [
      line('assistant', {
        id: `msg_read_${i}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-opus-5-5',
        content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: path } }],
      }),
      line(
        'user',
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: '1\tread' }] },
        {
          sourceToolAssistantUUID: parentUuid,
          toolUseResult: { type: 'text', file: { filePath: path, content: 'read', numLines: 1, startLine: 1, totalLines: 1 } },
        },
      ),
    ];
  });
}
