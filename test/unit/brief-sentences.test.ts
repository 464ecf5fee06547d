import { describe, expect, it } from 'vitest';
import { sentences } from '#context/brief/sentences.ts';

const texts = (text: string): string[] => sentences(text).map((one) => one.text);

describe('sentences', () => {
  it.each<[string, string[]]>([
    ['Fix it. Then stop!', ['Fix it.', 'Then stop!']],
    ['fix it. don’t touch the api', ['fix it.', 'don’t touch the api']],
    ['先改接口。不要动表；测试也要跑！好吗？', ['先改接口。', '不要动表；', '测试也要跑！', '好吗？']],
    [
      'Use 2.1.3 of src/a.b.ts from https://a.example/x.y?z=1 at 0.5 s, e.g. now. Done',
      ['Use 2.1.3 of src/a.b.ts from https://a.example/x.y?z=1 at 0.5 s, e.g. now.', 'Done'],
    ],
    ['Below 4 ms. Replays matter.', ['Below 4 ms.', 'Replays matter.']],
    ['At 600 MB/s. Dr. Aydin signs it.', ['At 600 MB/s.', 'Dr. Aydin signs it.']],
    ['Do A, don’t touch B, and C', ['Do A, don’t touch B, and C']],
    ['Tests, docs, etc. are later. See no. 4 first.', ['Tests, docs, etc. are later.', 'See no. 4 first.']],
    ['Run `a. b. c` (see x. y) first. Then stop', ['Run `a. b. c` (see x. y) first.', 'Then stop']],
    ['He said "Leave it." Then he left.', ['He said "Leave it."', 'Then he left.']],
    ['fix it.然后跑测试。', ['fix it.', '然后跑测试。']],
    ['one\ntwo', ['one', 'two']],
    [
      'The exporter writes one file for each operator and never touches\nthe archive.\nDone',
      ['The exporter writes one file for each operator and never touches\nthe archive.', 'Done'],
    ],
    ['', []],
  ])('takes %j apart', (text, expected) => expect(texts(text)).toEqual(expected));

  it('says of what each is a part', () => {
    const text = '# Rules\n\nDo not touch:\n- a.ts\n2) b.ts\n\n| x | y |\n> he said so\n\n```ts\nnever();\n```\nend';
    expect(sentences(text).map(({ kind, text: said, under }) => [kind, said, under])).toEqual([
      ['heading', 'Rules', undefined],
      ['prose', 'Do not touch:', undefined],
      ['item', 'a.ts', 1],
      ['item', 'b.ts', 1],
      ['row', '| x | y |', 1],
      ['quote', 'he said so', undefined],
      ['code', '```ts\nnever();\n```', undefined],
      ['prose', 'end', undefined],
    ]);
  });

  it('ends a fence that is never closed before the next blank line', () => {
    expect(sentences('```\ncode\n\nNever push.').map(({ kind }) => kind)).toEqual(['code', 'prose']);
  });

  it('gives slices of the text', () => {
    const text = ' - a. “b. c”\n\n  第一。 二 ';
    for (const one of sentences(text)) expect(text.slice(one.start, one.end)).toBe(one.text);
  });

  it.each(['a. ', '(', '`', '```ts\n', '- x\n', '中。', '"a ', '|', '1. '])('takes time that grows with the text: %j', (piece) => {
    const time = (count: number): number => {
      const text = piece.repeat(count);
      const start = performance.now();
      sentences(text);
      return performance.now() - start;
    };
    time(2000);
    expect(time(160_000)).toBeLessThan(40 * Math.max(20, time(20_000)));
  });
});
