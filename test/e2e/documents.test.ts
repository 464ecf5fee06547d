import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { documents } from '../../scripts/documents.ts';
import { type Lab, lab, type Person } from '../support/lab.ts';
import { ownSettings } from '../support/own-settings.ts';

/** Every --json document of the built program is what docs/output.schema.json says, and holds no field that it does not name. */
const ID = '00000002-aaaa-4bbb-8ccc-dddddddddddd';
let world: Lab;
let ann: Person;
let bob: Person;
let annProject: string;
let bobProject: string;
let file: string;

beforeAll(() => {
  world = lab('relay-documents-');
  [ann, bob] = [world.person('Ann'), world.person('Bob')];
  const remote = world.bare('own');
  annProject = world.project(ann, 'ann/proj', remote, { 'src/sum.js': 'export const sum = 1;\n' });
  bobProject = world.clone(bob, 'bob/work/proj', remote);
  writeFileSync(join(bobProject, 'src/sum.js'), 'changed\n');
  ownSettings(ann, { watch: { standby: 'codex' }, agents: { 'claude-code': { window: 5000 } } });
  const folder = join(ann.home, '.claude/projects', annProject.replace(/[^a-zA-Z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  file = join(folder, `${ID}.jsonl`);
  const token = `ghp_${randomBytes(40)
    .toString('base64')
    .replace(/[^A-Za-z0-9]/g, '')
    .padEnd(36, 'k7')
    .slice(0, 36)}`;
  const sample = readFileSync(fileURLToPath(new URL('../../demo/session.jsonl', import.meta.url)), 'utf8');
  writeFileSync(file, sample.replaceAll('/home/dev/work/proj', annProject).replaceAll('README.md\\nsrc', `README.md\\nsrc\\nGITHUB_TOKEN=${token}`));
});
afterAll(() => world.done());

const grow = () => {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const last = JSON.parse(lines.findLast((line) => line.includes('"type":"assistant"')) as string);
  const next = {
    ...last,
    parentUuid: last.uuid,
    uuid: 'bbbbbbbb-0000-4000-8000-000000000001',
    type: 'user',
    message: { role: 'user', content: 'one more thing' },
  };
  writeFileSync(file, `${lines.join('\n')}\n${JSON.stringify(next)}\n`);
};

// In this order: each command finds what the ones before it left.
const commands: [keyof typeof documents, 'ann' | 'bob', string[], (document: never) => void][] = [
  ['init', 'ann', ['init'], (d: { writer: string }) => expect(d.writer).toMatch(/^ann-[0-9a-f]{6}$/)],
  ['hooks', 'ann', ['hooks', 'install'], (d: { git: { installed: boolean } }) => expect(d.git.installed).toBe(true)],
  ['hooks', 'ann', ['hooks', 'status'], (d: { git: { hooks: unknown[] } }) => expect(d.git.hooks).toHaveLength(2)],
  ['hooksUninstall', 'ann', ['hooks', 'uninstall'], (d: { restored: unknown[] }) => expect(d.restored).not.toHaveLength(0)],
  ['brief', 'ann', ['brief', ID], (d: { requests: unknown[] }) => expect(d.requests).toHaveLength(3)],
  ['sessions', 'ann', ['sessions'], (d: { sessions: unknown[] }) => expect(d.sessions).toHaveLength(1)],
  [
    'push',
    'ann',
    ['push', 'latest', '--dry-run'],
    (d: { sent: boolean; handoffs: { findings: unknown[] }[] }) => expect([d.sent, d.handoffs[0]?.findings.length !== 0]).toEqual([false, true]),
  ],
  ['redact', 'ann', ['redact', '--check', 'src/sum.js'], (d: { total: number }) => expect(d.total).toBe(0)],
  ['redactKinds', 'ann', ['redact', '--kinds'], (d: { kinds: unknown[] }) => expect(d.kinds.length).toBeGreaterThan(50)],
  ['redactAllow', 'ann', ['redact', '--allow', 'gh:01234567'], (d: { added: boolean }) => expect(d.added).toBe(true)],
  ['status', 'ann', ['status'], (d: { unsent: string[] }) => expect(d.unsent.length).toBeLessThan(2)],
  ['push', 'ann', ['push', 'latest'], (d: { sent: boolean }) => expect(d.sent).toBe(true)],
  ['doctor', 'ann', ['doctor'], (d: { agents: { agent: string }[] }) => expect(d.agents.map(({ agent }) => agent)).toEqual(['claude-code', 'codex'])],
  ['watch', 'ann', ['watch', '--once'], (d: { handedOn: unknown[] }) => expect(d.handedOn).toHaveLength(1)],
  ['list', 'ann', ['list'], (d: { handoffs: unknown[] }) => expect(d.handoffs).toHaveLength(1)],
  ['pull', 'bob', ['pull'], (d: { new: unknown[] }) => expect(d.new).toHaveLength(1)],
  ['show', 'bob', ['show', 'latest'], (d: { records: unknown[] }) => expect(d.records.length).toBeGreaterThan(10)],
  ['check', 'bob', ['check', 'latest'], (d: { drift: unknown[] }) => expect(d.drift).toContainEqual({ path: 'src/sum.js', state: 'changed' })],
  [
    'import',
    'bob',
    ['import', 'latest', '--pulled', '--to', 'codex', '--dry-run'],
    (d: { view: { items: number } }) => expect(d.view.items).toBeGreaterThan(5),
  ],
  ['import', 'bob', ['import', 'latest', '--pulled', '--to', 'codex'], (d: { resume: { command: string } }) => expect(d.resume.command).toBe('codex')],
  ['import', 'bob', ['import', 'latest', '--pulled', '--to', 'codex'], (d: { already?: boolean }) => expect(d.already).toBe(true)],
  ['push', 'ann', ['push'], (d: { handoffs: { version: number }[] }) => expect(d.handoffs[0]?.version).toBe(2)],
  ['log', 'ann', ['log', 'latest'], (d: { versions: unknown[] }) => expect(d.versions).toHaveLength(2)],
  ['log <commit>', 'ann', ['log', 'HEAD'], (d: { handoffs: { how: string }[] }) => expect(d.handoffs.map(({ how }) => how)).toEqual(['trailer'])],
  ['show <commit>', 'ann', ['show', 'commit:HEAD'], (d: { handoffs: { records: unknown[] }[] }) => expect(d.handoffs[0]?.records.length).toBeGreaterThan(10)],
  [
    'diff',
    'ann',
    ['diff', 'latest'],
    (d: { records: { added: { text: string }[] } }) => expect(d.records.added.map((r) => r.text)).toEqual(['one more thing']),
  ],
  ['purge', 'ann', ['purge', 'ann-', '--dry-run'], (d: { handoffs: { versions: number[] }[] }) => expect(d.handoffs[0]?.versions).toEqual([1, 2])],
  ['purge', 'ann', ['purge', 'ann-', '--yes'], (d: { tombstone: string }) => expect(d.tombstone).toMatch(/^[0-9a-f]{32}$/)],
  ['pull', 'bob', ['pull'], (d: { purged: unknown[] }) => expect(d.purged).toHaveLength(1)],
];

it('--json prints the documents that docs/output.schema.json describes', { timeout: 120_000 }, async () => {
  const seen = new Set<string>();
  for (const [name, who, args, check] of commands) {
    if (args.join() === 'push') grow();
    if (name === 'log <commit>') world.git(ann, annProject, 'commit', '-q', '--allow-empty', '-m', `Work\n\nRelay-Session: claude-code:${ID}`);
    const ended = await world.relay(who === 'ann' ? ann : bob, who === 'ann' ? annProject : bobProject, ...args, '--json');
    expect(ended, `relay ${args.join(' ')}`).toMatchObject({ code: 0 });
    const document = JSON.parse(ended.stdout);
    expect(documents[name].safeParse(document).error?.issues ?? [], `relay ${args.join(' ')}`).toEqual([]);
    check(document as never);
    seen.add(name);
  }
  const failed = await world.relay(bob, bobProject, 'show', 'nothing-of-that-name', '--json');
  expect([failed.code, failed.stdout]).toEqual([2, '']);
  expect(documents.error.safeParse(JSON.parse(failed.stderr)).error).toBeUndefined();
  expect([...seen, 'error'].sort()).toEqual(Object.keys(documents).sort());
});
