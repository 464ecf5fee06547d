import { describe, expect, test } from 'vitest';
import { questions } from '#context/brief/questions.ts';
import { wordsOf } from '#context/words/index.ts';
import { run, type Told, told } from '../support/session-told.ts';

const words = wordsOf();
const open = (things: readonly Told[]): string[] => questions(told([{ user: 'Please plan the reminders.' }, ...things]), words).map(({ text }) => text);

const LIST = 'What about appointments that are booked late?\n\n(a) send at once\n(b) send no reminder at all\n(c) call them';
const ZH_LIST = '还剩过期文件怎么清，需要你定：\n\nA. 生命周期规则，7 天自动删\nB. 定时任务，每天三点删\nC. 先不清\n\n你选哪个？';

describe('what is open at the end', () => {
  test.each<[string, string, string[]]>([
    ['a question with its options', `All 14 tests pass, committed as 3d9be71.\n\n${LIST}`, [LIST]],
    ['options before the question', `下载走签名链接，提交 4d19c07。\n\n${ZH_LIST}`, [ZH_LIST]],
    [
      'options within the sentence',
      'Done. For the switch there are two ways: (1) 停写 40 分钟, or (2) 双写一周再切. 你要哪一种？',
      ['For the switch there are two ways: (1) 停写 40 分钟, or (2) 双写一周再切. 你要哪一种？'],
    ],
    [
      'either or, at the end of a paragraph',
      'p95 is 31 ms. The old Redis can go tomorrow. Do you want me to delete charts/redis or keep it for other teams?',
      ['Do you want me to delete charts/redis or keep it for other teams?'],
    ],
    ['with what it asks about', 'I would add a healthcheck at 06:00. Would that be useful?', ['I would add a healthcheck at 06:00. Would that be useful?']],
    ['what explains it', 'Which storage do you want? SQLite is the most robust.', ['Which storage do you want? SQLite is the most robust.']],
    [
      'without a question mark',
      'Both work. Please confirm which of the two tables is the right one.',
      ['Both work. Please confirm which of the two tables is the right one.'],
    ],
    ['let me know', 'The change is ready. Let me know whether the old route stays.', ['Let me know whether the old route stays.']],
    ['请确认', '脚本写好了。请确认是否可以在预发上跑一遍。', ['请确认是否可以在预发上跑一遍。']],
    ['要不要', '41 个用例通过。要不要顺手升级 EasyExcel？', ['要不要顺手升级 EasyExcel？']],
    [
      'several',
      '1. Should the opt-out need a login?\n2. Who looks at the phone list?',
      ['1. Should the opt-out need a login?', '2. Who looks at the phone list?'],
    ],
    [
      'a plan and whether to begin',
      'The plan:\n\n1. Split the table\n2. Move the rows\n\nShall I start?',
      ['The plan:\n\n1. Split the table\n2. Move the rows\n\nShall I start?'],
    ],
    ['none: a closing word', 'Everything is committed. Let me know if you have any questions!', []],
    ['none: anything else', 'Done. Is there anything else?', []],
    ['none: a report', 'Everything is committed as 3d9be71, 14 tests pass.', []],
    ['none: a question in code', 'Done:\n\n```sql\nSELECT * FROM t WHERE a = ?\n```', []],
  ])('%s', (_, last, expected) => expect(open([{ assistant: last }])).toEqual(expected));

  test.each<[string, Told[], string[]]>([
    ['answered', [{ assistant: LIST }, { user: 'b' }, { assistant: 'Noted.' }], []],
    ['answered in passing', [{ assistant: 'Which mail relay, ours or Postmark?' }, { user: 'The relay is ours. Now the docs.' }, { assistant: 'Done.' }], []],
    [
      'waits for somebody else',
      [{ assistant: 'Who decides that a return is complete?' }, { user: "Good question, I'll ask Frieda." }, { assistant: 'OK.' }],
      ['asked: "Who decides that a return is complete?" (#2); the user: "Good question, I\'ll ask Frieda."'],
    ],
    [
      'waited for somebody else, who has answered',
      [
        { assistant: 'Who decides that a return is complete?' },
        { user: "Good question, I'll ask Frieda." },
        { assistant: 'OK.' },
        { user: 'Frieda says the desk decides.' },
        { assistant: 'OK.' },
      ],
      [],
    ],
    [
      '等魏工',
      [{ assistant: '建分区每天要跑。要不要用 pg_partman？' }, { user: 'pg_partman 我问一下魏工，等他回复。' }, { assistant: '好。' }],
      ['asked: "要不要用 pg_partman？" (#2); the user: "pg_partman 我问一下魏工，等他回复。"'],
    ],
    [
      'passed over, with something to decide',
      [{ assistant: 'Should the margin be one tile, or a grey border?' }, { user: 'Please fix the typo in README.md.' }, { assistant: 'Fixed.' }],
      ['Should the margin be one tile, or a grey border?'],
    ],
    ['passed over, and pointless by now', [{ assistant: 'Shall I start?' }, { user: 'Please fix the typo in README.md.' }, { assistant: 'Fixed.' }], []],
    [
      'passed over, and talked about later',
      [
        { assistant: 'Should the margin be one tile, or a grey border?' },
        { user: 'Please fix the typo in README.md.' },
        { assistant: 'Fixed.' },
        { user: 'about the margin: one tile' },
        { assistant: 'OK.' },
      ],
      [],
    ],
    [
      "the user's own, without an answer",
      [{ assistant: 'Done.' }, { user: 'Good. Why does the import start at 02:45?' }],
      ['Why does the import start at 02:45?'],
    ],
    ["the user's own, answered", [{ user: 'Why does the import start at 02:45?' }, { assistant: 'The file arrives then.' }], []],
    ['an order in the form of a question', [{ user: 'can you fix the typo?' }], []],
    [
      'asked by a tool, nobody answered',
      [{ actions: [{ kind: 'ask', questions: [{ text: 'Which store?', options: ['Redis', 'Postgres'] }] }], state: 'none' }],
      ['asked: "Which store?" ("Redis", "Postgres")'],
    ],
    [
      'asked by a tool, answered in the chat',
      [
        { actions: [{ kind: 'ask', questions: [{ text: 'Which store?', options: [] }] }], state: 'refused', by: 'user' },
        { user: 'Postgres' },
        { assistant: 'OK.' },
      ],
      [],
    ],
    ['asked, then gone on', [{ assistant: 'Why does it fail?' }, run('npm test'), { assistant: 'A race. Fixed.' }], []],
  ])('%s', (_, things, expected) => expect(open(things)).toEqual(expected));
});
