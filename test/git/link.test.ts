import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { editor, type LinkedClone, type LinkedTeam, linkedTeam } from '../support/linked.ts';

vi.setConfig({ testTimeout: 60_000 });

const ONE = 'claude-code:one';
const TWO = 'codex:two';
let team: LinkedTeam;
let ann: LinkedClone;
beforeEach(async () => {
  team = linkedTeam();
  ({ ann } = team);
  for (const session of [ONE, TWO]) await ann.snapshot(session);
});
afterEach(() => team.place.remove());

const lines = (name: string, count = 30): string => Array.from({ length: count }, (_, i) => `${name} line ${i}\n`).join('');
/** Records what happened, shares it, and looks from Ann's clone and from one that a teammate makes then, which has only what was pushed. */
async function everywhere(rev: string): Promise<string[][]> {
  await ann.drain();
  await ann.send();
  ann.git('push', '-q', '-f', 'origin', 'main');
  const commit = ann.git('rev-parse', rev);
  const bob = team.clone('bob');
  await bob.pull();
  expect(ann.git('log', '--all', '--format=%B')).not.toMatch(/Relay-/);
  return [await ann.behind(commit), await bob.behind(commit)];
}
const twice = (...answer: string[]): string[][] => [answer, answer];
/** Brings a branch over as one commit, and deletes it. */
function squash(branch: string): void {
  ann.git('checkout', '-q', 'main');
  ann.git('merge', '-q', '--squash', branch);
  ann.git('commit', '-q', '-m', 'All of it');
  ann.git('branch', '-q', '-D', branch);
}

describe('the session is found behind', () => {
  test('the commit that it made', async () => {
    ann.commit('work', { 'a.txt': lines('a') }, ONE);
    expect(await everywhere('main')).toEqual(twice('one commit'));
  });

  test('an amended commit, with another message and other content, again and again', async () => {
    ann.commit('work', { 'a.txt': lines('a') }, ONE);
    ann.git('commit', '-q', '--amend', '--no-edit');
    ann.git('commit', '-q', '--amend', '-m', 'other words');
    ann.write({ 'a.txt': lines('a', 31), 'b.txt': lines('b') });
    ann.git('add', '-A');
    ann.git('commit', '-q', '--amend', '-m', 'yet others');
    expect(await everywhere('main')).toEqual(twice('one rewrite'));
  });

  test('commits that were rebased in another order, squashed and fixed up', async () => {
    ann.git('checkout', '-q', '-b', 'work');
    ann.commit('first', { 'a.txt': lines('a') }, ONE);
    ann.commit('second', { 'b.txt': lines('b') }, TWO);
    ann.commit('third', { 'c.txt': lines('c') }, ONE);
    ann.commit('fourth', { 'd.txt': lines('d') }, TWO);
    const todo = editor(
      team.place,
      'todo',
      `{ sed -n 3p "$1"; sed -n 1p "$1"; sed -n 2p "$1" | sed 's/^pick/squash/'; sed -n 4p "$1" | sed 's/^pick/fixup/'; } > "$1.new" && mv "$1.new" "$1"`,
    );
    ann.git('-c', `sequence.editor=${todo}`, 'rebase', '-q', '-i', 'main');
    ann.git('checkout', '-q', 'main');
    ann.git('merge', '-q', '--ff-only', 'work');
    ann.git('branch', '-q', '-D', 'work');
    expect(ann.git('log', '--format=%s', 'origin/main..main').split('\n')).toEqual(['first', 'third']);
    expect(await everywhere('main')).toEqual(twice('one rewrite', 'two rewrite'));
    expect(await ann.behind('main~1')).toEqual(['one rewrite']);
  });

  test('a cherry-pick onto another branch', async () => {
    ann.git('checkout', '-q', '-b', 'work');
    const made = ann.commit('work', { 'a.txt': lines('a') }, ONE);
    ann.git('checkout', '-q', 'main');
    ann.commit('meanwhile', { 'z.txt': 'z\n' });
    ann.git('cherry-pick', made);
    ann.git('branch', '-q', '-D', 'work');
    expect(await everywhere('main')).toEqual(twice('one patch'));
    expect(await ann.behind('main~1')).toEqual([]);
  });

  test('merge --squash of a branch that is deleted then', async () => {
    ann.git('checkout', '-q', '-b', 'work');
    ann.commit('first', { 'a.txt': lines('a') }, ONE);
    ann.commit('second', { 'a.txt': lines('a', 31), 'b.txt': lines('b') }, TWO);
    squash('work');
    expect(await everywhere('main')).toEqual(twice('one patch', 'two patch'));
  });

  test('what a forge makes of a branch: one commit with the title only, on a base that has moved', async () => {
    ann.commit('base', { 'shared.txt': lines('s', 60), 'other.txt': 'o\n' });
    ann.git('push', '-q', 'origin', 'main');
    ann.git('checkout', '-q', '-b', 'work');
    ann.commit('first', { 'a.txt': lines('a') }, ONE);
    ann.commit('second', { 'shared.txt': `${lines('s', 60)}the end\n`, 'b.txt': lines('b') }, TWO);
    ann.commit('by hand', { 'c.txt': 'c\n' });
    ann.git('push', '-q', 'origin', 'work');
    await ann.drain();
    await ann.send();
    const forge = team.clone('forge');
    forge.commit('moved', { 'shared.txt': `the beginning\n${lines('s', 60)}`, 'z.txt': 'z\n' });
    forge.git('merge', '-q', '--squash', 'origin/work');
    forge.git('commit', '-q', '-m', 'Add it (#12)');
    forge.git('push', '-q', 'origin', 'main', ':work');
    ann.git('checkout', '-q', 'main');
    ann.git('branch', '-q', '-D', 'work');
    ann.git('pull', '-q', '--prune');
    const bob = team.clone('bob');
    await bob.pull();
    for (const clone of [ann, bob]) {
      expect(await clone.behind('main')).toEqual(['one files', 'two files']);
      expect(await clone.behind('main~1')).toEqual([]);
      expect(clone.git('log', '--format=%B')).not.toMatch(/Relay-/);
    }
  });

  test('a branch in which a person had a commit between theirs', async () => {
    ann.git('checkout', '-q', '-b', 'work');
    ann.commit('first', { 'a.txt': lines('a') }, ONE);
    ann.commit('by hand', { 'c.txt': 'c\n' });
    ann.commit('second', { 'b.txt': lines('b') }, TWO);
    squash('work');
    expect(await everywhere('main')).toEqual(twice('one files', 'two patch'));
  });

  test('a squash of a branch whose base has changed the very same file meanwhile', async () => {
    ann.commit('base', { 'shared.txt': lines('s', 60) });
    ann.git('push', '-q', 'origin', 'main');
    ann.git('checkout', '-q', '-b', 'work');
    ann.commit('first', { 'shared.txt': `${lines('s', 60)}the end\n` }, ONE);
    ann.commit('second', { 'shared.txt': `${lines('s', 60)}the end\nof it\n` }, TWO);
    ann.git('push', '-q', 'origin', 'work');
    await ann.drain();
    await ann.send();
    const forge = team.clone('forge');
    forge.commit('moved', { 'shared.txt': `the beginning\n${lines('s', 60)}` });
    forge.git('merge', '-q', '--squash', 'origin/work');
    forge.git('commit', '-q', '-m', 'Add it (#13)');
    forge.git('push', '-q', 'origin', 'main', ':work');
    const bob = team.clone('bob');
    await bob.pull();
    expect(await bob.behind('main')).toEqual(['one patch', 'two patch']);
    expect(await bob.behind('main~1')).toEqual([]);
  });

  test('a commit that a person typed, by the files that the session had written', async () => {
    ann.write({ 'a.txt': lines('a'), 'b.txt': lines('b') });
    await ann.snapshot(ONE, [{ path: 'a.txt', blob: ann.git('hash-object', 'a.txt') }]);
    await ann.snapshot(TWO, [{ path: 'other.txt', blob: ann.git('hash-object', 'b.txt') }]);
    ann.commit('typed', {});
    expect(await everywhere('main')).toEqual(twice('one files'));
  });

  test('a commit that is in no clone any more', async () => {
    ann.git('checkout', '-q', '-b', 'work');
    const made = ann.commit('work', { 'a.txt': lines('a') }, ONE);
    ann.git('checkout', '-q', 'main');
    await ann.drain();
    await ann.send();
    const bob = team.clone('bob');
    await bob.pull();
    expect(await bob.behind(made)).toEqual(['one commit']);
    expect(await bob.behind(made.slice(0, 10))).toEqual(['one commit']);
    await expect(bob.behind('0'.repeat(40))).rejects.toMatchObject({ code: 'not-found' });
  });

  test('a commit in a shallow clone, and behind nothing else there', async () => {
    ann.commit('work', { 'a.txt': lines('a') }, ONE);
    ann.commit('later', { 'b.txt': lines('b') });
    await ann.drain();
    await ann.send();
    ann.git('push', '-q', 'origin', 'main');
    const ci = team.clone('ci', '--depth=1', '--no-local');
    await ci.pull();
    expect(await ci.behind('HEAD')).toEqual([]);
  });
});
