import { readFileSync, writeFileSync } from 'node:fs';
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
  for (const to of AGENTS) spoiled(to);
});

function direction(from: Agent, to: Agent, route: 'git' | 'local'): void {
  describe(`${from} to ${to}, ${route === 'git' ? 'pushed and pulled' : 'without Git'}`, () => {
    const all = fixtures(from).filter(({ name }) => route === 'git' || !(name in NOT_LOCALLY));
    const arrived = new Map<string, Carried | Error>();
    const listed = new Map<string, Verdict>();
    const resumed = new Map<string, Verdict>();
    const shown = new Map<string, Verdict>();
    let stage: Stage;

    beforeAll(async () => {
      stage = await openStage(to, route);
      await pooled(all, 2, async (fixture) => arrived.set(fixture.name, await stage.carry(fixture).catch((error: Error) => error)));
      const carried = [...arrived].flatMap(([name, what]) => (what instanceof Error ? [] : [{ name, what }]));
      const verdicts = await stage.listed(carried.map(({ what }) => what));
      for (const [index, { name }] of carried.entries()) listed.set(name, verdicts[index] as Verdict);
      await pooled(carried, 2, async ({ name, what }) => {
        resumed.set(name, await stage.resumed(what));
        shown.set(name, await stage.shown(what));
      });
    });
    afterAll(async () => {
      await stage.close();
    });

    const holds = (name: string, verdict: Verdict | undefined): void => {
      const arrival = arrived.get(name);
      if (arrival instanceof Error) throw arrival;
      if (verdict?.ok !== true) expect.fail(verdict?.detail ?? 'no verdict');
    };
    it.each(all)('$name: is listed under its title', ({ name }) => holds(name, listed.get(name)));
    it.each(all)('$name: the resumed request holds the whole conversation', ({ name }) => holds(name, resumed.get(name)));
    it.each(all)('$name: its text and tool output are shown', ({ name }) => holds(name, shown.get(name)));
  });
}

/** The control: the same checks, on an import in which one answer of the assistant is another and the title is lost. */
function spoiled(to: Agent): void {
  it(`a spoiled import into ${to} is noticed`, async () => {
    const from = AGENTS.find((agent) => agent !== to) as Agent;
    const fixture = fixtures(from).find(({ name }) => name.includes('tools')) as Fixture;
    const stage = await openStage(to, 'local');
    try {
      const carried = await stage.carry(fixture);
      const answer = carried.expected.findLast((item) => item.kind === 'text' && item.role === 'assistant') as { text: string };
      const file = readFileSync(carried.imported.path, 'utf8');
      expect(file).toContain(answer.text);
      writeFileSync(carried.imported.path, file.replaceAll(answer.text, 'What nobody said.'));
      const [listed] = await stage.listed([{ ...carried, imported: { ...carried.imported, title: 'A title of another session' } }]);
      expect(listed?.ok).toBe(false);
      const resumed = await stage.resumed(carried);
      expect(resumed.detail).toContain(`missing: assistant text ${JSON.stringify(answer.text)}`);
      expect(resumed.detail).toContain('unexpected: assistant text "What nobody said."');
      expect((await stage.shown(carried)).ok).toBe(false);
    } finally {
      await stage.close();
    }
  });
}
