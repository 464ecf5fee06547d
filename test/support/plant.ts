import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LaidOut } from './layout.ts';
import { claudeLines, codexItems } from './session-lines.ts';

/**
 * Appends to a session, as its client would write them, a prompt, a tool's input and output, a file name, a title, a sub-agent's
 * transcript and an attachment (an output too large for the context) that hold `secrets`.
 */
export function plant(session: LaidOut, secrets: string[], fileName: string): void {
  const text = secrets.join('\n and ');
  if (session.agent === 'claude-code') plantClaude(session, text, fileName);
  else plantCodex(session, text, fileName);
}

/** A line in which the user says something. */
export function saying(session: LaidOut, text: string): string {
  if (session.agent === 'claude-code') return claudeLines(session, TIME).line('user', { role: 'user', content: text });
  return codexItems(session, TIME)({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
}

const TIME = '2026-12-01T10:00:00.000Z';
/** A sub-agent's output that is long enough to become an attachment of its own. */
const longText = (text: string): string => `${'a long line of output that says little\n'.repeat(6000)}${text}\n`;

function plantClaude(session: LaidOut, text: string, fileName: string): void {
  const { line, call, result } = claudeLines(session, TIME);
  const path = join(session.cwd, fileName);
  const lines = [
    line('user', { role: 'user', content: `please use ${text}` }),
    call('toolu_plant1', 'Bash', { command: `echo '${text}'`, description: 'Show it' }),
    result('toolu_plant1', text, { stdout: text, stderr: '', interrupted: false, isImage: false }),
    call('toolu_plant2', 'Read', { file_path: path }),
    result('toolu_plant2', '1\tnotes', { type: 'text', file: { filePath: path, content: 'notes', numLines: 1, startLine: 1, totalLines: 1 } }),
    line('user', { role: 'user', content: longText(text) }),
    JSON.stringify({ type: 'custom-title', customTitle: `title ${text}`.replaceAll('\n', ' '), sessionId: session.id }),
  ];
  appendFileSync(session.path, `${lines.join('\n')}\n`);
  const beside = session.path.replace(/\.jsonl$/, '');
  put(join(beside, 'tool-results/plant.txt'), longText(text));
  put(
    join(beside, 'subagents/agent-a0b1c2d3.jsonl'),
    `${JSON.stringify({ parentUuid: null, isSidechain: true, agentId: 'a0b1c2d3', type: 'user', message: { role: 'user', content: text }, uuid: crypto.randomUUID(), timestamp: TIME, cwd: session.cwd, sessionId: session.id, version: '2.1.332' })}\n`,
  );
}

function plantCodex(session: LaidOut, text: string, fileName: string): void {
  const source = readFileSync(session.path, 'utf8');
  const item = codexItems(session, TIME);
  const user = (said: string) => item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: said }] });
  const lines = [
    user(`please use ${text}`),
    item({ type: 'function_call', name: 'exec_command', arguments: JSON.stringify({ cmd: `echo '${text}'` }), call_id: 'call_plant1' }),
    item({ type: 'function_call_output', call_id: 'call_plant1', output: `Process exited with code 0\nOutput:\n${text}` }),
    item({
      type: 'custom_tool_call',
      name: 'apply_patch',
      input: `*** Begin Patch\n*** Update File: ${fileName}\n@@\n-a\n+${text}\n*** End Patch`,
      call_id: 'call_plant2',
    }),
    item({ type: 'custom_tool_call_output', call_id: 'call_plant2', output: 'Exit code: 0\nOutput:\nSuccess.' }),
    user(longText(text)),
  ];
  appendFileSync(session.path, `${lines.join('\n')}\n`);
  const root = session.path.slice(0, session.path.indexOf('/sessions/'));
  appendFileSync(
    join(root, 'session_index.jsonl'),
    `${JSON.stringify({ id: session.id, thread_name: `title ${text}`.replaceAll('\n', ' '), updated_at: TIME })}\n`,
  );
  const child = '01a22c23-0000-7000-8000-00000000c01d';
  const meta = { ...JSON.parse(source.slice(0, source.indexOf('\n'))), timestamp: TIME };
  const { history_base: _, ...payload } = meta.payload;
  meta.payload = {
    ...payload,
    id: child,
    session_id: session.id,
    parent_thread_id: session.id,
    source: { subagent: { thread_spawn: { parent_thread_id: session.id, depth: 1 } } },
    thread_source: 'subagent',
  };
  put(join(dirname(session.path), `rollout-2026-12-01T10-00-00-${child}.jsonl`), `${JSON.stringify(meta)}\n${user(text)}\n`);
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o600 });
}
