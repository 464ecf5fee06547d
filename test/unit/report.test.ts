import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ask, choose, printJson, showsColours } from '#io/io.ts';
import { progressLine } from '#io/progress.ts';
import { RelayError } from '#lib/errors.ts';
import { printError } from '#report/error.ts';
import { ago, bytes, commandLine, count, safeLine, safeText, safeTitle, shortHandoffs, shortIds, tableFor } from '#report/index.ts';
import { table } from '#report/table.ts';
import { cutToWidth, displayWidth } from '#report/width.ts';
import { testIo } from '../support/io.ts';

describe('width of text in a terminal', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['修复登录', 8],
    ['ｆｕｌｌ', 8],
    ['한국어', 6],
    ['e\u0301', 1],
    ['🙂', 2],
    ['👨‍👩‍👧', 2],
    ['❤️', 2],
    ['→ é', 3],
    ['a\u200db', 2],
  ])('%j is %i', (text, width) => expect(displayWidth(text)).toBe(width));

  it.each([
    ['abcdef', 4, 'abc…'],
    ['修复登录', 5, '修复…'],
    ['修复登录', 8, '修复登录'],
    ['👨‍👩‍👧x', 2, '…'],
    ['abc', 0, ''],
  ])('%j cut to %i is %j', (text, columns, cut) => expect(cutToWidth(text, columns)).toBe(cut));
});

describe('foreign text', () => {
  const esc = '\u001b';
  it.each([
    [`${esc}[31mred${esc}[0m`, '\\x1b[31mred\\x1b[0m'],
    [`a${esc}]0;title\u0007b`, 'a\\x1b]0;title\\x07b'],
    ['user\u202egnp.exe', 'user\\u{202e}gnp.exe'],
    ['\u2066x\u2069', '\\u{2066}x\\u{2069}'],
    ['a\rb', 'a\\x0db'],
    ['\u009b31m', '\\x9b31m'],
    ['a\u200bb', 'a\\u{200b}b'],
    ['tag\u{e0041}', 'tag\\u{e0041}'],
    ['two\r\nlines\tand tab', 'two\nlines\tand tab'],
    ['中文 é 🙂', '中文 é 🙂'],
  ])('%j is shown as %j', (text, shown) => expect(safeText(text)).toBe(shown));

  it('is a title only up to its first 300 characters', () => {
    expect(safeTitle(`${esc}${'a'.repeat(400)}`)).toBe(`\\x1b${'a'.repeat(298)}…`);
    expect(safeTitle('a'.repeat(300))).toBe('a'.repeat(300));
  });

  it('in a command line means the same folder to the shell', () => {
    const folder = `/tmp/it's ${esc}[31m\\x \u202e中`;
    const line = commandLine(['printf', '%s', folder]);
    expect(line).not.toMatch(/[\u001b\u202e]/);
    expect(execFileSync('bash', ['-c', line], { encoding: 'utf8' })).toBe(folder);
  });

  it('becomes one line', () => expect(safeLine(`  a\n\n b\tc${esc}\r\n`)).toBe('a b c\\x1b'));
});

describe('table', () => {
  const titles = ['name', 'n', 'size', 'title'];
  it('lines columns up by what the terminal shows, numbers at the right', () => {
    const rows = [
      ['修复', '1', '9.9 kB', '登录'],
      ['abc', '12', '999 B', 'b'],
    ];
    expect(table(titles, rows)).toBe('name   n    size  title\n修复   1  9.9 kB  登录\nabc   12   999 B  b\n');
  });
  const wide = [['a-long-name-1', 'x', 'a very long title that does not fit anywhere']];
  const narrow = () => ({ rows: [['a-1', 'x', wide[0]?.[2] ?? '']], spare: [1] });
  const on = (columns: number, isTTY = true) => tableFor({ isTTY, columns }, ['id', 'kind', 'title'], wide, narrow);
  it('is whole in a pipe, however narrow, and on a terminal where it fits', async () => {
    const whole = 'id             kind  title\na-long-name-1  x     a very long title that does not fit anywhere\n';
    expect(await on(20, false)).toBe(whole);
    expect(await on(65)).toBe(whole);
  });
  it('shortens names first, then the last column, on a narrower terminal', async () => {
    expect(await on(64)).toBe('id   kind  title\na-1  x     a very long title that does not fit anywhere\n');
    expect(await on(36)).toBe('id   kind  title\na-1  x     a very long title that d…\n');
  });
  it('leaves a column out before it cuts the last one to less than 20', async () => {
    expect(await on(31)).toBe('id   kind  title\na-1  x     a very long title t…\n');
    expect(await on(30)).toBe('id   title\na-1  a very long title that d…\n');
    expect(await on(10)).toBe('id   title\na-1  a very long title t…\n');
  });
  it('never lets a cell steer the terminal or break the line', () => {
    expect(table(['a', 'b'], [['x', 'y\n\u001b[2J']])).toBe('a  b\nx  y \\x1b[2J\n');
  });
  it('takes the beginning of an id for no number', () => expect(table(['id of a row', 'n'], [['00000002', '3']])).toBe('id of a row  n\n00000002     3\n'));
  it('is nothing without rows', () => expect(table(titles, [])).toBe(''));
});

describe('short names', () => {
  it('are the shortest that no other session has, 8 characters at least', () => {
    expect(shortIds(['01a22cc9-3b50-7181', '01a22cc9-3b51-7181', 'ffffffff-0000', 'short'])).toEqual(['01a22cc9-3b50', '01a22cc9-3b51', 'ffffffff', 'short']);
  });
  it('are told apart from sessions that are not shown, too', () => expect(shortIds(['0123456789'], ['012345678x', '0123'])).toEqual(['0123456789']));
  it('do not end in a dash', () => expect(shortIds(['01234567-a', '01234567b'])).toEqual(['01234567-a', '01234567b']));
  it('of one session that is listed twice are no longer', () => expect(shortIds(['0123456789', '0123456789'])).toEqual(['01234567', '01234567']));
  it('of handoffs keep writer and agent', () => {
    const cards = [
      'ann-3f9c02/claude-code-00000002-aaaa',
      'bob-3f9c02/claude-code-00000002-aaaa',
      'ann-3f9c02/codex-01a22cc9-3b50',
      'ann-3f9c02/codex-01a22cc9-3b51',
    ];
    expect(shortHandoffs(cards.map((handoff) => ({ handoff, agent: handoff.includes('codex') ? 'codex' : 'claude-code' })))).toEqual([
      'ann-3f9c02/claude-code-00000002',
      'bob-3f9c02/claude-code-00000002',
      'ann-3f9c02/codex-01a22cc9-3b50',
      'ann-3f9c02/codex-01a22cc9-3b51',
    ]);
  });
});

describe('a command for pasting', () => {
  it.each([
    [['codex', 'resume', '01-ab'], 'codex resume 01-ab'],
    [['cd', '/tmp/my proj'], "cd '/tmp/my proj'"],
    [['x', "it's", '$(rm)', '', '~'], "x 'it'\\''s' '$(rm)' '' '~'"],
  ])('%j', (words, line) => expect(commandLine(words)).toBe(line));
});

describe('words', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [9949, '9.9 kB'],
    [9950, '10 kB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [58_000_000, '58 MB'],
    [3.2e15, '3200 TB'],
  ])('%d bytes are %s', (size, text) => expect(bytes(size)).toBe(text));

  it.each([
    [1, '1 record'],
    [0, '0 records'],
    [3000, '3,000 records'],
  ])('%d: %s', (n, text) => expect(count(n, 'record')).toBe(text));

  it.each([
    ['2026-03-10T12:00:00Z', 'just now'],
    ['2026-03-10T12:03:00Z', 'just now'],
    ['2026-03-10T11:58:30Z', '1 minute ago'],
    ['2026-03-10T10:01:00+01:00', '2 hours ago'],
    ['2026-03-09T11:00:00Z', 'yesterday'],
    ['2026-03-01T12:00:00Z', '9 days ago'],
    ['2025-12-31T12:00:00Z', '2025-12-31'],
    ['2027-01-01T00:00:00Z', '2027-01-01'],
    ['soon', ''],
  ])('%s is %s', (iso, text) => expect(ago(iso, new Date('2026-03-10T12:00:00Z'))).toBe(text));
});

describe('errors', () => {
  const refused = new RelayError('blocked', 'It is \u001b[31mblocked.', 'Type this.');
  it('are text for people, made safe', () => {
    const io = testIo();
    printError(io, refused, { json: false, verbose: false });
    expect(io.printed).toEqual({ stdout: '', stderr: 'relay: It is \\x1b[31mblocked.\n  Type this.\n' });
  });
  it('are one JSON document on stderr under --json', () => {
    const io = testIo();
    printError(io, refused, { json: true, verbose: false });
    expect(JSON.parse(io.printed.stderr)).toEqual({ error: { code: 'blocked', message: refused.message, hint: 'Type this.' } });
    expect(io.printed.stdout).toBe('');
  });
  it('of the system say what and where', () => {
    const io = testIo();
    printError(io, Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC', path: '/x/y' }), { json: false, verbose: false });
    expect(io.printed.stderr).toBe('relay: The disk is full: /x/y.\n');
  });
  it.each([
    [statSync, '/nowhere/x', 2, 'relay: /nowhere/x does not exist.\n'],
    [readdirSync, '/dev/null', 1, 'relay: Not a directory (scandir): /dev/null.\n'],
    [readFileSync, '/', 1, 'relay: Illegal operation on a directory (read).\n'],
    [mkdirSync, `/${'x'.repeat(300)}`, 1, `relay: Name too long (mkdir): /${'x'.repeat(300)}.\n`],
  ])('of the system are never called a bug: %o', (call: (path: string) => unknown, path, code, told) => {
    const io = testIo();
    let answer: number | undefined;
    try {
      call(path);
    } catch (error) {
      answer = printError(io, error, { json: false, verbose: false });
    }
    expect([answer, io.printed.stderr]).toEqual([code, told]);
  });
  it('are not endless', () => {
    const io = testIo();
    printError(io, new RelayError('ambiguous', 'x'.repeat(1_000_000)), { json: false, verbose: false });
    expect(io.printed.stderr.length).toBeLessThan(5000);
  });
  it('that nobody expected show their place only when asked', () => {
    const quiet = testIo();
    printError(quiet, new TypeError('x is undefined'), { json: false, verbose: false });
    expect(quiet.printed.stderr).toContain('Unexpected error: x is undefined');
    expect(quiet.printed.stderr).not.toContain('report.test.ts');
    const loud = testIo();
    printError(loud, new TypeError('x is undefined'), { json: false, verbose: true });
    expect(loud.printed.stderr).toContain('report.test.ts');
  });
});

describe('io', () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ])('terminal %s with %j: colours %s', (tty, env, colours) => expect(showsColours(tty, env)).toBe(colours));

  it('prints one JSON document', () => {
    const io = testIo();
    printJson(io, { a: '中' });
    expect(io.printed.stdout).toBe('{\n  "a": "中"\n}\n');
  });

  it('shows progress on a terminal only, and takes it away', () => {
    let written = '';
    const write = (text: string) => {
      written += text;
    };
    const none = progressLine(write, undefined);
    none.say('reading');
    none.end();
    expect(written).toBe('');
    const line = progressLine(write, () => 12);
    line.end();
    line.say('reading\na lot of lines');
    line.end();
    line.end();
    expect(written).toBe('\r\u001b[2Kreading a l\r\u001b[2K');
  });

  it('never asks where nobody can answer', async () => {
    await expect(ask(testIo(), 'Send?')).rejects.toMatchObject({ code: 'consent', exitCode: 3 });
    await expect(choose(testIo(), 'Which?', [{ value: 'a', label: 'A' }])).rejects.toMatchObject({ code: 'usage', exitCode: 2 });
  });
});
