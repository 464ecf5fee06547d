import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Input, Prove, Prover } from '../prove/world.ts';
import type { Agent } from './layout.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** A genuine session of each agent, small enough to play everything on. */
export const SAMPLES: Input[] = [
  { agent: 'claude-code', path: at('../../demo/session.jsonl') },
  { agent: 'codex', path: at('../fixtures/codex/exec-unicode-resumed.jsonl') },
];

/** Runs a proof; answers what failed, and how many verdicts there were. */
export async function verdicts(run: (prover: Prover) => Promise<void>, to: Agent): Promise<{ failed: string[]; count: number }> {
  const failed: string[] = [];
  let count = 0;
  await run({
    to,
    keep: false,
    note: () => {},
    timed: () => {},
    check(ok, what, detail) {
      count++;
      if (!ok) failed.push(detail ? `${what}\n${detail}` : what);
    },
  });
  return { failed, count };
}

/** Plays a proof and fails with every verdict that did not hold. */
export async function holds(prove: Prove, input: Input, to: Agent = input.agent === 'codex' ? 'claude-code' : 'codex'): Promise<void> {
  const { failed, count } = await verdicts((prover) => prove(input, prover), to);
  expect(failed).toEqual([]);
  expect(count).toBeGreaterThan(0);
}
