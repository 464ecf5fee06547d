import { describe, expect, test } from 'vitest';
import { proposals } from '#context/brief/proposals.ts';
import { wordsOf } from '#context/words/index.ts';
import { type Told, told } from '../support/session-told.ts';

const words = wordsOf();
const OPENING: Told = { user: 'Please speed up the import.' };

/** What became of it, as `list: text`, without the numbers of the statements. */
function fate(things: readonly Told[]): string[] {
  const { decided, rejected, postponed, unanswered } = proposals(told([OPENING, ...things]), words);
  const lines = (list: string, points: readonly { text: string }[]) => points.map(({ text }) => `${list}: ${text.replace(/ \([#E]+\d+\)/g, '')}`);
  return [...lines('decided', decided), ...lines('rejected', rejected), ...lines('postponed', postponed), ...lines('unanswered', unanswered)];
}

/** The list that an answer puts the only proposal into, with the answer as it is quoted; "" where it says nothing to it. */
function answered(offer: string, answer: string): string {
  const [line = '', ...more] = fate([{ assistant: offer }, { user: answer }]);
  if (more.length) return [line, ...more].join(' | ');
  const [, list, said] = /^(\w+): [\s\S]*?; [a-z ]+ by the user(?:: ["“]([\s\S]*)["”])?$/.exec(line) ?? [];
  return list === undefined ? line : `${list}: ${said}`;
}

const CACHE = 'The query takes 80 ms. I suggest an LRU cache in front of the resolver.';
const ASKED = 'The query takes 80 ms. Shall I put an LRU cache in front of the resolver?';
const TWO = 'There are two options:\n\n1. Redis, with a container of its own\n2. a table in Postgres\n\nWhich one do you want?';
const LETTERS = 'For the upload we could do:\n\nA. presigned URLs\nB. a proxy in the API\nC. nothing for now\n\nWhich option?';
const INLINE = 'Two ways: (a) DuckDB with a memory limit, or (b) pyarrow batches. I would take DuckDB. Shall I?';
const ZH = '看完了。缓存这块我建议用 Redis，过期和淘汰都现成。你看行吗？';
const ZH_TWO = '有两个方案：\n\n方案一：用 Redis 存会话\n方案二：用 MySQL 建表存\n\n你选哪个？';

describe('a proposal stands with the answer of the user', () => {
  test.each<[string, string, string]>([
    [ASKED, 'yes', 'decided: yes'],
    [ASKED, 'ok do that', 'decided: ok do that'],
    [ASKED, 'sure, go ahead', 'decided: sure, go ahead'],
    [ASKED, 'Yes, but keep it below 64 MB.', 'decided: Yes, but keep it below 64 MB.'],
    [ASKED, 'yes. But keep the old endpoint.', 'decided: yes. But keep the old endpoint.'],
    [ASKED, 'go on', 'decided: go on'],
    [ASKED, 'No problem, go ahead', 'decided: No problem, go ahead'],
    [ASKED, 'hm, fine', 'decided: hm, fine'],
    [CACHE, 'sounds good', 'decided: sounds good'],
    [CACHE, 'ok', 'decided: ok'],
    [CACHE, 'The LRU cache is fine. Now write the docs.', 'decided: The LRU cache is fine.'],
    [CACHE, "I'm ok with a cache", "decided: I'm ok with a cache"],
    [ASKED, 'no', 'rejected: no'],
    [ASKED, 'nope, too heavy for the device', 'rejected: nope, too heavy for the device'],
    [
      ASKED,
      'No cache please. The box has 512 MB and the data changes every second.',
      'rejected: No cache please. The box has 512 MB and the data changes every second.',
    ],
    [CACHE, "don't add a cache, we had stale prices last year", "rejected: don't add a cache, we had stale prices last year"],
    [CACHE, 'Hm, a cache is overkill here. Fix the index instead.', 'rejected: Hm, a cache is overkill here. Fix the index instead.'],
    [CACHE, 'A cache is too complicated for this', 'rejected: A cache is too complicated for this'],
    [ASKED, 'rather not, ops would have to watch it', 'rejected: rather not, ops would have to watch it'],
    [ASKED, 'later', 'postponed: later'],
    [ASKED, 'not now, the release is on Friday', 'postponed: not now, the release is on Friday'],
    [CACHE, 'The cache can wait until after the release.', 'postponed: The cache can wait until after the release.'],
    [CACHE, 'not in this PR please', 'postponed: not in this PR please'],
    [CACHE, "Let's do the cache next sprint", "postponed: Let's do the cache next sprint"],
    ['Shall I delete the branch?', "I'd rather keep it till Friday", "rejected: I'd rather keep it till Friday"],
    ['Need me to squash the commits?', 'No - keep the history, auditors want it.', 'rejected: No - keep the history, auditors want it.'],
    ['I think we should use protobuf here.', "hmm I'm not convinced. JSON is fine.", "rejected: hmm I'm not convinced. JSON is fine."],
    ['I could add tracing, if you want.', 'Nice to have, but not now. Focus on the bug.', 'postponed: Nice to have, but not now. Focus on the bug.'],
    ['We could move it to Redis. Should I do it now or after the release?', 'after the release', 'postponed: after the release'],
    ['Do you want a CLI or a GUI?', 'doesnt matter', 'decided: doesnt matter'],
    [ZH, '可以', 'decided: 可以'],
    [ZH, '行，就用 Redis', 'decided: 行，就用 Redis'],
    [ZH, '好的，不过内存别超过 256MB', 'decided: 好的，不过内存别超过 256MB'],
    [ZH, 'Redis 就算了，没人维护。', 'rejected: Redis 就算了，没人维护。'],
    [ZH, '不要用 Redis，运维不让', 'rejected: 不要用 Redis，运维不让'],
    [ZH, '不行，生产没有 Redis', 'rejected: 不行，生产没有 Redis'],
    [ZH, '太重了，先简单点', 'rejected: 太重了，先简单点'],
    [ZH, '以后再说', 'postponed: 以后再说'],
    [ZH, '缓存先不做，上线后再考虑', 'postponed: 缓存先不做，上线后再考虑'],
  ])('%s <- %s', (offer, answer, expected) => expect(answered(offer, answer)).toBe(expected));

  test.each<[string, string]>([
    // a proposal that nobody speaks to is none of the lists
    [CACHE, 'Now write the docs for the import command.'],
    // to have read is not to accept
    [CACHE, 'ok. Now write the docs for the import command.'],
    // a question answers nothing
    [CACHE, 'why would a cache help there?'],
    // an order about something else
    [ASKED, "Don't touch the schema."],
    // what is begun is no proposal
    ["I'll run the tests now.", 'ok'],
    ['Let me look at the resolver first.', 'yes'],
    ['Now I write the migration.', 'ok, do that'],
    ['All 14 tests pass.', 'great, go on'],
    ['我先看一下代码。', '好'],
    ['Let me know if you have any questions.', 'no'],
    ['Done. Anything else?', 'no'],
    // praise is for what was done
    ['Would you like me to add a changelog entry?', 'thanks! looks great'],
  ])('nothing is settled: %s <- %s', (offer, answer) => expect(answered(offer, answer)).toBe(''));

  test.each<[string, string, string[]]>([
    [TWO, '2, but keep the old name', ['decided: proposed: "2. a table in Postgres"; accepted by the user: "2, but keep the old name"']],
    [TWO, 'the second', ['decided: proposed: "2. a table in Postgres"; accepted by the user: "the second"']],
    [TWO, 'the first one please', ['decided: proposed: "1. Redis, with a container of its own"; accepted by the user: "the first one please"']],
    [TWO, 'option 2.', ['decided: proposed: "2. a table in Postgres"; accepted by the user: "option 2."']],
    [TWO, 'Postgres.', ['decided: proposed: "2. a table in Postgres"; answered by the user: "Postgres."']],
    [TWO, 'go with #1', ['decided: proposed: "1. Redis, with a container of its own"; accepted by the user: "go with #1"']],
    [
      TWO,
      'No Redis, ops will not run it. Use the table.',
      [
        'decided: proposed: "2. a table in Postgres"; accepted by the user: "Use the table."',
        'rejected: proposed: "1. Redis, with a container of its own"; refused by the user: "No Redis, ops will not run it."',
      ],
    ],
    [
      TWO,
      'neither',
      [
        'rejected: proposed: "1. Redis, with a container of its own"; refused by the user: "neither"',
        'rejected: proposed: "2. a table in Postgres"; refused by the user: "neither"',
      ],
    ],
    [LETTERS, 'B', ['decided: proposed: "B. a proxy in the API"; accepted by the user: "B"']],
    [LETTERS, 'go with B', ['decided: proposed: "B. a proxy in the API"; accepted by the user: "go with B"']],
    [LETTERS, 'b please', ['decided: proposed: "B. a proxy in the API"; accepted by the user: "b please"']],
    [LETTERS, 'A is too complicated', ['rejected: proposed: "A. presigned URLs"; refused by the user: "A is too complicated"']],
    [INLINE, 'b', ['decided: proposed: "(b) pyarrow batches."; accepted by the user: "b"']],
    [
      INLINE,
      'No DuckDB please, ops will not sign off another engine. Stay with pyarrow.',
      [
        'decided: proposed: "(b) pyarrow batches."; accepted by the user: "Stay with pyarrow."',
        'rejected: proposed: "(a) DuckDB with a memory limit"; refused by the user: "No DuckDB please, ops will not sign off another engine."',
      ],
    ],
    [ZH_TWO, '第二个', ['decided: proposed: "方案二：用 MySQL 建表存"; accepted by the user: "第二个"']],
    [ZH_TWO, '就用方案二', ['decided: proposed: "方案二：用 MySQL 建表存"; accepted by the user: "就用方案二"']],
    [ZH_TWO, '选 1 吧', ['decided: proposed: "方案一：用 Redis 存会话"; accepted by the user: "选 1 吧"']],
    [ZH_TWO, '用 MySQL，Redis 下个月要缩容', ['decided: proposed: "方案二：用 MySQL 建表存"; accepted by the user: "用 MySQL，Redis 下个月要缩容"']],
    [
      '可以考虑：\n1. 换成 webp\n2. 上 CDN\n3. 懒加载\n要做哪几个？',
      '1 和 3，CDN 先不上，合同没签',
      [
        'decided: proposed: "1. 换成 webp"; accepted by the user: "1 和 3，CDN 先不上，合同没签"',
        'decided: proposed: "3. 懒加载"; accepted by the user: "1 和 3，CDN 先不上，合同没签"',
        'postponed: proposed: "2. 上 CDN"; put off by the user: "1 和 3，CDN 先不上，合同没签"',
      ],
    ],
    [
      'I see two options:\n\n1. **SQLite** – zero ops\n2. **Postgres** – robust\n\nMy recommendation is Postgres.',
      'sqlite. its a single user tool',
      ['decided: proposed: "1. **SQLite** – zero ops"; answered by the user: "sqlite. its a single user tool"'],
    ],
    [
      'Option A: rewrite the parser. Option B: patch the tokenizer. I recommend A.',
      "Let's go with B, we have no time for a rewrite",
      ['decided: proposed: "Option B: patch the tokenizer."; accepted by the user: "Let\'s go with B, we have no time for a rewrite"'],
    ],
    [
      "I'd recommend switching to argon2. Also, we could drop the legacy md5 column.",
      'argon2 yes. leave the md5 column, the old app still reads it',
      [
        'decided: proposed: "I\'d recommend switching to argon2."; accepted by the user: "argon2 yes."',
        'rejected: proposed: "Also, we could drop the legacy md5 column."; refused by the user: "leave the md5 column, the old app still reads it"',
      ],
    ],
    ['Which provider do you use?', 'LaunchDarkly', ['decided: asked: "Which provider do you use?"; answered by the user: "LaunchDarkly"']],
    [
      'Which port should it use?',
      '8081, 8080 is taken by the proxy',
      ['decided: asked: "Which port should it use?"; answered by the user: "8081, 8080 is taken by the proxy"'],
    ],
    ['Which port should it use?', 'first fix the flaky test', []],
    [
      'The plan:\n\n1. Add the column\n2. Backfill\n\nOK to proceed?',
      'ok but skip step 2 for now',
      ['decided: proposed: "The plan:\n\n1. Add the column\n2. Backfill"; accepted by the user: "ok but skip step 2 for now"'],
    ],
    [
      'I can use a trigger, or dual writes from the app. I would go for dual writes.',
      'trigger. dual writes bit us last time',
      [
        'decided: proposed: "I can use a trigger, or dual writes from the app. I would go for dual writes."; answered by the user: "trigger. dual writes bit us last time"',
      ],
    ],
    // a number that is none of an option
    [
      TWO,
      '4 GB is what the box has, so Postgres',
      ['decided: proposed: "2. a table in Postgres"; answered by the user: "4 GB is what the box has, so Postgres"'],
    ],
    [
      'I propose Postmark for the mails. As a second channel I would add SMS through an aggregator.',
      'Not Postmark: the data may not leave the EU. And SMS later, after the pilot.',
      [
        'rejected: proposed: "I propose Postmark for the mails."; refused by the user: "Not Postmark: the data may not leave the EU."',
        'postponed: proposed: "As a second channel I would add SMS through an aggregator."; put off by the user: "And SMS later, after the pilot."',
      ],
    ],
    [
      'Should a refused note stay in the outbox, or be marked as failed in the list?',
      'Mark it as failed, never delete anything.',
      [
        'decided: asked: "Should a refused note stay in the outbox, or be marked as failed in the list?"; answered by the user: "Mark it as failed, never delete anything."',
      ],
    ],
    [
      'Is the test database 5.7?',
      'Yes, and production too.',
      ['decided: asked: "Is the test database 5.7?"; answered by the user: "Yes, and production too."'],
    ],
  ])('%s <- %s', (offer, answer, expected) => expect(fate([{ assistant: offer }, { user: answer }])).toEqual(expected));
});

describe('what is said later', () => {
  test.each<[string, Told[], string[]]>([
    [
      'taken back',
      [{ assistant: ASKED }, { user: 'yes' }, { assistant: 'The cache is in.' }, { user: 'actually no, drop the cache, the prices get stale' }],
      [
        'rejected: proposed: "Shall I put an LRU cache in front of the resolver?"; accepted by the user: "yes"; taken back by the user: "actually no, drop the cache, the prices get stale"',
      ],
    ],
    [
      'taken back, by name and with what holds instead',
      [
        { assistant: 'For the mails I would write the templates in MJML.' },
        { user: 'Sure, MJML sounds good' },
        { assistant: 'Done.' },
        { user: 'Oh, and forget MJML, two clients show it broken. Plain text only.' },
      ],
      [
        'rejected: proposed: "For the mails I would write the templates in MJML."; accepted by the user: "Sure, MJML sounds good"; taken back by the user: "Oh, and forget MJML, two clients show it broken. Plain text only."',
      ],
    ],
    [
      'Chinese, replaced',
      [
        { assistant: '任务状态我建议放 Redis。' },
        { user: '任务状态放 Redis 可以。' },
        { assistant: '好。' },
        { user: '任务状态改用 MySQL 建表存，Redis 要缩容' },
      ],
      [
        'rejected: proposed: "任务状态我建议放 Redis。"; accepted by the user: "任务状态放 Redis 可以。"; taken back by the user: "任务状态改用 MySQL 建表存，Redis 要缩容"',
      ],
    ],
    [
      'something else of the same name is not taken back',
      [{ assistant: ASKED }, { user: 'yes' }, { assistant: 'Done.' }, { user: "don't run the slow cache benchmarks on my laptop" }],
      ['decided: proposed: "Shall I put an LRU cache in front of the resolver?"; accepted by the user: "yes"'],
    ],
    [
      'another in its place',
      [
        { assistant: 'Shall I write the migration with weekly partitions?' },
        { user: 'yes' },
        { assistant: 'Done.' },
        { user: 'the vacuum is still slow, daily partitions instead' },
      ],
      [
        'rejected: proposed: "Shall I write the migration with weekly partitions?"; accepted by the user: "yes"; taken back by the user: "the vacuum is still slow, daily partitions instead"',
      ],
    ],
    [
      'another value in its place',
      [
        { assistant: 'I suggest a timeout of 30 s for the upload.' },
        { user: 'ok, use 30 s as the upload timeout' },
        { assistant: 'Done.' },
        { user: 'The upload timeout has to be 60 s.' },
      ],
      [],
    ],
    [
      'put off, then wanted',
      [{ assistant: CACHE }, { user: 'The cache can wait.' }, { assistant: 'OK.' }, { user: "ok, let's do the LRU cache now" }],
      [
        'decided: proposed: "I suggest an LRU cache in front of the resolver."; put off by the user: "The cache can wait."; accepted by the user: "ok, let\'s do the LRU cache now"',
      ],
    ],
    [
      'answered after a question of the user',
      [{ assistant: 'I suggest pg_cron for that.' }, { user: 'does RDS have it?' }, { assistant: 'Yes, since 12.5.' }, { user: 'ok, use pg_cron then' }],
      ['decided: proposed: "I suggest pg_cron for that."; accepted by the user: "ok, use pg_cron then"'],
    ],
    [
      'passed over while another of the same message was answered',
      [
        { assistant: 'Two more proposals:\n- a delivery statistics page for the owners;\n- an opt-out link in every mail.' },
        { user: 'The opt-out link has to work without a login.' },
      ],
      ['unanswered: proposed: "a delivery statistics page for the owners;"; not answered by the user'],
    ],
    ['carried out without an answer', [{ assistant: CACHE }, { assistant: 'Added the cache.' }, { user: 'Now the docs.' }], []],
    ['in the last message', [{ assistant: CACHE }], ['unanswered: proposed: "I suggest an LRU cache in front of the resolver."; not answered by the user']],
    ['a question in the last message is no proposal here', [{ assistant: ASKED }], []],
    ['a pasted log answers nothing', [{ assistant: ASKED }, { user: `it fails:\n\`\`\`\n${'yes: cache ok\n'.repeat(40)}\`\`\`` }], []],
  ])('%s', (_, things, expected) => expect(fate(things)).toEqual(expected));
});

describe("what a client's own tools ask", () => {
  const ask = (answers: string[] | undefined, more: object = {}): Told =>
    ({
      actions: [{ kind: 'ask', questions: [{ text: 'Which store?', options: ['Redis', 'Postgres'] }] }],
      ...(answers ? { answers, said: answers.join('\n') } : {}),
      ...more,
    }) as Told;
  const plan = (state: string, said?: string): Told =>
    ({ actions: [{ kind: 'propose', text: '# Plan\n\n1. Split the table' }], state, by: 'user', ...(said ? { said } : {}) }) as Told;

  test.each<[string, Told[], string[]]>([
    ['an answer', [ask(['Postgres'])], ['decided: asked: "Which store?" ("Redis", "Postgres"); answered by the user: "Postgres"']],
    ['put off', [ask(['Decide later'])], ['postponed: asked: "Which store?" ("Redis", "Postgres"); answered by the user: "Decide later"']],
    ['closed without an answer', [ask(undefined, { state: 'refused', by: 'user' })], []],
    ['a plan accepted', [plan('done')], ['decided: proposed: "# Plan\n\n1. Split the table"; accepted by the user']],
    ['a plan refused', [plan('refused', 'no, the table stays')], ['rejected: proposed: "# Plan"; refused by the user: "no, the table stays"']],
    ['a plan without an answer', [plan('none')], []],
    [
      'a command refused with a reason',
      [{ actions: [{ kind: 'run', command: 'make flash PORT=bench-1' }], state: 'refused', by: 'user', said: 'bench-1 runs the humidity test' }],
      ['rejected: wanted: to run `make flash PORT=bench-1`; refused by the user: "bench-1 runs the humidity test"'],
    ],
    ['a command that a rule refused', [{ actions: [{ kind: 'run', command: 'rm -r x' }], state: 'refused', by: 'rule', output: 'denied' }], []],
  ])('%s', (_, things, expected) => expect(fate(things)).toEqual(expected));
});
