import { describe, expect, it } from 'vitest';
import { edges } from '../prove/cases/edge.ts';
import { fixtures } from '../support/fixtures.ts';

// What the real clients make of them is proven by npm run prove.
describe.concurrent('odd sessions are pushed, read and imported whole, or refused in words', () => {
  it.each(['claude-code', 'codex'] as const)('of %s', async (agent) => {
    const [input] = fixtures(agent);
    if (!input) throw new Error(`no fixture of ${agent}`);
    const failed: string[] = [];
    let count = 0;
    await edges(
      input,
      {
        to: agent === 'codex' ? 'claude-code' : 'codex',
        keep: false,
        note: () => {},
        check(ok, what, detail) {
          count++;
          if (!ok) failed.push(`${what}\n${detail ?? ''}`);
        },
      },
      { resume: false },
    );
    expect(failed).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });
});
