import { describe, expect, test } from 'vitest';
import { type Budget, fit as fitInto, limitOf } from '#context/fit.ts';
import { fitNotes } from '#context/notes.ts';
import { estimateTokens, sizeOf, total } from '#context/tokens.ts';
import { RelayError } from '#lib/errors.ts';
import type { Conversation, Entry } from '#session/conversation.ts';
import { type Block, plainText } from '#session/record.ts';

const budget = (tokens: number, more: Partial<Budget> = {}): Budget => ({ tokens, reserve: 0, maxItems: 10_000, maxBytes: 50_000_000, ...more });
const text = (said: string): Block => ({ type: 'text', text: said });
const whole = (entries: Entry[]): Conversation => ({ entries, view: entries, sealed: false, abandoned: 0 });
const numbered = (entries: Omit<Entry, 'stream' | 'record'>[]): Entry[] => entries.map((e, record) => ({ ...e, stream: 'main', record }));
const person = (said: string) => ({ role: 'user' as const, origin: 'person' as const, content: [text(said)] });
const model = (...content: Block[]) => ({ role: 'assistant' as const, origin: 'model' as const, content });
const tool = (id: string, said: string, more = {}) => ({
  role: 'tool' as const,
  origin: 'tool' as const,
  content: [{ type: 'tool_result' as const, call_id: id, content: [{ type: 'text' as const, text: said }], ...more }],
});
const call = (id: string, name: string, input: object): Block => ({ type: 'tool_call', id, name, input: input as never });

/** Turns that each ask, call a tool with a long output, and answer. */
const session = (turns: number, output = 4000): Entry[] =>
  numbered(
    Array.from({ length: turns }, (_, n) => [
      person(n === 0 ? '请重构这个模块。不要引入新依赖。' : `step ${n}: change file ${n}`),
      model(text(`I look at ${n}`), call(`c${n}`, 'Read', { file_path: `/p/src/f${n}.ts` })),
      tool(`c${n}`, `line of output ${n}\n`.repeat(output / 18)),
      model(text(`done ${n}`)),
    ]).flat(),
  );
const said = (entries: readonly Entry[]): string => entries.map((e) => plainText(e.content)).join('\n');

describe('fitting a conversation into a budget', () => {
  test('nothing is touched while the view fits', () => {
    const entries = session(10);
    const fitted = fitInto(whole(entries), budget(100_000));
    expect(fitted).toMatchObject({ history: [], lead: [], refitted: false });
    expect(fitted.tail).toBe(entries);
    expect(fitted.size).toEqual(total(entries.map(sizeOf)));
  });

  test('a compacted source that fits keeps its own view; what lies before stays for people', () => {
    const entries = session(10);
    const summary: Entry = { role: 'user', origin: 'harness', summary: true, stream: 'main', record: 100, content: [text('summary so far')] };
    const kept = entries[3] as Entry;
    const after = entries.slice(32);
    const fitted = fitInto({ entries, view: [summary, kept, ...after], sealed: false, abandoned: 0 }, budget(20_000));
    expect(fitted.lead).toEqual([summary, kept]);
    expect(fitted.tail).toEqual(after);
    expect(fitted.history).toEqual(entries.slice(0, 32));
    expect(fitted.refitted).toBe(false);
    expect(fitNotes(fitted)).toEqual([]);
  });

  test('the summary of a compacted source stands once, also where it is an entry itself', () => {
    const turns = session(4, 100);
    const summary: Entry = { role: 'user', origin: 'harness', summary: true, stream: 'main', record: 100, content: [text('summary so far')] };
    const entries = [...turns.slice(0, 8), summary, ...turns.slice(8)];
    const fitted = fitInto({ entries, view: entries.slice(8), sealed: false, abandoned: 0 }, budget(20_000));
    expect([fitted.history, fitted.lead, fitted.tail]).toEqual([turns.slice(0, 8), [summary], turns.slice(8)]);
  });

  test('a sealed view is made anew from the whole history', () => {
    const entries = session(6, 100);
    const fitted = fitInto({ entries, view: [], sealed: true, abandoned: 0 }, budget(20_000));
    expect(fitted.tail).toBe(entries);
    expect(fitted.lead).toEqual([]);
  });

  test('over budget: a summary, the first request, shortened turns, the last turns verbatim, and all in the file', () => {
    const entries = session(40);
    const limits = budget(20_000, { reserve: 4000 });
    const fitted = fitInto(whole(entries), limits, { source: 'Codex' });
    const first = entries[0] as Entry;
    expect(fitted.lead[0]).toMatchObject({ role: 'user', origin: 'relay', summary: true, record: -1 });
    expect(fitted.lead[1]).toBe(first);
    expect([...fitted.history, ...fitted.tail]).toEqual(entries);
    expect(fitted.tail.length).toBeGreaterThan(4);
    expect(fitted.tail.length % 4).toBe(0);
    expect(fitted.size.tokens).toBeLessThanOrEqual((20_000 - 4000) * 0.8);
    expect(fitted.size).toEqual(total([...fitted.lead, ...fitted.tail].map(sizeOf)));
    const older = fitted.lead.slice(2);
    expect(older.length % 4).toBe(0);
    expect(older.length).toBeGreaterThan(0);
    expect([...older, ...fitted.tail].map((e) => e.record)).toEqual(entries.slice(-(older.length + fitted.tail.length)).map((e) => e.record));
    expect(said(older)).toContain('characters are left out here');
    const shortened = older.filter((e) => !entries.includes(e)).map((e) => e.record);
    expect(
      fitNotes(fitted)
        .slice(1)
        .map((n) => n.record),
    ).toEqual(shortened);
    expect(shortened.length).toBeGreaterThan(0);
  });

  test('the brief names what was cut: requests, files, failures, the last plan, decisions', () => {
    const early = numbered([
      person('start'),
      person('rename the parser\nand its tests'),
      model(
        text('I looked. We will use the visitor form instead of recursion.'),
        call('p', 'TodoWrite', {
          todos: [
            { content: 'write docs', status: 'pending' },
            { content: 'rename', status: 'completed' },
          ],
        }),
      ),
      tool('p', 'ok'),
      model(call('e', 'Edit', { file_path: '/p/parser.ts', old_string: 'a', new_string: 'b' }), call('b', 'Bash', { command: 'npm run lint' })),
      tool('e', 'ok'),
      tool('b', 'lint: 3 problems\nmore', { is_error: true, exit_code: 1 }),
    ]);
    const entries = numbered([...early, ...session(60).slice(1)]);
    const brief = plainText((fitInto(whole(entries), budget(8000)).lead[0] as Entry).content);
    for (const fact of [
      'rename the parser\nand its tests',
      'changed /p/parser.ts',
      'Bash npm run lint: lint: 3 problems',
      '[pending] write docs',
      'We will use the visitor form',
      'Bash: 1 call, 1 failed',
    ])
      expect(brief).toContain(fact);
    expect(fitInto(whole(entries), budget(8000))).toEqual(fitInto(whole(entries), budget(8000)));
  });

  test.each([2048, 3000, 6000, 12_000])('the first request and what the user forbade are in view at %i tokens', (tokens) => {
    const entries = session(200);
    (entries[40] as Entry).content = [text('Fine. Never touch the migrations folder. Go on.')];
    (entries[80] as Entry).content = [text('继续。禁止修改公共接口！谢谢。')];
    const fitted = fitInto(whole(entries), budget(tokens));
    const view = said([...fitted.lead, ...fitted.tail]);
    for (const bound of ['请重构这个模块。不要引入新依赖。', 'Never touch the migrations folder.', '禁止修改公共接口！']) expect(view).toContain(bound);
    expect(fitted.size.tokens).toBeLessThanOrEqual(tokens * 0.8);
  });

  test('system text stays verbatim, and what the client put in by itself is there once', () => {
    const entries = session(60);
    const rules = 'You are the release engineer.\nAnswer in French.';
    const client = { role: 'system' as const, origin: 'harness' as const, content: [text('cwd: /old/place')] };
    const all = numbered([{ ...client, origin: 'person' as const, content: [text(rules)] }, client, ...entries, client]);
    const summary = plainText((fitInto(whole(all), budget(9000)).lead[0] as Entry).content);
    expect(summary).toContain(rules);
    expect(summary.split('cwd: /old/place')).toHaveLength(2);
  });

  test('items and bytes bind as tokens do', () => {
    const entries = session(100, 400);
    const byItems = fitInto(whole(entries), budget(1_000_000, { maxItems: 100 }));
    expect(byItems.size.items).toBeLessThanOrEqual(80);
    expect(byItems.tail.length).toBeGreaterThan(8);
    const byBytes = fitInto(whole(entries), budget(1_000_000, { maxBytes: 40_000 }));
    expect(byBytes.size.bytes).toBeLessThanOrEqual(32_000);
    expect(byBytes.tail.length).toBeGreaterThan(4);
  });

  test('room is left for what is said besides', () => {
    const entries = session(40);
    const besides = 'The files have changed. '.repeat(100);
    const fitted = fitInto(whole(entries), budget(20_000), { orientation: besides });
    expect(fitted.size.tokens + estimateTokens(besides)).toBeLessThanOrEqual(16_000);
    expect(limitOf(budget(20_000), besides).items).toBe(7999);
  });

  test('a single turn that is too long keeps its request and its last steps', () => {
    const steps = Array.from({ length: 300 }, (_, n) => [
      model(call(`s${n}`, 'Bash', { command: `step ${n}` })),
      tool(`s${n}`, `out ${n} `.repeat(200)),
    ]).flat();
    const entries = numbered([person('prepare'), model(text('ready')), person('do all 300 steps'), ...steps]);
    const fitted = fitInto(whole(entries), budget(30_000));
    expect(fitted.tail.length).toBeGreaterThan(10);
    expect(fitted.tail[0]?.role).toBe('assistant');
    expect(said(fitted.lead)).toContain('do all 300 steps');
    expect(fitted.tail.at(-1)).toBe(entries.at(-1));
    expect([...fitted.history, ...fitted.tail]).toEqual(entries);
  });

  test('a last result larger than the budget is shortened in the lead', () => {
    const entries = numbered([person('read it'), model(call('x', 'Read', { file_path: '/big' })), tool('x', 'word '.repeat(500_000))]);
    const fitted = fitInto(whole(entries), budget(10_000));
    expect(fitted.tail).toEqual([]);
    expect(said(fitted.lead)).toContain('characters are left out here');
    expect(fitted.history).toEqual(entries);
  });

  test('what is never cut does not fit: the error names a budget that works', () => {
    const entries = numbered([person(`Never forget: ${'important words '.repeat(2000)}`), ...session(20).slice(1)]);
    const failure = (() => {
      try {
        fitInto(whole(entries), budget(3000, { reserve: 500 }));
      } catch (error) {
        return error as RelayError;
      }
      return undefined;
    })();
    expect(failure).toBeInstanceOf(RelayError);
    expect(failure?.code).toBe('over-budget');
    const least = Number(/least window is (\d+)/.exec(failure?.hint ?? '')?.[1]);
    expect(fitInto(whole(entries), budget(least, { reserve: 500 })).lead[1]).toBe(entries[0]);
    expect(() => fitInto(whole(entries), budget(least - 10, { reserve: 500 }))).toThrow(RelayError);
  });
});

describe('estimating tokens', () => {
  test('Chinese counts about a token a character, English about four characters a token', () => {
    const zh = '不要引入新依赖，先运行测试。';
    expect(estimateTokens(zh.repeat(500)) / (zh.length * 500)).toBeGreaterThan(0.6);
    const en = 'The quick brown fox jumps over the lazy dog and goes home. ';
    const perToken = (en.length * 100) / estimateTokens(en.repeat(100));
    expect(perToken).toBeGreaterThan(3);
    expect(perToken).toBeLessThan(5);
  });

  test('a picture counts a flat number of tokens, and all its bytes', () => {
    const picture = (data: string): Entry => ({
      role: 'user',
      origin: 'person',
      stream: 'main',
      record: 0,
      content: [{ type: 'image', media_type: 'image/png', data }],
    });
    expect(sizeOf(picture('A'.repeat(1_000_000))).tokens).toBe(sizeOf(picture('AAAA')).tokens);
    expect(sizeOf(picture('A'.repeat(1_000_000))).bytes).toBeGreaterThan(1_000_000);
  });

  test('bytes are those of the JSON string', () => {
    const odd = 'a"b\\c\n\t\u0001é中😀 '.repeat(300);
    expect(
      sizeOf({ role: 'user', origin: 'person', stream: 'main', record: 0, content: [text(odd)] }).bytes -
        sizeOf({ role: 'user', origin: 'person', stream: 'main', record: 0, content: [text('')] }).bytes,
    ).toBe(Buffer.byteLength(JSON.stringify(odd)) - 2);
  });
});
