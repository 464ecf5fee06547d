import { describe, expect, test } from 'vitest';
import { readCall, readReport, readStop } from '#adapters/actions.ts';
import { collect } from '#context/evidence/collect.ts';
import type { Json } from '#lib/json.ts';
import type { Conversation, Entry } from '#session/conversation.ts';
import type { Block } from '#session/record.ts';

/** Calls with their results, and texts of the client, as a session of this agent. */
function operations(agent: string, steps: ([name: string, input: Json, said?: string | string[]] | string)[]) {
  const entries: Entry[] = [];
  const add = (role: Entry['role'], origin: Entry['origin'], ...content: Block[]): void => {
    entries.push({ role, origin, content, stream: 'main', record: entries.length });
  };
  add('user', 'person', { type: 'text', text: 'go' });
  for (const [n, step] of steps.entries()) {
    if (typeof step === 'string') {
      add('user', 'harness', { type: 'text', text: step });
      continue;
    }
    const [name, input, said] = step;
    add('assistant', 'model', { type: 'tool_call', id: `call_${n}`, name, input });
    if (said !== undefined) add('tool', 'tool', { type: 'tool_result', call_id: `call_${n}`, content: [said].flat().map((text) => ({ type: 'text', text })) });
  }
  const conversation: Conversation = { entries, view: entries, sealed: false, abandoned: 0 };
  const reader = {
    call: (...args: [Parameters<typeof readCall>[0], Parameters<typeof readCall>[1]]) => readCall(...args, agent),
    report: (text: string) => readReport(text, agent),
    stop: readStop,
  };
  const source = { agent, session: 's', title: '', cwd: '/p', last: '' };
  return collect(new Map(), conversation, reader, source).operations.map(({ outcome: { state, exit, output } }) => ({
    state,
    output,
    ...(exit === undefined ? {} : { exit }),
  }));
}

const goes = (id: number, text: string): string => `Chunk ID: a\nWall time: 1.0 seconds\nProcess running with session ID ${id}\nOutput:\n${text}`;
const ends = (code: number, text: string): string => `Chunk ID: b\nWall time: 1.0 seconds\nProcess exited with code ${code}\nOutput:\n${text}`;
const ran = (text: string): string[] => ['Script completed\nWall time 0.1 seconds\nOutput:\n', text];

describe('what later calls say of something started', () => {
  test('a command that ends after several looks at it', () => {
    const [command] = operations('codex', [
      ['exec_command', { cmd: 'make' }, goes(42, 'one')],
      ['write_stdin', { session_id: 42, chars: '' }, goes(42, 'two')],
      ['write_stdin', { session_id: 42, chars: '' }, ends(0, 'three')],
    ]);
    expect(command).toEqual({ state: 'done', exit: 0, output: 'one\ntwo\nthree' });
  });

  test('a command that is still running at the last look, whose answer is missing', () => {
    const [command] = operations('codex', [
      ['exec_command', { cmd: 'make' }, goes(42, 'one')],
      ['write_stdin', { session_id: 42, chars: '' }, goes(42, 'two')],
      ['write_stdin', { session_id: 42, chars: '' }],
    ]);
    expect(command).toEqual({ state: 'running', output: 'one\ntwo' });
  });

  test('a command whose output is looked at by its file', () => {
    const began = 'Command running in background with ID: b12. Output is being written to: /tmp/c/tasks/b12.output';
    const look = (said: string): [string, Json, string] => ['Bash', { command: 'tail -2 /tmp/c/tasks/b12.output' }, said];
    const [command] = operations('claude-code', [['Bash', { command: 'make flash', run_in_background: true }, began], look('one'), look('22.4%')]);
    expect(command).toEqual({ state: 'running', output: 'one\n22.4%' });
    const over = '<task-notification>\n<task-id>b12</task-id>\n<status>completed</status>\n<summary>done (exit code 0)</summary>\n</task-notification>';
    const [ended] = operations('claude-code', [['Bash', { command: 'make flash', run_in_background: true }, began], over, look('all')]);
    expect(ended).toMatchObject({ state: 'done' });
  });

  test('of two agents the one that has ended', () => {
    const [first, second] = operations('codex', [
      ['spawn_agent', { message: 'a' }, '{"agent_id":"a","nickname":null}'],
      ['spawn_agent', { message: 'b' }, '{"agent_id":"b","nickname":null}'],
      ['wait_agent', { targets: ['a', 'b'] }, '{"status":{"b":{"completed":"B is done"}},"timed_out":false}'],
    ]);
    expect([first, second]).toEqual([
      { state: 'running', output: '' },
      { state: 'done', output: 'B is done' },
    ]);
  });

  test('a command that a script leaves behind', () => {
    const [script] = operations('codex', [
      ['exec', 'text(await tools.exec_command({cmd: "make"}));', 'Script running with cell ID 3\nWall time 9.0 seconds\nOutput:\n'],
      ['wait', { cell_id: '3' }, ran('{"session_id":7,"output":"one"}')],
      ['exec', 'text(await tools.write_stdin({session_id: 7}));', ran('{"exit_code":2,"output":"two"}')],
    ]);
    expect(script).toEqual({ state: 'failed', exit: 2, output: 'one\ntwo' });
  });

  test('a background command that is stopped, and one that the client tells of', () => {
    const [stopped, told] = operations('claude-code', [
      ['Bash', { command: 'npm run dev', run_in_background: true }, 'Command running in background with ID: b1. Output is being written to: /t/b1.output.'],
      ['Bash', { command: 'npm test', run_in_background: true }, 'Command running in background with ID: b2. Output is being written to: /t/b2.output.'],
      ['TaskStop', { task_id: 'b1' }, '{"message":"Successfully stopped task: b1 (npm run dev)","task_id":"b1"}'],
      '<task-notification>\n<task-id>b2</task-id>\n<status>completed</status>\n<summary>Background command "npm test" completed (exit code 1)</summary>\n</task-notification>',
    ]);
    expect([stopped?.state, told?.state]).toEqual(['aborted', 'failed']);
  });
});
