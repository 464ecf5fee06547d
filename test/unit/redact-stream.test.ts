import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor, redactStream } from '#redact/index.ts';
import { cutPieces } from '../../redact/stream/pieces.ts';
import { pem, sample } from '../support/samples.ts';

const key = randomBytes(32);
const token = () => sample('ghp_{an36}');

/** Redacts an input that comes in chunks of a size. */
function through(input: Buffer, size = 65536, redactor = createRedactor({ key })): Buffer {
  const stream = redactStream(redactor);
  const out: Buffer[] = [];
  for (let at = 0; at < input.length; at += size) out.push(...stream.push(input.subarray(at, at + size)));
  return Buffer.concat([...out, ...stream.end()]);
}
const text = (input: string | Buffer, size?: number) => through(Buffer.from(input), size).toString();
const pieces = (input: string) => {
  const cut = cutPieces(() => true);
  return [...cut.push(Buffer.from(input)), ...cut.end()].map((piece) => [piece.value === undefined ? 'text' : 'json', piece.line, piece.text]);
};

describe('pieces', () => {
  test('JSON at the beginning of a line is a record, everything else is text', () => {
    const [one, two] = ['{"a":1}\n', '[1, {"b": 2}]\r\n'];
    expect(pieces(`${one}note {"c":3}\n\n${two}  {"indented":true}\n[INFO] no json]\n`)).toEqual([
      ['json', 1, one],
      ['text', 2, 'note {"c":3}\n\n'],
      ['json', 4, two],
      ['text', 5, '  {"indented":true}\n[INFO] no json]\n'],
    ]);
  });

  test('a document over several lines is one piece, between text too, and the braces of a program are none', () => {
    const document = `${JSON.stringify({ a: [{}, { b: [1] }], c: {} }, null, 2)}\n`;
    const program = 'int main(void)\n{\n  if (x) {\n    return 1;\n  }\n}\n';
    expect(pieces(`$ cat a.json\n${document}${program}${document}[\n  1\n]`)).toEqual([
      ['text', 1, '$ cat a.json\n'],
      ['json', 2, document],
      ['text', 13, program],
      ['json', 19, document],
      ['json', 30, '[\n  1\n]'],
    ]);
    const broken = '{\n  "a": 1,\n{\n  "b": 2\n';
    expect(pieces(broken)).toEqual([['text', 1, broken]]);
    expect(pieces('{ "a":\n  1\n}\n')).toEqual([['json', 1, '{ "a":\n  1\n}\n']]);
  });

  test('are the input, byte for byte, however it comes', () => {
    const line = fc.constantFrom('{', '}', '[', ']', '{"a":1}', ' {"a": 1}', 'text', '', '"a": 1,', '{"a":', '\ufeff{"b":1}', 'x]', '\u0000', '{}', '[]');
    const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '')), { maxLength: 12 });
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 9 }), (parts, size) => {
        const input = Buffer.from(parts.flat().join(''));
        const cut = cutPieces(() => true);
        const out = [];
        for (let at = 0; at < input.length; at += size) out.push(...cut.push(input.subarray(at, at + size)));
        out.push(...cut.end());
        expect(Buffer.concat(out.map((piece) => piece.bytes))).toEqual(input);
        let number = 1;
        for (const piece of out) {
          expect(piece.line).toBe(number);
          number += piece.text.split('\n').length - 1;
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe('a stream', () => {
  test.each([
    ['line ends and no last line feed', 'a\r\nb\rc\n\n\nd'],
    ['a byte order mark', '\ufeff{"a": 1}\n'],
    ['odd spelling of JSON', '{ "a" : 1.0e2 , "a":"\\u0041\\/" }\n[ ]\n{"n":12345678901234567890}\n'],
    ['bytes that are no UTF-8', Buffer.from([0x61, 0xff, 0xfe, 0x0a, 0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d, 0x0a, 0x00, 0x80])],
    ['nothing', ''],
    ['a pretty document', JSON.stringify({ a: [1, 2, { b: 'c' }] }, null, 4)],
  ])('keeps %s', (_what, input) => expect(through(Buffer.from(input), 3)).toEqual(Buffer.from(input)));

  test('changes the secret and nothing else', () => {
    const secret = token();
    const line = `{ "n": 1.0, "n":2, "text" : "a \\u0041 ${secret}" }\r\n`;
    expect(text(`\ufeff${line}x ${secret}\r\n${line}`)).toMatch(
      /^\ufeff\{ "n": 1\.0, "n":2, "text" : "a A \[REDACTED:gh:(\w{8})\]" \}\r\nx \[REDACTED:gh:\1\]\r\n\{ "n": 1\.0, "n":2, "text" : "a A \[REDACTED:gh:\1\]" \}\r\n$/,
    );
    const odd = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from(` ${secret}"}\nb`), Buffer.from([0xfe]), Buffer.from(` ${secret}`)]);
    const made = through(odd).toString('latin1');
    expect(made).toMatch(/^\{"a":"\xff \[REDACTED:gh:\w{8}\]"\}\nb\xfe \[REDACTED:gh:\w{8}\]$/);
  });

  test('gives the same however the input comes, and once more changes nothing', () => {
    const input = [
      '$ env',
      `GITHUB_TOKEN=${token()}`,
      JSON.stringify({ password: sample('Wq7{an12}'), id: 'call_abcdef123456' }),
      JSON.stringify({ env: [{ name: 'DB_PASSWORD', value: sample('Wq7{an12}') }] }, null, 2),
      pem(),
      'machine x login ann',
      `  password ${sample('Q7{an14}x9')}`,
    ].join('\n');
    const whole = text(input);
    expect(whole.match(/\[REDACTED:/g)).toHaveLength(5);
    for (const size of [1, 7, 100, 1000]) expect(text(input, size)).toBe(whole);
    expect(text(whole)).toBe(whole);
  });

  test('names the line of each finding', () => {
    const redactor = createRedactor({ key });
    const other = token();
    through(Buffer.from(`a\n${pem()}\nb ${other}\n{"x":{"y":"${token()}"}}\n\nc ${token()} ${other}\n`), 50, redactor);
    expect(redactor.report().findings.map(({ kind, record, path }) => [kind, record, path])).toEqual([
      ['pem', 'line 2', ''],
      ['gh', `line ${3 + pem().split('\n').length - 1}`, ''],
      ['gh', `line ${4 + pem().split('\n').length - 1}`, '/x/y'],
      ['gh', `line ${6 + pem().split('\n').length - 1}`, ''],
      ['gh', `line ${6 + pem().split('\n').length - 1}`, ''],
    ]);
  });

  test.each([
    ['a key', () => pem('RSA ', 1600)],
    ['a name and its value', () => `- name: DB_PASSWORD\n  value: "${sample('Q7{hex14}9')}"`],
    ['a login and its password', () => `login ann\n  password ${sample('Q7{hex14}9')}`],
  ])(
    'a long text is never cut within %s',
    (_what, make) => {
      const filler = `${'word '.repeat(80)}\n`;
      // The cut falls somewhere in the middle, each time at another place of what stands there.
      for (let shift = 0; shift < 60; shift += 15) {
        const middle = Array.from({ length: 500 }, make).join('\n').slice(0, 20_000).replace(/\n.*$/, '\n');
        const made = text(`${filler.repeat(2587)}${'.'.repeat(shift)}\n${middle}${filler.repeat(400)}`);
        expect(made.match(/[A-Za-z0-9+/]{14,}/)).toBeNull();
      }
    },
    60_000,
  );

  test('a line without end is cut all the same, not within a word of a secret', () => {
    const secret = token();
    const filler = Buffer.alloc(70 * 1024 * 1024, 'nothing to see, ');
    const redactor = createRedactor({ key });
    const made = through(Buffer.concat([filler, Buffer.from(secret)]), 1 << 20, redactor);
    expect(made.subarray(0, filler.length).equals(filler)).toBe(true);
    expect(made.subarray(filler.length).toString()).toMatch(/^\[REDACTED:gh:\w{8}\]$/);
  }, 60_000);
});
