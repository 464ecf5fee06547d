import { describe, expect, test } from 'vitest';
import { RelayError } from '#lib/errors.ts';
import type { JsonObject } from '#lib/json.ts';
import { createGate, createRedactor, fingerprints, type KnownValue } from '#redact/index.ts';
import { encodeRecord, toRecord } from '#session/codec.ts';
import type { Draft } from '#session/record.ts';
import { type Allow, type AllowSettings, createAllow, faultInWhole } from '../../redact/settings/allow.ts';
import { matchesGlob } from '../../redact/settings/wild.ts';
import { sample, survives } from '../support/samples.ts';
import { thrownBy } from '../support/scanning.ts';

const key = Buffer.alloc(32, 3);
const print = fingerprints(key);
const allow = (more: Partial<AllowSettings>): Allow => createAllow({ fingerprints: [], patterns: [], paths: [], ...more }, print);
const redact = (text: string, allowed?: Allow, known: KnownValue[] = []) => createRedactor({ key, known, allowed }).text(text, 'x');
const left = (text: string, allowed?: Allow, known: KnownValue[] = []) =>
  createGate({ key, known, allowed })
    .check(Buffer.from(text), 'x')
    .map((one) => one.kind);
const token = () => sample('ghp_{an36}');

describe('a fingerprint', () => {
  test.each(['gh', 'pw', 'other'])('allows its value, whatever kind it names (%s)', (kind) => {
    const [mine, other] = [token(), token()];
    const allowed = allow({ fingerprints: [`${kind}:${print(mine)}`] });
    const text = `a ${mine} b ${other}`;
    const clean = redact(text, allowed);
    expect(clean).toContain(mine);
    expect(survives(other, clean)).toBe(false);
    expect(left(clean, allowed)).toEqual([]);
    expect(left(clean)).toEqual(['gh']);
  });

  test('allows a known value, in every place', () => {
    const value = sample('Qz7{an20}');
    const known = [{ value, kind: 'known' }];
    const text = `${value} and ${encodeURIComponent(value)} and DB_PASSWORD=${value}`;
    expect(survives(value, redact(text, undefined, known))).toBe(false);
    const allowed = allow({ fingerprints: [`known:${print(value)}`] });
    expect(redact(text, allowed, known)).toBe(text);
    expect(left(text, allowed, known)).toEqual([]);
  });

  test('allows a number beside the name of a password', () => {
    const allowed = allow({ fingerprints: [`pw:${print('48151623')}`] });
    const redactor = createRedactor({ key, allowed });
    expect(redactor.record({ db_password: 48151623 }, 'main 0', () => undefined)).toEqual({ db_password: 48151623 });
    expect(createRedactor({ key }).record({ db_password: 48151623 }, 'main 0', () => undefined)).not.toEqual({ db_password: 48151623 });
  });

  test('means nothing under another key', () => {
    const mine = token();
    const allowed = allow({ fingerprints: [`gh:${fingerprints(Buffer.alloc(32, 4))(mine)}`] });
    expect(redact(mine, allowed)).not.toContain(mine);
  });
});

describe('a pattern', () => {
  test('allows what it matches as a whole, and no known value', () => {
    const [mine, known] = [sample('Zq9-fixture-{an16}'), sample('Zq9-fixture-{an16}')];
    const allowed = allow({ patterns: ['Zq9-fixture-[A-Za-z0-9]{16}'] });
    const text = `DB_PASSWORD=${mine}`;
    expect(redact(text)).not.toBe(text);
    expect(redact(text, allowed)).toBe(text);
    expect(left(text, allowed)).toEqual([]);
    expect(redact(`DB_PASSWORD=x${mine}`, allowed)).not.toContain(mine);
    expect(survives(known, redact(`DB_PASSWORD=${known}`, allowed, [{ value: known, kind: 'known' }]))).toBe(false);
  });

  test.each([
    ['a)|(b', /does not compile/],
    ['[', /does not compile/],
    ['.*', /matches the empty text/],
    ['(a+)+b', /may run for ever/],
    ['(?:[a-z]+-?)*!', /may run for ever/],
  ])('%s is refused', { timeout: 60_000 }, (pattern, reason) => {
    expect(faultInWhole(pattern, 400)).toMatch(reason);
  });
  test.each(['test-[a-z0-9-]{1,40}', 'sk-test-.{1,60}', 'a|b'])('%s is not', (pattern) => {
    expect(faultInWhole(pattern)).toBeUndefined();
  });

  test('that runs for ever on a value stops redactor and gate', { timeout: 60_000 }, () => {
    const allowed = allow({ patterns: ['(?:(?:[A-Za-z0-9]+)+-)+!'] });
    const text = `DB_PASSWORD=${sample('{an60}')}`;
    for (const work of [() => redact(text, allowed), () => left(text, allowed)]) {
      const error = thrownBy(work);
      expect(error).toBeInstanceOf(RelayError);
      expect(error).toMatchObject({ code: 'blocked', message: expect.stringContaining('Pattern 1 of redact.allow.patterns') });
      expect(String(error)).not.toContain(text.slice(12, 24));
      expect(String(error)).not.toMatch(/\bsent\b|session/);
    }
  });
});

describe('a place', () => {
  const slots = () => undefined;
  const stored = (source: JsonObject, draft: Draft) =>
    encodeRecord(toRecord(draft, { text: JSON.stringify(source), value: source, exact: true }), () => {
      throw new Error('nothing is to be detached');
    });
  const SEGMENT = 'transcript/main/000/000000.jsonl';

  test('lets rules pass, and still takes out what is known', () => {
    const [value, known] = [token(), sample('Qz7{an20}')];
    const options = { key, known: [{ value: known, kind: 'known' }], allowed: allow({ paths: ['main/toolUseResult/**'] }) };
    const redactor = createRedactor(options);
    const made = redactor.record({ toolUseResult: { stdout: `${value} ${known}`, list: [value] }, message: { content: value } }, 'main 12', slots);
    expect(made).toEqual({
      toolUseResult: { stdout: expect.stringMatching(new RegExp(`^${value} \\[REDACTED:known:`)), list: [value] },
      message: { content: expect.stringMatching(/^\[REDACTED:gh:/) },
    });
    expect(redactor.record({ toolUseResult: value }, 'agent/x 12', slots)).not.toEqual({ toolUseResult: value });
  });

  test('lets the gate pass what stands there in the source record, also where the canonical part was made from it', () => {
    const value = token();
    const source = { type: 'x', arguments: JSON.stringify({ cmd: `echo ${value}` }), output: `Exit code: 0\n${value}` };
    const line = stored(source, {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'tool_call', id: 'c', name: 'n', input: { cmd: `echo ${value}` } }],
    } as unknown as Draft);
    const check = (paths: string[], known: KnownValue[] = []) =>
      createGate({ key, known, allowed: allow({ paths }) })
        .check(Buffer.from(`{"type":"stream"}\n${line}\n`), SEGMENT)
        .map((one) => one.kind);
    expect(check([])).not.toEqual([]);
    expect(check(['agent/**'])).not.toEqual([]);
    expect(check(['main/**'])).toEqual([]);
    expect(check(['main/arguments', 'main/output'])).toEqual([]);
    expect(check(['**'], [{ value, kind: 'known' }])).not.toEqual([]);
  });

  test('means nothing for a string that becomes a file of its own', () => {
    const value = `${'x '.repeat(60_000)}${token()}`;
    const redactor = createRedactor({ key, allowed: allow({ paths: ['**'] }) });
    expect(redactor.record({ a: value }, 'main 0', slots).a).not.toBe(value);
  });

  test.each<[string, string, boolean]>([
    ['main/toolUseResult/stdout', 'main/toolUseResult/**', true],
    ['main/toolUseResult', 'main/toolUseResult/**', true],
    ['main/a/b/toolUseResult/stdout', 'main/**/toolUseResult/**', true],
    ['main/toolUseResult/stdout', 'main/**/toolUseResult/**', true],
    ['main/toolUseResults/stdout', 'main/toolUseResult/**', false],
    ['agent/x/toolUseResult/stdout', 'main/**', false],
    ['agent/x/message/content/0/text', 'agent/*/message/content/*/text', true],
    ['agent/x/message/content/0/0/text', 'agent/*/message/content/*/text', false],
    ['test/fixtures/a.pem', 'test/fixtures/*.pem', true],
    ['test/fixtures/a/b.pem', 'test/fixtures/*.pem', false],
    ['test/fixtures/ab.pem', 'test/fixtures/a?.pem', true],
    ['anything/at/all', '**', true],
    ['a.c', 'a[.]c', false],
    ['', '*', true],
  ])('%s, %s: %s', (place, glob, is) => {
    expect(matchesGlob(place, glob)).toBe(is);
  });

  test('is looked up in time that no glob makes long', () => {
    const start = performance.now();
    expect(matchesGlob(`${'a/'.repeat(300)}b`, `${'**/a*a*a*/'.repeat(12)}c`)).toBe(false);
    expect(matchesGlob('a'.repeat(3000), `${'*a'.repeat(60)}b`)).toBe(false);
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

describe('what is allowed', () => {
  test('is part of the id, of redactor and gate alike', () => {
    const ids = [undefined, allow({ fingerprints: ['gh:0a1b2c3d'] }), allow({ patterns: ['a'] }), allow({ paths: ['a'] })].map((allowed) => {
      expect(createGate({ key, allowed }).id).toBe(createRedactor({ key, allowed }).id);
      return createGate({ key, allowed }).id;
    });
    expect(new Set(ids).size).toBe(4);
  });

  test.each([
    'secretlint-disable',
    '// secretlint-disable-line',
    'gitleaks:allow',
    '# gitleaks:allow',
    'nosec',
    'relay:allow',
    '"redact": {"allow": {"patterns": [".+"]}}',
  ])('is never said by the text itself: %s', (comment) => {
    const value = token();
    expect(survives(value, redact(`${comment}\n${value} ${comment}`))).toBe(false);
    expect(left(`${comment}\n${value} ${comment}`)).toEqual(['gh']);
  });
});
