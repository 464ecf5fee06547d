import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Lab, lab, type Person } from '../support/lab.ts';

/** What a repository's .relayrc may not do until the clone accepted it, tried on the built program. */
const session = fileURLToPath(new URL('../../demo/session.jsonl', import.meta.url));
let world: Lab;
let ann: Person;
let checkout: string;
let elsewhere: string;

beforeAll(() => {
  world = lab('relay-settings-');
  ann = world.person('Ann');
  checkout = world.project(ann, 'ann/proj', world.bare('own'));
  elsewhere = world.bare('elsewhere');
  const folder = join(ann.home, '.claude/projects', checkout.replace(/[^a-zA-Z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  const id = '00000002-aaaa-4bbb-8ccc-dddddddddddd';
  cpSync(session, join(folder, `${id}.jsonl`));
  writeFileSync(join(folder, `${id}.jsonl`), readFileSync(session, 'utf8').replaceAll('/home/dev/work/proj', checkout));
});
afterAll(() => world.done());

const ask = (settings: unknown) => writeFileSync(join(checkout, '.relayrc'), JSON.stringify(settings));
const refs = (remote: string) => world.git(ann, remote, 'for-each-ref', '--format=%(refname)', 'refs/relay', 'refs/heads/relay');

describe('a .relayrc that names another remote', () => {
  it.each([['push', 'latest'], ['pull']])('stops relay %s %s with exit code 3 and changes nothing', async (...command) => {
    ask({ store: { remote: `file://ann:hunter2hunter2@${elsewhere}` } });
    const ended = await world.relay(ann, checkout, ...command.filter(Boolean), '--json');
    expect(ended.code).toBe(3);
    expect(JSON.parse(ended.stderr).error).toMatchObject({ code: 'unaccepted', hint: expect.stringContaining('relay init --accept store.remote') });
    expect(ended.stderr).not.toContain('hunter2');
    expect(refs(elsewhere)).toBe('');
    expect(existsSync(join(checkout, '.git/relay/accepted.json'))).toBe(false);
  });

  it('works once this clone accepted it, and not after the value changed', async () => {
    ask({ store: { remote: elsewhere } });
    expect((await world.relay(ann, checkout, 'init', '--accept', 'store.remote')).code).toBe(0);
    expect((await world.relay(ann, checkout, 'push', 'latest', '--json')).code).toBe(0);
    expect(refs(elsewhere)).toContain('refs/relay/s/ann-');
    ask({ store: { remote: `${elsewhere}/../other.git` } });
    expect((await world.relay(ann, checkout, 'push', 'latest', '--json')).code).toBe(3);
  });
});

describe('a .relayrc that wants something else', () => {
  const push = ['push', 'latest', '--dry-run'];
  const keep = ['push', 'latest', '--no-send'];
  const into = ['import', 'latest', '--to', 'codex', '--dry-run'];
  const watch = ['watch', '--once'];
  it.each<[key: string, settings: object, stopped: string[][], free: string[][], no: string]>([
    ['store.namespace', { store: { namespace: 'refs/heads/relay' } }, [push, ['pull']], [keep, into, watch], '{"store":{"namespace":"refs/relay"}}'],
    ['push.auto', { push: { auto: true } }, [watch], [push, ['pull'], into], '{"push":{"auto":false}}'],
    ['watch.standby', { watch: { standby: 'codex' } }, [watch], [push, ['pull'], into], '{"watch":{"standby":null}}'],
    ['link.trailer', { link: { trailer: true } }, [], [push, ['pull'], into, watch], ''],
    ['agents.codex.command', { agents: { codex: { command: './run-me' } } }, [into], [push, ['pull'], watch], '{"agents":{"codex":{"command":null}}}'],
  ])('%s: exit code 3 where it would count, and nowhere once this clone has said no', async (key, settings, stopped, free, no) => {
    ask(settings);
    const own = join(checkout, '.git/relay/config.jsonc');
    for (const command of free) expect(await world.relay(ann, checkout, ...command)).toMatchObject({ code: 0 });
    for (const command of stopped) {
      const ended = await world.relay(ann, checkout, ...command);
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain(`relay init --accept ${key}`);
      expect(ended.stderr).toContain(`put ${no} into ${own}.`);
    }
    if (stopped.length) writeFileSync(own, no);
    for (const command of stopped) expect(await world.relay(ann, checkout, ...command)).toMatchObject({ code: 0 });
    rmSync(own, { force: true });
  });

  it('a typo is an error that names the place and the nearest key', async () => {
    writeFileSync(join(checkout, '.relayrc'), '{\n  "pul": { "days": 3 }\n}\n');
    const ended = await world.relay(ann, checkout, 'list');
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('.relayrc:2:3: unknown setting "pul".');
    expect(ended.stderr).toContain('Did you mean "pull"?');
  });
});

it('the program that the user names for an agent is the one to resume with', async () => {
  writeFileSync(join(checkout, '.relayrc'), '{}');
  mkdirSync(join(ann.home, '.config/relay'), { recursive: true });
  writeFileSync(join(ann.home, '.config/relay/config.jsonc'), JSON.stringify({ agents: { codex: { command: '/opt/codex/bin/codex' } } }));
  const imported = await world.json<{ resume: { command: string; args: string[] } }>(ann, checkout, 'import', 'latest', '--to', 'codex', '--local');
  expect(imported.resume).toMatchObject({ command: '/opt/codex/bin/codex', args: ['resume', expect.any(String)] });
});
