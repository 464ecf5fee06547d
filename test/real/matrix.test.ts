import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Carried, openStage, type Stage, type Verdict } from '../support/fidelity.ts';
import { type Fixture, fixtures } from '../support/fixtures.ts';
import type { Agent } from '../support/layout.ts';
import { requires } from '../support/requires.ts';
import { pooled } from '../support/scratch.ts';

const AGENTS: Agent[] = ['claude-code', 'codex'];

/** Recordings that cannot go this way, and why. */
const NOT_LOCALLY: Record<string, string> = {
  'exec-killed-before-resume': 'an earlier state of the thread exec-killed-resumed: one home holds one of them',
  'paginated-reverted.base': 'the first part of the thread paginated-reverted.segment: one home holds one state of it',
};

requires(
  'tmux',
  'claude-code',
  'codex',
)('every recorded session goes over to every agent', () => {
  for (const from of AGENTS) for (const to of AGENTS) for (const route of ['git', 'local'] as const) direction(from, to, route);
});

function direction(from: Agent, to: Agent, route: 'git' | 'local'): void {
  describe(`${from} to ${to}, ${route === 'git' ? 'pushed and pulled' : 'without Git'}`, () => {
    const all = fixtures(from).filter(({ name }) => route === 'git' || !(name in NOT_LOCALLY));
    const results = new Map<string, Carried | Error>();
    const listed = new Map<string, Verdict>();
    let stage: Stage;

    beforeAll(async () => {
      stage = await openStage(to, route);
      await pooled(all, 2, async (fixture) => results.set(fixture.name, await stage.carry(fixture).catch((error: Error) => error)));
      const arrived = all.filter((fixture) => !(results.get(fixture.name) instanceof Error));
      const verdicts = await stage.listed(arrived.map((fixture) => results.get(fixture.name) as Carried));
      for (const [index, { name }] of arrived.entries()) listed.set(name, verdicts[index] as Verdict);
    });
    afterAll(async () => {
      await stage.close();
    });

    const carried = ({ name }: Fixture): Carried => {
      const result = results.get(name);
      if (result instanceof Error) throw result;
      return result as Carried;
    };
    it.each(all)('$name: the resumed request holds the whole conversation', (fixture) => {
      good(carried(fixture).request);
    });
    it.each(all)('$name: is listed under its title', (fixture) => {
      carried(fixture);
      good(listed.get(fixture.name));
    });
    it.each(all)('$name: is shown', async (fixture) => {
      good(await stage.shown(carried(fixture)));
    });
  });
}

/** Fails with what the verdict says, in full. */
function good(verdict: Verdict | undefined): void {
  if (verdict?.ok !== true) expect.fail(verdict?.detail ?? 'no verdict');
}
