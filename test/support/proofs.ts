import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Input, Prove } from '../prove/world.ts';
import type { Agent } from './layout.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** A genuine session of each agent, small enough to play everything on. */
export const SAMPLES: Input[] = [
  { agent: 'claude-code', path: at('../../demo/session.jsonl') },
  { agent: 'codex', path: at('../fixtures/codex/exec-unicode-resumed.jsonl') },
];

/** Plays a proof and fails with every verdict that did not hold. */
export async function holds(prove: Prove, input: Input, to?: Agent): Promise<void> {
  const failures: string[] = [];
  let verdicts = 0;
  await prove(input, {
    to: to ?? (input.agent === 'codex' ? 'claude-code' : 'codex'),
    keep: false,
    note: () => {},
    timed: () => {},
    check: (ok, what, detail) => {
      verdicts++;
      if (!ok) failures.push(detail ? `${what}\n${detail}` : what);
    },
  });
  expect(failures).toEqual([]);
  expect(verdicts).toBeGreaterThan(0);
}
