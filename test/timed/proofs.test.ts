import { it } from 'vitest';
import { prove as growth } from '../prove/cases/growth.ts';
import { prove as large } from '../prove/cases/large.ts';
import { holds, SAMPLES } from '../support/proofs.ts';
import { requires } from '../support/requires.ts';

const [claude, codex] = SAMPLES as [(typeof SAMPLES)[0], (typeof SAMPLES)[0]];

it('a session costs what is new when it grows in 40 steps', () => holds(growth, codex));

requires(
  'tmux',
  'claude-code',
  'codex',
)('with the real clients', () => {
  it('a session of 58 MB is pushed and imported within time and memory', () => holds(large, claude));
});
