import { describe, expect, test } from 'vitest';
import { code, quote, quotesIn } from '#context/brief/cite.ts';
import { unresolved } from '#context/brief/resolve.ts';
import type { Brief, Point } from '#context/brief/value.ts';
import { run, type Told, told } from '../support/session-told.ts';

describe('quotations', () => {
  test.each([
    'plain words',
    'he said "no" twice',
    'one “so” and "so"',
    '“so” and "so" and `code`',
    'a ``double`` "tick" “here”',
    '`starts and ends`',
    'two\nlines',
    "don't",
    '引号“里面”的"话"',
  ])('are told again: %s', (text) => {
    expect(quotesIn(`asked: ${quote(text)}; answered: ${quote('ok "so"')} in ${code(text)}`)).toEqual([text, 'ok "so"', text]);
  });
});

const EMPTY: Omit<Brief, 'state'> = {
  source: { agent: '', session: '', cwd: '', last: '' },
  requests: [],
  decisions: [],
  rejected: [],
  files: [],
  errors: [],
  pending: [],
  next: [],
  questions: [],
  limitations: [],
  corrections: [],
  checks: [],
};
const faults = (things: readonly Told[], point: Omit<Point, 'mark'>): string[] =>
  unresolved(told(things), { ...EMPTY, state: [{ ...point, mark: '' }] }).map(({ fault }) => fault);

describe('citations', () => {
  test.each<[string, Told[], Omit<Point, 'mark'>, boolean]>([
    ['as a whole', [{ user: 'call it "tax", please' }], { text: 'call it "tax", please', cites: ['#1'], origin: 'user' }, true],
    ['with something taken out', [{ user: 'call it "tax. And" go' }], { text: 'call it "tax. … go', cites: ['#1'], origin: 'user' }, true],
    ['other words', [{ user: 'call it tax' }], { text: 'call it sum', cites: ['#1'], origin: 'user' }, false],
    ['joined where something was', [{ user: 'one two three' }], { text: 'one three', cites: ['#1'], origin: 'user' }, false],
    ['a quote that stands', [{ user: 'no "tax"' }], { text: 'refused: “no "tax"”', cites: ['#1'], origin: 'relay' }, true],
    ['a quote that does not', [{ user: 'no "tax"' }], { text: 'refused: “no "sum"”', cites: ['#1'], origin: 'relay' }, false],
    ['colours', [run('npm test', '\u001b[31mError:\u001b[39m no tax')], { text: '"Error: no tax" in `npm test`', cites: ['E#1'], origin: 'operation' }, true],
    ['no such place', [{ user: 'x' }], { text: 'x', cites: ['#2'], origin: 'user' }, false],
  ])('%s', (_, things, point, stands) => expect(faults(things, point).length === 0).toBe(stands));
});
