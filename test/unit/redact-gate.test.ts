import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createGate, createRedactor, type Layer } from '#redact/index.ts';
import { attachmentId } from '#session/codec.ts';
import type { Slots } from '#session/slot.ts';
import { PLACEMENTS, pathOf } from '../support/placements.ts';
import { pem, sample } from '../support/samples.ts';

const key = randomBytes(32);
const gate = createGate({ key });
const kinds = (text: string | Buffer, path: string, one = gate) => one.check(Buffer.from(text), path).map((finding) => finding.kind);
const token = () => sample('ghp_{an36}');
const SEGMENT = 'transcript/main/000/000000.jsonl';

describe('the gate', () => {
  test('finds a secret in a segment and says where, without its value', () => {
    const secret = token();
    const lines = [{ type: 'stream' }, { type: 'message', content: [{ type: 'text', text: `say "${secret}"` }] }].map((one) => JSON.stringify(one)).join('\n');
    const findings = gate.check(Buffer.from(`${lines}\n`), SEGMENT);
    expect(findings).toEqual([{ kind: 'gh', fingerprint: expect.any(String), record: `${SEGMENT} 1`, path: '/content/0/text', count: 1 }]);
    expect(JSON.stringify(findings)).not.toContain(secret.slice(8, 20));
  });

  test.each([
    ['a commit message', () => `tree abc\n\nhandoff ${token()}`, ''],
    ['a name in a tree', () => Buffer.concat([Buffer.from(`100644 ${token()}\0`), randomBytes(20)]), ''],
    ['a key', () => JSON.stringify({ type: 'event', data: { [token()]: 1 } }), SEGMENT],
    ['nested JSON under its key', () => JSON.stringify({ input: JSON.stringify({ password: sample('Wq7{an12}') }) }), SEGMENT],
    ['the native line', () => JSON.stringify({ type: 'event', native: `{"a" : "${token()}"}` }), SEGMENT],
    ['a literal of the native record', () => JSON.stringify({ type: 'event', native: { a: `==${token()}` } }), SEGMENT],
    ['the bytes of a raw line', () => JSON.stringify({ type: 'raw', base64: Buffer.from(`\u00ff${token()}`, 'latin1').toString('base64') }), SEGMENT],
    ['an attachment', () => `key:\n${pem()}`, 'attachments/aa/x'],
    ['the manifest', () => JSON.stringify({ remote: `https://ci:${sample('{an20}')}@git.corp.dev/a.git` }), 'session.json'],
  ])('finds one in %s', (_where, make, path) => {
    expect(kinds(make() as Buffer, path)).toHaveLength(1);
  });

  test('placeholders and pointers of folded records are no secrets', () => {
    const redacted = createRedactor({ key }).text(`password=${sample('Wq7{an12}')}`, 'x');
    expect(kinds(JSON.stringify({ kind: 'x', data: { of: redacted }, native: { password: '=2', text: '=o0', again: '=j0', n: '=.1' } }), SEGMENT)).toEqual([]);
  });

  test('what only looks like a pointer, or leads to a secret under a telling name, does not pass', () => {
    const value = sample('{dig12}');
    const known = createGate({ key, known: [{ value, kind: 'known' }] });
    expect(kinds(JSON.stringify({ kind: 'x', native: { a: `=${value}` } }), SEGMENT, known)).toEqual(['known']);
    expect(kinds(`{"kind":"x","native":{"a":"=${value}"},"native":{"a":"=0"}}`, SEGMENT, known)).toEqual(['known']);
    const weak = sample('Wq7{an12}');
    expect(kinds(JSON.stringify({ kind: 'x', data: weak, native: { a: '=2' } }), SEGMENT)).toEqual([]);
    expect(kinds(JSON.stringify({ kind: 'x', data: weak, native: { password: '=2' } }), SEGMENT)).toEqual(['pw']);
  });

  test('what a rule takes for a secret in a frozen place passes, a known value there does not', () => {
    const signature = token();
    const line = JSON.stringify({ type: 'event', data: { copy: signature }, native: { signature: '=1' } });
    const slots: Slots = (path) => (path[0] === 'signature' ? 'kept' : undefined);
    expect(kinds(line, SEGMENT)).toHaveLength(1);
    expect(kinds(line, SEGMENT, createGate({ key, slots }))).toEqual([]);
    expect(kinds(line, SEGMENT, createGate({ key, slots, known: [{ value: signature, kind: 'known' }] }))).toHaveLength(1);
  });

  test('what cannot be examined is a finding', () => {
    const broken = createGate({
      key,
      slots: () => {
        throw new Error('x');
      },
    });
    expect(kinds(JSON.stringify({ type: 'event', native: { a: token() } }), SEGMENT, broken)).toEqual(['error']);
  });

  test('a secret in a key is not part of the path that is shown', () => {
    const secret = token();
    const findings = gate.check(Buffer.from(JSON.stringify({ type: 'event', data: { [secret]: { password: sample('Wq7{an12}') } } })), SEGMENT);
    expect(findings.map(({ kind, path }) => [kind, path])).toEqual([
      ['gh', '/data'],
      ['pw', '/data/(key)/password'],
    ]);
  });

  test('what takes too long is a finding, and stops', () => {
    const endless: Layer = {
      id: 'endless',
      words: [],
      whole() {
        for (;;);
      },
    };
    const slow = createGate({ key, layers: [endless], patience: () => 50 });
    expect(slow.check(Buffer.from('some text'), 'attachments/aa/x')).toEqual([
      { kind: 'time', fingerprint: '00000000', record: 'attachments/aa/x', path: '', count: 1 },
    ]);
  });

  test('has the same id as the redactor', () => {
    expect(gate.id).toBe(createRedactor({ key }).id);
  });
});

describe('what relay never writes', () => {
  const value = sample('Kx{an22}');
  const strict = createGate({ key, known: [{ value, kind: 'known' }], slots: () => undefined });

  test.each(PLACEMENTS)('shows a token and a known value all the same: $what', (placement) => {
    for (const [secret, kind] of [
      [token(), 'gh'],
      [value, 'known'],
    ] as const) {
      const bytes = placement.make(secret);
      const path = pathOf(placement, bytes);
      const found = strict.check(bytes, path);
      expect(found.map((one) => one.kind)).toContain(kind);
      expect(found.every((one) => one.record.startsWith(path))).toBe(true);
      expect(JSON.stringify(found)).not.toContain(secret.slice(4));
    }
  });

  const packed = (): Buffer => gzipSync(`the token: ${token()}`);
  test.each<[string, Buffer, string]>([
    ['compressed, beside the session', packed(), 'remark.gz'],
    ['compressed, in place of records', packed(), SEGMENT],
    ['compressed, under the hash of something else', packed(), `attachments/ab/${'ab'.repeat(32)}`],
    ['text with NULs', Buffer.from('a\0b'), 'session.json'],
    ['a line that is no record', Buffer.from('{"a":1}\n{"a":1'), SEGMENT],
    ['a file that is no JSON', Buffer.from('{"a":1}}'), 'files.json'],
    ['a commit with a NUL', Buffer.from('tree x\n\nrelay: \0'), ''],
    ['a tree with something behind it', Buffer.concat([Buffer.from('100644 a\0'), randomBytes(20), Buffer.from('\0x')]), ''],
  ])('is refused where nobody can tell what it says: %s', (_what, bytes, path) => {
    expect(kinds(bytes, path)).toEqual(['error']);
  });

  test('finds nothing in random bytes, and all that can be read among them', () => {
    const noise = randomBytes(3_000_000);
    const path = pathOf({ what: '', make: () => noise }, noise);
    expect(kinds(noise, path)).toEqual([]);
    for (const [secret, kind] of [
      [token(), 'gh'],
      [`DB_PASSWORD=${sample('Wq7{an12}')}`, 'pw'],
      [value, 'known'],
    ] as const) {
      const bytes = Buffer.concat([noise.subarray(0, 5000), Buffer.from(`\0${secret}\0`), noise.subarray(5000, 9000)]);
      expect(kinds(bytes, pathOf({ what: '', make: () => bytes }, bytes), strict)).toContain(kind);
    }
    const text = Buffer.from(`na\xefve password=${sample('Wq7{an6}\xe9{an6}')} end`, 'latin1');
    expect(kinds(text, pathOf({ what: '', make: () => text }, text))).toEqual(['pw']);
  });

  test('leaves all that it does write alone', () => {
    const bytes = packed();
    const entry = (name: string, id: number) => Buffer.concat([Buffer.from(`100644 ${name}\0`), randomBytes(id)]);
    for (const [one, path] of [
      [bytes, `attachments/${attachmentId(bytes).slice(0, 2)}/${attachmentId(bytes)}`],
      [Buffer.concat([entry('a', 20), entry('b', 20)]), ''],
      [Buffer.concat([entry('a', 32), entry('b', 32)]), ''],
      [Buffer.alloc(0), ''],
      [Buffer.from('{"a":1}\n{"b":2}\n'), SEGMENT],
    ] as const)
      expect(kinds(one, path)).toEqual([]);
  });
});

describe('an attachment', () => {
  const slots: Slots = (path) => (path.join('/') === 'message/content/0/signature' ? 'kept' : undefined);
  const sealed = () => Buffer.from(`${token()}${sample('{an60}')}`);
  const id = (bytes: Buffer): string => attachmentId(bytes);
  const record = (pointer: string, bytes: Buffer): Buffer => {
    const native = { message: { content: [{ signature: '', text: '' }] } };
    return Buffer.from(JSON.stringify({ type: 'event', data: { text: '' }, native, attached: [[pointer, id(bytes), 'utf8']] }));
  };
  const checked = (pointers: string[], one = createGate({ key, slots }), bytes = sealed()): string[] => {
    for (const pointer of pointers) expect(kinds(record(pointer, bytes), SEGMENT, one)).toEqual([]);
    return kinds(bytes, `attachments/${id(bytes).slice(0, 2)}/${id(bytes)}`, one);
  };

  test('that is a long signature of a record passes', () => expect(checked(['/native/message/content/0/signature'])).toEqual([]));
  test('that is content does not', () => expect(checked(['/native/message/content/0/text'])).toEqual(['gh']));
  test('that is content too does not', () => expect(checked(['/native/message/content/0/signature', '/data/text'])).toEqual(['gh']));
  test('that no record refers to does not', () => expect(checked([])).toEqual(['gh']));
  test('with a known value does not', () => {
    const bytes = sealed();
    const known = [{ value: bytes.toString().slice(40), kind: 'known' }];
    expect(checked(['/native/message/content/0/signature'], createGate({ key, slots, known }), bytes)).toContain('known');
  });
});
