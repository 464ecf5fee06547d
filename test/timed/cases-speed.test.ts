import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { findRepository, type Repository } from '#git/repository.ts';
import { openStore } from '#store/index.ts';
import type { PushJson } from '../prove/world.ts';
import { growLarge, growTurns } from '../support/grow.ts';
import type { Lab } from '../support/lab.ts';
import { type BeginOptions, begun, CLAUDE } from '../support/made.ts';

/** What takes time in proportion to what is new, however much there is. */
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

it('A6 one more turn in a session of 70 MB: making the next version takes at most 2 s', async () => {
  const { ann, cwd, session } = begin({ turns: 1 });
  growLarge(session, 3000, 70_000_000);
  expect(statSync(session.path).size).toBeGreaterThan(68_000_000);
  await l.json(ann, cwd, 'push', CLAUDE, '--no-send');
  growTurns(session, 1, 1);
  const began = performance.now();
  const next = await l.json<PushJson>(ann, cwd, 'push', CLAUDE, '--no-send');
  expect(performance.now() - began).toBeLessThan(2000);
  expect(next.handoffs[0]).toMatchObject({ version: 2, records: linesOf(session.path) });
});

it('A8 1,000 sessions are listed in less than a second, without reading a transcript', async () => {
  const { ann, cwd, remote } = begin();
  const { handoffs } = await l.json<PushJson>(ann, cwd, 'push', CLAUDE);
  const [{ handoff = '', commit = '' } = {}] = handoffs;
  // As quick as a test needs it: the same version under a thousand names, sent by the same program.
  const input = Array.from({ length: 999 }, (_, i) => `create refs/relay/s/${handoff}-${i} ${commit}\n`).join('');
  execFileSync('git', ['update-ref', '--stdin'], { cwd: join(cwd, '.git/relay/store.git'), env: ann.env, input });
  const bob = l.person('bob');
  const other = l.clone(bob, 'bob/proj', remote);
  const store = await openStore((await findRepository(cwd, ann.env)) as Repository, { env: ann.env, home: ann.home });
  await store.send({ name: 'origin', url: remote });
  for (const [person, folder] of [
    [ann, cwd],
    [bob, other],
  ] as const) {
    if (person === bob) await l.json(bob, other, 'pull');
    const began = performance.now();
    const listed = await l.json<ListJson>(person, folder, 'list');
    expect(performance.now() - began).toBeLessThan(1000);
    expect(listed.handoffs.length).toBe(1000);
  }
});
