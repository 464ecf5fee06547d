import { describe, it } from 'vitest';
import { proveAtOnce } from '../prove/cases/slots.ts';
import { fixtures } from '../support/fixtures.ts';
import type { Agent } from '../support/layout.ts';
import { holds } from '../support/proofs.ts';
import { requires } from '../support/requires.ts';

const AGENTS: Agent[] = ['claude-code', 'codex'];

requires('claude-code', 'codex')('a secret in every string of a session that is no id, role, type or time', () => {
  for (const from of AGENTS)
    describe.each(AGENTS)(`${from} to %s`, (to) => {
      it.each(fixtures(from))('$name: is taken out, and the real client resumes the session', (fixture) => holds(proveAtOnce, fixture, to));
    });
});
