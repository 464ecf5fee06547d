import { describe, it } from 'vitest';
import { proveAtOnce } from '../prove/cases/slots.ts';
import { fixtures } from '../support/fixtures.ts';
import type { Agent } from '../support/layout.ts';
import { holds } from '../support/proofs.ts';
import { requires } from '../support/requires.ts';

const AGENTS: Agent[] = ['claude-code', 'codex'];

requires('claude-code', 'codex')('a secret in every string of a session that is no id, role, type or time', () => {
  // Each session into one agent, in turn; the proof `slots` takes any session into any.
  describe.each(AGENTS)('%s', (from) => {
    it.each(fixtures(from).map((fixture, i) => ({ name: fixture.name, fixture, to: AGENTS[i % AGENTS.length] as Agent })))(
      '$name to $to: is taken out, and the real client resumes the session',
      ({ fixture, to }) => holds(proveAtOnce, fixture, to),
    );
  });
});
