import { describe, expect, test } from 'vitest';
import { readCall } from '#adapters/actions.ts';
import { codex } from '#adapters/codex/index.ts';
import type { Json } from '#lib/json.ts';
import type { Action, Outcome } from '#session/action.ts';
import type { ToolCall, ToolResult } from '#session/record.ts';

const call = (name: string, input: Json = {}): ToolCall => ({ type: 'tool_call', id: 'call_1', name, input });
const result = (text: string | string[], more: Partial<ToolResult> = {}): ToolResult => ({
  type: 'tool_result',
  call_id: 'call_1',
  ...more,
  content: [text].flat().map((one) => ({ type: 'text', text: one })),
});
const run = (command: string, cwd?: string): Action => ({ kind: 'run', command, ...(cwd ? { cwd } : {}) });
const other = (text: string): Action => ({ kind: 'other', text });

const PATCH = `*** Begin Patch
*** Add File: docs/新.md
+*** Delete File: not this
*** Update File: a b.ts
*** Move to: c.ts
@@
-*** Add File: nor this
*** Update File: README.md
@@
*** Delete File: old.ts
*** End Patch`;
const PATCHED: Action = {
  kind: 'change',
  files: [
    { path: 'docs/新.md', change: 'created' },
    { path: 'a b.ts', change: 'renamed', to: 'c.ts' },
    { path: 'README.md', change: 'changed' },
    { path: 'old.ts', change: 'deleted' },
  ],
};
const added = (path: string): Action => ({ kind: 'change', files: [{ path, change: 'created' }] });

describe('what a call of Codex does', () => {
  const cases: [title: string, name: string, input: Json, does: Action[]][] = [
    ['a command', 'exec_command', { cmd: 'npm test', yield_time_ms: 1000 }, [run('npm test')]],
    ['a command in a folder', 'exec_command', { cmd: 'ls', workdir: '/p/web' }, [run('ls', '/p/web')]],
    ['a command for a shell (0.50)', 'shell', { command: ['bash', '-lc', 'echo "hi"'], workdir: '/p' }, [run('echo "hi"', '/p')]],
    ['a command without a shell', 'shell', { command: ['git', 'commit', '-m', "it's done"] }, [run("git commit -m 'it'\\''s done'")]],
    ['a command of 0.80', 'shell_command', { command: 'echo hi' }, [run('echo hi')]],
    ['at the provider', 'local_shell', { type: 'exec', command: ['ls', '-l'], working_directory: '/p' }, [run('ls -l', '/p')]],
    ['a call that is no JSON', 'exec_command', '{not json', [other('{not json')]],
    ['a patch', 'apply_patch', PATCH, [PATCHED]],
    [
      'what a patch replaces',
      'apply_patch',
      '*** Begin Patch\n*** Update File: a.ts\n@@ f()\n one\n-two\n+zwei\n three\n+four\n@@\n-five\n six\n*** End Patch',
      [
        {
          kind: 'change',
          files: [
            {
              path: 'a.ts',
              change: 'changed',
              swaps: [
                ['two', 'zwei'],
                ['three', 'three\nfour'],
                ['five\nsix', 'six'],
              ],
            },
          ],
        },
      ],
    ],
    ['a patch as a function’s argument', 'apply_patch', { input: PATCH }, [PATCHED]],
    ['a patch as a program', 'shell', { command: ['apply_patch', PATCH] }, [PATCHED]],
    ['a patch in the shell', 'shell', { command: ['bash', '-lc', `apply_patch <<'EOF'\n${PATCH}\nEOF`] }, [PATCHED]],
    [
      'a patch in another folder, and a command behind it',
      'exec_command',
      { cmd: `cd web && apply_patch <<EOF && npm test\n*** Begin Patch\n*** Add File: a.ts\n+x\n*** End Patch\nEOF\ngit status`, workdir: '/p' },
      [added('/p/web/a.ts'), run('npm test\ngit status', '/p')],
    ],
    ['a text that only speaks of patches', 'exec_command', { cmd: "rg '\\*\\*\\* Begin Patch' src" }, [run("rg '\\*\\*\\* Begin Patch' src")]],
    ['waiting for a command', 'write_stdin', { session_id: 42, chars: '' }, [{ kind: 'wait', of: 'session 42' }]],
    ['typing to a command', 'write_stdin', { session_id: 42, chars: 'y\n' }, [{ kind: 'wait', of: 'session 42', typed: 'y\n' }]],
    ['Ctrl-C', 'write_stdin', { session_id: 42, chars: '\u0003' }, [{ kind: 'stop', of: 'session 42' }]],
    [
      'a plan',
      'update_plan',
      {
        explanation: 'x',
        plan: [
          { step: 'Read', status: 'completed' },
          { step: '改', status: 'in_progress' },
          { step: 'Test', status: 'pending' },
        ],
      },
      [
        {
          kind: 'plan',
          items: [
            { text: 'Read', state: 'done' },
            { text: '改', state: 'active' },
            { text: 'Test', state: 'open' },
          ],
        },
      ],
    ],
    ['a picture', 'view_image', { path: 'a.png' }, [{ kind: 'read', paths: ['a.png'] }]],
    [
      'the web',
      'web_search',
      { type: 'search', query: 'node 20', queries: ['node 20', 'eol'] },
      [
        { kind: 'search', text: 'node 20' },
        { kind: 'search', text: 'eol' },
      ],
    ],
    ['a page', 'web_search', { type: 'open_page', url: 'https://example.com' }, [{ kind: 'fetch', text: 'https://example.com' }]],
    ['an agent', 'spawn_agent', { message: 'count files', agent_type: 'default' }, [{ kind: 'delegate', task: 'count files' }]],
    [
      'an agent, in items',
      'spawn_agent',
      {
        items: [
          { type: 'text', text: 'count' },
          { type: 'text', text: 'files' },
        ],
      },
      [{ kind: 'delegate', task: 'count\nfiles' }],
    ],
    ['more for an agent', 'send_input', { target: 'id1', message: 'and tests' }, [{ kind: 'delegate', task: 'and tests' }]],
    [
      'waiting for agents',
      'wait_agent',
      { targets: ['id1', 'id2'], timeout_ms: 1 },
      [
        { kind: 'wait', of: 'id1' },
        { kind: 'wait', of: 'id2' },
      ],
    ],
    ['waiting for agents, old', 'wait', { ids: ['id1'] }, [{ kind: 'wait', of: 'id1' }]],
    ['waiting for any agent', 'wait_agent', { timeout_ms: 1 }, [{ kind: 'wait', of: '' }]],
    ['waiting for a script', 'wait', { cell_id: '148', yield_time_ms: 1 }, [{ kind: 'wait', of: 'cell 148' }]],
    ['ending a script', 'wait', { cell_id: '148', terminate: true }, [{ kind: 'stop', of: 'cell 148' }]],
    ['closing an agent', 'close_agent', { target: 'id1' }, [{ kind: 'stop', of: 'id1' }]],
    [
      'a question',
      'request_user_input',
      { questions: [{ id: 'db', header: 'DB', question: 'Which database?', options: [{ label: 'SQLite', description: '' }, { label: 'Postgres' }] }] },
      [{ kind: 'ask', questions: [{ text: 'Which database?', options: ['SQLite', 'Postgres'] }] }],
    ],
    ['another server’s tool', 'mcp__jira__get', { key: 'A-1' }, [other('A-1')]],
  ];
  test.each(cases)('%s', (_, name, input, does) => {
    expect(codex.actions(call(name, input))).toEqual(does);
  });

  test('says nothing of tools that are not its own', () => {
    for (const name of ['Bash', 'toString', '']) {
      expect(codex.actions(call(name))).toBeUndefined();
      expect(codex.outcome(call(name), result('x'))).toBeUndefined();
    }
  });
});

describe('what a script of code mode does', () => {
  const patch = '*** Begin Patch\n*** Add File: a.txt\n+`${hi}`\n*** End Patch';
  const cases: [title: string, script: string, does: Action[]][] = [
    ['one command', "const r = await tools.exec_command({cmd: 'echo hi'});\ntext(r.output);", [run('echo hi')]],
    ['quotes and escapes', 'text(await tools.exec_command({"cmd":"grep -n \\"a b\\" x\\nls",workdir:"/tmp"}));', [run('grep -n "a b" x\nls', '/tmp')]],
    [
      'a pragma before it',
      '// @exec: {"yield_time_ms": 60000}\nconst r = await tools.exec_command({ cmd: `npm test`, yield_time_ms: 60000 });\ntext(r);',
      [run('npm test')],
    ],
    [
      'a patch and a plan',
      "const r = await tools.apply_patch(`*** Begin Patch\n*** Add File: a.txt\n+hi\n*** End Patch`); text(JSON.stringify(r)); await tools.update_plan?.({plan:[{step:'x',status:'completed'}]});",
      [added('a.txt'), { kind: 'plan', items: [{ text: 'x', state: 'done' }] }],
    ],
    ['a patch under a name', `const patch = ${JSON.stringify(patch)};\nawait tools.apply_patch({input: patch});`, [added('a.txt')]],
    ['a patch in lines', 'await tools.apply_patch(["*** Begin Patch", "*** Add File: " + "a.txt", "+x", "*** End Patch"].join("\\n"))', [added('a.txt')]],
    ['a raw text', 'const cmd = String.raw`printf "a\\n"`; await tools.exec_command({cmd});', [run('printf "a\\n"')]],
    ['a template with a constant', "const base = '/tmp/x'; await tools.exec_command({cmd: `ls ${base}/a`});", [run('ls /tmp/x/a')]],
    [
      'several at once',
      'const rs = await Promise.all([tools.exec_command({cmd:"cargo test"}), tools.exec_command({cmd:"npm run build"})]); for (const r of rs) text(r.output);',
      [run('cargo test'), run('npm run build')],
    ],
    [
      'a list of commands',
      'const cmds = ["git status", "ls"];\nconst rs = await Promise.all(cmds.map(cmd => tools.exec_command({cmd, workdir:"/p"})));\nrs.forEach((r,i)=>text(`--- ${i+1} ---\\n${r.output}`));',
      [run('git status', '/p'), run('ls', '/p')],
    ],
    [
      'a list of pairs',
      'for (const [name, cmd] of [["a", "ls a"], ["b", "ls b"]]) { text(name); text(await tools.exec_command({cmd})); }',
      [run('ls a'), run('ls b')],
    ],
    [
      'a function of the script',
      'const sh = async (cmd, workdir = "/p") => (await tools.exec_command({cmd, workdir})).output;\ntext(await sh("ls"));\ntext(await sh("pwd", "/q"));',
      [run('ls', '/p'), run('pwd', '/q')],
    ],
    ['a function that runs at once', '(async () => { await tools.exec_command({cmd: "ls"}); })();', [run('ls')]],
    ['what it does not know beside the command does not matter', 'await tools.exec_command({cmd: "ls", max_output_tokens: budget(), ...more})', [run('ls')]],
    ['waiting for a command', 'const r = await tools.write_stdin({session_id: 42, chars: ""}); text(r);', [{ kind: 'wait', of: 'session 42' }]],
    ['a command that is worked out', 'const r = await tools.exec_command({cmd: build(1)});', [other('tools.exec_command({cmd: build(1)})')]],
    ['a name that changes', 'let cmd = "ls"; if (x) cmd = "rm -r /"; await tools.exec_command({cmd});', [other('tools.exec_command({cmd})')]],
    [
      'a list that changes',
      'const cmds = ["ls"]; cmds.push(more); for (const cmd of cmds) await tools.exec_command({cmd});',
      [other('tools.exec_command({cmd})')],
    ],
    ['a name that hides another', 'const cmd = "ls"; list.map(cmd => tools.exec_command({cmd}));', [other('tools.exec_command({cmd})')]],
    [
      'what may not be run',
      'const r = await tools.exec_command({cmd: "make"}); if (r.exit_code) await tools.exec_command({cmd: "make clean"});',
      [run('make'), other('tools.exec_command({cmd: "make clean"})')],
    ],
    ['what is not called', 'const f = () => tools.exec_command({cmd: "ls"});', [other('tools.exec_command({cmd: "ls"})')]],
    [
      'a call in a text is none',
      'text("tools.exec_command({cmd: \'rm\'})"); // tools.exec_command({cmd: "ls"})',
      [other('text("tools.exec_command({cmd: \'rm\'})"); // tools.exec_command({cmd: "ls"})')],
    ],
    ['another server’s tool', 'await tools.mcp__jira__get({key: "A-1"})', [other('tools.mcp__jira__get({key: "A-1"})')]],
    ['no JavaScript', 'ls -la', [other('ls -la')]],
  ];
  test.each(cases)('%s', (_, script, does) => {
    expect(codex.actions(call('exec', script))).toEqual(does);
  });

  test('takes no longer for a script that calls itself or loops over a long list', () => {
    const script = `const f = (n) => { f(n); f(n); tools.exec_command({cmd: n}); };\nconst all = [${'"a",'.repeat(5000)}];\nfor (const a of all) for (const b of all) f(a + b);`;
    const started = performance.now();
    expect(codex.actions(call('exec', script))?.length).toBeLessThanOrEqual(1000);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  test('gives up on what is nested too deep', () => {
    const script = `text(${'('.repeat(100_000)}`;
    expect(codex.actions(call('exec', script))).toEqual([other(script)]);
  });
});

const head = (...lines: string[]): string => `Chunk ID: e0f02a\nWall time: 0.0000 seconds\n${lines.join('\n')}\nOutput:\n`;
const script = (how: string): string => `Script ${how}\nWall time 0.1 seconds\nOutput:\n`;
const TWO = 'const rs = await Promise.all([tools.exec_command({cmd:"a"}), tools.exec_command({cmd:"b"})]); for (const r of rs) text(JSON.stringify(r));';

describe('how a call of Codex ended', () => {
  const error = { is_error: true };
  const cases: [title: string, name: string, input: Json, ended: ToolResult | undefined, outcome: Outcome][] = [
    ['no result', 'exec_command', { cmd: 'x' }, undefined, { state: 'none', output: '' }],
    [
      'a command',
      'exec_command',
      { cmd: 'x' },
      result(`${head('Process exited with code 0', 'Original token count: 3')}README.md\n`, { exit_code: 0 }),
      { state: 'done', exit: 0, output: 'README.md\n' },
    ],
    [
      'a command that failed',
      'exec_command',
      { cmd: 'x' },
      result(`${head('Process exited with code 3')}`, { ...error, exit_code: 3 }),
      { state: 'failed', exit: 3, output: '' },
    ],
    [
      'a command that goes on',
      'exec_command',
      { cmd: 'x' },
      result(`${head('Process running with session ID 32244', 'Original token count: 63')}ready in 7 ms\n`),
      { state: 'running', running: 'session 32244', output: 'ready in 7 ms\n' },
    ],
    [
      'still going on',
      'write_stdin',
      { session_id: 42, chars: '' },
      result(`${head('Process running with session ID 42')}chunk 2`),
      { state: 'running', running: 'session 42', output: 'chunk 2' },
    ],
    [
      'ended meanwhile',
      'write_stdin',
      { session_id: 42, chars: '' },
      result(`${head('Process exited with code 1')}2 failed`, { ...error, exit_code: 1 }),
      { state: 'failed', exit: 1, output: '2 failed' },
    ],
    [
      'stopped by Ctrl-C',
      'write_stdin',
      { session_id: 42, chars: '\u0003' },
      result(`${head('Process exited with code 130')}^C`, { ...error, exit_code: 130 }),
      { state: 'aborted', exit: 130, output: '^C' },
    ],
    [
      'no such session',
      'write_stdin',
      { session_id: 9 },
      result('write_stdin failed: Unknown process id 9'),
      { state: 'failed', output: 'write_stdin failed: Unknown process id 9' },
    ],
    [
      'JSON of 0.50',
      'shell',
      { command: ['ls'] },
      result('{"output":"hi\\n","metadata":{"exit_code":0,"duration_seconds":0.0}}', { exit_code: 0 }),
      { state: 'done', exit: 0, output: 'hi\n' },
    ],
    [
      'text of 0.80',
      'shell_command',
      { command: 'ls' },
      result('Exit code: 1\nWall time: 0 seconds\nTotal output lines: 900\nOutput:\nhi\n', { ...error, exit_code: 1 }),
      { state: 'failed', exit: 1, output: 'hi\n' },
    ],
    [
      'cut by the client',
      'exec_command',
      { cmd: 'x' },
      result(
        `${head('Process exited with code 0')}Warning: truncated output (original token count: 25000)\nTotal output lines: 1\n\nxxx…24800 tokens truncated…xxx`,
        { exit_code: 0 },
      ),
      { state: 'done', exit: 0, output: 'xxx…24800 tokens truncated…xxx' },
    ],
    [
      'time is up',
      'shell',
      { command: ['x'] },
      result('{"output":"command timed out after 10000 milliseconds\\nso far","metadata":{"exit_code":124,"duration_seconds":10.0}}', {
        ...error,
        exit_code: 124,
      }),
      { state: 'aborted', exit: 124, output: 'so far' },
    ],
    ['stopped by the person', 'exec_command', { cmd: 'x' }, result('Wall time: 3.3 seconds\naborted by user'), { state: 'aborted', output: '' }],
    ['stopped, as other tools say it', 'apply_patch', PATCH, result('aborted by user after 5.0s', error), { state: 'aborted', output: '' }],
    ['lost with the client', 'exec_command', { cmd: 'x' }, result('aborted', error), { state: 'aborted', output: '' }],
    ['refused', 'exec_command', { cmd: 'x' }, result('exec command rejected by user'), { state: 'refused', by: 'user', output: '' }],
    ['a patch refused', 'apply_patch', PATCH, result('patch rejected by user'), { state: 'refused', by: 'user', output: '' }],
    ['a server’s tool refused', 'mcp__a__b', {}, result('user rejected MCP tool call'), { state: 'refused', by: 'user', output: '' }],
    ...[
      'patch rejected: writing outside of the project; rejected by user approval settings',
      'approval policy is Never; reject command — you should not ask for escalated permissions if the approval policy is Never',
      '`rm -rf /` rejected: blocked by policy',
    ].map((text): [string, string, Json, ToolResult, Outcome] => [
      `by a rule: ${text.slice(0, 30)}`,
      'exec_command',
      { cmd: 'x' },
      result(text),
      { state: 'refused', by: 'rule', output: text },
    ]),
    [
      'stopped by the sandbox',
      'exec_command',
      { cmd: 'x' },
      result('sandbox denied exec error, exit code: 2, stdout: , stderr: touch: Read-only file system'),
      { state: 'failed', exit: 2, output: 'sandbox denied exec error, exit code: 2, stdout: , stderr: touch: Read-only file system' },
    ],
    [
      'a patch that does not fit',
      'apply_patch',
      PATCH,
      result('apply_patch verification failed: no such file', error),
      { state: 'failed', output: 'apply_patch verification failed: no such file' },
    ],
    [
      'a tool that is not there',
      'update_plan',
      {},
      result('unsupported call: update_plan', error),
      { state: 'failed', output: 'unsupported call: update_plan' },
    ],
    ['a plan', 'update_plan', {}, result('Plan updated'), { state: 'done', output: '' }],
    ['an agent', 'spawn_agent', { message: 'x' }, result('{"agent_id":"01a2","nickname":"Franklin"}'), { state: 'running', running: '01a2', output: '' }],
    [
      'an agent by its path',
      'spawn_agent',
      { task_name: 'x' },
      result('{"task_name":"/root/x","nickname":null}'),
      { state: 'running', running: '/root/x', output: '' },
    ],
    [
      'no agent',
      'spawn_agent',
      { message: 'x' },
      result('collab spawn failed: agent thread limit reached'),
      { state: 'failed', output: 'collab spawn failed: agent thread limit reached' },
    ],
    [
      'an agent’s report',
      'wait_agent',
      { targets: ['01a2'] },
      result('{"status":{"01a2":{"completed":"2 files"}},"timed_out":false}'),
      { state: 'done', output: '2 files' },
    ],
    [
      'of two agents one',
      'wait_agent',
      { targets: ['a', 'b'] },
      result('{"status":{"b":{"errored":"out of tokens"}},"timed_out":false}'),
      {
        state: 'running',
        running: 'a',
        output: 'out of tokens',
        parts: [
          { state: 'running', running: 'a', output: '' },
          { state: 'failed', output: 'out of tokens' },
        ],
      },
    ],
    ['no agent in time', 'wait_agent', { targets: ['a'] }, result('{"status":{},"timed_out":true}'), { state: 'running', running: 'a', output: '' }],
    ['closed', 'close_agent', { target: 'a' }, result('{"previous_status":{"completed":"done"}}'), { state: 'done', output: '' }],
    [
      'answers',
      'request_user_input',
      {
        questions: [
          { id: 'db', question: 'Which?' },
          { id: 'when', question: 'When?' },
        ],
      },
      result('{"answers":{"db":{"answers":["SQLite","user_note: 不要 Postgres"]}}}'),
      { state: 'done', output: '', answers: ['SQLite\n不要 Postgres', ''], said: 'SQLite\n不要 Postgres' },
    ],
    [
      'no answer',
      'request_user_input',
      { questions: [] },
      result('request_user_input was cancelled before receiving a response'),
      { state: 'aborted', output: '' },
    ],
    ['at the provider', 'web_search', { query: 'x' }, result('(ran at the provider; its result is not in the session)'), { state: 'done', output: '' }],
    ['a script', 'exec', 'text(1)', result([script('completed'), 'hi\n']), { state: 'done', output: 'hi\n' }],
    ['a script that goes on', 'exec', 'text(1)', result(`${script('running with cell ID 66')}`), { state: 'running', running: 'cell 66', output: '' }],
    [
      'a script that goes on still',
      'wait',
      { cell_id: '66' },
      result(`${script('running with cell ID 66')}`),
      { state: 'running', running: 'cell 66', output: '' },
    ],
    ['a script that is over', 'wait', { cell_id: '66' }, result([script('completed'), '4 passed']), { state: 'done', output: '4 passed' }],
    ['a script that was ended', 'wait', { cell_id: '66', terminate: true }, result([script('terminated'), 'so far']), { state: 'aborted', output: 'so far' }],
    [
      'a script that failed',
      'exec',
      'x(',
      result(`${script('failed')}Script error:\nReferenceError: x`, error),
      { state: 'failed', output: 'Script error:\nReferenceError: x' },
    ],
    [
      'a command refused in a script',
      'exec',
      'x',
      result([script('failed'), 'Script error:\nexec command rejected by user']),
      { state: 'refused', by: 'user', output: '' },
    ],
    [
      'the result of a command, printed',
      'exec',
      'const r = await tools.exec_command({cmd:"npm test"}); text(JSON.stringify(r));',
      result([script('completed'), '{"chunk_id":"a","wall_time_seconds":2.5,"exit_code":1,"output":"1 failed"}']),
      { state: 'failed', exit: 1, output: '1 failed' },
    ],
    [
      'a command that goes on behind a script',
      'exec',
      'const r = await tools.exec_command({cmd:"npm run dev"}); text(r);',
      result([script('completed'), '{"session_id":5,"output":"ready"}']),
      { state: 'running', running: 'session 5', output: 'ready' },
    ],
    [
      'the results of two commands',
      'exec',
      TWO,
      result([script('completed'), '{"exit_code":0,"output":"fine"}', '{"exit_code":1,"output":"bad"}']),
      {
        state: 'failed',
        output: 'fine\nbad',
        parts: [
          { state: 'done', exit: 0, output: 'fine' },
          { state: 'failed', exit: 1, output: 'bad' },
        ],
      },
    ],
    ['one result of two commands', 'exec', TWO, result([script('completed'), '{"exit_code":0,"output":"fine"}']), { state: 'done', exit: 0, output: 'fine' }],
    ['JSON that is no result', 'exec', TWO, result([script('completed'), '{"exit_code":0}']), { state: 'done', output: '{"exit_code":0}' }],
  ];
  test.each(cases)('%s', (_, name, input, ended, outcome) => {
    expect(codex.outcome(call(name, input), ended)).toEqual(outcome);
  });
});

describe('what Codex reports of an agent', () => {
  test.each([
    ['{"agent_path":"01a2","status":{"completed":"2 files"}}', { of: ['01a2'], state: 'done', output: '2 files', agent: true }],
    ['{"agent_id":"01a2","status":{"errored":"limit"}}', { of: ['01a2'], state: 'failed', output: 'limit', agent: true }],
    ['{"agent_path":"01a2","status":"shutdown"}', { of: ['01a2'], state: 'aborted', output: '', agent: true }],
    ['no JSON', undefined],
  ])('%s', (note, report) => {
    expect(codex.report(`<subagent_notification>\n${note}\n</subagent_notification>`)).toEqual(report);
  });
});

describe('a call in an imported session', () => {
  const ran = result(`${head('Process running with session ID 7')}ready`);
  test.each<[string, ToolCall, ToolResult, string, { actions: Action[]; outcome: Outcome }]>([
    [
      'of Codex in Claude Code, under its name there',
      call('Bash', { command: 'npm run dev' }),
      ran,
      'claude-code',
      { actions: [{ kind: 'run', command: 'npm run dev', shell: 'kept' }], outcome: { state: 'running', running: 'session 7', output: 'ready' } },
    ],
    [
      'of Codex in Claude Code, under a name that Claude Code has not',
      call('mcp__codex__apply_patch', { value: PATCH }),
      result('Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.'),
      'claude-code',
      { actions: [PATCHED], outcome: { state: 'done', exit: 0, output: 'Success.' } },
    ],
    [
      'of Claude Code in Codex',
      call('Bash', { command: 'npm test' }),
      result('Exit code 1\n1 failed'),
      'codex',
      { actions: [{ kind: 'run', command: 'npm test', shell: 'kept' }], outcome: { state: 'failed', exit: 1, output: '1 failed' } },
    ],
    [
      'of a server that is called like an agent',
      call('mcp__codex__codex', { prompt: 'x' }),
      result('ok'),
      'claude-code',
      { actions: [other('x')], outcome: { state: 'done', output: 'ok' } },
    ],
    [
      'of another agent',
      call('run_shell_command', { command: 'ls', directory: 'x' }),
      result('a', { is_error: true, exit_code: 2 }),
      'codex',
      { actions: [other('ls')], outcome: { state: 'failed', exit: 2, output: 'a' } },
    ],
  ])('%s', (_, made, ended, first, read) => {
    expect(readCall(made, ended, first)).toEqual(read);
  });
});
