import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ImportJson, PushJson } from '../prove/world.ts';
import { type Lab, lab } from '../support/lab.ts';
import { type Agent, dashed } from '../support/layout.ts';
import { claudeLine, conversationAt, makeSession } from '../support/made.ts';

/** Sessions that go on in another folder, on another machine, in another configuration folder. */
let l: Lab;
afterEach(() => l?.done());

type Imported = ImportJson & { notes: string[] };
const uuid = (n: number): string => `aaaaaaaa-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** A session that names its folder in a prompt, a tool's input (plain and in a script), and a result. */
function named(agent: Agent, cwd: string): object[] {
  const slash = cwd.includes('\\') ? '\\' : '/';
  const file = [cwd, 'src', 'a.ts'].join(slash);
  const script = `cd ${cwd} && cat "${file}" ${cwd}-old${slash}b.ts`;
  if (agent === 'claude-code')
    return [
      claudeLine('user', `Look at ${file}`, uuid(1), null, { cwd }),
      claudeLine('assistant', [{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: file } }], uuid(2), uuid(1), { cwd }),
      claudeLine('user', [{ type: 'tool_result', tool_use_id: 'toolu_1', content: `1\t// ${file}` }], uuid(3), uuid(2), { cwd }),
      claudeLine('assistant', [{ type: 'tool_use', id: 'toolu_2', name: 'Bash', input: { command: script } }], uuid(4), uuid(3), { cwd }),
      claudeLine('user', [{ type: 'tool_result', tool_use_id: 'toolu_2', content: 'ok' }], uuid(5), uuid(4), { cwd }),
      claudeLine('assistant', [{ type: 'text', text: 'Done.' }], uuid(6), uuid(5), { cwd }),
    ];
  const line = (payload: object, type = 'response_item') => ({ timestamp: '2026-03-01T08:00:01.000Z', type, payload });
  const environment = `<environment_context>\n  <cwd>${cwd}</cwd>\n  <shell>bash</shell>\n</environment_context>`;
  return [
    line({ type: 'message', role: 'user', content: [{ type: 'input_text', text: environment }] }),
    line({ type: 'message', role: 'user', content: [{ type: 'input_text', text: `Look at ${file}` }] }),
    line({ type: 'user_message', message: `Look at ${file}`, images: [] }, 'event_msg'),
    line({ type: 'function_call', name: 'read_file', arguments: JSON.stringify({ file_path: file }), call_id: 'call_1' }),
    line({ type: 'function_call_output', call_id: 'call_1', output: `// ${file}` }),
    line({ type: 'function_call', name: 'exec_command', arguments: JSON.stringify({ cmd: script }), call_id: 'call_2' }),
    line({ type: 'function_call_output', call_id: 'call_2', output: 'ok' }),
    line({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] }),
  ];
}

/** All that a conversation says, as one text, without what relay says first: there the source's title stands as it was. */
async function wholeText(imported: Imported): Promise<string> {
  const { entries } = await conversationAt(imported.agent, imported.path);
  return entries
    .map((entry) => JSON.stringify(entry.content))
    .filter((text) => !text.includes('Working directory: '))
    .join('\n');
}

const pairs: [Agent, Agent][] = [
  ['claude-code', 'codex'],
  ['codex', 'claude-code'],
  ['claude-code', 'claude-code'],
  ['codex', 'codex'],
];

describe.each(pairs)('%s to %s', (from, to) => {
  it('X21 --cwd: prompts, tool inputs and results name the new folder; the source is as it was', async () => {
    l = lab();
    const ann = l.person('ann');
    const [old, now] = ['old/proj', 'work/my checkout'].map((name) => join(l.root, name)) as [string, string];
    for (const folder of [old, now]) mkdirSync(folder, { recursive: true });
    const source = makeSession(from, ann.home, old, { lines: named(from, old) });
    const before = readFileSync(source.path);
    const made = await l.json<Imported>(ann, old, 'import', `${from}:${source.id}`, '--to', to, '--cwd', now);
    const text = await wholeText(made);
    expect(text).toContain(`Look at ${now}/src/a.ts`);
    expect(text.split(`${now}/src/a.ts`).length - 1).toBe(4);
    expect(text).toContain(`cd ${now} && `);
    expect(text).toContain(`${old}-old/b.ts`);
    expect(text.replaceAll(`${old}-old`, '')).not.toContain(old);
    expect(made.resume.cwd).toBe(now);
    expect(readFileSync(source.path).equals(before)).toBe(true);
    if (from !== to) expect(made.loss.find((row) => row.kind === 'path')?.reason).toMatch(new RegExp(`^[45] messages name ${now}`));
    if (from !== to) expect(text).not.toContain('<environment_context>');
  });
});

describe.each(['/Users/ann/proj', 'C:\\Users\\ann\\proj'])('F1 a session of %s', (old) => {
  it.each(['claude-code', 'codex'] as const)('F1 %s: goes on here, in this folder, through a push and a pull by somebody else', async (agent) => {
    l = lab();
    const [ann, bob] = [l.person('ann'), l.person('bob')];
    const remote = l.bare('team');
    const annProject = l.project(ann, 'ann/proj', remote);
    const bobProject = l.clone(bob, 'bob/work/proj', remote);
    const other = agent === 'codex' ? 'claude-code' : 'codex';
    const source = makeSession(agent, ann.home, annProject, { lines: named(agent, old), recorded: old });
    const pushed = await l.json<PushJson>(ann, annProject, 'push', source.path);
    await l.json(bob, bobProject, 'pull');
    for (const to of [agent, other] as const) {
      const made = await l.json<Imported>(bob, bobProject, 'import', pushed.handoffs[0]?.handoff ?? '', '--to', to);
      expect(made.resume.cwd).toBe(bobProject);
      const text = await wholeText(made);
      // Separators of Windows stay as they were.
      expect(text.replaceAll('\\\\', '/')).toContain(`Look at ${bobProject}/src/a.ts`);
      expect(text.replaceAll(`${old}-old`, '')).not.toContain(JSON.stringify(old).slice(1, -1) + (old.includes('\\') ? '\\\\src' : '/src'));
      expect(made.path).toContain(to === 'codex' ? `${bob.home}/.codex/sessions/` : join(bob.home, '.claude/projects', dashed(bobProject)));
      expect(readFileSync(made.path, 'utf8')).toContain(`"cwd":${JSON.stringify(bobProject)}`);
    }
  });
});

it('X21 a session that goes on in another project is imported with a warning', async () => {
  l = lab();
  const ann = l.person('ann');
  const one = l.project(ann, 'one', l.bare('one'));
  const two = l.project(ann, 'two', l.bare('two'), { 'other.txt': 'two\n' });
  const source = makeSession('claude-code', ann.home, one);
  const made = await l.json<Imported>(ann, one, 'import', `claude-code:${source.id}`, '--to', 'codex', '--cwd', two);
  expect(made.notes).toContain(`${one} and ${two} have different remotes: the session may speak of files that are not in this project.`);
  // Through a shared store that holds handoffs of several projects, the commit tells.
  l.git(ann, two, 'remote', 'set-url', 'origin', l.git(ann, one, 'remote', 'get-url', 'origin'));
  const pushed = await l.json<PushJson>(ann, one, 'push', `claude-code:${source.id}`);
  await l.json(ann, two, 'pull');
  const foreign = await l.json<Imported>(ann, two, 'import', pushed.handoffs[0]?.handoff ?? '', '--to', 'codex');
  expect(foreign.notes.join('\n')).toMatch(/held at commit [0-9a-f]{12}, which is not here/);
});

it('X21 a folder below the old one: paths stay as they are', async () => {
  l = lab();
  const ann = l.person('ann');
  const cwd = l.project(ann, 'proj', l.bare('team'), { 'src/a.ts': 'a\n' });
  const source = makeSession('claude-code', ann.home, cwd, { lines: named('claude-code', cwd) });
  const made = await l.json<Imported>(ann, cwd, 'import', source.path, '--to', 'codex', '--cwd', 'src');
  expect(await wholeText(made)).toContain(`Look at ${cwd}/src/a.ts`);
  expect(made.notes.join()).not.toContain('remotes');
});

it('F2 relocated CLAUDE_CONFIG_DIR, CODEX_HOME and XDG_STATE_HOME: sessions are found and put there', async () => {
  l = lab();
  const ann = l.person('ann');
  const cwd = l.project(ann, 'proj', l.bare('team'));
  const source = makeSession('claude-code', join(l.root, 'elsewhere'), cwd);
  Object.assign(ann.env, {
    CLAUDE_CONFIG_DIR: join(l.root, 'elsewhere/.claude'),
    CODEX_HOME: join(l.root, 'my codex'),
    XDG_STATE_HOME: join(l.root, 'state'),
    XDG_CONFIG_HOME: join(l.root, 'config'),
  });
  mkdirSync(join(l.root, 'config/relay'), { recursive: true });
  writeFileSync(join(l.root, 'config/relay/config.jsonc'), '{ "share": { "exclude": [{ "title": "never to be shared" }] } }\n');
  const sessions = await l.json<{ sessions: { id: string }[] }>(ann, cwd, 'sessions');
  expect(sessions.sessions.map((s) => s.id)).toEqual([source.id]);
  const there = await l.json<Imported>(ann, cwd, 'import', 'latest', '--to', 'codex');
  expect(there.path.startsWith(`${join(l.root, 'my codex')}/sessions/`)).toBe(true);
  expect(readFileSync(join(l.root, 'my codex/session_index.jsonl'), 'utf8')).toContain(there.session);
  expect(readFileSync(join(l.root, 'state/relay/imports.jsonl'), 'utf8')).toContain(there.session);
  const back = await l.json<Imported>(ann, cwd, 'import', `codex:${there.session}`, '--to', 'claude-code');
  expect(back.path.startsWith(`${join(l.root, 'elsewhere/.claude/projects')}/`)).toBe(true);
  expect(readdirSync(ann.home)).toEqual(['.gitconfig']);
});
