import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { ImportJson, PushJson } from '../prove/world.ts';
import { growTurns } from '../support/grow.ts';
import { type Lab, lab } from '../support/lab.ts';
import type { Agent } from '../support/layout.ts';
import { conversationAt, goOn, makeSession, spoken } from '../support/made.ts';

/** Sessions that come home, and sessions imported once more. */
let l: Lab;
afterEach(() => l?.done());

const prompts = (texts: string[]): string[] => texts.filter((text) => /^Turn \d+: please/.test(text)).map((text) => text.slice(0, 40));
const both: [Agent, Agent][] = [
  ['claude-code', 'codex'],
  ['codex', 'claude-code'],
];

describe.each(both)('%s to %s and back', (home, away) => {
  it('X26 only what was said in the other agent is added; the history is the session’s own, line by line', async () => {
    l = lab();
    const ann = l.person('ann');
    const cwd = l.project(ann, 'proj', l.bare('team'));
    const source = makeSession(home, ann.home, cwd);
    const before = readFileSync(source.path, 'utf8');
    const there = await l.json<ImportJson>(ann, cwd, 'import', `${home}:${source.id}`, '--to', away);
    goOn(there, 5, 1);
    const back = await l.json<ImportJson>(ann, cwd, 'import', `${away}:${there.session}`, '--to', home);
    expect(readFileSync(source.path, 'utf8')).toBe(before);
    const made = readFileSync(back.path, 'utf8');
    expect(made.startsWith(before.replaceAll(source.id, back.session))).toBe(true);
    const said = spoken(await conversationAt(home, back.path));
    const was = spoken(await conversationAt(home, source.path));
    expect(said.slice(0, was.length)).toEqual(was);
    const since = spoken(await conversationAt(away, there.path)).slice(-(said.length - was.length));
    expect(said.slice(was.length)).toEqual(since);
    expect(prompts(said)).toHaveLength(8);
    // And once more: the way out and back again adds what is new each time.
    goOn(back, 2, 2);
    const again = await l.json<ImportJson>(ann, cwd, 'import', `${home}:${back.session}`, '--to', away);
    expect(prompts(spoken(await conversationAt(away, again.path)))).toEqual(prompts(spoken(await conversationAt(home, back.path))));
    const third = spoken(await conversationAt(away, again.path));
    expect(prompts(third)).toHaveLength(10);
    expect(readFileSync(again.path, 'utf8').startsWith(readFileSync(there.path, 'utf8').replaceAll(there.session, again.session))).toBe(true);
  });

  it('X26 through a teammate: what she added comes back on top of the pushed history', async () => {
    l = lab();
    const [ann, bob] = [l.person('ann'), l.person('bob')];
    const remote = l.bare('team');
    const [annProject, bobProject] = [l.project(ann, 'ann/proj', remote), l.clone(bob, 'bob/checkout', remote)];
    const source = makeSession(home, ann.home, annProject);
    const pushed = await l.json<PushJson>(ann, annProject, 'push', `${home}:${source.id}`);
    await l.json(bob, bobProject, 'pull');
    const there = await l.json<ImportJson>(bob, bobProject, 'import', pushed.handoffs[0]?.handoff ?? '', '--to', away);
    goOn(there, 2, 1);
    const forth = await l.json<PushJson>(bob, bobProject, 'push', `${away}:${there.session}`);
    await l.json(ann, annProject, 'pull');
    const back = await l.json<ImportJson>(ann, annProject, 'import', forth.handoffs[0]?.handoff ?? '', '--to', home);
    expect(readFileSync(back.path, 'utf8').startsWith(readFileSync(source.path, 'utf8').replaceAll(source.id, back.session))).toBe(true);
    const [was, said] = [spoken(await conversationAt(home, source.path)), spoken(await conversationAt(home, back.path))];
    expect(said.slice(0, was.length)).toEqual(was);
    expect(prompts(said)).toHaveLength(5);
  });

  it('X26 a source that went on by itself is not mixed up: the other session is imported whole', async () => {
    l = lab();
    const ann = l.person('ann');
    const cwd = l.project(ann, 'proj', l.bare('team'));
    const source = makeSession(home, ann.home, cwd);
    const there = await l.json<ImportJson>(ann, cwd, 'import', `${home}:${source.id}`, '--to', away);
    goOn(there, 1, 1);
    growTurns(source, 1, 9);
    const back = await l.json<ImportJson>(ann, cwd, 'import', `${away}:${there.session}`, '--to', home);
    expect(prompts(spoken(await conversationAt(home, back.path)))).toEqual(prompts(spoken(await conversationAt(away, there.path))));
  });

  it('X27 the same content is “already imported”, grown content becomes a new session, none is overwritten', async () => {
    l = lab();
    const ann = l.person('ann');
    const cwd = l.project(ann, 'proj', l.bare('team'));
    const source = makeSession(home, ann.home, cwd);
    const name = `${home}:${source.id}`;
    const first = await l.json<ImportJson>(ann, cwd, 'import', name, '--to', away);
    const written = readFileSync(first.path);
    const twice = await l.json<ImportJson & { already?: boolean; notes: string[] }>(ann, cwd, 'import', name, '--to', away);
    expect(twice).toMatchObject({ already: true, session: first.session, path: first.path });
    expect(twice.notes.join()).toContain(`imported already, as ${away}:${first.session}`);
    growTurns(source, 1, 1);
    const grown = await l.json<ImportJson & { already?: boolean }>(ann, cwd, 'import', name, '--to', away);
    expect(grown.already).toBeUndefined();
    expect(grown.session).not.toBe(first.session);
    expect(prompts(spoken(await conversationAt(away, grown.path)))).toHaveLength(4);
    expect(readFileSync(first.path).equals(written)).toBe(true);
  });
});

describe.each(both)('%s to %s and back, larger than the window', (home, away) => {
  it('X26 everything is in the file; the model gets a checkpoint, the first request and what was said last', async () => {
    l = lab();
    const ann = l.person('ann');
    const cwd = l.project(ann, 'proj', l.bare('team'));
    const source = makeSession(home, ann.home, cwd, { turns: 200, resultSize: 9000 });
    const there = await l.json<ImportJson>(ann, cwd, 'import', `${home}:${source.id}`, '--to', away);
    goOn(there, 2, 1);
    const back = await l.json<ImportJson>(ann, cwd, 'import', `${away}:${there.session}`, '--to', home);
    expect(readFileSync(back.path, 'utf8').startsWith(readFileSync(source.path, 'utf8').replaceAll(source.id, back.session))).toBe(true);
    const { entries, view } = await conversationAt(home, back.path);
    expect(back.loss.map((row) => row.kind)).toEqual(expect.arrayContaining(['continued', 'checkpoint']));
    const whole = prompts(spoken({ entries, view, sealed: false, abandoned: 0 }));
    expect(new Set(whole).size).toBe(202);
    const seen = prompts(spoken({ entries: view, view, sealed: false, abandoned: 0 }));
    expect(seen[0]).toBe(whole[0]);
    expect(seen.slice(-2)).toEqual(prompts(spoken(await conversationAt(away, there.path))).slice(-2));
    expect(seen.length).toBeLessThan(200);
  });
});
