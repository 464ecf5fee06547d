import { describe, expect, it } from 'vitest';
import { rewriter } from '#adapters/codex/rewrite.ts';

describe('moving a session to another folder', () => {
  const move = (from: string, to: string) => rewriter(new Map(), { from, to });
  it.each([
    ['"cwd":"/home/ann/proj"', '"cwd":"/srv/b"'],
    ['"/home/ann/proj/src/a.ts"', '"/srv/b/src/a.ts"'],
    ['in /home/ann/proj.', 'in /srv/b.'],
    ['"out\\n/home/ann/proj\\n"', '"out\\n/srv/b\\n"'],
    ['"{\\"cwd\\":\\"/home/ann/proj\\"}"', '"{\\"cwd\\":\\"/srv/b\\"}"'],
    ['<cwd>/home/ann/proj</cwd>', '<cwd>/srv/b</cwd>'],
    ['file:///home/ann/proj/a', 'file:///srv/b/a'],
    ['/home/ann/project', '/home/ann/project'],
    ['/home/ann/proj.old', '/home/ann/proj.old'],
    ['/home/ann/proj-2', '/home/ann/proj-2'],
    ['/mnt/home/ann/proj', '/mnt/home/ann/proj'],
    ['/home/ann/项目 /home/ann/proj项', '/home/ann/项目 /home/ann/proj项'],
  ])('%s', (before, after) => {
    expect(move('/home/ann/proj', '/srv/b')(before)).toBe(after);
  });

  it('finds a path in every form that it is written in', () => {
    const from = '/home/ann/a "b" & ü';
    const text = [
      JSON.stringify({ cwd: from }),
      JSON.stringify({ arguments: JSON.stringify({ cwd: from }) }),
      JSON.stringify(`<cwd>/home/ann/a "b" &amp; ü</cwd>`),
      JSON.stringify(`file://${encodeURI(from)}`),
    ].join('\n');
    const moved = move(from, '/srv/b')(text);
    expect(moved).not.toContain('ann');
    expect(moved.split('\n').map((line) => JSON.parse(line) as unknown)).toEqual([
      { cwd: '/srv/b' },
      { arguments: '{"cwd":"/srv/b"}' },
      '<cwd>/srv/b</cwd>',
      'file:///srv/b',
    ]);
  });

  it('leaves everything alone for a root folder', () => {
    expect(move('/', '/srv/b')('"/" "/a"')).toBe('"/" "/a"');
  });
});

it('gives every id its new one', () => {
  const text = rewriter(
    new Map([
      ['old-1', 'new-1'],
      ['old-2', 'new-2'],
    ]),
  )('old-1 old-2 old-1');
  expect(text).toBe('new-1 new-2 new-1');
});
