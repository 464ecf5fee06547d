import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesToText, textToBytes } from '#lib/bytes.ts';
import { createRedactor, pathMap } from '#redact/index.ts';
import { attachmentId } from '#session/codec.ts';

test('any bytes come back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (some) => textToBytes(bytesToText(Buffer.from(some))).equals(Buffer.from(some))),
    { numRuns: 3000 },
  );
  for (const odd of ['ed a0 80', 'f4 90 80 80', 'c0 80', 'e4 bc', 'ef bb bf 61', 'f0 9f 98 80 ff', '80', 'f0 9f 98 ed b2 80']) {
    const bytes = Buffer.from(odd.replaceAll(' ', ''), 'hex');
    expect(textToBytes(bytesToText(bytes)).equals(bytes), odd).toBe(true);
  }
});

test('valid text is itself, a byte that belongs to none is a lone surrogate', () => {
  expect(bytesToText(Buffer.from('会😀'))).toBe('会😀');
  expect(bytesToText(Buffer.concat([Buffer.from('会'), Buffer.of(0xff), Buffer.from('x')]))).toBe('会\udcffx');
});

test('folders in bytes that are no UTF-8 are mapped and put back, whatever their letters', () => {
  const ann = pathMap({ home: '/home/änn', roots: [{ token: 'PROJECT', path: '/home/änn/工作' }] });
  const bob = pathMap({ home: '/home/bob', roots: [{ token: 'PROJECT', path: '/data/项目' }] });
  const redactor = createRedactor({ key: Buffer.alloc(32), known: [], paths: ann });
  const bytes = Buffer.concat([Buffer.from('{"cwd":"/home/änn/工作/src","x":"'), Buffer.of(0xff, 0xe4), Buffer.from('"}')]);
  const stored = redactor.bytes(bytes, 'main 0');
  expect(stored.includes('${PROJECT}/src')).toBe(true);
  const raw = () => ({ type: 'raw', base64: stored.toString('base64') }) as const;
  const back = ann.decodeRecord(raw());
  expect(Buffer.from((back as { base64: string }).base64, 'base64').equals(bytes)).toBe(true);
  const there = Buffer.from((bob.decodeRecord(raw()) as { base64: string }).base64, 'base64');
  expect(there.includes('/data/项目/src')).toBe(true);
  expect(attachmentId(there)).not.toBe(attachmentId(bytes));
});
