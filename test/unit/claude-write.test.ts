import { describe, expect, it } from 'vitest';
import type { Entry, Fitted } from '#session/conversation.ts';
import type { Block, ResultBlock } from '#session/record.ts';
import type { SessionCard } from '#session/source.ts';
import type { Target, Written } from '../../adapters/adapter.ts';
import { claudeCode } from '../../adapters/claude-code/index.ts';
import { linesToRecords } from '../support/claude-records.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CABzGMSjNgCRYAtq8J9yv7lJIAAAAASUVORK5CYII=';
const id = '0198bbbb-0000-7000-8000-000000000001';
const target: Target = {
  where: { env: { CLAUDE_CONFIG_DIR: '/conf' }, home: '/home/bob' },
  cwd: '/home/bob/proj',
  id,
  title: 'Imported',
  branch: 'main',
  now: new Date(0),
};
const card: SessionCard = { agent: 'codex', id: 'c', title: 'T', cwd: '/old', path: '/p', created: '2026-01-01T00:00:00Z', updated: '2026-01-02T00:00:00Z' };

let count = 0;
const entry = (role: Entry['role'], content: string | Block[], more: Partial<Entry> = {}): Entry => ({
  role,
  content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  stream: 'main',
  record: count++,
  origin: role === 'user' ? 'person' : role === 'assistant' ? 'model' : role === 'tool' ? 'tool' : 'harness',
  ...more,
});
const call = (callId: string, name: string, input: Block & { type: 'tool_call' } extends { input: infer I } ? I : never, more: Partial<Entry> = {}): Entry =>
  entry('assistant', [{ type: 'tool_call', id: callId, name, input }], more);
const result = (callId: string, content: string | ResultBlock[], more: object = {}): Entry =>
  entry('tool', [{ type: 'tool_result', call_id: callId, content: typeof content === 'string' ? [{ type: 'text', text: content }] : content, ...more }]);

async function written(fitted: Partial<Fitted>, orientation = ''): Promise<{ made: Written; lines: ReturnType<typeof JSON.parse>[] }> {
  const made = await claudeCode.write({
    target,
    card,
    orientation,
    fitted: { history: [], lead: [], tail: [], size: { tokens: 5, items: 1, bytes: 1 }, ...fitted },
  });
  const lines: ReturnType<typeof JSON.parse>[] = [];
  for await (const line of made.files[0]?.lines ?? []) lines.push(JSON.parse(String(line)));
  return { made, lines };
}
const blocks = (lines: ReturnType<typeof JSON.parse>[]) =>
  lines.flatMap((line) => (typeof line.message?.content === 'string' ? [{ type: 'text', text: line.message.content }] : (line.message?.content ?? [])));

describe('a written session', () => {
  it('lies under the name that the client gives, says how to resume it, and is the same each time', async () => {
    const first = await written({ tail: [entry('user', 'hi', { record: 0 })] });
    const second = await written({ tail: [entry('user', 'hi', { record: 0 })] });
    expect(first.made.path).toBe(`/conf/projects/-home-bob-proj/${id}.jsonl`);
    expect(first.made.resume).toEqual({ command: 'claude', args: ['--resume', id], cwd: '/home/bob/proj' });
    expect(second.lines).toEqual(first.lines);
  });

  it('is one chain of entries with title, tag and leaf at its end', async () => {
    const { lines } = await written({ tail: [entry('user', 'hi'), entry('assistant', 'yes'), entry('user', 'and?')] }, 'You are here.');
    const chain = lines.slice(0, 4);
    expect(chain.map((line) => line.parentUuid)).toEqual([null, ...chain.slice(0, 3).map((line) => line.uuid)]);
    expect(chain[0]).toMatchObject({
      isMeta: true,
      message: { content: 'You are here.' },
      entrypoint: 'cli',
      cwd: '/home/bob/proj',
      gitBranch: 'main',
      sessionId: id,
    });
    expect(lines.slice(4)).toEqual([
      { type: 'last-prompt', lastPrompt: 'and?', leafUuid: chain[3].uuid, sessionId: id },
      { type: 'custom-title', customTitle: 'Imported', sessionId: id },
      { type: 'tag', tag: 'relay', sessionId: id },
    ]);
  });

  it('keeps parallel calls in one reply with their results right behind them', async () => {
    const { lines } = await written({
      tail: [
        entry('user', 'go'),
        call('a', 'x', {}),
        call('b', 'x', {}),
        entry('user', 'typed meanwhile'),
        result('b', 'rb'),
        result('a', 'ra'),
        entry('assistant', 'done'),
      ],
    });
    expect(blocks(lines).map((b) => b.id ?? b.tool_use_id ?? b.text)).toEqual(['go', 'a', 'b', 'b', 'a', 'typed meanwhile', 'done']);
    expect(lines[1].message.id).toBe(lines[2].message.id);
    expect(lines[6].message.id).not.toBe(lines[1].message.id);
    expect(lines[3].sourceToolAssistantUUID).toBe(lines[2].uuid);
  });

  it('gives ids and names that the API takes, pairs kept, and reports each', async () => {
    const { made, lines } = await written({
      tail: [
        entry('user', 'go'),
        call('call|1', 'we.ird tool', 'text'),
        result('call|1', 'one'),
        call('same', 'x', {}),
        result('same', 'two'),
        call('same', 'x', {}),
        result('same', 'three'),
        call('', 'x', {}),
        result('', 'four'),
      ],
    });
    const uses = blocks(lines).filter((b) => b.type === 'tool_use');
    const results = blocks(lines).filter((b) => b.type === 'tool_result');
    expect(results.map((b) => b.tool_use_id)).toEqual(uses.map((b) => b.id));
    expect(new Set(uses.map((b) => b.id)).size).toBe(4);
    expect(uses.every((b) => /^[A-Za-z0-9_-]{1,64}$/.test(b.id) && /^[A-Za-z0-9_-]{1,64}$/.test(b.name))).toBe(true);
    expect(uses[0]).toMatchObject({ name: 'mcp__codex__we_ird_tool', input: { value: 'text' } });
    expect(results.map((b) => b.content)).toEqual(['one', 'two', 'three', 'four']);
    expect(made.loss.filter((loss) => loss.kind === 'tool-id')).toHaveLength(3);
  });

  it.each<[string, Parameters<typeof call>[2], string, object]>([
    ['exec_command', { cmd: 'ls', yield_time_ms: 9, workdir: '/home/bob/proj' }, 'Bash', { command: 'ls' }],
    ['exec_command', { cmd: 'ls', workdir: '/elsewhere' }, 'mcp__codex__exec_command', { cmd: 'ls', workdir: '/elsewhere' }],
    ['shell', { command: ['bash', '-lc', 'ls -l'] }, 'Bash', { command: 'ls -l' }],
    ['shell', { command: ['ls', '-l'] }, 'mcp__codex__shell', { command: ['ls', '-l'] }],
    ['shell', '{"command":"ls"}', 'Bash', { command: 'ls' }],
    ['Bash', { command: 'ls', unheard: 1 }, 'mcp__codex__Bash', { command: 'ls', unheard: 1 }],
    ['apply_patch', '*** Begin Patch', 'mcp__codex__apply_patch', { value: '*** Begin Patch' }],
    ['read', { filePath: '/a', limit: 3 }, 'Read', { file_path: '/a', limit: 3 }],
    ['edit', { filePath: '/a', oldString: 'x', newString: 'y' }, 'Edit', { file_path: '/a', old_string: 'x', new_string: 'y' }],
    ['write_file', { file_path: '/a', content: 'x' }, 'Write', { file_path: '/a', content: 'x' }],
    ['mcp__srv__tool', { q: 1 }, 'mcp__srv__tool', { q: 1 }],
  ])('%s %j is written as %s', async (name, input, as, becomes) => {
    const { lines } = await written({ tail: [entry('user', 'go'), call('c', name, input), result('c', 'r')] });
    expect(blocks(lines)[1]).toMatchObject({ type: 'tool_use', name: as, input: becomes });
  });

  it('never writes a call without result nor a result without call', async () => {
    const { made, lines } = await written({ tail: [entry('user', 'go'), call('c', 'x', {}), entry('user', 'stop'), result('gone', 'left over')] });
    expect(blocks(lines).slice(1)).toEqual([
      { type: 'tool_use', id: 'c', name: 'mcp__codex__x', input: {} },
      { type: 'tool_result', tool_use_id: 'c', content: '[no result was recorded for this call]', is_error: true },
      { type: 'text', text: 'stop' },
      { type: 'text', text: '[result of an earlier tool call]\nleft over' },
    ]);
    expect(made.loss.map((loss) => loss.kind)).toEqual(['tool-result', 'tool-result', 'tool-call']);
  });

  it('passes valid images on and says so where one is none', async () => {
    const image = (data: string, type = 'image/png') => ({ type: 'image' as const, media_type: type, data });
    const { made, lines } = await written({
      tail: [entry('user', [image(PNG), image('AAAA'), image(PNG.slice(0, 80))]), call('c', 'view', {}), result('c', [image(PNG, 'image/jpeg')])],
    });
    const found = blocks(lines);
    expect(found[0]).toEqual({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } });
    expect(found.slice(1, 3).map((b) => b.type)).toEqual(['text', 'text']);
    expect(found[4].content[0].source).toEqual({ type: 'base64', media_type: 'image/png', data: PNG });
    expect(made.loss.filter((loss) => loss.kind === 'image')).toHaveLength(3);
  });

  it('leaves thinking, empty texts and the old environment out, and keeps system text hidden', async () => {
    const env = entry('user', '<environment_context>\n<cwd>/old</cwd>\n</environment_context>', { origin: 'harness' });
    const { made, lines } = await written({
      tail: [
        entry('system', 'Be careful.'),
        env,
        entry('user', 'go'),
        entry('assistant', [{ type: 'thinking', text: 'hm' }]),
        entry('assistant', '  '),
        entry('assistant', 'yes'),
      ],
    });
    expect(blocks(lines).map((b) => b.text)).toEqual(['Be careful.', 'go', 'yes']);
    expect(lines[0].isMeta).toBe(true);
    expect(made.loss.map((loss) => [loss.kind, loss.action])).toEqual([
      ['environment', 'left-out'],
      ['thinking', 'left-out'],
    ]);
  });

  it('puts a message of the user before a conversation that begins with a reply', async () => {
    const { lines } = await written({ tail: [entry('assistant', 'hello')] });
    expect(lines[0]).toMatchObject({ type: 'user', isMeta: true });
  });

  it('holds the whole history before a checkpoint; the model gets summary, lead and tail', async () => {
    const summary = entry('user', 'BRIEF', { summary: true, origin: 'relay', record: -1 });
    const { lines } = await written(
      {
        history: [entry('user', 'H'), call('c', 'x', {}), result('c', 'r')],
        lead: [summary, call('c', 'x', {}), result('c', 'r')],
        tail: [entry('user', 'T')],
      },
      'FIRST',
    );
    const read = claudeCode.conversation(new Map([['main', linesToRecords(lines)]]));
    expect(read.view.map((e) => e.content[0]?.type === 'text' && e.content[0].text)).toEqual(['FIRST\n\nBRIEF', false, false, 'T']);
    expect(read.entries).toHaveLength(7);
    expect(lines[3]).toMatchObject({ type: 'system', subtype: 'compact_boundary', parentUuid: null, logicalParentUuid: lines[2].uuid });
    expect(lines[4]).toMatchObject({ isCompactSummary: true, isVisibleInTranscriptOnly: true });
  });

  it('does not report the calls that a checkpoint repeats', async () => {
    const summary = entry('user', 'BRIEF', { summary: true, origin: 'relay', record: -1 });
    const again = [call('c', 'x', {}), result('c', 'r')];
    const { made, lines } = await written({ history: [entry('user', 'H'), ...again], lead: [summary, ...again], tail: [entry('user', 'T')] });
    expect(made.loss.filter((loss) => loss.kind === 'tool-id')).toEqual([]);
    expect(new Set(blocks(lines).flatMap((b) => (b.type === 'tool_use' ? [b.id] : []))).size).toBe(2);
  });

  it('names the model only where this client knows it', async () => {
    const { lines } = await written({
      tail: [entry('user', 'a'), entry('assistant', 'b', { model: 'gpt-6' }), entry('user', 'c'), entry('assistant', 'd', { model: 'claude-opus-5-5' })],
    });
    expect([lines[1].message.model, lines[3].message.model]).toEqual([undefined, 'claude-opus-5-5']);
  });

  it('says that there is nothing to import', async () => {
    await expect(written({})).rejects.toMatchObject({ code: 'nothing-to-import' });
  });
});
