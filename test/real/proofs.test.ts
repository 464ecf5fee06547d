import { describe, it } from 'vitest';
import { prove as drift } from '../prove/cases/drift.ts';
import { prove as local } from '../prove/cases/local.ts';
import { holds, SAMPLES } from '../support/proofs.ts';
import { requires } from '../support/requires.ts';

requires(
  'strace',
  'tmux',
  'claude-code',
  'codex',
)('what the real clients show', () => {
  describe.each(SAMPLES)('a session of $agent', (input) => {
    it('tells the model how the files differ', () => holds(drift, input));
    it('is imported without Git and without any connection', () => holds(local, input));
  });
});
