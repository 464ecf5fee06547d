import { appendFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { contextUse as claudeUse } from '#adapters/claude-code/context-use.ts';
import { contextUse as codexUse } from '#adapters/codex/context-use.ts';
import { contextUses } from '#adapters/context-use.ts';
import { adapters } from '#adapters/registry.ts';
import { linesBack } from '#lib/lines-back.ts';
import { scratch } from '../support/scratch.ts';

const tmp = scratch('context-use');
afterAll(() => tmp.remove());
const where = { env: {}, home: tmp.dir };
let serial = 0;
const file = (text: string | Buffer): string => {
  const path = join(tmp.dir, `${++serial}.jsonl`);
  writeFileSync(path, text);
  return path;
};
const jsonl = (...records: object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');

describe('lines from the end', () => {
  const all = async (path: string, most = 1 << 30, end?: number) => {
    const lines: string[] = [];
    for await (const line of linesBack(path, most, end)) lines.push(line.toString('utf8'));
    return lines;
  };

  it.each([
    ['nothing', '', []],
    ['one line', 'a\n', ['a']],
    ['an unfinished last line', 'a\nb', ['b', 'a']],
    ['empty lines, which do not count', '\n\na\n\nb\n\n', ['b', 'a']],
    ['lines at the edges of a piece', `${'a'.repeat(65_535)}\n${'b'.repeat(65_535)}\n`, ['b'.repeat(65_535), 'a'.repeat(65_535)]],
    ['lines of more than a piece', `é\n${'ü'.repeat(300_000)}\nc\n`, ['c', 'ü'.repeat(300_000), 'é']],
  ])('%s', async (_, text, lines) => {
    expect(await all(file(text))).toEqual(lines);
  });

  it('are those that stand wholly within what may be read, and before the end that was named', async () => {
    expect(await all(file('aaaa\nbbbb\ncccc\n'), 12)).toEqual(['cccc', 'bbbb']);
    expect(await all(file('aaaa\nbbbb\ncccc\n'), 1 << 30, 10)).toEqual(['bbbb', 'aaaa']);
  });

  it('are read no further than they are taken', async () => {
    const path = file('');
    // Nobody reads forty gigabytes of nothing within the time of a test.
    truncateSync(path, 40e9);
    appendFileSync(path, '\nlast\n');
    const lines = linesBack(path, 1 << 30);
    expect((await lines.next()).value?.toString()).toBe('last');
    await lines.return(undefined);
  });
});

const answer = (tokens: number, more: object = {}) => ({
  type: 'assistant',
  isSidechain: false,
  requestedModel: 'claude-opus-5-5',
  message: {
    role: 'assistant',
    model: 'claude-opus-5-5',
    content: [{ type: 'text', text: 'x' }],
    usage: { input_tokens: 1, cache_read_input_tokens: tokens - 3, cache_creation_input_tokens: 2, output_tokens: 999 },
  },
  ...more,
});
const compacted = (postTokens?: number) => ({ type: 'system', subtype: 'compact_boundary', compactMetadata: { trigger: 'auto', preTokens: 9, postTokens } });
const said = { type: 'user', message: { role: 'user', content: 'no "usage" here, and "compact_boundary" neither' } };

describe('Claude Code', () => {
  const MILLION = 1_000_000;
  const use = (...records: object[]) => claudeUse(where, { path: file(jsonl(...records)) });

  it.each([
    ['no answer yet', [said], undefined],
    ['the last answer, without what came out of it', [answer(100), answer(200), said], { tokens: 200, window: MILLION }],
    ['not of a sub-agent', [answer(100), answer(900, { isSidechain: true })], { tokens: 100, window: MILLION }],
    [
      'not what the client made up itself',
      [answer(100), { type: 'assistant', message: { model: '<synthetic>', usage: { input_tokens: 0 } } }],
      { tokens: 100, window: MILLION },
    ],
    [
      'not an answer that was cut before its usage was known',
      [answer(100), answer(3, { message: { model: 'm', usage: { input_tokens: 0 } } })],
      { tokens: 100, window: MILLION },
    ],
    ['after a compaction what was counted then', [answer(900), compacted(50), said], { tokens: 50, window: MILLION }],
    ['after two the last one', [answer(900), compacted(50), answer(400), compacted(70)], { tokens: 70, window: MILLION }],
    ['after a compaction and an answer the answer', [answer(900), compacted(50), answer(60)], { tokens: 60, window: MILLION }],
    ['nothing after a compaction that does not say', [answer(900), compacted(), said], undefined],
  ])('%s', async (_, records, expected) => {
    expect(await use(...records)).toEqual(expected);
  });

  it('passes over a last line that is still being written, and lines that are no records', async () => {
    const path = file(`${jsonl(answer(100))}null\n"usage"\n{"usage":[\n${JSON.stringify(answer(500)).slice(0, -9)}`);
    expect((await claudeUse(where, { path }))?.tokens).toBe(100);
  });

  it('goes back over megabytes of tool output', async () => {
    const path = file(jsonl(answer(100)));
    for (let i = 0; i < 4; i++) appendFileSync(path, jsonl({ type: 'user', toolUseResult: 'x'.repeat(3_000_000) }));
    expect((await claudeUse(where, { path }))?.tokens).toBe(100);
  });

  const asked = (model: string | undefined, answered = 'claude-sonnet-4-5-20250929') => {
    const record = answer(100, { requestedModel: model });
    record.message.model = answered;
    return record;
  };
  it.each([
    ['claude-opus-5-5', MILLION],
    ['claude-opus-4-8', MILLION],
    ['claude-opus-4-7', MILLION],
    ['claude-haiku-5', MILLION],
    ['something-of-a-gateway', MILLION],
    ['claude-opus-4-6', 200_000],
    ['claude-sonnet-4-6', 200_000],
    ['claude-sonnet-4-5', 200_000],
    ['claude-haiku-4-5-20251001', 200_000],
    ['claude-sonnet-4-20250514', 200_000],
    ['claude-3-5-haiku-20241022', 200_000],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 200_000],
    ['claude-sonnet-4-5[1m]', MILLION],
    [undefined, 200_000],
  ])('reckons with the window of %s', async (model, window) => {
    expect((await use(asked(model)))?.window).toBe(window);
  });

  it.each([
    [{ CLAUDE_CODE_DISABLE_1M_CONTEXT: '1' }, 200_000],
    [{ CLAUDE_CODE_DISABLE_1M_CONTEXT: '0' }, MILLION],
    [{ CLAUDE_CODE_AUTO_COMPACT_WINDOW: '300000' }, 300_000],
    [{ CLAUDE_CODE_AUTO_COMPACT_WINDOW: 'much' }, MILLION],
  ])('with a smaller one where %o', async (env, window) => {
    expect((await claudeUse({ ...where, env }, { path: file(jsonl(answer(100))) }))?.window).toBe(window);
  });
});

const counted = (total: number | null, window: number | null = 258_400) => ({
  type: 'event_msg',
  payload: {
    type: 'token_count',
    info: total === null ? null : { total_token_usage: { total_tokens: 10 * total }, last_token_usage: { total_tokens: total }, model_context_window: window },
  },
});

describe('Codex', () => {
  const use = (...records: object[]) => codexUse(where, { path: file(jsonl(...records)), streams: [] });

  it.each([
    ['no answer yet', [{ type: 'response_item', payload: { text: '"token_count"' } }], undefined],
    ['the last count', [counted(100), counted(200)], { tokens: 200, window: 258_400 }],
    ['not one that holds no figures', [counted(100), counted(null), counted(0)], { tokens: 100, window: 258_400 }],
    ['a window that the client does not name is that of its configuration', [counted(100, null)], { tokens: 100, window: 128_000 }],
  ])('%s', async (_, records, expected) => {
    expect(await use(...records)).toEqual(expected);
  });

  it('asks the file that a rewound thread goes on from, as far as it belongs to it', async () => {
    const kept = jsonl(counted(100), said);
    const streams = [
      { name: 'agent/x', path: file(jsonl(counted(900))) },
      { name: 'base/1', path: file(kept + jsonl(counted(800))), end: Buffer.byteLength(kept) },
    ];
    expect(await codexUse(where, { path: file(jsonl(said)), streams })).toEqual({ tokens: 100, window: 258_400 });
    expect((await codexUse(where, { path: file(jsonl(counted(300))), streams }))?.tokens).toBe(300);
  });
});

it('is told without the rest of an adapter for every adapter that tells it', () => {
  expect(contextUses).toEqual(Object.fromEntries(adapters.flatMap(({ id, contextUse }) => (contextUse ? [[id, contextUse]] : []))));
});
