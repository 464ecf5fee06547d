import { describe, expect, it } from 'vitest';
import { edges } from '../prove/cases/edge.ts';
import { fixtures } from '../support/fixtures.ts';
import { verdicts } from '../support/proofs.ts';

// What the real clients make of them is proven by npm run prove.
describe.concurrent('odd sessions are pushed, read and imported whole, or refused in words', () => {
  it.each(['claude-code', 'codex'] as const)('of %s', async (agent) => {
    const [input] = fixtures(agent);
    if (!input) throw new Error(`no fixture of ${agent}`);
    const to = agent === 'codex' ? 'claude-code' : 'codex';
    const { failed, count } = await verdicts((prover) => edges(input, prover, { resume: false }), to);
    expect(failed).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });
});
