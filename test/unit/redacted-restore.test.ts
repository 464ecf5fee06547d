import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Adapter } from '#adapters/adapter.ts';
import { claudeCode } from '#adapters/claude-code/index.ts';
import { codex } from '#adapters/codex/index.ts';
import type { Json, JsonObject } from '#lib/json.ts';
import type { SessionRecord } from '#session/record.ts';
import { linesToRecords } from '../support/claude-records.ts';
import { asked, metaLine, rollout, rolloutLine } from '../support/codex.ts';

const MARK = '[REDACTED:gh:0a1b2c3d]';
const NAME = '_REDACTED_gh_0a1b2c3d_';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'relay-redacted-'));
});
afterEach(() => rmSync(home, { recursive: true }));

/** The lines that a session is restored to, and what the loss report says of them: kind and action. */
async function restored(adapter: Adapter, records: SessionRecord[], redacted = true): Promise<{ lines: JsonObject[]; loss: string[] }> {
  const written = await adapter.restore({
    target: { where: { env: {}, home }, cwd: '/home/ann/proj', id: '0197ffff-aaaa-7bbb-8ccc-dddddddddddd', title: 'T', now: new Date(0) },
    card: { agent: adapter.id, id: '00000000-aaaa-4bbb-8ccc-000000000001', title: 'T', cwd: '/home/ann/proj', path: '', created: '', updated: '' },
    orientation: '',
    checkpoint: async () => undefined,
    streams: ['main'],
    records: async function* () {
      yield* records;
    },
    files: [],
    redacted,
  });
  const lines: JsonObject[] = [];
  for await (const line of written.files.at(-1)?.lines ?? []) lines.push(JSON.parse(line.toString()));
  return { lines, loss: written.loss.map(({ kind, action }) => `${kind} ${action}`) };
}

describe('a restored Claude Code session', () => {
  const signature = Buffer.from('a signature that is long enough to be one').toString('base64');
  const prompt = (text: string): object => ({ type: 'user', message: { role: 'user', content: text } });
  const reply = (...content: object[]): object => ({ type: 'assistant', message: { role: 'assistant', content } });
  const blocks = async (lines: object[], redacted?: boolean) => {
    const { lines: made, loss } = await restored(claudeCode, linesToRecords(lines), redacted);
    const content = made.flatMap((line) => ((line.message as JsonObject | undefined)?.content ?? []) as Json[]).filter((block) => typeof block === 'object');
    return { content, loss };
  };

  it.each<[string, object, object, string[]]>([
    ['thinking whose signature was redacted', { type: 'thinking', thinking: 'so', signature: MARK }, { type: 'text', text: 'so' }, ['thinking changed']],
    ['sealed thinking', { type: 'redacted_thinking', data: MARK }, { type: 'text', text: '' }, ['thinking left-out']],
    ['the name of a tool', { type: 'tool_use', id: 't', name: MARK, input: {} }, { type: 'tool_use', id: 't', name: NAME, input: {} }, ['tool-name changed']],
    [
      'an image',
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: MARK } },
      { type: 'text', text: '[image that was redacted: left out]' },
      ['image changed'],
    ],
    [
      'an image of a result',
      { type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source: { type: 'url', url: MARK } }] },
      { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: '[image that was redacted: left out]' }] },
      ['image changed'],
    ],
    ['a text', { type: 'text', text: MARK }, { type: 'text', text: MARK }, []],
  ])('%s is put right', async (_what, before, after, said) => {
    const { content, loss } = await blocks([prompt('go'), reply(before)]);
    expect(content).toEqual([after]);
    expect(loss).toEqual(said);
  });

  it('has no redacted words beside an item, for which the client would pass over the item', async () => {
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] };
    const line = JSON.stringify({ ...JSON.parse(rolloutLine('response_item', item)), metadata: { history_sequence: 2, model_search_state: MARK } });
    const { lines, loss } = await restored(codex, rollout(metaLine(), line));
    expect(lines.find((one) => one.type === 'response_item')).toMatchObject({ payload: item, metadata: { history_sequence: 2 } });
    expect(JSON.stringify(lines)).not.toContain(MARK);
    expect(loss.filter((one) => one.startsWith('settings'))).toEqual(['settings left-out']);
  });

  it('keeps what was sealed, but not in a turn in which something was redacted', async () => {
    const sealed = { type: 'thinking', thinking: '', signature };
    const { content, loss } = await blocks([prompt('go'), reply(sealed), prompt(`take ${MARK}`), reply(sealed), prompt('on'), reply(sealed)]);
    expect(content).toEqual([sealed, { type: 'text', text: '' }, sealed]);
    expect(loss).toEqual(['thinking left-out']);
  });

  it('is not looked at where nothing was redacted', async () => {
    const said = { type: 'tool_use', id: 't', name: MARK, input: {} };
    expect(await blocks([prompt('go'), reply(said)], false)).toEqual({ content: [said], loss: [] });
  });
});

describe('a restored Codex session', () => {
  const turn = rolloutLine('event_msg', { type: 'task_started', turn_id: 't' });
  const reasoning = (seal: string): string => rolloutLine('response_item', { type: 'reasoning', summary: [], encrypted_content: seal });
  const items = async (...lines: (string | string[])[]) => {
    const { lines: made, loss } = await restored(codex, rollout(metaLine(), ...lines));
    return { items: made.filter((line) => line.type === 'response_item').map((line) => line.payload as JsonObject), loss };
  };

  it.each<[string, JsonObject, JsonObject | undefined, string[]]>([
    ['a sealed blob', { type: 'reasoning', summary: [], encrypted_content: MARK }, undefined, ['thinking left-out']],
    [
      'the name of a tool',
      { type: 'function_call', name: MARK, namespace: MARK, arguments: '{}', call_id: 'c' },
      { type: 'function_call', name: NAME, namespace: NAME, arguments: '{}', call_id: 'c' },
      ['tool-name changed', 'tool-name changed'],
    ],
    [
      'an image',
      { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image', image_url: MARK }] },
      { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: '[image that was redacted: left out]' }] },
      ['image changed'],
    ],
    [
      "an image's detail",
      { type: 'message', role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: MARK }] },
      { type: 'message', role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }] },
      ['image changed'],
    ],
  ])('%s is put right', async (_what, before, after, said) => {
    const { items: made, loss } = await items(rolloutLine('response_item', before));
    expect(made).toEqual(after ? [after] : []);
    expect(loss.filter((line) => !line.startsWith('model-provider'))).toEqual(said);
  });

  it('keeps what was sealed, but not in a turn in which something was redacted', async () => {
    const { items: made } = await items(
      turn,
      asked('go'),
      reasoning('gAAAAABone'),
      turn,
      asked(`take ${MARK}`),
      reasoning('gAAAAABtwo'),
      turn,
      reasoning('gAAAAABthree'),
    );
    expect(made.flatMap((item) => item.encrypted_content ?? [])).toEqual(['gAAAAABone', 'gAAAAABthree']);
  });

  it('leaves out of a compaction what was redacted in its sealed part', async () => {
    const history = [
      { type: 'message', role: 'user', content: [] },
      { type: 'compaction', encrypted_content: MARK },
    ];
    const { lines } = await restored(codex, rollout(metaLine(), rolloutLine('compacted', { message: '', replacement_history: history })));
    expect(lines.find((line) => line.type === 'compacted')?.payload).toMatchObject({ replacement_history: history.slice(0, 1) });
  });

  it('has a session_meta that the client reads', async () => {
    const { lines, loss } = await restored(codex, rollout(metaLine({ history_mode: MARK, multi_agent_version: MARK, originator: MARK })));
    expect(lines[0]?.payload).toMatchObject({ history_mode: 'legacy', originator: MARK });
    expect(lines[0]?.payload).not.toHaveProperty('multi_agent_version');
    expect(loss.filter((line) => line.startsWith('settings'))).toEqual(['settings changed', 'settings left-out']);
  });
});
