import { describe, expect, it } from 'vitest';
import { binding } from '#context/brief/binding.ts';
import { overridden, overrides } from '#context/brief/overrides.ts';
import { wordsOf } from '#context/words/index.ts';
import { evidenceOfTalk } from '../support/said.ts';

const words = wordsOf();
const replaced = (...said: string[]): [number, number, string][] => overridden(evidenceOfTalk(said), words).map(({ n, by, rest }) => [n, by, rest]);

describe('a later statement of the user', () => {
  it.each(
    [
      ['Use port 8080.', 'actually use port 9090'],
      ['Use redis for the cache.', 'actually use memcached for the cache'],
      ['Use redis for the cache.', 'Use memcached instead of redis.'],
      ['缓存用 Redis。', '缓存改用 Memcached，不用 Redis 了。'],
      ['端口用 8080', '端口改成 9090 吧'],
      ['Use npm.', 'use pnpm'],
      ["don't touch the lockfile", 'ok you can touch the lockfile now'],
      ['不要引入新依赖', '现在可以引入新依赖了'],
      ['Call the flag --fast.', 'call the flag --quick instead'],
      ['响应时间不超过 200 毫秒', '响应时间不超过 300 毫秒就行'],
      ['Keep the p95 latency below 200 ms.', 'the p95 latency may be up to 300 ms after all'],
      ['Add a captive portal for the setup.', 'forget the captive portal, we drop it'],
      ['run it against the prod db', 'no, I meant the staging db'],
      ['use tabs', 'use spaces instead'],
      ['Put the config in src/config.', 'put the config in lib/settings instead'],
      ['partition it by week on event_time.', '按月分吧，monthly partitions on event_time.', 'So daily partitions for events, but 只保留 400 天'],
      ['the export is written at 02:30', 'I was wrong: the export is written at 04:15, not at 02:30'],
      ['use the default locale en', 'Use React.', 'scratch that, use Vue'],
      ['at most 3 retries', 'make it 5 retries at most'],
      ['Store sessions in Postgres', 'store sessions in MySQL instead'],
      ['保留 30 天的日志', '日志改成保留 90 天'],
      ['MJML is fine', 'Oh, and forget MJML, I take that back: two of the mail clients show it broken.'],
      ['文件名叫 export.csv', '文件名改成 orders.csv'],
      ['Support Node 18 at least', 'actually Node 20 is the minimum now'],
      ['Port should be 3000', 'the port should be 4000'],
      ['limit uploads to 10 MB', 'raise the upload limit to 25 MB'],
      ['先跳过登录模块', '登录模块现在可以做了'],
      ['skip the docs for now', 'you can do the docs now'],
      ['Set the timeout to 30 s', 'set the timeout to 60 s'],
      ['日志级别用 debug', '日志级别改成 info'],
      ['并发不超过 3 个', '并发提到 5 个'],
      ['use yarn for this', 'no, use pnpm'],
      ["We'll go with Kafka for events.", 'scratch kafka, RabbitMQ is enough'],
    ].map((said) => ({ said })),
  )('replaces an earlier one: $said', ({ said }) => {
    const last = said.length;
    const found = replaced(...said);
    expect(found).toContainEqual([last - 1, last, '']);
    expect(found.every(([, by]) => by === last)).toBe(true);
  });

  it.each(
    [
      ['The API port is 8080.', 'The metrics port is 9090.'],
      ['Use redis for sessions.', 'actually, use kafka for the queue'],
      ['Use redis for sessions.', 'use memcached instead of redis for the rate limiter'],
      ["don't touch the parser tests", 'you can touch the parser now'],
      ['Keep p95 below 200 ms.', 'Keep p99 below 500 ms.'],
      ['at least 3 replicas', 'at most 5 replicas'],
      ['不要改 public API', '现在可以改测试了'],
      ['Never commit to main.', 'Actually, the button should be blue.'],
      ['Add tests for the parser.', 'Add tests for the lexer instead of waiting'],
      ['No new dependencies.', 'Instead of long commit messages, one line is enough, thanks.'],
      ['The worker boxes have 2 GB, so peak RSS has to stay below 1.5 GB.', 'the archive is 40 GB now'],
      ['use Postgres for users', 'use SQLite for tests'],
      ['timeout for the login is 30 s', 'actually retry the upload after 60 s'],
      ["don't use redis", 'actually the tests are in test/unit'],
      ['Use pnpm.', "the docs mention npm, that's fine"],
      ['缓存用 Redis', '队列改用 Kafka'],
      ['删除接口要鉴权', '导出接口改成异步'],
      ['By the way, the column order in the export looks fine now, 不用改。', '请把 events 改成分区表'],
      ['Flash is 4 MB, so two app slots of at most 1.5 MB each.', '60 s is too short, the access point in house 3 needs up to two minutes after a power cut.'],
      ['Use JSON for the config.', 'Export the report as CSV.'],
      ['wait for the reply of Jonas before you merge', 'no, keep 82, the budget is 900 KB'],
      ['Use redis for the sessions. For the queue, use kafka instead of redis.'],
      ['Support Node 18.', 'support Node 20 as well'],
      ['write 2 tests', 'write 3 tests'],
      ['rerun it 10 times', 'rerun it 20 times'],
      ['run the weekly report', 'run the monthly report'],
      ['For users, use Postgres.', 'For tests, use SQLite.'],
      ['Use Postgres.', 'In the tests, use SQLite.'],
      ['Skip the parser for now.', 'fix the parser bug in line 30'],
      ['Keep the old endpoint.', 'Actually the new endpoint needs auth'],
      ['不要动登录接口', '登录页改成蓝色'],
      ['commit after each step', 'no, the commit message was fine'],
      ['测试用 pytest', '文档改成中文'],
      ['No, keep the retry logic.', 'forget the logs'],
      ["don't push", 'push the docs fix'],
      ['Name the new module scale.', 'call the test scale_test'],
      ['The device has 64 KB of RAM.', 'Use at most 32 KB for the buffer.'],
      ['the timeout is 30 s', 'the login timeout is 10 s'],
    ].map((said) => ({ said })),
  )('leaves one about something else: $said', ({ said }) => expect(replaced(...said)).toEqual([]));

  it.each([
    [['Use redis for the cache.', 'actually use memcached for the cache', 'go back to redis for the cache']],
    [['缓存用 Redis', '缓存改用 Memcached', '缓存还是用 Redis 吧']],
    [['Use a flat layout.', 'nested folders instead of the flat layout please', 'go back to the flat layout']],
  ])('makes the first hold again: %j', (said) => expect(replaced(...said)).toEqual([[2, 3, '']]));

  it('counts as the last of several', () => {
    expect(replaced('Use port 8080.', 'use port 9090 instead', 'no, use port 7070')).toEqual([
      [1, 2, ''],
      [2, 3, ''],
    ]);
  });

  it('leaves what else the sentence says', () => {
    expect(replaced("Use port 8080 and don't touch the schema.", 'make it port 9090')).toEqual([[1, 2, "don't touch the schema"]]);
    const one = 'The software exports all appointments of the practice as one CSV file at 02:30 to the share of the desk';
    expect(replaced(one, 'I was wrong, the export is written at 04:15')).toEqual([[1, 2, one]]);
  });

  it('is no statement of the model', () => {
    expect(overridden(evidenceOfTalk(['Use npm.', { model: 'Actually, use pnpm.' }]), words)).toEqual([]);
  });
});

describe('overrides', () => {
  it('names the points that are replaced, and what holds of them', () => {
    const evidence = evidenceOfTalk(["Use port 8080 and don't touch the schema.", 'No new deps.', 'make it port 9090']);
    const points = binding(evidence, words);
    expect([...overrides(points, evidence, words)].map(([point, found]) => [point.text, found])).toEqual([
      ["Use port 8080 and don't touch the schema.", { by: 3, rest: "don't touch the schema" }],
    ]);
  });

  it('keeps a sentence that was said again afterwards', () => {
    const evidence = evidenceOfTalk(['Use npm.', 'use pnpm', 'Use npm.']);
    const gone = overrides(binding(evidence, words), evidence, words);
    expect([...gone.keys()].map((point) => point.text)).toEqual(['use pnpm']);
  });

  it('takes time that grows with the session', () => {
    const talk = (count: number) =>
      evidenceOfTalk(Array.from({ length: count }, (_, i) => `Keep p${i} of part${i} below ${i + 1} ms, never touch module${i}.`));
    const time = (count: number): number => {
      const evidence = talk(count);
      const start = performance.now();
      overridden(evidence, words);
      return performance.now() - start;
    };
    time(200);
    expect(time(2000)).toBeLessThan(30 * Math.max(30, time(250)));
  });
});
