import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Budget, fit as fitInto, limitOf } from '#context/fit.ts';
import { sizeOf, total, within } from '#context/tokens.ts';
import type { RelayError } from '#lib/errors.ts';
import type { Entry } from '#session/conversation.ts';
import { pairCalls } from '#session/pairs.ts';
import { type Block, plainText } from '#session/record.ts';

const words = fc.oneof(
  { weight: 5, arbitrary: fc.string({ maxLength: 60 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 3000 }).map((n) => 'output line\n'.repeat(n)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('Never delete the tests.', '不要改接口。', 'Fine. You must keep it small. Thanks.', 'because of that we will use sockets'),
  },
);
const id = fc.constantFrom('a', 'b', 'c', 'd', '');
const block: fc.Arbitrary<Block> = fc.oneof(
  words.map((text): Block => ({ type: 'text', text })),
  fc.tuple(id, words).map(([call, text]): Block => ({ type: 'tool_call', id: call, name: 'Bash', input: { command: text } })),
  fc.tuple(id, words).map(([call, text]): Block => ({ type: 'tool_result', call_id: call, content: [{ type: 'text', text }] })),
);
const anyEntry = fc.record({
  role: fc.constantFrom('user' as const, 'assistant' as const, 'tool' as const),
  content: fc.array(block, { minLength: 1, maxLength: 3 }),
});
const origin = { user: 'person', assistant: 'model', tool: 'tool', system: 'harness' } as const;
const conversation = fc
  .array(anyEntry, { maxLength: 60 })
  .map((list): Entry[] => list.map((e, record) => ({ ...e, stream: 'main', record, origin: origin[e.role] })));

/** A well-formed session: turns of requests, calls (some in parallel, some answered late) and answers. */
const turns = fc
  .array(
    fc.record({ ask: words, steps: fc.array(fc.record({ outs: fc.array(words, { minLength: 1, maxLength: 3 }), late: fc.boolean() }), { maxLength: 6 }) }),
    { minLength: 1, maxLength: 25 },
  )
  .map((list): Entry[] => {
    const entries: Omit<Entry, 'record' | 'stream'>[] = [];
    let n = 0;
    for (const { ask, steps } of list) {
      entries.push({ role: 'user', origin: 'person', content: [{ type: 'text', text: `ask ${n}: ${ask}` }] });
      for (const { outs, late } of steps) {
        const ids = outs.map(() => `call${n++}`);
        for (const call of ids)
          entries.push({
            role: 'assistant',
            origin: 'model',
            group: `g${ids[0]}`,
            content: [{ type: 'tool_call', id: call, name: 'Bash', input: { command: 'x' } }],
          });
        if (late) entries.push({ role: 'user', origin: 'person', content: [{ type: 'text', text: 'hurry' }] });
        for (const [i, call] of ids.entries())
          entries.push({
            role: 'tool',
            origin: 'tool',
            content: [{ type: 'tool_result', call_id: call, content: [{ type: 'text', text: outs[i] as string }] }],
          });
      }
    }
    return entries.map((e, record) => ({ ...e, stream: 'main', record }));
  });

function pairing(entries: readonly Entry[]): string[] {
  const faults: string[] = [];
  const calls = new Map<string, number>();
  for (const entry of entries)
    for (const b of entry.content) {
      if (b.type === 'tool_call') {
        if (calls.has(b.id)) faults.push(`call ${b.id} twice`);
        calls.set(b.id, 0);
      } else if (b.type === 'tool_result') {
        if (!calls.has(b.call_id)) faults.push(`result ${b.call_id} without call before it`);
        else calls.set(b.call_id, (calls.get(b.call_id) as number) + 1);
      }
    }
  for (const [call, results] of calls) if (results !== 1) faults.push(`call ${call} has ${results} results`);
  return faults;
}
const allText = (entries: readonly Entry[]): string => JSON.stringify(entries);

test('paired conversations have one result for each call, after it, and say all that was said', () => {
  fc.assert(
    fc.property(conversation, (entries) => {
      const before = allText(entries);
      const paired = pairCalls(entries);
      expect(allText(entries)).toBe(before);
      expect(pairing(paired.entries)).toEqual([]);
      expect(paired.entries.every((e) => e.content.length > 0)).toBe(true);
      const after = allText(paired.entries);
      for (const entry of entries) for (const b of entry.content) if (b.type === 'text') expect(after).toContain(JSON.stringify(b.text).slice(1, -1));
      expect(pairCalls(paired.entries).notes).toEqual([]);
      expect(paired.notes.length === 0).toBe(paired.entries === entries);
    }),
    { numRuns: 300 },
  );
});

test('a plan keeps to the budget, parts no call from its result, loses nothing from the file and keeps the first request', () => {
  let refitted = 0;
  fc.assert(
    fc.property(
      turns,
      fc.integer({ min: 1500, max: 40_000 }),
      fc.integer({ min: 8, max: 400 }),
      fc.integer({ min: 8000, max: 400_000 }),
      (entries, tokens, maxItems, maxBytes) => {
        const budget: Budget = { tokens, reserve: 0, maxItems, maxBytes };
        let fitted: ReturnType<typeof fitInto>;
        try {
          fitted = fitInto({ entries, view: entries, sealed: false, abandoned: 0 }, budget);
        } catch (error) {
          expect((error as RelayError).code).toBe('over-budget');
          return;
        }
        const view = [...fitted.lead, ...fitted.tail];
        expect([...fitted.history, ...fitted.tail]).toEqual(entries);
        expect(fitted.size).toEqual(total(view.map(sizeOf)));
        expect(within(fitted.size, limitOf(budget))).toBe(true);
        expect(pairing(view)).toEqual([]);
        expect(view).toContain(entries[0]);
        const records = view.filter((e) => e.record > 0).map((e) => e.record);
        expect(records).toEqual([...new Set(records)].sort((a, b) => a - b));
        if (!fitted.refitted) return;
        refitted++;
        const shown = view.map((e) => plainText(e.content)).join('\n');
        for (const entry of entries)
          if (entry.origin === 'person')
            for (const bound of plainText(entry.content).match(/Never delete the tests\.|不要改接口。|You must keep it small\./g) ?? [])
              expect(shown).toContain(bound);
        expect(fitInto({ entries, view: entries, sealed: false, abandoned: 0 }, budget)).toEqual(fitted);
      },
    ),
    { numRuns: 300 },
  );
  expect(refitted).toBeGreaterThan(50);
});
