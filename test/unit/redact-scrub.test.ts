import { describe, expect, it } from 'vitest';
import type { Json } from '#lib/json.ts';
import { createScrubber, valuesBetween } from '#redact/scrub.ts';

const MARK = '[REDACTED:purged:0badcafe]';
const OTHER = '[REDACTED:purged:0badf00d]';

describe('taking a value out', () => {
  const value = 'a "b"\\c/ünder 7';
  const { text, finds, value: scrub, line, bytes } = createScrubber([value], MARK);

  it.each([
    ['as it stands', value],
    ['inside a longer word', `x${value}y`],
    ['as JSON', JSON.stringify({ a: value })],
    ['as JSON in JSON', JSON.stringify({ a: JSON.stringify({ b: value }) })],
    ['in a URL', `https://example.com/?q=${encodeURIComponent(value)}`],
    ['in base64, at each alignment', ['', 'x', 'xy'].map((before) => Buffer.from(`${before}${value} and more`).toString('base64')).join(' ')],
    ['in hex', Buffer.from(value).toString('hex')],
    ['with escapes of plain letters', `{"a":${JSON.stringify(value).replace('b', '\\u0062')}}`],
  ])('%s', (_, one) => {
    const made = line(one);
    expect(made).toContain('[REDACTED:purged:0badcafe]');
    expect(finds(made)).toBe(false);
    if (one.startsWith('{')) expect(() => JSON.parse(made)).not.toThrow();
  });

  it('leaves everything else as it is', () => {
    const other: Json = { a: ['b', 7, null, { c: 'ghp_and other things' }], d: 'password=hunter2hunter2' };
    expect(scrub(other)).toBe(other);
    const image = Buffer.from('89504e470d0a1a0a0000', 'hex');
    expect(bytes(image)).toBe(image);
    const told = createScrubber(['made by ann'], MARK).bytes(Buffer.concat([image, Buffer.from('tEXt made by ann')]));
    expect(told.toString('latin1').slice(-16)).toBe(`tEXt ${'*'.repeat(11)}`);
  });

  it('finds a value in keys, numbers and bytes that are no text', () => {
    const numbers = createScrubber(['48213377'], MARK);
    expect(numbers.value({ '48213377': { n: 48213377, deep: '{"n":48213377}' } })).toEqual({ [MARK]: { n: MARK, deep: `{"n":"${MARK}"}` } });
    expect(numbers.bytes(Buffer.from([0xff, ...Buffer.from('48213377'), 0xfe])).toString('latin1')).toBe(`ÿ${MARK}þ`);
  });

  it('stops where a place must stay as it is', () => {
    const slots = (path: readonly (string | number)[]) => (path[0] === 'id' ? ('kept' as const) : undefined);
    expect(() => scrub({ id: `x ${value}` }, slots)).toThrow(/must not be edited/);
    expect(scrub({ text: value }, slots)).toEqual({ text: MARK });
  });

  it('says nothing of the value in its errors', () => {
    expect(() => scrub({ id: value }, () => 'fixed')).toThrow(expect.not.stringContaining('under'));
  });

  it('keeps text without it', () => expect(text('nothing')).toBe('nothing'));
});

describe('telling a value from what became of it', () => {
  it.each<[string, Json, Json, [string, string][] | undefined]>([
    ['one value', 'key abc123 end', `key ${MARK} end`, [[MARK, 'abc123']]],
    ['at the beginning and at the end', 'abc123', MARK, [[MARK, 'abc123']]],
    [
      'several places',
      'a X1 b X1 c',
      `a ${MARK} b ${MARK} c`,
      [
        [MARK, 'X1'],
        [MARK, 'X1'],
      ],
    ],
    [
      'of two purges',
      'a X1 b Y2 c',
      `a ${MARK} b ${OTHER} c`,
      [
        [MARK, 'X1'],
        [OTHER, 'Y2'],
      ],
    ],
    ['in records', { a: ['x', { b: 'p=Q9' }] }, { a: ['x', { b: `p=${MARK}` }] }, [[MARK, 'Q9']]],
    ['in JSON within', { a: '{"b":"p=\\"Q9"}' }, { a: `{"b":"p=${MARK}"}` }, [[MARK, '"Q9']]],
    ['in a key', { Q9: 1 }, { [MARK]: 1 }, [[MARK, 'Q9']]],
    ['nothing changed', 'same', 'same', []],
    ['something else changed', 'key abc123 end', `key ${MARK} END`, undefined],
    ['something was taken away', 'key abc123 end', `key ${MARK}`, [[MARK, 'abc123 end']]],
    ['something was added', 'abc123', `${MARK} and more`, undefined],
    ['another number of fields', { a: 'x1' }, { a: MARK, b: 1 }, undefined],
    ['marks side by side', 'X1Y2', `${MARK}${OTHER}`, undefined],
  ])('%s', (_, before, after, found) => expect(valuesBetween(before, after, [MARK, OTHER])).toEqual(found));

  it('takes a time in proportion to the text, whatever it holds', () => {
    const started = performance.now();
    valuesBetween('a'.repeat(200_000), `${MARK}a`.repeat(2000), [MARK, OTHER]);
    expect(performance.now() - started).toBeLessThan(3000);
  });
});
