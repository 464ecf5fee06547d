import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { nameOf, type PushJson, type World, world } from '../prove/world.ts';
import { objectsText } from '../support/git-text.ts';
import { RELAY } from '../support/lab.ts';
import { walk } from '../support/layout.ts';
import { plant } from '../support/plant.ts';
import { SAMPLES } from '../support/proofs.ts';
import { requires } from '../support/requires.ts';
import { pem, sample, survives } from '../support/samples.ts';
import { claudeLines } from '../support/session-lines.ts';

const [claude] = SAMPLES as [(typeof SAMPLES)[0]];
let w: World | undefined;
afterEach(() => {
  w?.done();
  w = undefined;
});

const start = (input = claude): World => {
  w = world(input);
  return w;
};
const storeOf = (at: World): string => join(at.annProject, '.git/relay/store.git');
const push = (at: World, ...args: string[]) => at.relay(at.ann, at.annProject, 'push', ...args);

describe.each(SAMPLES)('a session of $agent', (input) => {
  it("B1 a provider's key of low entropy leaves neither from a prompt nor from a tool's input or output", async () => {
    const at = start(input);
    const secret = `sb_secret_probe_20260710_${sample('{low8}')}`;
    plant(at.session, [secret], 'notes.txt');
    const pushed = await push(at, nameOf(at.session));
    expect(pushed.code, pushed.stderr).toBe(0);
    for (const path of [storeOf(at), at.remote]) expect(objectsText(path)).not.toContain(secret.slice(10));
  });
});

describe('B4 however it is written', () => {
  const named = (): string => sample('Wq7{an20}');
  const cases: [string, string, (secret: string) => string][] = [
    ['a private key in JSON', pem(), (secret) => JSON.stringify({ key: secret })],
    ['in a URL', named(), (secret) => `curl "https://example.com/?client_secret=${encodeURIComponent(`${secret}/+`)}"`],
    ['in base64', named(), (secret) => `echo ${Buffer.from(`DB_PASSWORD=${secret}\n`).toString('base64')} | base64 -d`],
    ['in a here document', sample('ghp_{an36}'), (secret) => `gh auth login --with-token <<'EOF'\n${secret}\nEOF`],
    ['in YAML', named(), (secret) => `oauth:\n  client_id: relay\n  client_secret: ${secret}\n`],
  ];
  it.each(cases)('%s', async (_how, secret, write) => {
    const at = start();
    const { line, call, result } = claudeLines(at.session, '2026-12-01T10:00:00.000Z');
    const text = write(secret);
    const lines = [
      line('user', { role: 'user', content: text }),
      call('toolu_b4', 'Bash', { command: text }),
      result('toolu_b4', text, { stdout: text, stderr: '' }),
    ];
    appendFileSync(at.session.path, `${lines.join('\n')}\n`);
    const pushed = await push(at, nameOf(at.session));
    expect(pushed.code, pushed.stderr).toBe(0);
    // Neither the value nor a part of it, whichever way it is written.
    const there = objectsText(at.remote);
    const body = secret.includes('\n') ? (secret.split('\n')[2] as string) : secret;
    expect(survives(body, there)).toBe(false);
    expect(there).not.toContain(Buffer.from(`DB_PASSWORD=${secret}\n`).toString('base64').slice(20, 40));
  });
});

it('B11 the first push to a remote asks: without a terminal a named session is the consent, nothing else is', async () => {
  const at = start();
  const refused = await push(at, '--all');
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain(at.remote);
  expect(execFileSync('git', ['for-each-ref', 'refs/relay'], { cwd: at.remote, encoding: 'utf8' })).toBe('');
  expect((await push(at, '--all', '--yes')).code).toBe(0);
});

it('B12 no unredacted copy stays in the work tree or in .git', async () => {
  const at = start();
  const secret = sample('ghp_{an36}');
  plant(at.session, [secret], 'notes.txt');
  await at.json<PushJson>(at.ann, at.annProject, 'push', nameOf(at.session));
  const holding = walk(at.annProject).filter((path) => readFileSync(path).includes(secret.slice(4)));
  expect(holding).toEqual([]);
  expect(objectsText(storeOf(at))).not.toContain(secret.slice(4));
  expect(walk(join(at.ann.home, '.local')).filter((path) => readFileSync(path).includes(secret.slice(4)))).toEqual([]);
});

requires('strace')('B14 no command', () => {
  it('connects to anything but the remote', async () => {
    const at = start();
    const name = nameOf(at.session);
    const trace = join(at.root, 'trace');
    const traced = (cwd: string, env: Record<string, string>, args: string[]) =>
      spawnSync('strace', ['-f', '-ff', '-qq', '-e', 'trace=connect,sendto,sendmsg', '-o', trace, process.execPath, RELAY, ...args], {
        cwd,
        env,
        encoding: 'utf8',
      });
    const ann = [
      ['sessions'],
      ['push', name, '--dry-run'],
      ['push', name],
      ['list'],
      ['log', 'latest'],
      ['show', 'latest'],
      ['diff', 'latest', 'latest'],
      ['check', 'latest'],
      ['status'],
    ];
    for (const args of ann) expect(traced(at.annProject, at.ann.env, args).status, args.join(' ')).toBe(0);
    for (const args of [['pull'], ['list'], ['import', 'latest', '--to', 'codex']])
      expect(traced(at.bobProject, at.bob.env, args).status, args.join(' ')).toBe(0);
    const traces = readdirSync(at.root).filter((file) => file.startsWith('trace.'));
    expect(traces.length).toBeGreaterThan(ann.length);
    const calls = traces.flatMap((file) => readFileSync(join(at.root, file), 'utf8').split('\n'));
    expect(calls.filter((call) => /AF_INET6?/.test(call))).toEqual([]);
  });
});
