import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Folder, forge, line, manifest, session, version } from '../support/forge.ts';
import { type Lab, lab, type Person } from '../support/lab.ts';
import { runProgram } from '../support/processes.ts';

const ESC = '\u001b[31mX\u001b]0;pwn\u0007\u202e\u2066evil';

let place: Lab;
let bob: Person;
beforeAll(() => {
  place = lab('relay-hostile-');
  bob = place.person('bob');
});
afterAll(() => place.done());

/** A checkout whose remote holds these handoffs of somebody else's. */
async function checkout(name: string, handoffs: Record<string, Folder>, over: object = {}): Promise<string> {
  const remote = place.bare(name);
  const project = place.project(bob, `w/${name}`, remote, { 'packages/a/x.txt': 'x\n' });
  const eve = forge(remote);
  for (const [one, folder] of Object.entries(handoffs)) eve.handoff(one, folder, over);
  return project;
}
/** A session of bob's own in a folder; answers its file. */
function mineIn(folder: string, id = '22222222-2222-4222-8222-222222222222'): string {
  const project = join(bob.home, '.claude/projects', folder.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(project, { recursive: true });
  const record = (type: string, content: unknown, n: number) => ({
    ...{ parentUuid: null, isSidechain: false, userType: 'external', cwd: folder, sessionId: id, version: '2.1.332', gitBranch: 'main', type },
    ...{ message: { role: type, content }, uuid: `33333333-0000-4000-8000-00000000000${n}`, timestamp: '2026-11-29T10:00:00.000Z' },
  });
  const lines = [record('user', 'question', 1), record('assistant', [{ type: 'text', text: 'answer' }], 2)];
  const path = join(project, `${id}.jsonl`);
  writeFileSync(path, lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return path;
}
const relay = (cwd: string, ...args: string[]) => place.relay(bob, cwd, ...args);

describe('one forged handoff on the remote', () => {
  const evil: Folder = { '..': { x: 'y' }, 'session.json': '{}' };

  it('keeps nobody from the others', async () => {
    const project = await checkout('forged', { good: version(manifest('good')), bad: evil, fine: version(manifest('fine')) });
    const pulled = await relay(project, 'pull');
    expect([pulled.code, pulled.stderr]).toEqual([0, expect.stringContaining('warning: eve-000000/bad was refused')]);
    expect(pulled.stdout).toContain('eve-000000/good@1');
    expect(pulled.stdout).toContain('eve-000000/fine@1');
    const again = await place.json<{ new: unknown[]; refused: { handoff: string; reason: string }[] }>(bob, project, 'pull');
    expect(again).toMatchObject({ new: [], refused: [{ handoff: 'eve-000000/bad', reason: expect.stringMatching(/hasDotdot|\.\./) }] });
    for (const args of [
      ['pull', 'eve-000000/bad'],
      ['show', 'eve-000000/bad'],
    ])
      expect(await relay(project, ...args)).toMatchObject({ code: 1, stderr: expect.stringContaining('eve-000000/bad was refused') });
    expect((await relay(project, 'show', 'eve-000000/good')).code).toBe(0);
  });

  it('nor does a forged index', async () => {
    const project = await checkout('index', { good: version(manifest('good')) });
    const remote = place.git(bob, project, 'remote', 'get-url', 'origin');
    const eve = forge(remote);
    eve.ref('refs/relay/index/mal-000000', eve.commit(evil));
    const pulled = await relay(project, 'pull');
    expect(pulled).toMatchObject({ code: 0, stdout: expect.stringContaining('eve-000000/good@1') });
    expect(pulled.stderr).toContain('warning: refs/relay/index/mal-000000 was refused');
  });
});

describe('a push that the remote does not take', () => {
  const push = async (name: string, hook: string, script: string) => {
    const remote = place.bare(name);
    const project = place.project(bob, `w/${name}`, remote);
    mineIn(project);
    writeFileSync(join(remote, 'hooks', hook), `#!/bin/sh\n${script}\n`);
    chmodSync(join(remote, 'hooks', hook), 0o755);
    return relay(project, 'push', 'latest');
  };

  it('says what git says where the remote itself is in trouble', async () => {
    const remote = place.bare('full');
    const project = place.project(bob, 'w/full', remote);
    mineIn(project);
    // Nothing can be unpacked there, as on a full disk.
    place.git(bob, remote, 'config', 'receive.maxInputSize', '1');
    const { code, stderr } = await relay(project, 'push', 'latest');
    expect([code, stderr]).toEqual([1, expect.stringContaining('did not take the push: unpacker error')]);
    expect(stderr).not.toContain('--namespace');
  });

  it('asks for another place only where the ref is what is refused', async () => {
    const contents = await push('contents', 'pre-receive', 'echo "the pack holds a file of more than 1 MB" >&2; exit 1');
    expect([contents.code, contents.stderr]).toEqual([1, expect.stringContaining('a file of more than 1 MB')]);
    expect(contents.stderr).not.toContain('--namespace');
    const refs = await push('refs', 'pre-receive', 'echo "only branches may be pushed, not refs/relay" >&2; exit 1');
    expect([refs.code, refs.stderr]).toEqual([3, expect.stringContaining('--namespace refs/heads/relay')]);
  });
});
