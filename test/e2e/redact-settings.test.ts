import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { documents } from '../../scripts/documents.ts';
import { layOut } from '../support/fixtures.ts';
import { gitText } from '../support/git-text.ts';
import { type Lab, lab, type Person } from '../support/lab.ts';
import type { LaidOut } from '../support/layout.ts';
import { plant } from '../support/plant.ts';
import { SAMPLES } from '../support/proofs.ts';
import { sample } from '../support/samples.ts';

/** Settings of the redaction, tried on the built program: what a repository's .relayrc can and cannot do, and what the user can. */
const world: Lab = lab('relay-redact-settings-');
afterAll(() => world.done());

let n = 0;
let ann: Person;
let checkout: string;
let remote: string;
let session: LaidOut;
const start = (input = SAMPLES[0] as (typeof SAMPLES)[0]) => {
  n++;
  ann = world.person(`Ann Lee ${n}`);
  remote = world.bare(`remote-${n}`);
  checkout = world.project(ann, `ann-${n}/proj`, remote);
  session = layOut(input.agent, input.path, ann.home, checkout);
};
beforeEach(() => start());

const put = (path: string, settings: unknown) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof settings === 'string' ? settings : JSON.stringify(settings));
};
const ask = (redact: object) => put(join(checkout, '.relayrc'), { redact });
const mine = (redact: object) => put(join(ann.home, '.config/relay/config.jsonc'), { redact });
const push = (...more: string[]) => world.relay(ann, checkout, 'push', 'latest', ...more);
/** Does the remote hold this? Answers no text, since a failure would print all of it. */
const sent = (value: string) => gitText(remote).includes(value);

describe("a repository's .relayrc cannot loosen the redaction", () => {
  it('by patterns or paths: they have no effect, are named, and stop nothing', async () => {
    const token = sample('ghp_{an36}');
    plant(session, [token], 'notes.txt');
    ask({ allow: { patterns: ['ghp_.{36}'], paths: ['**'] } });
    const ended = await push();
    expect(ended).toMatchObject({ code: 0 });
    for (const key of ['redact.allow.patterns', 'redact.allow.paths'])
      expect(ended.stderr).toContain(`note: ${key} of the repository's .relayrc has no effect: this clone has not accepted it (relay init --accept ${key}).`);
    expect(sent(token)).toBe(false);
    const status = await world.json<{ unaccepted: { key: string }[] }>(ann, checkout, 'status');
    expect(status.unaccepted.map((one) => one.key)).toEqual(['redact.allow.patterns', 'redact.allow.paths']);
  });

  it('by fingerprints: exit code 2, naming where they belong', async () => {
    ask({ allow: { fingerprints: ['gh:0a1b2c3d'] } });
    const ended = await push();
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('.relayrc:1:');
    expect(ended.stderr).toContain('config.jsonc');
    expect(sent('refs/relay')).toBe(false);
  });

  it.each<[string, object, object, string]>([
    ['paranoid', { paranoid: true }, { paranoid: false }, sample('{an32}')],
    ['pii', { pii: ['email'] }, { pii: [] }, 'eve.moneypenny@acme.dev'],
    ['known.names', { known: { names: ['DEPLOY_CODE'] } }, { known: { names: [] } }, 'seven-green-doors'],
    [
      'rules',
      { rules: [{ id: 'acme', anchors: ['acme-'], pattern: 'acme-[a-z0-9]{8}', hits: ['acme-0a1b2c3d'] }] },
      { rules: [{ id: 'acme', anchors: ['acme-'], pattern: 'acme-never', hits: ['acme-never'] }] },
      'acme-9z8y7x6w',
    ],
  ])('by %s: what the user asks for stays', async (_key, user, repository, value) => {
    ann.env.DEPLOY_CODE = 'seven-green-doors';
    plant(session, [value], 'notes.txt');
    mine(user);
    ask(repository);
    expect(await push()).toMatchObject({ code: 0 });
    expect(sent(value)).toBe(false);
    expect(sent('[REDACTED:')).toBe(true);
  });

  it('by a comment in the session', async () => {
    const token = sample('ghp_{an36}');
    plant(session, [`secretlint-disable ${token} // gitleaks:allow`], 'notes.txt');
    expect(await push()).toMatchObject({ code: 0 });
    expect(sent(token)).toBe(false);
  });
});

describe('what this clone accepted', () => {
  it('patterns let their values through, and nothing else', async () => {
    const [fixture, token] = [sample('ghp_{an34}00'), sample('ghp_{an34}11')];
    plant(session, [fixture, token], 'notes.txt');
    ask({ allow: { patterns: ['ghp_.{34}00'] } });
    expect(await world.relay(ann, checkout, 'init', '--accept', 'redact.allow.patterns')).toMatchObject({ code: 0 });
    const ended = await push();
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(sent(fixture)).toBe(true);
    expect(sent(token)).toBe(false);
    ask({ allow: { patterns: ['ghp_.{36}'] } });
    expect((await push()).stderr).toContain('has no effect');
    expect(sent(token)).toBe(false);
  });

  it('paths let pass what stands there, but no known value', async () => {
    const [token, known] = [sample('ghp_{an36}'), sample('Qz7{an20}')];
    ann.env.API_TOKEN = known;
    plant(session, [token, known], 'notes.txt');
    ask({ allow: { paths: ['main/toolUseResult/**', 'main/message/content/*/content'] } });
    await world.relay(ann, checkout, 'init', '--accept', 'redact.allow.paths');
    expect(await push()).toMatchObject({ code: 0 });
    expect(sent(token)).toBe(true);
    expect(sent(known)).toBe(false);
    const prompts = gitText(remote)
      .split('\n')
      .filter((line) => line.includes('please use'));
    expect(prompts.map((line) => line.includes(token))).toEqual([false]);
  });
});

describe('relay redact --kinds', () => {
  const rule = (id: string) => ({ id, anchors: [`${id}-`], pattern: `${id}-[a-z0-9]{8}`, hits: [`${id}-0a1b2c3d`] });
  interface Kinds {
    kinds: { id: string; setting?: string }[];
  }
  const asked = async () =>
    (await world.json<Kinds>(ann, checkout, 'redact', '--kinds')).kinds.flatMap(({ id, setting }) => (setting ? [`${id} ${setting}`] : []));

  it("lists what this clone's settings ask for too, from all files, and marks it", async () => {
    ask({ rules: [rule('acme')], pii: ['ipv4', 'ipv6', 'phone'] });
    mine({ rules: [rule('corp')], pii: ['user'], paranoid: true });
    expect((await asked()).sort()).toEqual([
      'acme redact.rules',
      'corp redact.rules',
      'ip redact.pii',
      'random redact.paranoid',
      'tel redact.pii',
      'user redact.pii',
    ]);
    expect(documents.redactKinds.safeParse(await world.json(ann, checkout, 'redact', '--kinds')).error).toBeUndefined();
    expect((await world.relay(ann, checkout, 'redact', '--kinds')).stdout).toMatch(/^acme +what a rule of the settings finds +redact\.rules$/m);
  });

  it('lists nothing that is not looked for', async () => {
    expect(await asked()).toEqual([]);
    const { kinds } = await world.json<Kinds>(ann, checkout, 'redact', '--kinds');
    expect(kinds.filter(({ id }) => ['email', 'ip', 'tel', 'host', 'user', 'random'].includes(id))).toEqual([]);
  });
});

it('relay push --dry-run says how many of very many findings it does not list', async () => {
  const token = sample('ghp_{an36}');
  const last = JSON.parse(readFileSync(session.path, 'utf8').trimEnd().split('\n').at(-1) as string);
  appendFileSync(session.path, `${JSON.stringify({ ...last, uuid: randomUUID(), toolUseResult: Array.from({ length: 100_002 }, () => token) })}\n`);
  const { handoffs } = JSON.parse((await push('--dry-run', '--json')).stdout);
  expect([handoffs[0].findings.length, handoffs[0].unlisted]).toEqual([100_000, 2]);
  expect((await push('--dry-run')).stdout).toContain('\n    2 more places, not listed since there are so many\n');
});

describe('relay redact --allow', () => {
  const config = () => join(checkout, '.git/relay/config.jsonc');
  const fingerprintOf = async (text: string) => {
    put(join(checkout, 'notes.md'), text);
    const ended = await world.relay(ann, checkout, 'redact', '--check', '--json', 'notes.md');
    const [finding] = JSON.parse(ended.stdout).findings;
    return `${finding.kind}:${finding.fingerprint}`;
  };

  it('lets one value through, in this clone; comments of its settings stay', async () => {
    const [token, other] = [sample('ghp_{an36}'), sample('ghp_{an36}')];
    const fingerprint = await fingerprintOf(`a ${token}\n`);
    put(config(), '{\n  // mine\n  "pull": { "days": 3 }, // for now\n}\n');
    const ended = await world.relay(ann, checkout, 'redact', '--allow', `[REDACTED:${fingerprint}]`);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain(fingerprint);
    const text = readFileSync(config(), 'utf8');
    expect(text).toContain('// mine');
    expect(text).toContain('// for now');
    expect(text).toContain(`"${fingerprint}"`);
    expect(text).not.toContain(token);
    expect((await world.relay(ann, checkout, 'redact', '--allow', fingerprint)).stdout).toContain('already');
    expect(readFileSync(config(), 'utf8')).toBe(text);
    put(join(checkout, 'notes.md'), `a ${token} b ${other}\n`);
    const clean = await world.relay(ann, checkout, 'redact', 'notes.md');
    expect(clean.stdout).toMatch(new RegExp(`^a ${token} b \\[REDACTED:gh:`));
    plant(session, [token, other], 'notes.txt');
    expect(await push()).toMatchObject({ code: 0 });
    expect(sent(token)).toBe(true);
    expect(sent(other)).toBe(false);
  });

  it('lets a known value through', async () => {
    const value = sample('Qz7{an20}');
    ann.env.API_TOKEN = value;
    const fingerprint = await fingerprintOf(`see ${value}\n`);
    expect(fingerprint).toMatch(/^known:/);
    await world.relay(ann, checkout, 'redact', '--allow', fingerprint);
    plant(session, [value], 'notes.txt');
    expect(await push()).toMatchObject({ code: 0 });
    expect(sent(value)).toBe(true);
  });

  it('what was sent with a value as allowed comes out clean when it is not allowed any more', async () => {
    const token = sample('ghp_{an36}');
    await world.relay(ann, checkout, 'redact', '--allow', await fingerprintOf(`a ${token}\n`));
    plant(session, [token], 'notes.txt');
    expect(await push('--no-send')).toMatchObject({ code: 0 });
    rmSync(config());
    expect(await push()).toMatchObject({ code: 0 });
    expect(sent(token)).toBe(false);
  });

  it.each([
    ['github:00000000', 'There is no kind of secret "github". Did you mean gh?'],
    ['knwon:00000000', 'There is no kind of secret "knwon". Did you mean known?'],
    ['acme:00000000', 'There is no kind of secret "acme".'],
  ])('%s is a usage error: no such kind', async (given, message) => {
    const ended = await world.relay(ann, checkout, 'redact', '--allow', given);
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  });
  it('a kind of an own rule, and one that is not asked for now, are kinds', async () => {
    mine({ rules: [{ id: 'acme', anchors: ['acme-'], pattern: 'acme-[a-z0-9]{8}', hits: ['acme-0a1b2c3d'] }] });
    for (const given of ['acme:00000000', 'email:00000000', 'random:00000000', 'known:00000000'])
      expect(await world.relay(ann, checkout, 'redact', '--allow', given)).toMatchObject({ code: 0, stdout: expect.stringContaining('is let through') });
  });

  it.each(['gh', 'ghp_xyz', 'gh:0A1B2C3D', ''])('%j is a usage error that does not repeat it', async (given) => {
    const ended = await world.relay(ann, checkout, 'redact', '--allow', given);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('no fingerprint');
    if (given.length > 4) expect(ended.stderr).not.toContain(given);
  });
});

describe('paths', () => {
  it('of files are those of relay redact', async () => {
    const token = sample('ghp_{an36}');
    mine({ allow: { paths: ['test/fixtures/**'] } });
    put(join(checkout, 'test/fixtures/a.txt'), `${token}\n`);
    put(join(checkout, 'test/a.txt'), `${token}\n`);
    expect((await world.relay(ann, checkout, 'redact', 'test/fixtures/a.txt')).stdout).toContain(token);
    expect((await world.relay(ann, join(checkout, 'test'), 'redact', 'fixtures/a.txt')).stdout).toContain(token);
    expect((await world.relay(ann, checkout, 'redact', 'test/a.txt')).stdout).not.toContain(token);
  });
});

describe('all personal data and all that looks random', () => {
  it.each(SAMPLES)('of $agent goes, and the gate has nothing left to find', async (input) => {
    start(input);
    ann.env.USER = 'annlee42';
    mine({ pii: ['email', 'ipv4', 'ipv6', 'phone', 'host', 'user'], paranoid: true });
    const values = ['eve.moneypenny@acme.dev', '10.20.30.40', '2a02:8070:88a1::5', '+49 30 901820', 'build-7.acme.internal', 'annlee42', sample('{an40}')];
    plant(session, values, 'notes.txt');
    const ended = await push('--json');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    for (const value of values) expect(sent(value)).toBe(false);
    expect(gitText(join(checkout, '.git/relay/store.git')).includes(ann.name)).toBe(false);
    expect(Object.keys(JSON.parse(ended.stdout).handoffs[0].redactions.byKind)).toEqual(
      expect.arrayContaining(['email', 'ip', 'tel', 'host', 'user', 'random']),
    );
    const restored = await world.relay(ann, checkout, 'import', JSON.parse(ended.stdout).handoffs[0].handoff, '--to', input.agent, '--json');
    expect(restored).toMatchObject({ code: 0 });
  });
});
