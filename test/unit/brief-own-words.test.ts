import { describe, expect, it } from 'vitest';
import { ownWords } from '#context/brief/own-words.ts';
import { wordsOf } from '#context/words/index.ts';

const words = wordsOf();
const take = (text: string) => {
  const { own, pasted } = ownWords(text, words);
  for (const part of [...own, ...pasted]) expect(text.slice(part.start, part.end)).toBe(part.text);
  return { own: own.map((part) => part.text), pasted: pasted.map((part) => part.kind) };
};

const SECTION = 'The importer reads the carrier file each night and stores one line for every parcel that has arrived at the desk in hall four.';
const spec = (more = ''): string =>
  ['# Returns', '## 1 Intake', ...Array(8).fill(SECTION), '## 2 Audit', ...Array(8).fill(SECTION), `## 3 Labels`, ...Array(8).fill(SECTION), more]
    .filter(Boolean)
    .join('\n\n');
const LOG = Array.from({ length: 6 }, (_, i) => `2026-03-0${i + 1} 10:00:00 ERROR worker must not be null`).join('\n');

describe('own words', () => {
  it.each([
    '<h1>Title</h1> make this green',
    '# Task\n\nFix the login.\n\n- never push\n- no new deps',
    'fix `a()`:\n```ts\na();\n```\nand stop',
    '帮我看看这个问题，不要改接口',
  ])('are all of a short prompt: %j', (text) => expect(take(text)).toEqual({ own: [text], pasted: [] }));

  it('are all of a long prompt that speaks to the reader', () => {
    const part = (name: string) =>
      `## ${name}\n\n${'- Please make sure that you keep this part as I described it to you, my team needs it for the audit\n'.repeat(8)}`;
    const text = ['# What I want', part('Goal'), part('Rules'), part('Tests'), part('Later')].join('\n\n').trim();
    expect(take(text)).toEqual({ own: [text], pasted: [] });
  });

  it('stand before and after a document with front matter', () => {
    const text = `Below is the spec. Only chapter 2 please.\n\n---\ntitle: Returns\nowner: logistics\n---\n\n${spec()}\n\nThat was the document. No new packages.`;
    expect(take(text)).toEqual({ own: ['Below is the spec. Only chapter 2 please.', 'That was the document. No new packages.'], pasted: ['document'] });
  });

  it('stand behind a document that nothing announces', () => {
    expect(take(`${spec()}\n\nPlease implement section 2 only, I do the rest.`)).toEqual({
      own: ['Please implement section 2 only, I do the rest.'],
      pasted: ['document'],
    });
  });

  it('stand before a Chinese document', () => {
    const text = `按下面的需求文档实现，只做第二节：\n\n# 需求\n\n${'系统应当在夜间读取承运商文件，并为每个到达的包裹保存一行记录，失败时不得中断导入。\n\n'.repeat(40)}`;
    expect(take(text.trim())).toEqual({ own: ['按下面的需求文档实现，只做第二节：'], pasted: ['document'] });
  });

  it('stand between logs', () => {
    expect(take(`it broke again:\n${LOG}\nand then\n\n${LOG}\n\ndon't restart it`)).toEqual({
      own: ['it broke again:', 'and then', "don't restart it"],
      pasted: ['other', 'other'],
    });
  });

  it('do not hold a mail that was pasted for information', () => {
    const mail = 'From: Jo\nDate: Monday\nSubject: news\n\nHi,\n\nplease never use the blue theme.\n\nThanks,\nJo';
    expect(take(`fyi\n\n${mail}`)).toEqual({ own: ['fyi'], pasted: ['other'] });
    expect(take(`fyi\n\n${mail}\n\nso use the green one`)).toEqual({ own: ['fyi', 'so use the green one'], pasted: ['other'] });
    expect(take(`These are the requirements.\n\n${mail}`).pasted).toEqual(['document']);
  });
});
