import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createGate, createRedactor, type Layer } from '#redact/index.ts';
import { attachmentId } from '#session/codec.ts';
import type { Slots } from '#session/slot.ts';
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
    ['a line that is no JSON', () => `{"a":"${token()}`, SEGMENT],
    ['an attachment', () => `key:\n${pem()}`, 'attachments/aa/x'],
    ['bytes of an attachment', () => Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from(token())]), 'attachments/aa/x'],
    ['the manifest', () => JSON.stringify({ remote: `https://ci:${sample('{an20}')}@git.corp.dev/a.git` }), 'session.json'],
  ])('finds one in %s', (_where, make, path) => {
    expect(kinds(make() as Buffer, path)).toHaveLength(1);
  });

  test('placeholders and pointers of folded records are no secrets', () => {
    const redacted = createRedactor({ key }).text(`password=${sample('Wq7{an12}')}`, 'x');
    expect(kinds(JSON.stringify({ type: 'event', content: redacted, native: { password: '=1234567', text: '=o1' } }), SEGMENT)).toEqual([]);
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
