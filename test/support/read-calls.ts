import { join } from 'node:path';
import type { LaidOut } from './layout.ts';
import { claudeLines, codexItems } from './session-lines.ts';

const TIME = '2026-12-01T09:00:00.000Z';

/** Lines by which a session reads files of its working directory, each with a call and its result. */
export function readLines(session: LaidOut, files: string[]): string[] {
  const paths = files.map((file) => join(session.cwd, file));
  if (session.agent === 'claude-code') return claudeReads(session, paths);
  const item = codexItems(session, TIME);
  return paths.flatMap((path, i) => [
    item({ type: 'function_call', name: 'read_file', arguments: JSON.stringify({ file_path: path }), call_id: `call_read_${i}` }),
    item({ type: 'function_call_output', call_id: `call_read_${i}`, output: 'read' }),
  ]);
}

function claudeReads(session: LaidOut, paths: string[]): string[] {
  const { call, result } = claudeLines(session, TIME);
  return paths.flatMap((path, i) => [
    call(`toolu_read_${i}`, 'Read', { file_path: path }),
    result(`toolu_read_${i}`, '1\tread', { type: 'text', file: { filePath: path, content: 'read', numLines: 1, startLine: 1, totalLines: 1 } }),
  ]);
}
