import { describe, expect, it } from 'vitest';
import { render } from '#context/brief/render.ts';
import { ROOM } from '#context/brief/room.ts';
import type { Brief, FilePoint, Point } from '#context/brief/value.ts';

const point = (text: string, n: number, origin: Point['origin'] = 'user'): Point => ({ text, cites: [`#${n}`], origin, mark: '' });
const file = (path: string, state: FilePoint['state']): FilePoint => ({ ...point(`${path}: ${state}`, 1, 'operation'), path, state });
const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

const brief = (parts: Partial<Brief>): Brief => ({
  source: { agent: 'Codex', session: 's', cwd: '/p', last: '' },
  requests: [],
  decisions: [],
  rejected: [],
  files: [],
  errors: [],
  state: [],
  pending: [],
  next: [],
  questions: [],
  limitations: [],
  corrections: [],
  checks: [],
  ...parts,
});
const document = (parts: Partial<Brief>): string => render(brief(parts), { status: 'draft' });

describe('a brief that is too long', () => {
  const long = 'und so weiter '.repeat(40);
  const binds = many(100, (n) => point(`Never touch table ${n}. ${'x'.repeat(300)}`, n));
  const whole = {
    requests: many(3000, (n) => point(`Request ${n}: ${long}`, n)),
    decisions: [...binds, ...many(200, (n) => point(`Measured ${n} ms. ${long}`, n, 'assistant'))],
    files: [...many(500, (n) => file(`src/changed-${n}.ts`, 'changed')), ...many(200, (n) => file(`src/read-${n}.ts`, 'read'))],
    errors: many(400, (n) => point(`error ${n} ${long}`, n, 'operation')),
  };

  it('gets room by what tells the way, and keeps all that binds', () => {
    const text = document(whole);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(ROOM);
    for (const { text: bound } of binds) expect(text).toContain(bound);
    expect(text).toContain(whole.requests[0]?.text);
    expect(text).toContain(whole.requests.at(-1)?.text);
    expect(text).toContain('2990 requests between these are left out here');
    expect(text).toContain('390 earlier errors are left out here');
    expect(text).toContain('190 earlier findings are left out here');
    expect(text).toContain('200 files that were only read are left out here');
    expect(text).toContain('error 399 ');
    expect(text).not.toContain('error 389 ');
  });

  it('loses no more than it must', () => {
    const text = document({ requests: whole.requests.slice(0, 20), files: many(2000, (n) => file(`src/some/folder/read-${n}.ts`, 'read')) });
    expect(text).toContain('2000 files that were only read are left out here');
    expect(text).toContain(whole.requests[10]?.text);
  });

  it('cuts nothing of what binds, however much there is', () => {
    const bound = many(400, (n) => point(`Never ${n}: ${'y'.repeat(300)}`, n));
    const text = document({ decisions: bound });
    for (const { text: one } of bound) expect(text).toContain(one);
  });
});
