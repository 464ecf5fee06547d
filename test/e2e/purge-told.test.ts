import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { documents } from '../../scripts/documents.ts';
import { type ImportJson, nameOf, type PushJson, type World, world } from '../prove/world.ts';
import { type Person, RELAY } from '../support/lab.ts';
import { type Ended, runProgram } from '../support/processes.ts';
import { SAMPLES } from '../support/proofs.ts';
import { reachableText } from '../support/purging.ts';
import { say } from '../support/say.ts';

const VALUE = 'amber-badger-48213377';

let w: World;
let handoff: string;
beforeEach(async () => {
  w = world(SAMPLES[0] as (typeof SAMPLES)[0]);
  say(w.session, `it is ${VALUE}`);
  handoff = await push(w.ann, w.annProject, nameOf(w.session));
});
afterEach(() => w.done());

const push = async (person: Person, project: string, ...args: string[]): Promise<string> =>
  (await w.json<PushJson>(person, project, 'push', ...args)).handoffs[0]?.handoff ?? '';
const purge = async (args: string[], input = ''): Promise<Ended> => {
  const ended = await runProgram(process.execPath, [RELAY, 'purge', ...args, '--yes'], { cwd: w.annProject, env: w.ann.env, timeout: 120_000, input });
  expect(ended.code, ended.stderr).toBe(0);
  return ended;
};
const bob = (...args: string[]) => w.relay(w.bob, w.bobProject, ...args);
/** Bob imports what Ann pushed into the other agent. */
async function bobsImport(): Promise<ImportJson & { name: string }> {
  await w.json(w.bob, w.bobProject, 'pull');
  const made = await w.json<ImportJson>(w.bob, w.bobProject, 'import', handoff, '--to', 'codex');
  return { ...made, name: `${made.agent}:${made.session}` };
}
const writer = (of: string): string => of.slice(0, of.indexOf('/'));

describe('a handoff of one’s own that somebody else purged', () => {
  it('is said to be kept and not sent, wherever it is told of, until it is purged here too', async () => {
    const { name } = await bobsImport();
    const fork = await push(w.bob, w.bobProject, name);
    await purge([fork]);
    const pulled = await bob('pull');
    expect(pulled.stderr).toContain(`purged ${fork}, which is yours,`);
    expect(pulled.stderr).toContain(`not sent any more. To remove it here too: relay purge ${fork}`);
    expect(pulled.stderr).not.toContain('gone here too');
    expect((await bob('list')).stdout).toMatch(new RegExp(`${fork}@1.* purged `));
    expect((await bob('show', fork)).stdout).toContain(`purged by ${writer(handoff)} on `);
    const status = await bob('status');
    expect(status.stdout).not.toContain('not sent yet');
    expect(status.stdout).toContain(`${fork}  purged by ${writer(handoff)} on `);
    const { unsent, purged } = documents.status.parse(await w.json(w.bob, w.bobProject, 'status'));
    expect([unsent, purged]).toEqual([[], [expect.objectContaining({ handoff: fork, by: writer(handoff) })]]);
    documents.list.parse(await w.json(w.bob, w.bobProject, 'list'));
    const again = await bob('push', name);
    expect([again.code, again.stderr]).toEqual([3, expect.stringContaining(`was shared as ${fork}, which ${writer(handoff)} purged on`)]);
    expect((await bob('purge', fork, '--yes')).code).toBe(0);
    expect((await bob('list')).stdout).not.toContain(fork);
    expect((await bob('status')).stdout).not.toContain(fork);
  });
});

describe('a session that was imported from what was purged', () => {
  it('is named by the pull, and neither sent by name nor by latest', async () => {
    const { name, path, session } = await bobsImport();
    await purge([handoff]);
    const before = w.git(w.ann, w.remote, 'for-each-ref');
    const pulled = await bob('pull');
    expect(pulled.stderr).toContain(`purged all of ${handoff} on`);
    expect(pulled.stderr).toContain(`    ${name}  ${path}`);
    expect(readFileSync(path, 'utf8')).toContain(VALUE);
    for (const args of [[name], [session], ['latest'], [name, '--dry-run'], [name, '--yes']]) {
      const ended = await bob('push', ...args);
      expect([args, ended.code, ended.stderr]).toEqual([
        args,
        3,
        expect.stringContaining(`was imported from ${handoff}@1, which ${writer(handoff)} purged on`),
      ]);
      expect(ended.stderr).toContain(path);
    }
    expect(w.git(w.ann, w.remote, 'for-each-ref')).toBe(before);
  });

  it('is not sent by a clone that hears of it only then, nor when it was imported once more', async () => {
    const { session, name } = await bobsImport();
    const further = await w.json<ImportJson>(w.bob, w.bobProject, 'import', name, '--to', 'claude-code', '--local');
    await purge([handoff]);
    for (const one of [session, further.session]) {
      const ended = await bob('push', one);
      expect([ended.code, ended.stderr]).toEqual([3, expect.stringContaining(`was imported from ${handoff}@1`)]);
    }
    expect(reachableText(w.remote)).not.toContain(VALUE);
    expect((await bob('status')).stdout).toContain(`imported from ${handoff}@1, which`);
  });

  it('is sent when another version was purged, and named when a value was taken out', async () => {
    const { name, path } = await bobsImport();
    say(w.session, 'and on');
    await push(w.ann, w.annProject, nameOf(w.session));
    await w.json(w.bob, w.bobProject, 'pull');
    await purge([`${handoff}@2`]);
    const first = await bob('pull');
    expect(first.stderr).toContain(`purged @2 of ${handoff} on`);
    expect(first.stderr).not.toContain(path);
    await purge(['--match', '-'], VALUE);
    const pulled = await w.relay(w.bob, w.bobProject, 'pull', '--json');
    expect(documents.pull.parse(JSON.parse(pulled.stdout)).purged).toMatchObject([
      { handoff, gone: false, versions: [], edited: [1], kept: false, imports: [{ path }] },
    ]);
    expect((await bob('push', name)).code).toBe(0);
    expect(reachableText(w.remote)).not.toContain(VALUE);
  });
});

describe('a pull of one handoff by its name', () => {
  it('says that it was purged, and by whom', async () => {
    const { name, path } = await bobsImport();
    await purge([handoff]);
    for (let i = 0; i < 2; i++) {
      const ended = await bob('pull', handoff);
      expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(`${handoff} was purged by ${writer(handoff)} on `)]);
    }
    // What a pull did not come to say, the status does.
    const [agent, session] = name.split(':');
    expect(documents.status.parse(await w.json(w.bob, w.bobProject, 'status')).purgedImports).toEqual([{ agent, session, path }]);
    expect((await bob('status')).stdout).toContain(`${name}  ${path}\n`);
    rmSync(path);
    expect((await bob('status')).stdout).not.toContain(name);
  });
});

describe('a session of which all that was shared was purged', () => {
  const ann = (...args: string[]) => w.relay(w.ann, w.annProject, ...args);
  it.each(['the same clone', 'a clone that was made anew'])('goes only by name: %s', async (which) => {
    await purge([handoff]);
    if (which !== 'the same clone') rmSync(join(w.annProject, '.git/relay'), { recursive: true });
    for (const args of [[], ['--yes'], ['latest'], ['latest', '--dry-run']]) {
      const ended = await ann('push', ...args);
      // A dry run asks nobody, so a new clone knows of nothing yet.
      if (ended.code === 0) expect([which, args]).toEqual(['a clone that was made anew', ['latest', '--dry-run']]);
      else expect([args, ended.code, ended.stderr]).toEqual([args, 3, expect.stringMatching(/was shared as .* which was purged on .*name it: relay push /s)]);
    }
    expect((await w.json<PushJson>(w.ann, w.annProject, 'push', '--all', '--yes')).handoffs).toEqual([]);
    expect(reachableText(w.remote)).not.toContain(VALUE);
    expect((await ann('push', nameOf(w.session))).code).toBe(0);
    say(w.session, 'and on');
    expect((await ann('push', 'latest')).code).toBe(0);
    expect(reachableText(w.remote)).toContain(VALUE);
  });

  it('does not go by name where somebody else purged it', async () => {
    const { name } = await bobsImport();
    const fork = await push(w.bob, w.bobProject, name);
    await purge([fork]);
    rmSync(join(w.bobProject, '.git/relay'), { recursive: true });
    const ended = await bob('push', name);
    expect([ended.code, ended.stderr]).toEqual([3, expect.stringContaining(`was shared as ${fork}, which ${writer(handoff)} purged on`)]);
  });
});

it('a push without names says that an import is unchanged, and how to share it', async () => {
  const { name } = await bobsImport();
  const ended = await bob('push');
  expect([ended.code, ended.stderr]).toEqual([
    2,
    expect.stringMatching(new RegExp(`${name} was imported and has not changed since[\\s\\S]*relay push ${name}`)),
  ]);
});

it('a push without names says when the settings exclude all that there is', async () => {
  writeFileSync(join(w.annProject, '.git/relay/config.jsonc'), '{"share":{"exclude":[{"agent":"claude-code"}]}}');
  const ended = await w.relay(w.ann, w.annProject, 'push');
  expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('The settings exclude every session of this project')]);
});
