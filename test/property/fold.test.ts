import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attach, attachmentId, decodeRecord, encodeRecord, nativeValue, parseLine, sourceLine, toRecord } from '#session/codec.ts';
import { fold, unfold } from '#session/fold.ts';
import type { Draft, SessionRecord } from '#session/record.ts';
import { anyDraft, oddLine } from '../support/odd-lines.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url));

/** From a line's bytes to a stored line, attachments and back. */
async function roundTrip(bytes: Buffer, draft: (value: never) => Draft): Promise<{ back: Buffer; stored: string; kind: string }> {
  const parsed = parseLine(bytes);
  const record: SessionRecord = 'line' in parsed ? toRecord(draft(parsed.line.value as never), parsed.line) : { type: 'raw', ...parsed };
  const store = new Map<string, Buffer>();
  const stored = encodeRecord(record, (content) => {
    const id = attachmentId(content);
    store.set(id, content);
    return id;
  });
  expect(stored).not.toContain('\n');
  const read = await attach(decodeRecord(stored, 'main record 0'), async (id) => store.get(id) as Buffer);
  const line = sourceLine(read);
  if ('line' in parsed && parsed.line.exact) expect(JSON.stringify(nativeValue(read))).toBe(parsed.line.text);
  return { back: Buffer.from(line as string), stored, kind: 'line' in parsed ? (parsed.line.exact ? 'exact' : 'text') : 'raw' };
}

test('1,000 odd lines come back from the store byte for byte', async () => {
  const kinds: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(oddLine, fc.nat(100), async (bytes, pick) => {
      const { back, kind } = await roundTrip(bytes, (value) => anyDraft(value, pick));
      kinds[kind] = (kinds[kind] ?? 0) + 1;
      expect(back.equals(bytes)).toBe(true);
    }),
    { numRuns: 1000 },
  );
  for (const kind of ['exact', 'text', 'raw']) expect(kinds[kind]).toBeGreaterThan(20);
});

test('folding changes neither the record nor the line, and unfolds to the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false } as never), fc.nat(100), (value, pick) => {
      const native = JSON.parse(JSON.stringify({ a: value, '=': ['=', value], __proto__x: value }));
      const draft = anyDraft(native, pick);
      const before = JSON.stringify([native, draft]);
      const folded = JSON.parse(JSON.stringify(fold(native, draft)));
      expect(JSON.stringify([native, draft])).toBe(before);
      expect(JSON.stringify(unfold(folded, JSON.parse(JSON.stringify(draft))))).toBe(JSON.stringify(native));
    }),
    { numRuns: 500 },
  );
});

const lines = (folder: string): { name: string; bytes: Buffer }[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.jsonl'))
        .sort()
        .flatMap((name) => splitLines(readFileSync(join(folder, name))).map((bytes, i) => ({ name: `${name}:${i + 1}`, bytes })))
    : [];

function splitLines(file: Buffer): Buffer[] {
  const out: Buffer[] = [];
  let from = 0;
  for (let at = file.indexOf(10); at >= 0; at = file.indexOf(10, from)) {
    out.push(file.subarray(from, at));
    from = at + 1;
  }
  if (from < file.length) out.push(file.subarray(from));
  return out;
}

test('every line of the recorded sessions comes back byte for byte, whatever is made of it', async () => {
  const all = lines(FIXTURES);
  expect(all.length).toBeGreaterThan(500);
  for (const { name, bytes } of all)
    for (const pick of [0, 1, 2, 3]) expect((await roundTrip(bytes, (value) => anyDraft(value, pick))).back.equals(bytes), name).toBe(true);
});
