import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { ImportJson, PushJson } from '../prove/world.ts';
import { growTurns } from '../support/grow.ts';
import type { Lab, Person } from '../support/lab.ts';
import { type BeginOptions, begun, CLAUDE, conversationAt, spoken } from '../support/made.ts';

/** Storing and sharing: several remotes and work trees, and what git does in between. */
let l: Lab;
afterEach(() => l?.done());

interface ListJson {
  handoffs: { handoff: string; title: string; version: number; state: string }[];
}
const begin = (options: BeginOptions = {}) => {
  const made = begun(options);
  l = made.lab;
  return made;
};

const linesOf = (path: string): number => readFileSync(path, 'utf8').trimEnd().split('\n').length;
const recordsShown = async (person: Person, cwd: string, handoff: string): Promise<number> =>
  (await l.json<{ records: unknown[] }>(person, cwd, 'show', handoff)).records.length;

it('C2 two work trees push the same session at once: nothing is lost, and each turn is there once', async () => {
  const { ann, cwd, session } = begin();
  l.git(ann, cwd, 'worktree', 'add', '-q', '../second');
  const second = join(l.root, 'ann/second');
  for (let round = 0; round < 4; round++) {
    growTurns(session, 2, round);
    const both = await Promise.all([cwd, second].map((folder) => l.relay(ann, folder, 'push', CLAUDE, '--json')));
    expect(both.map((ended) => `${ended.code} ${ended.stderr}`)).toEqual(['0 ', '0 ']);
  }
  const { handoffs } = await l.json<ListJson>(ann, second, 'list');
  expect(handoffs).toHaveLength(1);
  expect(await recordsShown(ann, cwd, handoffs[0]?.handoff ?? '')).toBe(linesOf(session.path));
  const log = await l.json<{ versions: { version: number }[] }>(ann, cwd, 'log', handoffs[0]?.handoff ?? '');
  expect(new Set(log.versions.map((v) => v.version)).size).toBe(log.versions.length);
});

it('C6 pushed to one remote, then to another: the other gets everything it lacks', async () => {
  const { ann, cwd, session } = begin();
  const second = l.bare('second');
  l.git(ann, cwd, 'remote', 'add', 'second', second);
  await l.json(ann, cwd, 'push', CLAUDE);
  growTurns(session, 1, 1);
  const forth = await l.json<PushJson>(ann, cwd, 'push', CLAUDE, '--remote', 'second');
  expect(forth).toMatchObject({ sent: true, remote: second });
  const bob = l.person('bob');
  const other = join(l.root, 'bob/proj');
  l.git(bob, l.root, 'clone', '-q', second, other);
  await l.json(bob, other, 'pull');
  expect(await recordsShown(bob, other, forth.handoffs[0]?.handoff ?? '')).toBe(linesOf(session.path));
  // The first one still lacks the second version, and gets it.
  expect((await l.json<{ unsent: string[] }>(ann, cwd, 'status')).unsent).toHaveLength(1);
  expect((await l.json<PushJson>(ann, cwd, 'push', CLAUDE)).sent).toBe(true);
  expect((await l.json<{ unsent: string[] }>(ann, cwd, 'status')).unsent).toHaveLength(0);
});

it('C9 git gc --prune=now and git pack-refs --all between all steps: nothing is lost, the index stays as it was', async () => {
  const { ann, cwd, remote, session } = begin({ files: { 'a.txt': 'a\n' } });
  const bob = l.person('bob');
  const other = l.clone(bob, 'bob/proj', remote);
  writeFileSync(join(cwd, 'a.txt'), 'changed and staged\n');
  l.git(ann, cwd, 'add', 'a.txt');
  const staged = () => l.git(ann, cwd, 'ls-files', '-s');
  const before = staged();
  const tidy = () => {
    for (const folder of [cwd, other, remote, ...[cwd, other].map((top) => join(top, '.git/relay/store.git'))]) {
      if (!existsSync(folder)) continue;
      l.git(ann, folder, 'gc', '-q', '--prune=now');
      l.git(ann, folder, 'reflog', 'expire', '--expire=now', '--all');
      l.git(ann, folder, 'pack-refs', '--all');
    }
  };
  let handoff = '';
  for (let step = 0; step < 3; step++) {
    growTurns(session, 2, step);
    tidy();
    handoff = (await l.json<PushJson>(ann, cwd, 'push', CLAUDE)).handoffs[0]?.handoff ?? '';
    tidy();
    await l.json(bob, other, 'pull');
    tidy();
    expect(await recordsShown(bob, other, handoff)).toBe(linesOf(session.path));
  }
  const made = await l.json<ImportJson>(bob, other, 'import', handoff, '--to', 'codex');
  expect(spoken(await conversationAt('codex', made.path))).toEqual(spoken(await conversationAt('claude-code', session.path)));
  expect(staged()).toBe(before);
  expect(l.git(ann, cwd, 'fsck', '--strict')).toBe('');
  expect(await recordsShown(ann, cwd, `${handoff}@1`)).toBeGreaterThan(0);
});

it('C10 a last line that is cut: all whole lines are kept, the cut one too, with a warning and exit code 0', async () => {
  const { ann, cwd, session } = begin();
  const whole = linesOf(session.path);
  appendFileSync(session.path, '{"type":"user","message":{"role":"us');
  const pushed = await l.relay(ann, cwd, 'push', CLAUDE);
  expect(pushed.code).toBe(0);
  expect(pushed.stdout).toContain('warning: 1 line could not be read');
  const again = await l.json<PushJson & { handoffs: { unreadable: number }[] }>(ann, cwd, 'push', CLAUDE);
  const { handoff = '' } = again.handoffs[0] ?? {};
  const { records } = await l.json<{ records: { type: string; eol?: boolean }[] }>(ann, cwd, 'show', handoff);
  expect(records).toHaveLength(whole + 1);
  expect(records.at(-1)).toMatchObject({ type: 'raw', eol: false });
  // Once the line is whole it takes the place of the cut one.
  appendFileSync(session.path, 'er","content":"x"},"uuid":"aaaaaaaa-0000-4000-8000-000000000001","parentUuid":null}\n');
  await l.json(ann, cwd, 'push', CLAUDE);
  const mended = await l.json<{ records: { type: string }[] }>(ann, cwd, 'show', handoff);
  expect(mended.records).toHaveLength(whole + 1);
  expect(mended.records.at(-1)?.type).toBe('message');
});
