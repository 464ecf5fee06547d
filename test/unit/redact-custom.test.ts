import { describe, expect, test } from 'vitest';
import { RelayError } from '#lib/errors.ts';
import { createGate, createRedactor } from '#redact/index.ts';
import { createEngine } from '../../redact/engine/engine.ts';
import { type CustomRule, customLayer } from '../../redact/settings/custom.ts';
import { ownTime } from '../../redact/settings/deadline.ts';
import { faultIn } from '../../redact/settings/trial.ts';
import { settingsTrials } from '../../redact/settings/trials.ts';
import { sample, survives } from '../support/samples.ts';
import { thrownBy } from '../support/scanning.ts';

const rule = (more: Partial<CustomRule> = {}): CustomRule => ({
  id: 'acme',
  anchors: ['ACME_'],
  pattern: 'acme_[a-z0-9]{8,40}',
  hits: ['key acme_0a1b2c3d4e'],
  misses: ['acme_short'],
  ...more,
});
const engine = (...rules: CustomRule[]) => createEngine({ layers: [customLayer(rules)] });
const found = (text: string, ...rules: CustomRule[]) =>
  engine(...rules)
    .scan(text, '')
    .map((hit) => [hit.kind, text.slice(hit.start, hit.end)]);

/** Passes its trial by itself, and takes about a second and a half for each MB of prose. */
const costly = (id: string): CustomRule => rule({ id, anchors: ['the'], pattern: '[\\w. ]{1,64}(?:[\\w. ]{1,9}the#)', hits: ['aathe#'], misses: [] });

describe('a rule of the settings', () => {
  test('is fine as it is, and finds what it says', () => {
    expect(faultIn(rule())).toBeUndefined();
    const value = sample('acme_{low12}');
    expect(found(`use ${value}, and acme_short`, rule())).toEqual([['acme', value]]);
  });

  test.each<[string, Partial<CustomRule>, RegExp]>([
    ['a kind of relay', { id: 'gh' }, /"gh" is a kind that relay itself finds/],
    ['another kind of relay', { id: 'known' }, /"known" is a kind/],
    ['no regular expression', { pattern: 'acme_(' }, /does not compile: /],
    ['no group', { group: 1 }, /has no group/],
    ['too high a group', { pattern: 'acme_([a-z0-9]{8,40})', group: 2 }, /has only 1 group, so there is no group 2/],
    ['an empty match', { pattern: '(?:acme_[a-z0-9]{8,40})?' }, /matches the empty text/],
    ['a hit that does not match', { hits: ['acme_0a1b2c3d', 'nothing'] }, /hits\.1 is not found: the pattern does not match it/],
    ['an anchor that is not in the match', { anchors: ['key'], hits: ['key acme_0a1b2c3d'] }, /hits\.0 is not found: no anchor stands/],
    ['a miss that matches', { misses: ['x', 'acme_0a1b2c3d'] }, /misses\.1 is found/],
  ])('is refused: %s', (_what, more, reason) => {
    const fault = faultIn(rule(more));
    expect(fault).toMatch(reason);
    expect(fault).not.toContain('0a1b2c3d');
  });

  test.each<[string, object, RegExp]>([
    ['no id', { id: undefined }, /its id must be/],
    ['no anchors', { anchors: undefined }, /it needs anchors/],
    ['no pattern', { pattern: undefined }, /it needs a pattern/],
  ])('of a program that hands over anything is refused with a reason: %s', (_what, more, reason) => expect(faultIn({ ...rule(), ...more })).toMatch(reason));

  const HOSTILE: [string, string, string?][] = [
    ['acme_(\\w+)+;', 'acme_abcd;'],
    ['acme_(a|aa)+$', 'acme_aaa', 'm'],
    ['acme_(\\d+-?)+x', 'acme_12-3x'],
    ['acme_(.*)*end', 'acme_ foo end', 's'],
    ['(x+x+)+yacme_', 'xxyacme_'],
    ['acme_\\s+\\s+\\s+;', 'acme_   ;'],
    ['acme_(?:[a-z]{1,50}){1,50}!', 'acme_abc!'],
    ['[\\w.]+@acme_', 'ann.lee@acme_'],
    ['acme_[a-z0-9]+(?:-(?:x+x+)+y)?', 'acme_abc'],
    ['acme_(?:[^"\\\\]|\\\\.|.)*"', 'acme_abc"'],
  ];
  test.each(HOSTILE)('is refused when it may run for ever: %s', { timeout: 60_000 }, (pattern, hit, flags) => {
    const fault = faultIn(rule({ pattern, flags, hits: [hit], misses: [] }), 400);
    expect(fault).toMatch(/may run for ever/);
    // Nobody is told to do what is done already.
    expect(fault).toContain(pattern.includes('{1,50}') ? 'smaller bounds' : 'with bounds ({1,64} instead of + and *)');
  });

  test.each<[string, string, string?]>([
    ['\\bEMP-\\d{5}\\b', 'EMP-12345', 'i'],
    ['"emp-key":\\s{0,8}"([^"]{1,200})"', '"emp-key": "x1"'],
    ['[\\w.]{1,40}@emp-\\d', 'ann@emp-1'],
    ['emp-[a-z0-9]+', 'emp-a0'],
    ['(?<=id=)emp-\\p{L}{1,20}', 'id=emp-ä', 'u'],
  ])('is not refused for a pattern that ends: %s', (pattern, hit, flags) => {
    expect(faultIn(rule({ anchors: ['emp-'], pattern, flags, hits: [hit], misses: [] }))).toBeUndefined();
  });
});

describe('the layer of rules', () => {
  test('takes the group where there is one, and all matches of a text', () => {
    const [a, b] = [sample('{low10}'), sample('{low10}')];
    const one = rule({ anchors: ['corp-key'], pattern: 'corp-key: ([a-z0-9]{10})', group: 1, hits: ['corp-key: 0123456789'], misses: [] });
    expect(found(`Corp-Key: x\ncorp-key: ${a}\ncorp-key: ${b}`, one)).toEqual([
      ['acme', a],
      ['acme', b],
    ]);
  });

  test('finds anchors in any case, and in another alphabet', () => {
    const value = sample('ACME_{up12}');
    expect(found(`- ${value} -`, rule({ flags: 'i' }))).toEqual([['acme', value]]);
    const number = sample('工号：{dig8}');
    expect(found(`我的${number}。`, rule({ anchors: ['工号：'], pattern: '工号：\\d{8}' }))).toEqual([['acme', number]]);
  });

  test('leaves no part of a value that is longer than what is looked at', () => {
    const value = sample('acme_{low6000}');
    const open = rule({ pattern: '[a-z0-9]{0,999}acme_[a-z0-9]+' });
    const text = `x ${value} y`;
    const [hit] = engine(open).scan(text, '');
    expect(text.slice(hit?.start, hit?.end)).toBe(value);
  });

  test('looks at every place of a long text', () => {
    const values = Array.from({ length: 50 }, () => sample('acme_{low12}'));
    const text = values.map((value, i) => `${'lorem ipsum '.repeat(i * 13)}${value}`).join(' acme_ ');
    expect(found(text, rule()).map(([, value]) => value)).toEqual(values);
  });

  test('is part of the id, of redactor and gate alike', () => {
    const key = Buffer.alloc(32, 7);
    const layers = [customLayer([rule()])];
    const redactor = createRedactor({ key, layers });
    expect(redactor.id).toBe(createGate({ key, layers }).id);
    expect(redactor.id).not.toBe(createRedactor({ key }).id);
    expect(redactor.id).not.toBe(createRedactor({ key, layers: [customLayer([rule({ flags: 'i' })])] }).id);
    const value = sample('acme_{low12}');
    const clean = redactor.text(`a ${value}\n${value}`, 'x');
    expect(clean).toMatch(/^a (\[REDACTED:acme:[0-9a-f]{8}\])\n\1$/);
    expect(survives(value, clean)).toBe(false);
    expect(createGate({ key, layers }).check(Buffer.from(clean), '')).toEqual([]);
    expect(
      createGate({ key, layers })
        .check(Buffer.from(`a ${value}`), '')
        .map((one) => one.kind),
    ).toEqual(['acme']);
  });

  test('that runs for ever on some text stops redactor and gate, and says which rule it is', { timeout: 60_000 }, () => {
    const layers = [customLayer([rule({ pattern: 'acme_(\\w+)+;' })])];
    const key = Buffer.alloc(32, 7);
    const text = `acme_${'a'.repeat(60)} `;
    for (const work of [() => createRedactor({ key, layers }).text(text, 'x'), () => createGate({ key, layers }).check(Buffer.from(text), '')]) {
      const error = thrownBy(work);
      expect(error).toBeInstanceOf(RelayError);
      expect(error).toMatchObject({
        code: 'blocked',
        exitCode: 3,
        message: expect.stringMatching(/The rules of redact\.rules need more than .*, the rule "acme" most of it/),
      });
      // `relay redact` sends nothing at all.
      expect(String(error)).not.toMatch(/\bsent\b|session/);
    }
  });

  const prose = 'all the words of the people that said nothing of the matter '.repeat(10_000);

  test('that take too long together are stopped within a bounded time, and the slowest is named', { timeout: 60_000 }, () => {
    const quick = rule({ id: 'quick', anchors: ['the'], pattern: 'the#' });
    const layers = [customLayer([quick, { ...costly('slowest'), pattern: '[\\w. ]{1,64}(?:[\\w. ]{1,40}the#)' }])];
    const redactor = createRedactor({ key: Buffer.alloc(32, 7), layers });
    for (const work of [
      () => redactor.text(prose, 'x'),
      // In small texts it is no other.
      () => prose.match(/.{1,600}/g)?.forEach((part, i) => void createRedactor({ key: Buffer.alloc(32, 7), layers }).text(`${part}${i}`, 'x')),
    ]) {
      const start = ownTime();
      const error = thrownBy(work);
      expect(error).toMatchObject({ code: 'blocked', message: expect.stringContaining('the rule "slowest" most of it') });
      expect(ownTime() - start).toBeLessThan(7000);
    }
  });

  test('that have much to find are not stopped', () => {
    const layers = [customLayer([rule(), rule({ id: 'emp', anchors: ['emp-'], pattern: '\\bemp-\\d{5}\\b', hits: ['emp-12345'], misses: [] })])];
    const redactor = createRedactor({ key: Buffer.alloc(32, 7), layers });
    const value = Array.from({ length: 10_000 }, (_, i) => `emp-${10_000 + i}`);
    const made = redactor.json(JSON.stringify(value), value, 'x', () => undefined);
    expect(made).not.toMatch(/emp-\d/);
  });
});

describe('all rules of the settings', () => {
  test('are refused where they take too long together to be tried, and the slowest are named', { timeout: 60_000 }, () => {
    const trials = settingsTrials(500);
    const start = ownTime();
    const reasons = Array.from({ length: 100 }, (_, i) => trials.rule(i === 1 ? rule({ id: 'quick' }) : costly(`r${i}`))).filter((one) => one !== undefined);
    expect(ownTime() - start).toBeLessThan(4000);
    expect(reasons).toEqual([expect.stringMatching(/^up to here .* need more than 0\.5 s to be tried, most of all the rule "r\d+" \(\d\.\d s\)/)]);
    expect(reasons[0]).not.toContain('quick');
  });

  test('are well where they are many', { timeout: 60_000 }, () => {
    const trials = settingsTrials();
    for (let i = 0; i < 100; i++) expect(trials.rule(rule({ id: `r${i}`, pattern: `acme_[a-z0-9]{8,${40 + i}}` }))).toBeUndefined();
    expect(trials.allowed('example-[a-z]{1,20}')).toBeUndefined();
  });

  test('are refused for a sample that keeps the pattern busy', { timeout: 60_000 }, () => {
    const busy = rule({ pattern: 'acme_(?:abc|b-(?:x+x+)+y)', hits: ['acme_abc'], misses: [`acme_b-${'x'.repeat(60)}`] });
    expect(faultIn(busy, 300)).toMatch(/may run for ever/);
  });
});
