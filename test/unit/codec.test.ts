import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { RelayError } from '#lib/errors.ts';
import { attach, decodeRecord, encodeRecord, nativeValue, parseLine, readStreamHeader, sourceLine, streamHeader, toRecord } from '#session/codec.ts';
import { fold, unfold } from '#session/fold.ts';
import type { Draft, SessionRecord } from '#session/record.ts';

const say = (text: string): Draft => ({ type: 'message', role: 'user', content: [{ type: 'text', text }] });
const record = (line: string, draft: Draft): SessionRecord => {
  const parsed = parseLine(Buffer.from(line));
  if (!('line' in parsed)) throw new Error('not a record');
  return toRecord(draft, parsed.line);
};
const store = () => {
  const held = new Map<string, Buffer>();
  const detach = (bytes: Buffer): string => {
    const id = createHash('sha256').update(bytes).digest('hex');
    held.set(id, bytes);
    return id;
  };
  return { held, detach, load: async (id: string) => held.get(id) as Buffer };
};

describe('what a line is', () => {
  test.each([
    ['a record that comes back as it is', '{"a":1}', { line: { text: '{"a":1}', value: { a: 1 }, exact: true } }],
    ['a number written otherwise', '{"a":1.0}', { line: { text: '{"a":1.0}', value: { a: 1 }, exact: false } }],
    ['a byte order mark', '\ufeff{"a":1}', { line: { text: '\ufeff{"a":1}', value: { a: 1 }, exact: false } }],
    ['CR before the line feed', '{"a":1}\r', { line: { text: '{"a":1}\r', value: { a: 1 }, exact: false } }],
    ['no object', '[1]', { text: '[1]' }],
    ['no JSON', '{"a":', { text: '{"a":' }],
    ['nothing', '', { text: '' }],
  ])('%s', (_, line, expected) => expect(parseLine(Buffer.from(line))).toEqual(expected));

  test('bytes that are no UTF-8 are kept as bytes', () => {
    const bytes = Buffer.from([0x7b, 0xff, 0x7d]);
    expect(parseLine(bytes)).toEqual({ base64: bytes.toString('base64') });
    expect(sourceLine({ type: 'raw', base64: bytes.toString('base64') })).toEqual(bytes);
  });

  test('nesting that would be too deep for readers makes a line raw', () => {
    const deep = (n: number): string => `{"a":${'['.repeat(n)}${']'.repeat(n)}}`;
    expect(parseLine(Buffer.from(deep(100)))).toHaveProperty('line');
    for (const n of [1000, 5000, 100_000]) expect(parseLine(Buffer.from(deep(n)))).toEqual({ text: deep(n) });
  });
});

describe('folding', () => {
  const long = 'a text that is long enough to be worth a pointer to it, again and again';

  test('a text that stands in the record already is replaced by a pointer', () => {
    const folded = fold({ message: { content: long }, copy: long, short: 'a' }, say(long));
    expect(folded).toEqual({ message: { content: '=3' }, copy: '=3', short: 'a' });
  });

  test('a text that repeats in the line alone is kept once', () => {
    const other = `${long}!`;
    expect(fold({ first: other, second: { x: other } }, say('hi'))).toEqual({ first: other, second: { x: '=.0' } });
  });

  test('inputs written as JSON text, and pictures as data addresses', () => {
    const input = { command: 'npm test -- --run' };
    const draft: Draft = {
      type: 'message',
      role: 'assistant',
      content: [
        { type: 'tool_call', id: 'c', name: 'Bash', input },
        { type: 'image', media_type: 'image/png', data: 'AAAABBBBCCCCDDDD' },
      ],
    };
    const native = { arguments: JSON.stringify(input), url: 'data:image/png;base64,AAAABBBBCCCCDDDD' };
    const folded = fold(native, draft);
    expect(folded).toEqual({ arguments: '=j2', url: '=d3' });
    expect(unfold(folded, draft)).toEqual(native);
  });

  test('a text that looks like a pointer is none', () => {
    const native = { a: '=3', b: '==', c: '=', d: '=.0', e: '=o1' };
    expect(unfold(fold(native, say(long)), say(long))).toEqual(native);
  });

  test('a record that holds the whole line does not lose it', () => {
    const line = '{"type":"odd","value":[1,2,3]}';
    const value = JSON.parse(line);
    const made = toRecord({ type: 'event', kind: 'unknown', data: value }, { text: line, value, exact: true });
    expect(sourceLine(decodeRecord(JSON.stringify(made), 'x'))).toBe(line);
  });

  test('pointers are counted in what was read back, also where parts were moved out', async () => {
    const { detach, load } = store();
    const picture = Buffer.from('not really a picture').toString('base64');
    const draft: Draft = {
      type: 'message',
      role: 'assistant',
      content: [
        { type: 'image', media_type: 'image/png', data: picture },
        { type: 'tool_call', id: 'toolu_0123456789', name: 'Bash', input: { command: 'npm test', 7: ['x'] } },
      ],
    };
    const line = JSON.stringify({
      url: `data:image/png;base64,${picture}`,
      id: 'toolu_0123456789',
      twice: 'twice in the line only',
      again: 'twice in the line only',
      input: '{"7":["x"],"command":"npm test"}',
    });
    const stored = encodeRecord(record(line, draft), detach);
    expect(JSON.parse(stored).native).toEqual({ url: '=d1', id: '=6', twice: 'twice in the line only', again: '=.2', input: '=j3' });
    expect(sourceLine(await attach(decodeRecord(stored, 'x'), load))).toBe(line);
  });

  test('a pointer that leads nowhere is damage, not silence', () => {
    for (const pointer of ['=9', '=.1', '=o9', '=j9', '=d0', '=x', '=', '=1.5', '=-1'])
      expect(() => unfold({ a: pointer }, say('x')), pointer).toThrow('damaged');
  });

  test('a record that was read without its native part says so', () => {
    expect(() => sourceLine({ ...say('x') } as SessionRecord)).toThrow('without its native part');
    expect(nativeValue({ ...say('x') } as SessionRecord)).toBeUndefined();
  });
});

describe('attachments', () => {
  test('pictures of any size and long texts leave the record and come back', async () => {
    const { held, detach, load } = store();
    const picture = Buffer.from('not really a picture').toString('base64');
    const long = 'ä long text '.repeat(40_000);
    const line = JSON.stringify({ said: long, source: { data: picture }, again: long });
    const draft: Draft = {
      type: 'message',
      role: 'user',
      content: [
        { type: 'text', text: long },
        { type: 'image', media_type: 'image/png', data: picture },
      ],
    };
    const stored = encodeRecord(record(line, draft), detach);
    expect(stored.length).toBeLessThan(1000);
    expect([...held.values()].map((b) => b.toString('utf8')).sort()).toEqual(['not really a picture', long].sort());
    expect(sourceLine(await attach(decodeRecord(stored, 'x'), load))).toBe(line);
  });

  test('encoding leaves the record in memory as it was', () => {
    const { detach } = store();
    const made = record(JSON.stringify({ a: 'x'.repeat(300_000) }), say('x'));
    const before = JSON.stringify(made);
    encodeRecord(made, detach);
    expect(JSON.stringify(made)).toBe(before);
  });

  test.each(['__proto__', 'a/b', '~', '0', ''])('a long text under the key %j', async (key) => {
    const { detach, load } = store();
    const line = `{"x":{${JSON.stringify(key)}:"${'y '.repeat(150_000)}"}}`;
    const stored = encodeRecord(record(line, say('x')), detach);
    expect(stored.length).toBeLessThan(1000);
    expect(sourceLine(await attach(decodeRecord(stored, 'x'), load))).toBe(line);
  });

  test('a long line that is kept as text, and a long raw line', async () => {
    const { detach, load } = store();
    const line = `{"a": "${'y '.repeat(150_000)}"}`;
    expect(sourceLine(await attach(decodeRecord(encodeRecord(record(line, say('x')), detach), 'x'), load))).toBe(line);
    const raw: SessionRecord = { type: 'raw', text: line.slice(0, -1) };
    expect(sourceLine(await attach(decodeRecord(encodeRecord(raw, detach), 'x'), load))).toBe(line.slice(0, -1));
  });

  test('a long text with a lone surrogate stays where it is', () => {
    const { held, detach } = store();
    encodeRecord(record(JSON.stringify({ a: `\ud800${'x '.repeat(200_000)}` }), say('x')), detach);
    expect(held.size).toBe(0);
  });

  test('an attachment that belongs nowhere is an error', async () => {
    const made = { ...say('x'), attached: [['/content/9/text', 'aa', 'utf8']] } as unknown as SessionRecord;
    await expect(attach(made, async () => Buffer.from(''))).rejects.toThrow(RelayError);
  });
});

describe('reading what was stored', () => {
  test('a missing or wrong field is named, with its record', () => {
    expect(() => decodeRecord('{"type":"message","role":"user"}', 'main record 12')).toThrow(/main record 12: field content/);
    expect(() => decodeRecord('{"type":"message","role":"robot","content":[]}', 'main record 3')).toThrow(/field role/);
    expect(() => decodeRecord('{', 'main record 4')).toThrow(/main record 4 is not valid JSON/);
  });

  test('a newer format is refused, telling how to read it', () => {
    const header = streamHeader('main', 'codex');
    expect(readStreamHeader(JSON.stringify(header), 'x')).toEqual(header);
    expect(() => readStreamHeader(JSON.stringify({ ...header, version: 99 }), 'ann/x')).toThrow(/format 99/);
    expect(() => readStreamHeader('{}', 'ann/x')).toThrow(/stream header/);
  });

  test('keys such as __proto__ in the native part survive', () => {
    const line = '{"__proto__":{"a":1},"constructor":2}';
    expect(sourceLine(decodeRecord(JSON.stringify(record(line, say('x'))), 'x'))).toBe(line);
  });
});
