import { describe, expect, test } from 'vitest';
import { pathMap } from '#redact/index.ts';
import { decodeRecord, encodeRecord, parseLine, sourceLine, toRecord } from '#session/codec.ts';
import type { Draft } from '#session/record.ts';

const ann = pathMap({ home: '/home/ann', roots: [{ token: 'PROJECT', path: ['/home/ann/proj', '/mnt/disk/proj'] }] });
const bob = pathMap({ home: '/Users/bob', roots: [{ token: 'PROJECT', path: '/Users/bob/work/p q' }] });

describe('paths', () => {
  test.each([
    ['/home/ann/proj/src/a.ts', '${PROJECT}/src/a.ts', '/Users/bob/work/p q/src/a.ts'],
    ['cd /home/ann && ls', 'cd ${HOME} && ls', 'cd /Users/bob && ls'],
    ['PATH=/bin:/home/ann/bin', 'PATH=/bin:${HOME}/bin', 'PATH=/bin:/Users/bob/bin'],
    ['at f (/home/ann/proj/a.js:10:3)', 'at f (${PROJECT}/a.js:10:3)', 'at f (/Users/bob/work/p q/a.js:10:3)'],
    ['see /home/ann/proj.', 'see ${PROJECT}.', 'see /Users/bob/work/p q.'],
    ['gcc -I/home/ann/inc', 'gcc -I${HOME}/inc', 'gcc -I/Users/bob/inc'],
    ['-/home/ann/x\n+/home/ann/y', '-${HOME}/x\n+${HOME}/y', '-/Users/bob/x\n+/Users/bob/y'],
    ['file:///home/ann/proj/a', 'file://${PROJECT:uri}/a', 'file:///Users/bob/work/p%20q/a'],
    ['{"p":"\\/home\\/ann\\/x"}', '{"p":"\\/${HOME:esc}\\/x"}', '{"p":"\\/Users\\/bob\\/x"}'],
    ['"a\\n/home/ann/x"', '"a\\n${HOME}/x"', '"a\\n/Users/bob/x"'],
    ['\u001b[36m/home/ann/x', '\u001b[36m${HOME}/x', '\u001b[36m/Users/bob/x'],
    ['.claude/projects/-home-ann-proj/x', '.claude/projects/${PROJECT:dash}/x', '.claude/projects/-Users-bob-work-p-q/x'],
    ['/mnt/disk/proj/a', '${PROJECT:real}/a', '/Users/bob/work/p q/a'],
    ['请看/home/ann/proj/a', '请看${PROJECT}/a', '请看/Users/bob/work/p q/a'],
    ['${HOME} $${PROJECT} ${HOME:x:y}', '$${HOME} $$${PROJECT} $${HOME:x:y}', '${HOME} $${PROJECT} ${HOME:x:y}'],
  ])('%j', (text, encoded, elsewhere) => {
    expect(ann.encode(text)).toBe(encoded);
    expect(ann.decode(encoded)).toBe(text);
    expect(bob.decode(encoded)).toBe(elsewhere);
  });

  test.each([
    '/home/annabel',
    '/home/ann-old',
    '/home/ann.bak',
    '/home/annä',
    '/home/ann里',
    '/data/home/ann',
    'данные/home/ann',
    './home/ann',
    '$/home/ann',
    'C:/home/ann',
    '~/home/ann',
    '${X}/home/ann',
    '${OTHER}',
    '$HOME',
    '-home-annabel',
    'x-home-ann',
  ])('left alone: %s', (text) => {
    expect(ann.encode(text)).toBe(text);
  });

  test('a short home is mapped only where it starts a path', () => {
    const root = pathMap({ home: '/root', roots: [] });
    expect(root.encode('/root/a "/root/b" --root x-/root /chroot/root -root')).toBe('${HOME}/a "${HOME}/b" --root x-/root /chroot/root -root');
    expect(pathMap({ home: '/', roots: [] }).encode('/usr/bin /')).toBe('/usr/bin /');
  });

  test('Windows paths given as home are found as written in texts, code, URLs and JSON', () => {
    const win = pathMap({ home: 'C:\\Users\\Ann', roots: [] });
    for (const [text, encoded] of [
      ['C:\\Users\\Ann\\x', '${HOME}\\x'],
      ['const p = "C:\\\\Users\\\\Ann\\\\x";', 'const p = "${HOME:json}\\\\x";'],
      ['C:/Users/Ann/x', '${HOME:fwd}/x'],
      ['projects/C--Users-Ann/x', 'projects/${HOME:dash}/x'],
      ['{"p":"C:\\\\Users\\\\Ann\\\\x"}', '{"p":"${HOME}\\\\x"}'],
      ['C:\\Users\\Annabel', 'C:\\Users\\Annabel'],
    ] as const) {
      expect(win.encode(text)).toBe(encoded);
      expect(win.decode(encoded)).toBe(text);
    }
  });

  test('a path with quotes does not break JSON in JSON', () => {
    const odd = pathMap({ home: '/home/"o"', roots: [] });
    expect(JSON.parse(JSON.parse(odd.decode(ann.encode(JSON.stringify({ a: JSON.stringify({ p: '/home/ann/x' }) })))).a).p).toBe('/home/"o"/x');
  });
});

describe('records', () => {
  const draft = (line: string): Draft => ({ type: 'message', role: 'user', content: [{ type: 'text', text: String(JSON.parse(line).text) }] });
  const through = (line: string, to = ann): string => {
    const parsed = parseLine(Buffer.from(ann.encode(line)));
    if (!('line' in parsed)) throw new Error('no record');
    const stored = encodeRecord(toRecord(draft(parsed.line.text), parsed.line), () => '');
    return String(sourceLine(to.decodeRecord(decodeRecord(stored, 'main 0'))));
  };

  test.each([
    '{"text":"a long text that stands in the record, in /home/ann/proj/a.ts","cwd":"/home/ann/proj"}',
    '{"text":"${HOME} and /home/ann are two things, and this is long","/home/ann/k":{"again":"${HOME} and /home/ann are two things, and this is long"}}',
    `{"a":{"/home/ann/key":"${'x'.repeat(80)}"},"text":"t","b":"${'x'.repeat(80)}"}`,
    '{ "text":"/home/ann/x","odd": 1.0,"p":"\\/home\\/ann\\/x" }',
    '{"text":"=/home/ann","e":"==","n":"{\\"p\\":\\"/home/ann/x\\"}"}',
  ])('come back byte for byte here: %s', (line) => {
    expect(through(line)).toBe(line);
  });

  test("hold the other machine's paths there", () => {
    expect(through('{"text":"in /home/ann/proj/a.ts we see it all","cwd":"/home/ann/proj","/home/ann/k":1}', bob)).toBe(
      '{"text":"in /Users/bob/work/p q/a.ts we see it all","cwd":"/Users/bob/work/p q","/Users/bob/k":1}',
    );
  });
});
