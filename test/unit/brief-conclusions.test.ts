import { describe, expect, test } from 'vitest';
import { claims } from '#context/brief/claims.ts';
import { conclusions } from '#context/brief/conclusions.ts';
import { change, run, type Told, told } from '../support/session-told.ts';

const standing = (things: readonly Told[]): string[] => claims(told(things)).map((claim) => [claim.standing, claim.by].filter(Boolean).join(' '));
const FAILED = run('npm test', ' Tests  1 failed | 4 passed', { exit: 1 });
const PASSED = run('npm test', ' Tests  5 passed (5)');

describe('claims of success', () => {
  test.each<[string, Told[], string[]]>([
    ['a run shows it', [PASSED, { assistant: 'All tests pass.' }], ['shown E#1']],
    ['nothing shows it', [{ assistant: 'All tests pass.' }], ['not shown']],
    ['a later run refutes it', [PASSED, { assistant: 'All tests pass.' }, FAILED], ['refuted E#2']],
    ['a run before refutes it', [FAILED, { assistant: 'Fixed, everything is green.' }], ['refuted E#1']],
    ['a later run shows it', [FAILED, { assistant: 'The bug is fixed.' }, PASSED], ['shown E#2']],
    ['files were changed since', [PASSED, { assistant: 'All tests pass.' }, change('changed', 'a.ts')], ['not shown']],
    ['without a result', [{ assistant: 'Done.' }, run('npm test', '', { state: 'running' })], ['not shown']],
    ['of the build only', [FAILED, run('npm run build'), { assistant: 'The build succeeds.' }], ['shown E#2']],
    ['Chinese', [FAILED, { assistant: '已全部修复，测试全部通过。' }], ['refuted E#1']],
    ['Chinese, shown', [PASSED, { assistant: '搞定了。' }], ['shown E#1']],
  ])('%s', (_, things, expected) => expect(standing(things)).toEqual(expected));

  test.each([
    'Not all tests pass yet.',
    'Once the tests pass I will commit.',
    'Do all tests pass?',
    'The tests should pass now.',
    'Let me make sure all tests pass.',
    'All tests pass except test_golden_csv.',
    'The migration is not done.',
    'Host tests: 4 tests, 3 passed, 1 failed.',
    'reconcile.py is fixed: 1 failed, 213 passed.',
    "It isn't fixed.",
    '还没完成。',
    '测试应该能通过。',
    '等测试通过后再提交。',
    '是否已经修复？',
    'I read the tests.',
  ])('no claim: %s', (assistant) => expect(standing([{ assistant }])).toEqual([]));
});

const found = (things: readonly Told[]): { decisions: string[]; rejected: string[] } => {
  const { decisions, rejected } = conclusions(told(things));
  return { decisions: decisions.map(({ text }) => text), rejected: rejected.map(({ text }) => text) };
};

describe('conclusions', () => {
  test.each([
    'The root cause is a missing index on orders.created_at.',
    'It turned out that the cache key lacks the locale.',
    'The leak comes from the connection pool.',
    'Baseline: 412 ms median over 20 runs.',
    'With the pool p95 drops from 412 ms to 31 ms.',
    'float32 costs 0.03 kWh on the day, not 1,284.50.',
    'A real bug: Batch.Add keeps the slice after the parser has put it back.',
    '根因是会话时区和 UTC 不一致。',
    '实测 12 万行耗时 8412ms。',
    '问题出在缓存没有按租户隔离。',
    '慢的原因查到了：settle_date 没有索引。',
    'RAM is at 60744 B now, that leaves 4792 B.',
    '增量跑一次 401.3s，27 条差异。',
    'AUC is 0.8191 +- 0.0043 on the holdout.',
    'The page has the limits I need: at most 10,000 entries per file.',
    '文档里写的是每批 500 条。',
  ])('found out: %s', (text) => expect(found([{ assistant: text }])).toEqual({ decisions: [text], rejected: [] }));

  test.each([
    'It is not the cache: disabling it gave the same 412 ms.',
    'The time zone is ruled out: every meter has exactly 96 quarter-hours.',
    'The mutex is not the bottleneck: 2.1 % of the samples.',
    'Raising the pool size made no difference.',
    "Upgrading the driver didn't help.",
    '已排除网络问题。',
    '不是锁竞争导致的，关掉之后还是 412ms。',
    '跟缓存没关系，换了实现结果一样。',
  ])('ruled out: %s', (text) => expect(found([{ assistant: text }])).toEqual({ decisions: [], rejected: [text] }));

  test.each([
    'It might be the cache.',
    'Maybe the root cause is the time zone.',
    'Let me rule out the cache first.',
    'Is the cache the problem?',
    '可能是缓存的问题。',
    '先排除网络问题。',
    'I changed three files.',
    'All tests pass in 12 s.',
    'Found it.',
  ])('no conclusion: %s', (text) => expect(found([{ assistant: text }])).toEqual({ decisions: [], rejected: [] }));

  test('what a user wants is none, what a user found out is', () => {
    expect(found([{ user: 'Get the throughput up to 600 MB/s. Take at most 250 MB.' }])).toEqual({ decisions: [], rejected: [] });
    expect(found([{ user: 'i tried it on my machine, the root cause is the proxy' }]).decisions).toEqual([
      'i tried it on my machine, the root cause is the proxy',
    ]);
  });

  test('a cause that was ruled out later is none any more', () => {
    expect(
      found([{ assistant: 'The root cause is the time zone of the session.' }, { assistant: 'The time zone of the session is not the cause after all.' }]),
    ).toEqual({
      decisions: [],
      rejected: ['The time zone of the session is not the cause after all.'],
    });
  });

  test('a cause is told with the sentence beside it', () => {
    const text = 'The pod sends the header twice: Envoy refuses it. The cause is in the application. Shall I fix it?';
    expect(found([{ assistant: text }]).decisions).toEqual(['The pod sends the header twice: Envoy refuses it. The cause is in the application.']);
  });

  test('why something fails is a cause, why something is planned is none', () => {
    expect(found([{ assistant: 'Everybody is refused, since the load balancer does source NAT.' }]).decisions).toHaveLength(1);
    expect(found([{ assistant: 'Starting with payment because it is the riskiest part.' }]).decisions).toEqual([]);
  });

  test('a measurement within a claim is marked, or left out where a run refutes it', () => {
    const text = '9 tests pass, 5,000 lines take 1.9 s.';
    expect(conclusions(told([{ assistant: text }])).decisions).toMatchObject([{ text, mark: '(claimed, not shown)' }]);
    expect(found([{ assistant: text }, FAILED]).decisions).toEqual([]);
  });

  test('figures of a run that gave others since are stale', () => {
    const things = [
      run('make bench', 'median: 655.2 MB/s'),
      { assistant: 'Final result: 655.2 MB/s throughput.' },
      run('make bench', 'median: 621.7 MB/s'),
      { assistant: 'Throughput is at 621.7 MB/s, faster than before.' },
    ];
    expect(found(things).decisions).toEqual(['Throughput is at 621.7 MB/s, faster than before.']);
  });

  test('each cites what was said and the operation before it', () => {
    const { decisions } = conclusions(told([{ user: 'why is it slow' }, run('make bench', '412 ms'), { assistant: 'The root cause is the missing index.' }]));
    expect(decisions).toEqual([{ text: 'The root cause is the missing index.', cites: ['#2', 'E#1'], origin: 'assistant', mark: '' }]);
  });

  test('what another agent found is evidence, what it advises is not', () => {
    const report =
      'Callers: cmd/main.go:77 and batch.go:58.\nYou must delete internal/old, the owner has agreed.\nYou should raise the limit to 100 MB at most.\nThe gap comes from rounding in total().';
    const { decisions } = conclusions(
      told([{ agent: report }, { actions: [{ kind: 'delegate', task: 'never ask' }], output: 'The root cause is the encoder.' }]),
    );
    expect(decisions.map(({ text, cites, origin }) => [text, cites.join(), origin])).toEqual([
      ['Callers: cmd/main.go:77 and batch.go:58.', 'S#1', 'agent'],
      ['The gap comes from rounding in total().', 'S#1', 'agent'],
      ['The root cause is the encoder.', 'E#1', 'agent'],
    ]);
  });
});

describe('conclusions of other kinds', () => {
  test.each([
    'Not the watchdog: a watchdog reset would read 0x2.',
    "It's not the network, the dump takes 90 seconds.",
    '不是网络：同样的数据只要 90 秒。',
    'The index has nothing to do with it.',
  ])('ruled out: %s', (text) => expect(found([{ assistant: text }])).toEqual({ decisions: [], rejected: [text] }));

  test.each(['Not the same file.', 'Not the default, so far.', 'Is it not the cache?', "I'll read the docs, 3 pages.", 'Version 3.2 has it.'])(
    'neither: %s',
    (text) => expect(found([{ assistant: text }])).toEqual({ decisions: [], rejected: [] }),
  );

  test('of a report what it states, not what it tells to do', () => {
    const report = '- 14 tables reference accounts(id)\n- crm_export selects addr_zip\n- Drop the key on 3 tables\n- Ideally 2 of them go\n- It looks fine';
    expect(found([{ agent: report }]).decisions).toEqual(['14 tables reference accounts(id)', 'crm_export selects addr_zip']);
  });

  test('what was measured anew replaces what was measured before', () => {
    const all = [{ assistant: 'RAM is at 60744 B now.' }, { assistant: 'Flash is at 229016 B now.' }, { assistant: 'RAM is at 58112 B now.' }];
    expect(found(all).decisions).toEqual(['Flash is at 229016 B now.', 'RAM is at 58112 B now.']);
  });
});
