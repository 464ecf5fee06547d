import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Folder, forge, line, manifest, session, version } from '../support/forge.ts';
import { type Lab, lab, type Person, RELAY } from '../support/lab.ts';
import { runProgram } from '../support/processes.ts';

const ESC = '\u001b[31mX\u001b]0;pwn\u0007\u202e\u2066evil';

const UNSAFE = /[\u001b\u0007\u202e\u2066]/;

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

describe('what a forged handoff says of itself', () => {
  const wrong: [string, object][] = [
    ['agent', { agent: null }],
    ['agent.version', { agent: { id: 'claude-code', version: {} } }],
    ['session', { session: null }],
    ['session.id', { session: session({ id: '' }) }],
    ['session.branch', { session: session({ branch: 5 }) }],
    ['author.name', { author: {} }],
    ['code', { code: null }],
    ['code.commit', { code: { commit: 5, tree: null, branch: null } }],
    ['streams.0.records', { streams: [{ name: 'main', segments: [[2, 10]] }] }],
    ['files', { files: {} }],
    ['files.0.name', { files: [{ sha256: 'a'.repeat(64), bytes: 1 }] }],
    ['leftOut', { leftOut: 'abc' }],
    ['redactions', { redactions: null }],
    ['lineage', { lineage: 5 }],
    ['format_version', { format_version: ESC }],
    ['format', { format: ESC }],
  ];

  it('is an error that names the handoff and the field where it is of another kind', async () => {
    const project = await checkout('wrong', Object.fromEntries(wrong.map(([, over], n) => [`w${n}`, version(manifest(`w${n}`, over))])));
    expect((await relay(project, 'pull')).code).toBe(0);
    for (const [n, [field]] of wrong.entries())
      for (const args of [['show'], ['import', '--to', 'codex']]) {
        const { code, stderr } = await relay(project, args[0] as string, `eve-000000/w${n}`, ...args.slice(1));
        expect([code, stderr], field).toEqual([
          1,
          expect.stringMatching(new RegExp(`^relay: eve-000000/w${n}@1: session\\.json.* ${field.replaceAll('.', '\\.')}[ :]`)),
        ]);
        expect(stderr).not.toMatch(UNSAFE);
      }
  });

  it('keeps fields that this relay does not know', async () => {
    const project = await checkout('extra', { x: version(manifest('x', { later: { a: 1 } })) });
    await relay(project, 'pull');
    expect(await place.json(bob, project, 'show', 'eve-000000/x')).toMatchObject({ manifest: { later: { a: 1 } } });
  });

  it('steers no terminal', async () => {
    const loud = { agent: { id: 'claude-code', version: ESC }, author: { name: ESC }, code: { commit: ESC, tree: null, branch: ESC } };
    const own = session({ title: `${ESC}${'A'.repeat(2_000_000)}`, created: ESC, updated: ESC, cwd: `\${PROJECT}/${ESC}` });
    const streams = [
      { name: 'main', records: 2, bytes: 1, segments: [[2, 10]] },
      { name: `agent/${ESC}`, records: 0, bytes: 1, segments: [] },
    ];
    const made = manifest('loud', { ...loud, session: own, streams, files: [{ name: ESC, sha256: 'a'.repeat(64), bytes: 1 }], leftOut: [ESC] });
    const card = { title: `${ESC}${'B'.repeat(2_000_000)}`, author: ESC, agent: ESC, session: ESC, updated: ESC };
    const project = await checkout(
      'loud',
      { loud: version(made, [line(1), line(2, 'assistant', { content: [{ type: 'text', text: ESC }] })]), ok: version(manifest('ok')) },
      card,
    );
    const each = [
      ['pull'],
      ['pull', 'eve-000000/loud'],
      ['list'],
      ['show'],
      ['log'],
      ['check'],
      ['diff', 'eve-000000/ok'],
      ['import', '--print-cwd'],
      ['import', '--to', 'codex'],
    ];
    for (const [verb = '', ...rest] of each) {
      const named = ['pull', 'list'].includes(verb) ? rest : ['eve-000000/loud', ...rest];
      const { code, stdout, stderr } = await relay(project, verb, ...named);
      expect([code, verb]).toEqual([0, verb]);
      expect(stdout + stderr).not.toMatch(UNSAFE);
      expect((stdout + stderr).length, verb).toBeLessThan(10_000);
    }
    for (const args of [
      [`--bogus${ESC}`],
      [ESC],
      ['push', ESC],
      ['show', `${ESC}@1`],
      ['pull', ESC],
      ['import', ESC, '--to', ESC],
      ['sessions', '--agent', ESC],
    ]) {
      const { code, stdout, stderr } = await relay(project, ...args);
      expect(code).toBe(2);
      expect(stdout + stderr).not.toMatch(UNSAFE);
    }
  });

  it('leads nobody out of the project', async () => {
    const up = version(manifest('up', { session: session({ cwd: '${PROJECT}/../../../../../../../../etc' }) }));
    const linked = version(manifest('linked', { session: session({ cwd: '${PROJECT}/link' }) }));
    const below = version(manifest('below', { session: session({ cwd: '${PROJECT}/packages/b/../a' }) }));
    const project = await checkout('lead', { up, linked, below });
    symlinkSync('/etc', join(project, 'link'));
    await relay(project, 'pull');
    const folder = async (one: string) =>
      await place.json<{ resume: { cwd: string }; notes: string[] }>(bob, project, 'import', `eve-000000/${one}`, '--to', 'claude-code');
    expect(await folder('up')).toMatchObject({ resume: { cwd: project }, notes: expect.arrayContaining([expect.stringContaining('is not in the project')]) });
    expect(await folder('linked')).toMatchObject({
      resume: { cwd: project },
      notes: expect.arrayContaining([expect.stringContaining('leads out of the project')]),
    });
    expect(await folder('below')).toMatchObject({ resume: { cwd: join(project, 'packages/a') } });
    expect((await relay(project, 'import', 'eve-000000/up', '--print-cwd')).stdout).toBe(`${project}\n`);
    expect(existsSync(join(bob.home, '.claude/projects/-etc'))).toBe(false);
  });
});

describe('damaged records', () => {
  const native = (value: string) => `{"role":"user","content":"x","native":${value}}`;
  it.each([
    ['self', '{"a":"=.99"}'],
    ['far', '{"a":"=99999999"}'],
    ['itself', '{"a":"=.0"}'],
    ['deep', `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    ['attached', '{"type":"user"},"attached":[["/content/7","aa","utf8"]]'],
  ])('%s: the error names handoff, stream and record', async (name, text) => {
    const project = await checkout(`record-${name}`, { x: version(manifest('x'), [line(1), native(text)], { attachments: { aa: { aa: 'x' } } }) });
    await relay(project, 'pull');
    const { code, stderr } = await relay(project, 'import', 'eve-000000/x', '--to', 'claude-code', '--again');
    expect([code === 0, stderr]).toEqual([false, expect.stringMatching(/eve-000000\/x(@1)? (stream )?main record 1|lacks the attachment/)]);
    expect(stderr).not.toContain('This is a bug');
    const other = await relay(project, 'import', 'eve-000000/x', '--to', 'codex');
    expect(other.stderr).not.toContain('This is a bug');
  });

  it('rows of files.json that are none are passed over, and of very many the first are compared', async () => {
    const rows = Array.from({ length: 20_050 }, (_, n) => ({ path: `d/f${n}`, state: 'clean', blob: 'a'.repeat(40) }));
    const project = await checkout('files', {
      many: version(manifest('many'), undefined, { 'files.json': JSON.stringify({ head: null, files: rows }) }),
      bad: version(manifest('bad'), undefined, { 'files.json': '{bad' }),
      nulls: version(manifest('nulls'), undefined, { 'files.json': '{"files":[null,{"path":5},5]}' }),
    });
    await relay(project, 'pull');
    expect((await relay(project, 'check', 'eve-000000/many')).stderr).toContain('50 more files of the session were not compared');
    expect((await relay(project, 'import', 'eve-000000/many', '--to', 'codex', '--dry-run')).stderr).toContain(
      '50 more files of the session were not compared',
    );
    expect(await place.json(bob, project, 'check', 'eve-000000/many')).toMatchObject({ notCompared: 50 });
    for (const one of ['bad', 'nulls']) expect((await relay(project, 'diff', `eve-000000/${one}`, 'eve-000000/many')).code).toBe(0);
  });
});

describe('what is no regular file', () => {
  /** Relay with so little time that a read which never ends shows. */
  const soon = async (cwd: string, home: string, ...args: string[]) => {
    const ended = await runProgram(process.execPath, [RELAY, ...args], { cwd, env: { ...bob.env, HOME: home }, timeout: 15_000 });
    expect(typeof ended.code, `relay ${args.join(' ')}: ${ended.code} ${ended.stderr}`).toBe('number');
    expect(ended.stderr).not.toContain('This is a bug');
    return ended;
  };
  const fifo = (path: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    execFileSync('mkfifo', [path]);
  };

  it('keeps nobody waiting', async () => {
    const project = await checkout('pipes', {});
    const file = mineIn(project);
    const home = join(place.root, 'home/pipes');
    const folder = join(home, '.claude/projects', project.replace(/[^A-Za-z0-9]/g, '-'));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = p\n\temail = p@example.invalid\n');
    const id = basename(file, '.jsonl');
    writeFileSync(join(folder, basename(file)), readFileSync(file));
    fifo(join(folder, '33333333-3333-4333-8333-333333333333.jsonl'));
    fifo(join(folder, 'agent-abc.jsonl'));
    fifo(join(folder, id, 'subagents/agent-def.jsonl'));
    fifo(join(folder, id, 'tool-results/x.txt'));
    fifo(join(folder, id, 'custom-title.json'));
    fifo(join(home, '.claude/settings.json'));
    fifo(join(home, '.codex/config.toml'));
    fifo(join(home, '.codex/session_index.jsonl'));
    fifo(join(home, '.codex/sessions/2026/11/29/rollout-2026-11-29T10-00-00-019aaaaa-0000-7000-8000-000000000001.jsonl'));
    symlinkSync('/dev/zero', join(folder, '44444444-4444-4444-8444-444444444444.jsonl'));
    expect((await soon(project, home, 'sessions')).stdout).toContain(id);
    expect((await soon(project, home, 'push', 'latest', '--no-send')).code).toBe(0);
    const intoCodex = () => soon(project, home, 'import', id, '--local', '--to', 'codex');
    expect(await intoCodex()).toMatchObject({ code: 1, stderr: expect.stringContaining('session_index.jsonl is no regular file. Nothing was imported') });
    rmSync(join(home, '.codex/session_index.jsonl'));
    expect((await intoCodex()).code).toBe(0);
    expect((await soon(project, home, 'import', id, '--local', '--to', 'claude-code')).code).toBe(0);
    fifo(join(place.root, 'pipe'));
    for (const path of [join(place.root, 'pipe'), '/dev/zero']) {
      const { code, stderr } = await soon(project, home, 'push', path);
      expect([code, stderr]).toEqual([2, expect.stringContaining('neither a regular file nor a folder')]);
    }
  }, 120_000);

  it('is no settings file either', async () => {
    const project = await checkout('settings', {});
    fifo(join(project, '.relayrc'));
    expect(await soon(project, bob.home, 'status')).toMatchObject({ code: 2, stderr: expect.stringContaining('.relayrc is no regular file') });
    rmSync(join(project, '.relayrc'));
    writeFileSync(join(project, '.relayrc'), '{"a":'.repeat(20_000) + '1'.padEnd(20_001, '}'));
    expect(await soon(project, bob.home, 'status')).toMatchObject({ code: 2, stderr: expect.stringContaining('nested too deeply') });
    writeFileSync(join(project, '.relayrc'), `{"a": "${'x'.repeat(2_000_000)}"}`);
    expect(await soon(project, bob.home, 'status')).toMatchObject({ code: 2, stderr: expect.stringContaining('larger than settings are') });
  });

  it('a folder that holds no session is told at once, however much lies below it', async () => {
    const project = await checkout('root', {});
    const before = Date.now();
    expect(await soon(project, bob.home, 'push', '/')).toMatchObject({ code: 2, stderr: expect.stringContaining('/ holds no session') });
    expect(Date.now() - before).toBeLessThan(5_000);
  });

  it('a folder that is gone is said to be', async () => {
    const gone = join(place.root, 'gone');
    mkdirSync(gone);
    const script = 'cd "$1" && rmdir "$1" && exec "$2" "$3" sessions';
    const { code, stderr } = await runProgram('/bin/sh', ['-c', script, 'sh', gone, process.execPath, RELAY], {
      cwd: place.root,
      env: bob.env,
      timeout: 15_000,
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`The folder ${gone} is not there any more.`)]);
  });
});
