import { describe, expect, it } from 'vitest';
import { codex } from '#adapters/codex/index.ts';
import type { Conversation } from '#session/conversation.ts';
import type { SessionRecord } from '#session/record.ts';
import { answered, asked, fixtureRecords, metaLine, requests, rollout, rolloutLine, toldBy, toldTo } from '../support/codex.ts';

const BASE = '01a22c21-101f-7492-8ef7-0f36bf352f51';
const REVERTED = '01a22c35-3b13-7a00-9ed3-c053fdf1fbd2';

const conversation = (main: SessionRecord[], ...others: [string, SessionRecord[]][]): Conversation => codex.conversation(new Map([['main', main], ...others]));

describe('the view of a Codex session against the requests that the client sent', () => {
  const streams: Record<string, [string, SessionRecord[]][]> = { 'exec-forked': [[`base/${BASE}`, fixtureRecords('exec-unicode-resumed')]] };
  // Request n of the file holds the view up to its last but `rest` blocks; every block before is the same. `but`: what differs, and why.
  const rows: { name: string; n: number; rest: number; but?: { at: number; sent: string[]; why: string } }[] = [
    { name: 'exec-plain', n: 0, rest: 1 },
    { name: 'exec-tools-0.150.0', n: 1, rest: 5 },
    { name: 'exec-tools-0.150.0', n: 2, rest: 1 },
    { name: 'exec-tools-gpt55', n: 3, rest: 11 },
    { name: 'exec-tools-gpt55', n: 7, rest: 1 },
    { name: 'exec-codemode-gpt6sol', n: 2, rest: 1 },
    { name: 'exec-image', n: 1, rest: 3 },
    { name: 'exec-image', n: 2, rest: 1 },
    { name: 'exec-interrupted', n: 1, rest: 1 },
    { name: 'exec-unicode-resumed', n: 1, rest: 1 },
    { name: 'exec-forked', n: 2, rest: 1 },
    { name: 'exec-remote-compaction', n: 1, rest: 1 },
    { name: 'subagent-parent', n: 4, rest: 1 },
    { name: 'tui-compacted-interrupted', n: 2, rest: 5 },
    { name: 'tui-compacted-interrupted', n: 4, rest: 1 },
    {
      name: 'exec-killed-resumed',
      n: 1,
      rest: 1,
      but: {
        at: 4,
        sent: ['result call_mock000005 aborted'],
        why: 'the client makes up an output for a call whose output was never written, and does not write it back',
      },
    },
  ];
  it.each(rows)('$name, request $n', ({ name, n, rest, but }) => {
    const view = toldBy(conversation(fixtureRecords(name), ...(streams[name] ?? [])).view);
    const sent = toldTo(requests(name)[n] ?? []);
    if (but) expect(sent.splice(but.at, but.sent.length), but.why).toEqual(but.sent);
    expect(view.slice(0, view.length - rest)).toEqual(sent);
    expect(view.slice(view.length - rest)).toHaveLength(rest);
  });

  it('leaves out of a parent what its sub-agent was sent', () => {
    const view = toldBy(conversation(fixtureRecords('subagent-child')).view);
    expect(view.slice(0, 5)).toEqual(toldTo(requests('subagent-parent')[3] ?? []));
  });
});

describe('a session that goes on from another file', () => {
  it('begins with the part of that file which it refers to', () => {
    const { entries, abandoned } = conversation(fixtureRecords('paginated-reverted.segment'), [
      `base/${REVERTED}`,
      fixtureRecords('paginated-reverted.base', 41970),
    ]);
    const told = toldBy(entries).filter((line) => !line.includes('<environment_context>'));
    expect(told).toEqual(['user: Q1', 'assistant: A1', 'user: Q2', 'assistant: A2', 'user: after revert', 'assistant: A4']);
    expect(abandoned).toBe(0);
    expect(new Set(entries.map((entry) => entry.stream))).toEqual(new Set([`base/${REVERTED}`, 'main']));
  });

  it('follows a chain of several files, whatever order they are given in', () => {
    const at = (base?: string) => metaLine(base ? { history_base: { thread_id: base, end_ordinal_exclusive: 9, end_byte_offset: 9 } } : {});
    const streams: [string, SessionRecord[]][] = [
      ['base/a', rollout(at(), asked('first'))],
      ['base/b', rollout(at('a'), asked('second'))],
    ];
    for (const order of [streams, [...streams].reverse()])
      expect(toldBy(conversation(rollout(at('b'), asked('third')), ...order).entries)).toEqual(['user: first', 'user: second', 'user: third']);
  });
});

describe('rolled-back turns', () => {
  const started = rolloutLine('event_msg', { type: 'task_started', turn_id: 't', started_at: 1 });
  const turn = (n: number) => [started, ...asked(`Q${n}`), ...answered(`A${n}`)];
  const plain = (n: number) => [...asked(`Q${n}`), ...answered(`A${n}`)];
  const back = (turns: number) => rolloutLine('event_msg', { type: 'thread_rolled_back', num_turns: turns });
  const compacted = rolloutLine('compacted', {
    message: 'S',
    replacement_history: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'SUMMARY' }] }],
  });
  // Each row was resumed with codex 0.171.0; its request held these.
  it.each([
    ['one turn', [plain(1), plain(2), back(1), plain(3)], ['Q1', 'A1', 'Q3', 'A3'], 2],
    [
      'a message that steered a turn counts by itself',
      [turn(1), started, asked('Q2'), asked('S2'), answered('A2'), turn(3), back(2), turn(4)],
      ['Q1', 'A1', 'Q2', 'Q4', 'A4'],
      4,
    ],
    ['after a compaction', [turn(1), compacted, turn(2), back(1), turn(3)], ['SUMMARY', 'Q3', 'A3'], 2],
    ['over a compaction', [turn(1), turn(2), compacted, turn(3), back(2), turn(4)], ['Q1', 'A1', 'Q4', 'A4'], 4],
    ['a compaction in the middle of the turn', [turn(1), started, asked('Q2'), compacted, answered('A2'), back(1), turn(3)], ['Q1', 'A1', 'Q3', 'A3'], 2],
  ])('%s', (_, lines, told, abandoned) => {
    const found = conversation(rollout(metaLine(), ...lines));
    expect(toldBy(found.view).map((line) => line.replace(/^\w+: /, ''))).toEqual(told);
    expect(found.abandoned).toBe(abandoned);
  });
});

describe('compaction', () => {
  it('keeps everything for people and gives the model the replacement history', () => {
    const { entries, view, sealed } = conversation(fixtureRecords('tui-compacted-interrupted'));
    expect(view).not.toBe(entries);
    expect(sealed).toBe(false);
    expect(toldBy(entries).filter((line) => line.startsWith('user: ')).length).toBeGreaterThan(4);
    expect(view.filter((entry) => entry.summary)).toHaveLength(1);
  });

  it('says that a view is sealed by the provider', () => {
    const { entries, sealed } = conversation(fixtureRecords('exec-remote-compaction'));
    expect(sealed).toBe(true);
    expect(toldBy(entries)).toContain('assistant: answer 0');
  });

  it('rebuilds the view of the old form from what people typed and the summary', () => {
    const { view } = conversation(rollout(metaLine(), asked('Q1'), answered('A1'), asked('Q2'), rolloutLine('compacted', { message: 'SUMMARY' }), asked('Q3')));
    expect(toldBy(view)).toEqual(['user: Q1', 'user: Q2', 'user: SUMMARY', 'user: Q3']);
  });
});

describe('who wrote a message', () => {
  it('goes by the events of a file without labels', () => {
    const harness = rolloutLine('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Put in by the client' }] });
    const { entries } = conversation(rollout(metaLine(), harness, asked('Typed')));
    expect(entries.map((entry) => entry.origin)).toEqual(['harness', 'person']);
  });

  it('takes every user message for typed where the file shows none', () => {
    const { entries } = conversation(rollout(metaLine(), asked('Q').slice(1)));
    expect(entries.map((entry) => entry.origin)).toEqual(['person']);
  });
});

it('makes one reply of what the model said without anything in between, and names its model', () => {
  const { entries } = conversation(fixtureRecords('exec-tools-gpt55'));
  const calls = entries.filter((entry) => entry.content.some((block) => block.type === 'tool_call'));
  expect(new Set(calls.slice(2, 5).map((entry) => entry.group)).size).toBe(1);
  expect(calls[1]?.group).not.toBe(calls[2]?.group);
  expect(calls[0]?.model).toBe('gpt-5.5');
});

it('gives a call that ran at the provider a result, so that it stays a call', () => {
  const search = rolloutLine('response_item', { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } });
  const { entries } = conversation(rollout(metaLine(), asked('Q'), search));
  expect(entries.slice(1).flatMap((entry) => entry.content.map((block) => block.type))).toEqual(['tool_call', 'tool_result']);
});
