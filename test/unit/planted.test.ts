import { describe, expect, it, test } from 'vitest';
import { missing } from '../prove/cases/slots-judge.ts';
import { notIn, planted, standsIn } from '../support/planted.ts';

/** The judges of the proof `slots`. */
const SECRET = 'sEcReT';

it.each(['', 'word', 'a text', '/a/path', 'file:///a', '{"a":1}', '{"a":{"b":"x"}}', '[1,2]', '[]', '["x"]', ' [{}]'])('a secret is planted in %j', (value) => {
  expect(planted(value, SECRET)).toContain(SECRET);
});

test('every place is told, as often as something stands there, keys too', () => {
  const record = { a: [`${SECRET} ${SECRET}`, { [SECRET]: SECRET, b: 'x' }], c: `{"${SECRET}":1}` };
  expect(standsIn(record, new RegExp(SECRET, 'g'))).toEqual(['a/*', 'a/*', 'a/* (key)', 'a/*/?', 'c']);
  expect(notIn(['a', 'a', 'b', 'c'], ['a', 'c', 'd'])).toEqual(['a', 'b']);
});

describe('what reaches the model', () => {
  const seen = { text: 4, image: 2, call: 3, result: 3 };
  const left = { record: 1, kind: 'image', action: 'left-out', reason: 'It is broken; a note stands in its place.' };
  const other = { record: 1, kind: 'thinking', action: 'left-out', reason: 'Sealed.' };
  const whole = { seen, loss: [other] };

  it.each([
    ['as much as before', {}, [other], 0],
    ['a note more', { text: 5, image: 1 }, [other, left], 1],
  ])('is fine: %s', (_what, now, loss, images) => expect(missing(whole, { seen: { ...seen, ...now }, loss }, { images })).toBe(''));

  it.each([
    ['a text less, though one more loss is told', { text: 3 }, [other, other], 0, /3 of 4 texts/],
    ['a call less, though an image was lost too', { call: 2, image: 1 }, [other, left], 1, /2 of 3 calls/],
    ['a result less', { result: 2 }, [other], 0, /2 of 3 results/],
    ['an image less that nothing was written over', { image: 1 }, [other, left], 0, /only 0 were written over/],
    ['an image less of which no loss speaks', { image: 1 }, [other, other], 1, /losses speak of 0/],
    ['two images less and one loss', { image: 0 }, [other, left], 2, /losses speak of 1/],
  ])('is told: %s', (_what, now, loss, images, said) => expect(missing(whole, { seen: { ...seen, ...now }, loss }, { images })).toMatch(said));
});
