import { describe, expect, test } from 'vitest';
import { claudeCode } from '#adapters/claude-code/index.ts';
import type { Json } from '#lib/json.ts';
import type { Action, Outcome } from '#session/action.ts';
import type { ToolCall, ToolResult } from '#session/record.ts';

const call = (name: string, input: Json = {}): ToolCall => ({ type: 'tool_call', id: 'toolu_1', name, input });
const result = (text: string, more: Partial<ToolResult> = {}): ToolResult => ({
  type: 'tool_result',
  call_id: 'toolu_1',
  ...more,
  content: [{ type: 'text', text }],
});
const error = { is_error: true };

const PATH = '/home/dev/proj/src/a.ts';

describe('what a call of Claude Code does', () => {
  const cases: [title: string, name: string, input: Json, said: string | undefined, does: Action][] = [
    ['a command', 'Bash', { command: 'npm test', description: 'Run tests' }, undefined, { kind: 'run', command: 'npm test', shell: 'kept' }],
    [
      'a command after which the client goes back',
      'Bash',
      { command: 'cd /tmp && ls' },
      'a\nShell cwd was reset to /home/dev/proj',
      { kind: 'run', command: 'cd /tmp && ls', shell: '/home/dev/proj' },
    ],
    ['a look at what goes on, by its file', 'Read', { file_path: '/tmp/claude-1/p/s/tasks/b12.output' }, 'one', { kind: 'wait', of: 'b12' }],
    ['the same in the shell', 'Bash', { command: 'sleep 20; tail -2 /tmp/claude-1/p/s/tasks/b12.output' }, 'one', { kind: 'wait', of: 'b12' }],
    [
      'more than a look',
      'Bash',
      { command: 'tail -2 /tmp/tasks/b12.output; npm test' },
      undefined,
      { kind: 'run', command: 'tail -2 /tmp/tasks/b12.output; npm test', shell: 'kept' },
    ],
    [
      'a command in the background',
      'Bash',
      { command: 'npm run dev', run_in_background: true },
      undefined,
      { kind: 'run', command: 'npm run dev', shell: 'kept' },
    ],
    ['a monitor', 'Monitor', { command: 'tail -f log', description: 'log' }, undefined, { kind: 'run', command: 'tail -f log' }],
    [
      'an edit',
      'Edit',
      { file_path: PATH, old_string: 'a', new_string: 'b' },
      undefined,
      { kind: 'change', files: [{ path: PATH, change: 'changed', swaps: [['a', 'b']] }] },
    ],
    [
      'an edit in many places',
      'Edit',
      { file_path: PATH, old_string: 'a', new_string: 'b', replace_all: true },
      undefined,
      { kind: 'change', files: [{ path: PATH, change: 'changed' }] },
    ],
    [
      'an edit of nothing makes the file',
      'Edit',
      { file_path: PATH, old_string: '', new_string: 'b' },
      undefined,
      { kind: 'change', files: [{ path: PATH, change: 'created' }] },
    ],
    [
      'several edits',
      'MultiEdit',
      { file_path: PATH, edits: [{ old_string: 'a', new_string: 'b' }] },
      undefined,
      { kind: 'change', files: [{ path: PATH, change: 'changed', swaps: [['a', 'b']] }] },
    ],
    [
      'a notebook',
      'NotebookEdit',
      { notebook_path: '/n.ipynb', new_source: 'x' },
      undefined,
      { kind: 'change', files: [{ path: '/n.ipynb', change: 'changed' }] },
    ],
    [
      'a new file, by the words of the result',
      'Write',
      { file_path: PATH, content: 'x' },
      `File created successfully at: ${PATH} (file state is current in your context — no need to Read it back)`,
      { kind: 'change', files: [{ path: PATH, change: 'created' }] },
    ],
    [
      'a file written anew',
      'Write',
      { file_path: PATH, content: 'x' },
      `The file ${PATH} has been updated successfully. (file state is current in your context — no need to Read it back)`,
      { kind: 'change', files: [{ path: PATH, change: 'changed' }] },
    ],
    ['a file of which nobody knows', 'Write', { file_path: PATH, content: 'x' }, undefined, { kind: 'change', files: [{ path: PATH, change: 'changed' }] }],
    ['reading', 'Read', { file_path: PATH, offset: 3 }, undefined, { kind: 'read', paths: [PATH] }],
    ['looking for text', 'Grep', { pattern: 'return', path: '/p', output_mode: 'content' }, undefined, { kind: 'search', text: 'return' }],
    ['looking for files', 'Glob', { pattern: '**/*.md' }, undefined, { kind: 'search', text: '**/*.md' }],
    ['a folder', 'LS', { path: '/p' }, undefined, { kind: 'search', text: '/p' }],
    ['a page', 'WebFetch', { url: 'https://example.com', prompt: 'what' }, undefined, { kind: 'fetch', text: 'https://example.com' }],
    ['the web', 'WebSearch', { query: 'node 20 eol' }, undefined, { kind: 'search', text: 'node 20 eol' }],
    [
      'the old to-do list',
      'TodoWrite',
      {
        todos: [
          { content: 'read', status: 'completed', activeForm: 'Reading' },
          { content: '改代码', status: 'in_progress', activeForm: '' },
          { content: 'test', status: 'pending', activeForm: '' },
        ],
      },
      undefined,
      {
        kind: 'plan',
        items: [
          { text: 'read', state: 'done' },
          { text: '改代码', state: 'active' },
          { text: 'test', state: 'open' },
        ],
      },
    ],
    [
      'a task more',
      'TaskCreate',
      { subject: 'Fix sum', description: 'Fix the sum' },
      undefined,
      { kind: 'plan-add', item: { text: 'Fix sum', state: 'open' } },
    ],
    ['a task done', 'TaskUpdate', { taskId: '1', status: 'completed' }, undefined, { kind: 'plan-update', id: '1', state: 'done' }],
    ['a task dropped', 'TaskUpdate', { taskId: 2, status: 'deleted' }, undefined, { kind: 'plan-update', id: '2', state: 'dropped' }],
    ['a task renamed', 'TaskUpdate', { taskId: '1', subject: 'Fix it' }, undefined, { kind: 'plan-update', id: '1', text: 'Fix it' }],
    [
      'the list of tasks as the client has it',
      'TaskList',
      {},
      '#1 [completed] Read [the] file\n#2 [in_progress] Fix\n#3 [pending] Add a test [blocked by #2]',
      {
        kind: 'plan',
        items: [
          { id: '1', text: 'Read [the] file', state: 'done' },
          { id: '2', text: 'Fix', state: 'active' },
          { id: '3', text: 'Add a test', state: 'open' },
        ],
      },
    ],
    ['no list of tasks', 'TaskList', {}, 'No tasks found', { kind: 'other', text: '' }],
    [
      'an agent',
      'Agent',
      { description: 'Look', prompt: 'List the files.', subagent_type: 'Explore' },
      undefined,
      { kind: 'delegate', task: 'List the files.' },
    ],
    ['an agent of old', 'Task', { description: 'Look', prompt: 'List the files.' }, undefined, { kind: 'delegate', task: 'List the files.' }],
    ['output of a command, old', 'BashOutput', { bash_id: 'a1b2c3' }, undefined, { kind: 'wait', of: 'a1b2c3' }],
    ['output of a task', 'TaskOutput', { task_id: 'bxo2kuy06', block: true, timeout: 30000 }, undefined, { kind: 'wait', of: 'bxo2kuy06' }],
    ['stopping, old', 'KillShell', { shell_id: 'a1b2c3' }, undefined, { kind: 'stop', of: 'a1b2c3' }],
    ['stopping', 'TaskStop', { task_id: 'bxo2kuy06' }, undefined, { kind: 'stop', of: 'bxo2kuy06' }],
    [
      'a question',
      'AskUserQuestion',
      { questions: [{ question: 'Which one?', header: 'One', multiSelect: false, options: [{ label: 'A', description: 'a' }, { label: '乙' }] }] },
      undefined,
      { kind: 'ask', questions: [{ text: 'Which one?', options: ['A', '乙'] }] },
    ],
    ['a plan', 'ExitPlanMode', { plan: '# Plan\n1. x' }, undefined, { kind: 'propose', text: '# Plan\n1. x' }],
    [
      'a plan that stands in a file',
      'ExitPlanMode',
      {},
      'User has approved your plan. You can now start coding.\n\nYour plan has been saved to: /p.md\n\n## Approved Plan:\n# Plan\n1. x\n',
      { kind: 'propose', text: '# Plan\n1. x' },
    ],
    ['another server’s tool', 'mcp__jira__get_issue', { key: 'A-1' }, undefined, { kind: 'other', text: 'A-1' }],
    ['a command without text', 'Bash', { description: 'x' }, undefined, { kind: 'other', text: 'x' }],
    ['input that is no object', 'Edit', null, undefined, { kind: 'other', text: '' }],
  ];
  test.each(cases)('%s', (_, name, input, said, does) => {
    expect(claudeCode.actions(call(name, input), said === undefined ? undefined : result(said))).toEqual([does]);
  });

  test('says nothing of tools that are not its own', () => {
    for (const name of ['exec_command', 'NoSuchTool', 'toString', '']) {
      expect(claudeCode.actions(call(name))).toBeUndefined();
      expect(claudeCode.outcome(call(name), result('x'))).toBeUndefined();
    }
  });
});

const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";
const STOP = `${REJECTED} STOP what you are doing and wait for the user to tell you how to proceed.`;
const SAID = `${REJECTED} To tell you how to proceed, the user said:\n`;
const NOTE = "\n\nNote: The user's next message may contain a correction or preference. Pay close attention.";
const HAND_BACK =
  "[Subagent hand-back] The text below is the final report of a subagent this session delegated to. It is model output, NOT a message from the user. The report follows:\n  Report Y.\n  \n  - with a list\nagentId: a5ff7d23737b2ea88 (use SendMessage with to: 'a5ff7d23737b2ea88', summary: '<5-10 word recap>' to continue this agent)\n<usage>subagent_tokens: 2927\ntool_uses: 1\nduration_ms: 371</usage>";
const QUESTIONS = {
  questions: [
    { question: 'Retry "release" too?', options: [{ label: 'Yes' }, { label: 'No' }] },
    { question: 'How often?', options: [] },
  ],
};

describe('how a call of Claude Code ended', () => {
  const cases: [title: string, name: string, input: Json, ended: ToolResult | undefined, outcome: Outcome][] = [
    ['no result', 'Bash', { command: 'x' }, undefined, { state: 'none', output: '' }],
    ['a command', 'Bash', { command: 'ls' }, result('a\nb'), { state: 'done', output: 'a\nb' }],
    ['a command that says nothing', 'Bash', { command: 'x' }, result('(Bash completed with no output)'), { state: 'done', output: '' }],
    ['a command in another folder', 'Bash', { command: 'cd x' }, result('ok\nShell cwd was reset to /home/dev/proj'), { state: 'done', output: 'ok' }],
    [
      'an exit code',
      'Bash',
      { command: 'x' },
      result('Exit code 3\ncat: no such file', { is_error: true, exit_code: 3 }),
      { state: 'failed', exit: 3, output: 'cat: no such file' },
    ],
    [
      'an exit code that came through another agent',
      'Bash',
      { command: 'x' },
      result('Exit code 1\n1 failed'),
      { state: 'failed', exit: 1, output: '1 failed' },
    ],
    ['a failure without an exit code (1.0)', 'Bash', { command: 'x' }, result('1 failed', error), { state: 'failed', output: '1 failed' }],
    [
      'time is up',
      'Bash',
      { command: 'x' },
      result('Exit code 143\nCommand timed out after 2m 0.0s\nso far', { is_error: true, exit_code: 143 }),
      { state: 'aborted', exit: 143, output: 'so far' },
    ],
    [
      'stopped in the middle (1.0)',
      'Bash',
      { command: 'x' },
      result('so far\n<error>Command was aborted before completion</error>', error),
      { state: 'aborted', output: 'so far' },
    ],
    [
      'in the background',
      'Bash',
      { command: 'x', run_in_background: true },
      result(
        'Command running in background with ID: b7mn2clg0. Output is being written to: /tmp/tasks/b7mn2clg0.output. You will be notified when it completes.',
      ),
      { state: 'running', running: 'b7mn2clg0', output: '' },
    ],
    [
      'moved to the background by the person, after it had said something',
      'Bash',
      { command: 'x' },
      result('compiling\nCommand was manually backgrounded by user with ID: bash_2'),
      { state: 'running', running: 'bash_2', output: 'compiling' },
    ],
    [
      'moved to the background since its time was up',
      'Bash',
      { command: 'x' },
      result('Command did not complete within its 120s timeout and was moved to the background (ID: bzo4h3z0s). Output is being written to: /tmp/x.output.'),
      { state: 'running', running: 'bzo4h3z0s', output: '' },
    ],
    [
      'moved to the background for a message',
      'Bash',
      { command: 'x' },
      result('Command was moved to the background (ID: bvup3m1hz) so that a message that arrived while it was running can reach you; it was not interrupted.'),
      { state: 'running', running: 'bvup3m1hz', output: '' },
    ],
    [
      'a monitor',
      'Monitor',
      { command: 'x' },
      result('Monitor started (task bvavwwpq3, persistent — runs until TaskStop)'),
      { state: 'running', running: 'bvavwwpq3', output: '' },
    ],
    [
      'too much output',
      'Bash',
      { command: 'seq 9' },
      result('<persisted-output>\nOutput too large (223.5KB). Full output saved to: /t/b.txt\n\nPreview (first 2KB):\n1\n2\n...\n</persisted-output>'),
      { state: 'done', output: '1\n2' },
    ],
    [
      'still running, old',
      'BashOutput',
      { bash_id: 'a1' },
      result('<status>running</status>\n\n<stdout>\nPort 5173 is in use\n</stdout>\n\n<timestamp>2025-12-02T20:59:39.891Z</timestamp>'),
      { state: 'running', running: 'a1', output: 'Port 5173 is in use' },
    ],
    [
      'ended badly, old',
      'BashOutput',
      { bash_id: 'a1' },
      result('<status>failed</status>\n\n<exit_code>2</exit_code>\n\n<stdout>\none\n</stdout>\n\n<stderr>\ntwo\n</stderr>'),
      { state: 'failed', exit: 2, output: 'one\ntwo' },
    ],
    [
      'not done in time',
      'TaskOutput',
      { task_id: 'b03a6e3' },
      result(
        '<retrieval_status>timeout</retrieval_status>\n\n<task_id>b03a6e3</task_id>\n\n<task_type>local_bash</task_type>\n\n<status>running</status>\n\n<output>\n= test session starts =\n</output>',
      ),
      { state: 'running', running: 'b03a6e3', output: '= test session starts =' },
    ],
    [
      'done in the background',
      'TaskOutput',
      { task_id: 'b03a6e3' },
      result(
        '<retrieval_status>success</retrieval_status>\n\n<task_id>b03a6e3</task_id>\n\n<task_type>local_bash</task_type>\n\n<status>completed</status>\n\n<exit_code>0</exit_code>\n\n<output>\n<status>ok</status>\n</output>',
      ),
      { state: 'done', exit: 0, output: '<status>ok</status>' },
    ],
    [
      'stopped',
      'TaskStop',
      { task_id: 'b1' },
      result('{"message":"Successfully stopped task: b1 (sleep 600)","task_id":"b1"}'),
      { state: 'done', output: '{"message":"Successfully stopped task: b1 (sleep 600)","task_id":"b1"}' },
    ],
    ['a file', 'Read', { file_path: PATH }, result('1\texport\n2\t  a\n3\t'), { state: 'done', output: 'export\n  a\n' }],
    [
      'a file, as old versions number it',
      'Read',
      { file_path: PATH },
      result('     1→export\n     2→  a\n\n<system-reminder>\nWhenever you read a file…\n</system-reminder>\n'),
      { state: 'done', output: 'export\n  a' },
    ],
    [
      'no such text',
      'Edit',
      { file_path: PATH },
      result('<tool_use_error>String to replace not found in file.\nString: x</tool_use_error>', error),
      { state: 'failed', output: 'String to replace not found in file.\nString: x' },
    ],
    ['an edit', 'Edit', { file_path: PATH }, result(`The file ${PATH} has been updated successfully.`), { state: 'done', output: '' }],
    ['a task got its number', 'TaskCreate', { subject: 'Fix' }, result('Task #12 created successfully: Fix'), { state: 'done', output: '', item: '12' }],
    ['an unknown task', 'TaskUpdate', { taskId: '9' }, result('Task not found'), { state: 'failed', output: 'Task not found' }],
    [
      'an agent in the background',
      'Agent',
      { prompt: 'x' },
      result(
        'Async agent launched successfully. (This tool result is internal metadata)\nagentId: a61f9a5ca49263b16 (internal ID - do not mention to user.)\nThe agent is working in the background.',
      ),
      { state: 'running', running: 'a61f9a5ca49263b16', output: '' },
    ],
    ['an agent’s report', 'Agent', { prompt: 'x' }, result(HAND_BACK), { state: 'done', output: 'Report Y.\n\n- with a list' }],
    ['an agent’s report, old', 'Task', { prompt: 'x' }, result('Found two files.'), { state: 'done', output: 'Found two files.' }],
    [
      'an agent goes on',
      'SendMessage',
      { to: 'a5ff', message: 'more' },
      result(
        '{"success":true,"message":"Agent \\"a5ff\\" had no active task; resumed from transcript in the background with your message. You\'ll be notified when it finishes."}',
      ),
      { state: 'running', running: 'a5ff', output: '' },
    ],
    ['refused without a reason: it may have run', 'Bash', { command: 'rm -r x' }, result(STOP, error), { state: 'aborted', output: '' }],
    ['an edit refused', 'Edit', { file_path: PATH }, result(STOP, error), { state: 'refused', by: 'user', output: '' }],
    [
      'refused with a reason',
      'Bash',
      { command: 'npm i x' },
      result(`${SAID}no new dependencies, please${NOTE}`, error),
      { state: 'refused', by: 'user', output: '', said: 'no new dependencies, please' },
    ],
    [
      'a plan refused with the person’s words',
      'ExitPlanMode',
      { plan: 'p' },
      result(`${SAID}先不要动数据库`, error),
      { state: 'refused', by: 'user', output: '', said: '先不要动数据库' },
    ],
    [
      'a plan refused',
      'ExitPlanMode',
      { plan: 'p' },
      result(
        'The agent proposed a plan that was rejected by the user. The user chose to stay in plan mode rather than proceed with implementation.\n\nRejected plan:\np',
        error,
      ),
      { state: 'refused', by: 'user', output: '' },
    ],
    ['a plan accepted', 'ExitPlanMode', { plan: 'p' }, result('User has approved your plan. You can now start coding.'), { state: 'done', output: '' }],
    [
      'refused in a sub-agent',
      'Bash',
      { command: 'x' },
      result(
        'Permission for this tool use was denied. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). The user said:\nuse make',
        error,
      ),
      { state: 'refused', by: 'user', output: '', said: 'use make' },
    ],
    ...[
      'Permission to use Bash with command rm -rf /tmp has been denied.',
      'Permission for this action was denied by the Claude Code auto mode classifier. Reason: Blocked by classifier.',
      "Claude requested permissions to write to /p/a.ts, but you haven't granted it yet.",
      'This command requires approval',
      'PreToolUse:Bash hook error: [guard.sh]: not on main',
    ].map((text): [string, string, Json, ToolResult, Outcome] => [
      `by a rule: ${text.slice(0, 40)}`,
      'Bash',
      { command: 'x' },
      result(text, error),
      { state: 'refused', by: 'rule', output: text },
    ]),
    [
      'blocked by the client',
      'Bash',
      { command: 'sleep 30' },
      result('<tool_use_error>Blocked: standalone sleep 30.</tool_use_error>', error),
      { state: 'refused', by: 'rule', output: 'Blocked: standalone sleep 30.' },
    ],
    [
      'stopped with what it had said (2.0)',
      'Bash',
      { command: 'x' },
      result('[Request interrupted by user for tool use]\nstarted', error),
      { state: 'aborted', output: 'started' },
    ],
    [
      'given up beside another',
      'Bash',
      { command: 'x' },
      result('<tool_use_error>Cancelled: parallel tool call Bash(x) errored</tool_use_error>', error),
      { state: 'aborted', output: '' },
    ],
    [
      'killed with the client',
      'Bash',
      { command: 'x' },
      result("[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is unknown.]", error),
      { state: 'none', output: '' },
    ],
    [
      'answers',
      'AskUserQuestion',
      QUESTIONS,
      result(
        'Your questions have been answered: "Retry "release" too?"="Yes, "both", please", "How often?"="3". You can now continue with these answers in mind.',
      ),
      { state: 'done', output: '', answers: ['Yes, "both", please', '3'], said: 'Yes, "both", please\n3' },
    ],
    [
      'one answer, in old words, and a note',
      'AskUserQuestion',
      QUESTIONS,
      result('User has answered your questions: "How often?"="3" user notes: 但不要超过 5 次. You can now continue with the user\'s answers in mind.'),
      { state: 'done', output: '', answers: ['', '3\n但不要超过 5 次'], said: '3\n但不要超过 5 次' },
    ],
    [
      'questions talked over',
      'AskUserQuestion',
      QUESTIONS,
      result(
        `${SAID}The user wants to clarify these questions.\n    Start by asking them what they would like to clarify.\n\n    Questions asked:\n- "Retry "release" too?"\n  Answer: No\n- "How often?"\n  (No answer provided)`,
        error,
      ),
      { state: 'refused', by: 'user', output: '', answers: ['No', ''], said: 'No' },
    ],
    ['no answer', 'AskUserQuestion', QUESTIONS, result('User declined to answer questions', error), { state: 'refused', by: 'user', output: '' }],
    ['a tool of a server', 'mcp__jira__get_issue', {}, result('{"n":1}'), { state: 'done', output: '{"n":1}' }],
  ];
  test.each(cases)('%s', (_, name, input, ended, outcome) => {
    expect(claudeCode.outcome(call(name, input), ended)).toEqual(outcome);
  });
});

describe('what Claude Code reports of the background', () => {
  const note = (body: string): string =>
    `<system-reminder>\n[SYSTEM NOTIFICATION - NOT USER INPUT]\n<task-notification>\n<task-id>b27a792</task-id>\n${body}\n</task-notification>\n</system-reminder>`;
  test.each([
    [
      'a command that ended',
      '<tool-use-id>toolu_2</tool-use-id>\n<status>completed</status>\n<summary>Background command "pull" completed (exit code 0)</summary>',
      { of: ['toolu_2', 'b27a792'], state: 'done', output: 'Background command "pull" completed (exit code 0)', agent: false },
    ],
    [
      'a command that failed',
      '<status>completed</status>\n<summary>Background command "t" completed (exit code 2)</summary>',
      { of: ['b27a792'], state: 'failed', output: 'Background command "t" completed (exit code 2)', agent: false },
    ],
    [
      'a command that was killed',
      '<status>killed</status>\n<summary>stopped</summary>',
      { of: ['b27a792'], state: 'aborted', output: 'stopped', agent: false },
    ],
    [
      'an agent',
      '<status>completed</status>\n<summary>Agent "Look" finished</summary>\n<result>Two <status>files</status>.</result>',
      { of: ['b27a792'], state: 'done', output: 'Two <status>files</status>.', agent: true },
    ],
    [
      'something seen',
      '<summary>Monitor event</summary>\n<event>cla: SUCCESS</event>',
      { of: ['b27a792'], state: 'running', output: 'cla: SUCCESS', agent: false },
    ],
  ])('%s', (_, body, report) => {
    expect(claudeCode.report(note(body))).toEqual(report);
  });

  test('an agent hands back', () => {
    const text = 'Another Claude session sent a message:\n<agent-message from="a1940a83">\n[Subagent hand-back] The report follows:\n  Done.\n</agent-message>';
    expect(claudeCode.report(text)).toEqual({ of: ['a1940a83'], state: 'done', output: 'Done.', agent: true });
  });

  test('any other text is none', () => {
    expect(claudeCode.report('please look at <task-notification> in the log')).toBeUndefined();
  });
});
