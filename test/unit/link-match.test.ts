import { describe, expect, it } from 'vitest';
import { isoDate } from '#flows/commit-facts.ts';
import { type Asked, byBranch, byCommit, byFiles, byMessage, byPatch, byTree, type Known } from '#flows/link-match.ts';
import { commitOf, type Link, linkLine, readLink } from '#store/link-line.ts';

const id = (n: number | string): string => String(n).padStart(40, '0');
const link = (handoff: string, more: Partial<Link>): Known => ({ handoff, link: { commit: id(1), pairs: [], how: 'variable', ...more } });
const asked: Asked = {
  commit: id(9),
  tree: id('a'),
  subject: 'Use it for the first time',
  authorDate: '2026-01-01T12:00:00+02:00',
  changes: [
    ['a.txt', id(100)],
    ['b.txt', id(101)],
    ['gone.txt', null],
  ],
  patchId: id('c'),
};
const handoffs = (found: readonly { handoff: string; how: string }[]): string[] => found.map(({ handoff, how }) => `${handoff} ${how}`);
const noKin = async (): Promise<ReadonlySet<string>> => new Set();

describe('a commit that was recorded', () => {
  it('is told first by whoever made it, and not by a guess', () => {
    const known = [
      link('r', { commit: id(9), how: 'rewrite' }),
      link('v', { commit: id(9) }),
      link('f', { commit: id(9), how: 'files' }),
      link('x', { commit: id(8) }),
    ];
    expect(handoffs(byCommit(known, asked))).toEqual(['v commit', 'r rewrite']);
  });
});

describe('the same tree', () => {
  const changed: [string, string?][] = [['a.txt', id(1)], ['b.txt'], ['gone.txt', id(2)]];
  it.each<[string, Partial<Link>, boolean]>([
    ['and patch', { tree: id('a'), patchId: id('c') }, true],
    ['by another patch', { tree: id('a'), patchId: id('d') }, false],
    ['by the same files, where the patch is not told', { tree: id('a'), pairs: changed }, true],
    ['by other files', { tree: id('a'), pairs: [['a.txt', id(1)]] }, false],
    ['by files of which one is redacted', { tree: id('a'), pairs: [['a.txt', id(1)], ['b.txt'], ['[REDACTED:gh:00000000].txt']] }, true],
    ['no', { tree: id('b'), patchId: id('c') }, false],
  ])('%s', (_, more, found) => {
    expect(byTree([link('one', more)], asked)).toHaveLength(found ? 1 : 0);
  });

  it('says nothing of a commit that changes nothing', () => {
    expect(byTree([link('one', { tree: id('a'), pairs: [] })], { ...asked, changes: [], patchId: undefined })).toEqual([]);
  });
});

describe('the same patch', () => {
  it('is that of a commit, or of its whole branch with all that stand below', () => {
    const known = [
      link('base', { commit: id(3) }),
      link('one', { commit: id(4), parent: id(3) }),
      link('two', { commit: id(5), parent: id(4), branch: { base: id(3), patchId: id('c') } }),
      link('other', { commit: id(6), patchId: id('d') }),
    ];
    expect(byPatch(known, asked)).toEqual([]);
    expect(handoffs(byBranch(known, asked)).sort()).toEqual(['one patch', 'two patch']);
    expect(byBranch(known, { ...asked, patchId: undefined })).toEqual([]);
  });

  it('ends where parents go round in circles', () => {
    const known = [link('one', { commit: id(4), parent: id(5) }), link('two', { commit: id(5), parent: id(4), branch: { base: id(3), patchId: id('c') } })];
    expect(handoffs(byBranch(known, asked)).sort()).toEqual(['one patch', 'two patch']);
  });
});

describe('author date and subject', () => {
  it.each<[string, string, string, boolean]>([
    ['are the same in another zone', '2026-01-01T10:00:00Z', 'Use it for the first time', true],
    ['differ by a second', '2026-01-01T10:00:01Z', 'Use it for the first time', false],
    ['differ by a word', '2026-01-01T10:00:00Z', 'Use it for the last time', false],
    ['are the same but for what was redacted', '2026-01-01T10:00:00Z', 'Use [REDACTED:gh:0123abcd] for the first time', true],
    ['are the same but for what was redacted at the end', '2026-01-01T10:00:00Z', 'Use it for the ${PROJECT}', true],
    ['differ beside what was redacted', '2026-01-01T10:00:00Z', 'Use [REDACTED:gh:0123abcd] for the last time', false],
    ['are the same up to where it was cut', '2026-01-01T10:00:00Z', 'Use it for the…', true],
    ['say nothing', '2026-01-01T10:00:00Z', '', false],
  ])('%s', (_, authorDate, subject, found) => {
    expect(byMessage([link('one', { authorDate, subject })], asked)).toHaveLength(found ? 1 : 0);
  });
});

describe('files in the same state', () => {
  const known = [
    link('below', { commit: id(2), pairs: [['a.txt', id(99)]] }),
    link('one', { commit: id(3), parent: id(2), pairs: [['a.txt', id(100)]] }),
    link('elsewhere', { commit: id(4), pairs: [['other.txt', id(100)]] }),
    link('deleted', { commit: id(5), pairs: [['gone.txt', null]] }),
    link('empty', { commit: id(6), pairs: [['b.txt', 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391']] }),
    link('hidden', { commit: id(7), pairs: [['a.txt']] }),
    link('wide', {
      commit: id(1),
      pairs: [
        ['a.txt', id(98)],
        ['z.txt', id(97)],
      ],
    }),
  ];

  it('tell of whoever gave them that state, and of those whose work that was done on', async () => {
    expect(handoffs(await byFiles(known, asked, noKin)).sort()).toEqual(['below files', 'one files']);
    const empty: Asked = { ...asked, changes: [['b.txt', 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391']] };
    expect(await byFiles(known, empty, noKin)).toEqual([]);
  });

  it('say nothing where the one goes on from the other', async () => {
    expect(handoffs(await byFiles(known, asked, async (commits) => new Set(commits.filter((one) => one === id(3)))))).toEqual(['below files']);
    expect(await byFiles(known, { commit: id(9) }, noKin)).toEqual([]);
  });
});

describe('a line', () => {
  const whole: Link = {
    commit: id(1),
    tree: id(2),
    parent: id(3),
    patchId: id(4),
    branch: { base: id(5), patchId: id(6) },
    subject: 'Words',
    authorDate: '2026-01-01T10:00:00Z',
    pairs: [['a', id(7)], ['b', null], ['c']],
    more: 3,
    how: 'rewrite',
    role: 'outer',
    from: [id(8)],
    version: 2,
  };

  it('is read as it was written', () => {
    expect(readLink(linkLine(whole))).toEqual(whole);
    expect(commitOf(linkLine(whole))).toBe(id(1));
  });

  it.each<[string, string]>([
    ['no JSON', '{"commit":'],
    ['no object', '[]'],
    ['without commit', '{"how":"files","pairs":[]}'],
    ['of a commit that is none', `{"commit":"${'../'.repeat(14)}","how":"files"}`],
    ['of an unknown kind', `{"commit":"${id(1)}","how":"guess"}`],
    ['longer than any', `{"commit":"${id(1)}","how":"files","subject":"${'x'.repeat(300_000)}"}`],
  ])('that is %s is passed over', (_, line) => {
    expect(readLink(line)).toBeUndefined();
  });

  it('of somebody else’s making loses what is no such thing', () => {
    const line = JSON.stringify({
      ...whole,
      tree: 7,
      branch: { base: 'x' },
      subject: {},
      pairs: [['a', 'x'], 3, [4, id(1)]],
      more: -1,
      role: 'boss',
      from: 'me',
      version: 1.5,
    });
    expect(readLink(line)).toEqual({
      commit: id(1),
      parent: id(3),
      patchId: id(4),
      authorDate: '2026-01-01T10:00:00Z',
      pairs: [['a']],
      how: 'rewrite',
    });
  });
});

it.each([
  [0, '+0000', '1970-01-01T00:00:00+00:00'],
  [1_700_000_000, '-0330', '2023-11-14T18:43:20-03:30'],
  [Number.NaN, '+0000', ''],
])('%s %s is written %s', (seconds, zone, text) => {
  expect(isoDate(seconds, zone)).toBe(text);
});
