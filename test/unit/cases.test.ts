import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const rows = [...read('docs/cases.md').matchAll(/^\| ([A-FX]\d+) \| (.*) \| (.*) \|$/gm)].map(([, id = '', , shown = '']) => ({ id, shown }));

describe('docs/cases.md', () => {
  it('names a case once', () => {
    expect(rows.length).toBeGreaterThan(50);
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
  });

  it.each(rows)('$id: its tests are there, or the limitation is written down', ({ id, shown }) => {
    const tests = [...shown.matchAll(/`(test\/[^`]+)`(?: "([^"]+)")?/g)];
    for (const [, path = '', title] of tests) {
      expect(existsSync(join(root, path)), path).toBe(true);
      if (title) expect(read(path), path).toContain(title);
    }
    const limited = /limitation/.test(shown);
    if (limited) expect(read('docs/limitations.md')).toContain(`(${id})`);
    expect(tests.length > 0 || limited).toBe(true);
  });
});
