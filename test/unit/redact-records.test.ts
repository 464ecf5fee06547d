import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/json.ts';
import { createRedactor, pathMap } from '#redact/index.ts';
import type { Slots } from '#session/slot.ts';
import { pem, sample, survives } from '../support/samples.ts';

const key = randomBytes(32);
const never = () => undefined;
const redact = (value: unknown, options = {}) =>
  createRedactor({ key, ...options }).record(value as JsonObject, 'main 0', never) as unknown as Record<string, never>;
const token = () => sample('ghp_{an36}');
const password = () => sample('Wq7{an12}');
const PLACEHOLDER = /^\[REDACTED:[a-z0-9]+:[0-9a-f]{8}\]$/;

describe('record', () => {
  test('gives the same reference when there is nothing to do', () => {
    const value = { a: [{ b: 'x' }], n: 1.5, deep: { none: null } };
    expect(redact(value)).toBe(value);
  });

  test('copies only what changes, and leaves the source as it was', () => {
    const value = { keep: { a: 1 }, list: ['x', `push with ${token()}`] };
    const before = structuredClone(value);
    const out = redact(value) as unknown as typeof value;
    expect(value).toEqual(before);
    expect(out).not.toBe(value);
    expect(out.keep).toBe(value.keep);
    expect(out.list[1]).toMatch(/^push with \[REDACTED:gh:[0-9a-f]{8}\]$/);
  });

  test('equal values have equal placeholders within a clone, others elsewhere', () => {
    const value = token();
    const out = redact({ a: value, b: `again ${value}` });
    expect(out.a).toMatch(PLACEHOLDER);
    expect(out.b).toBe(`again ${out.a}`);
    expect(createRedactor({ key: randomBytes(32) }).text(value, 'x')).not.toBe(out.a);
  });

  test('takes the key above a value as its name, through lists, siblings and options', () => {
    const secrets = Array.from({ length: 5 }, password);
    const out = JSON.stringify(
      redact({
        password: secrets[0],
        passwords: [secrets[1]],
        env: [{ name: 'DB_PASSWORD', value: secrets[2] }],
        args: ['--password', secrets[3]],
        client_secret: { value: secrets[4] },
        title: 'a4f2c9d81e7b4c60',
      }),
    );
    for (const one of secrets) expect(survives(one, out)).toBe(false);
    expect(out).toContain('a4f2c9d81e7b4c60');
  });

  test('a number under the name of a password goes too, and counts do not', () => {
    expect(redact({ password: 12345678, max_tokens: 12345678 })).toEqual({ password: expect.stringMatching(PLACEHOLDER), max_tokens: 12345678 });
  });

  test('finds secrets in JSON in JSON in JSON and keeps each level valid', () => {
    const secret = password();
    const inner = JSON.stringify({ n: 1, output: JSON.stringify({ password: secret, ok: true }) });
    const out = JSON.parse(JSON.parse(String(redact({ arguments: inner }).arguments)).output);
    expect(out).toEqual({ password: expect.stringMatching(PLACEHOLDER), ok: true });
  });

  test('sees both of two equal keys in nested JSON, and keeps all but the secret as it was written', () => {
    const secret = token();
    const nested = `{ "a": "${secret}", "a":"x", "n": 1.0, "u": "\\u0041" }`;
    expect(redact({ nested }).nested).toMatch(/^\{ "a": "\[REDACTED:gh:[0-9a-f]{8}\]", "a":"x", "n": 1\.0, "u": "\\u0041" \}$/);
  });

  test('redacts object keys, without losing one to another', () => {
    const [a, b] = [token(), token()];
    const out = redact({ tokens: { [a]: 1, [b]: 2, plain: 3 } }) as unknown as { tokens: Record<string, number> };
    expect(Object.values(out.tokens)).toEqual([1, 2, 3]);
    expect(survives(a, JSON.stringify(out))).toBe(false);
  });

  test('keeps __proto__ as a key', () => {
    const out = redact(JSON.parse(`{"__proto__":{"password":"${password()}"},"a":1}`));
    expect(Object.keys(out)).toEqual(['__proto__', 'a']);
    expect(JSON.stringify(out)).toMatch(/^\{"__proto__":\{"password":"\[REDACTED:pw:[0-9a-f]{8}\]"\},"a":1\}$/);
  });

  test('reads what is nested 2,000 levels deep', () => {
    const secret = token();
    const text = `${'{"a":['.repeat(1000)}"${secret}"${']}'.repeat(1000)}`;
    const out = JSON.stringify(redact(JSON.parse(text)));
    expect(out).toContain('[REDACTED:gh:');
    expect(out.length - text.length).toBe('[REDACTED:gh:00000000]'.length - secret.length);
  });

  test('a value that was found once is taken out wherever it stands afterwards', () => {
    const redactor = createRedactor({ key });
    const secret = password();
    redactor.record({ text: `password=${secret}` }, 'main 0', never);
    expect(redactor.text(`${secret}.txt`, 'file')).toMatch(/^\[REDACTED:pw:[0-9a-f]{8}\]\.txt$/);
    expect(redactor.text(`feature/${secret}-x`, 'branch')).not.toContain(secret);
    expect(redactor.learned()).toEqual([{ value: secret, kind: 'pw', learned: true }]);
  });

  test("a word that was somebody's password is not taken out of every text", () => {
    const redactor = createRedactor({ key });
    expect(redactor.text('postgres://postgres:postgres@localhost/db', 'x')).toMatch(
      /^postgres:\/\/postgres:\[REDACTED:(?:url|db):[0-9a-f]{8}\]@localhost\/db$/,
    );
    expect(redactor.text('start postgres first', 'x')).toBe('start postgres first');
  });

  test('text in the bytes of a picture is overwritten, and the picture stays as long', () => {
    const secret = token();
    const png = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d', 'hex'), randomBytes(300), Buffer.from(`tEXtComment\0${secret}\0`), randomBytes(40)]);
    const out = redact({ source: { type: 'base64', media_type: 'image/png', data: png.toString('base64') } }) as unknown as { source: { data: string } };
    const bytes = Buffer.from(out.source.data, 'base64');
    expect(bytes.length).toBe(png.length);
    expect(survives(secret, bytes.toString('latin1'))).toBe(false);
    expect(bytes.subarray(0, 300)).toEqual(png.subarray(0, 300));
  });
});

describe('frozen places', () => {
  const frozen: Slots = (path) => (path[0] === 'signature' ? 'kept' : undefined);
  test('are left alone, and not counted', () => {
    const redactor = createRedactor({ key });
    const value = { signature: token() };
    expect(redactor.record(value, 'main 0', frozen)).toBe(value);
    expect(redactor.report().total).toBe(0);
  });

  test('a known value in one stops, without being named', () => {
    const secret = password();
    const redactor = createRedactor({ key, known: [{ value: secret, kind: 'known' }] });
    for (const run of [
      () => redactor.record({ signature: `ab ${secret}` }, 'main 3', frozen),
      () => redactor.line(`{"signature" : "ab ${secret}"}`, 'main 3', frozen),
    ]) {
      try {
        run();
        expect.unreachable();
      } catch (error) {
        expect(error).toMatchObject({ code: 'secret-left', message: expect.stringContaining('main 3') });
        expect(String(error)).not.toContain(secret);
      }
    }
  });
});

describe('lines and texts', () => {
  test('a line that does not serialise back changes only where the secret stood', () => {
    const secret = token();
    const line = `{"b": 1.0, "a":"say \\u00e9 ${secret}","a":2,"c":"\\u00e9"} `;
    expect(createRedactor({ key }).line(line, 'main 0', never)).toMatch(/^\{"b": 1\.0, "a":"say é \[REDACTED:gh:[0-9a-f]{8}\]","a":2,"c":"\\u00e9"\} $/);
  });

  test('secrets written with escapes are found', () => {
    const secret = token();
    const escaped = [...secret].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    expect(createRedactor({ key }).line(`{"a": "${escaped}"}`, 'main 0', never)).toMatch(/^\{"a": "\[REDACTED:gh:[0-9a-f]{8}\]"\}$/);
  });

  test('a byte order mark stays, and what is no JSON is text', () => {
    const redactor = createRedactor({ key });
    const secret = token();
    expect(redactor.line(`\ufeff{"a":"${secret}"}`, 'main 0', never)).toMatch(/^\ufeff\{"a":"\[REDACTED/);
    expect(redactor.line(`{"a":"${secret}`, 'main 1', never)).toMatch(/^\{"a":"\[REDACTED/);
    expect(redactor.text(`notes ${pem()} end`, 'x')).toMatch(/^notes \[REDACTED:pem:[0-9a-f]{8}\] end$/);
  });

  test('bytes that are no UTF-8 keep all but the secret', () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(` ${token()} `), Buffer.from([0x80])]);
    const out = createRedactor({ key }).bytes(bytes, 'x');
    expect(out.toString('latin1')).toMatch(/^\xff\xfe \[REDACTED:gh:[0-9a-f]{8}\] \x80$/);
  });

  test('known values go in any spelling', () => {
    const secret = `${sample('{an12}')}/+&"x`;
    const redactor = createRedactor({ key, known: [{ value: secret, kind: 'known' }] });
    for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret), `see ${secret}.`])
      expect(survives(secret.slice(0, 12), redactor.text(`a ${form} b`, 'x'))).toBe(false);
  });

  test('a short known value is not taken out of longer words', () => {
    const redactor = createRedactor({ key, known: [{ value: 'Tiger4you', kind: 'known' }] });
    expect(redactor.text('Tiger4yours', 'x')).toBe('Tiger4yours');
    expect(createRedactor({ key, known: ['', 'ab'].map((value) => ({ value, kind: 'known' })) }).text('abc', 'x')).toBe('abc');
    expect(redactor.text('"Tiger4you"', 'x')).toMatch(/^"\[REDACTED:known:/);
  });
});

describe('report', () => {
  test('counts places and names neither values nor what stands around them', () => {
    const redactor = createRedactor({ key });
    const [a, b] = [token(), password()];
    redactor.record({ x: { y: `${a} ${a}` } }, 'main 4', never);
    redactor.text(`password=${b}`, 'session.json', '/title');
    const report = redactor.report();
    expect(report.total).toBe(3);
    expect(report.byKind).toEqual({ gh: 2, pw: 1 });
    expect(report.findings).toEqual([
      { kind: 'gh', fingerprint: expect.stringMatching(/^[0-9a-f]{8}$/), record: 'main 4', path: '/x/y', count: 2 },
      { kind: 'pw', fingerprint: expect.stringMatching(/^[0-9a-f]{8}$/), record: 'session.json', path: '/title', count: 1 },
    ]);
    for (const one of [a, b]) expect(survives(one, JSON.stringify(report))).toBe(false);
  });

  test('paths are mapped along the way and count as nothing', () => {
    const redactor = createRedactor({ key, paths: pathMap({ home: '/home/ann', roots: [{ token: 'PROJECT', path: '/home/ann/proj' }] }) });
    const value = { cwd: '/home/ann/proj', nested: '{"p":"/home/ann/x","t":"${HOME}"}', '/home/ann/k.ts': 1 };
    expect(redactor.record(value, 'main 0', never)).toEqual({ cwd: '${PROJECT}', nested: '{"p":"${HOME}/x","t":"$${HOME}"}', '${HOME}/k.ts': 1 });
    expect(redactor.line('{"cwd" : "/home/ann/proj"}', 'main 1', never)).toBe('{"cwd" : "${PROJECT}"}');
    expect(redactor.report().total).toBe(0);
  });
});
