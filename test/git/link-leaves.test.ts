import { execFileSync, fork } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { gate } from '#flows/gate.ts';
import { recordCommits, recordRewrites } from '#flows/link.ts';
import { type LinkedClone, type LinkedTeam, linkedTeam } from '../support/linked.ts';
import { everything, files, secret } from '../support/purging.ts';

vi.setConfig({ testTimeout: 120_000 });

const ONE = 'claude-code:one';
let team: LinkedTeam;
let ann: LinkedClone;
beforeEach(async () => {
  team = linkedTeam();
  ({ ann } = team);
  await ann.snapshot(ONE);
});
afterEach(() => team.place.remove());

const store = async (clone: LinkedClone) => (await clone.ws()).store();
const linksOf = async (clone: LinkedClone) => (await (await store(clone)).links()).map(({ link }) => link);
/** Git's own view of the links in the index that Ann sent. */
const sent = (): string => {
  const refs = team.place.git(team.origin, 'for-each-ref', '--format=%(refname)', 'refs/relay/index').trim().split('\n');
  return refs
    .filter(Boolean)
    .flatMap((ref) => team.place.git(team.origin, 'ls-tree', '-r', '--name-only', ref, '--', 'links').trim().split('\n').filter(Boolean))
    .join('\n');
};
/** All that relay's refs reach on the remote. */
const sentText = (): string => {
  const git = (args: string[], input: string): string => execFileSync('git', args, { cwd: team.origin, input, encoding: 'latin1', maxBuffer: 1 << 30 });
  return git(['cat-file', '--batch'], git(['rev-list', '--objects', '--no-object-names', '--glob=refs/relay/*'], ''));
};
/** A made-up token of a kind that rules know. */
const token = (): string =>
  `ghp_${randomBytes(40)
    .toString('base64')
    .replace(/[^A-Za-z0-9]/g, '')
    .padEnd(36, 'k7')
    .slice(0, 36)}`;

describe('what is told of a commit', () => {
  test('is what git says of it', async () => {
    const commit = ann.commit('Subject of\ntwo lines\n\nand a body', { 'a/b c.txt': 'text\n', 'ä.txt': 'more\n' }, ONE);
    ann.git('rm', '-q', 'ä.txt');
    ann.as(ONE, 'commit', '-q', '-m', 'Away');
    await ann.drain();
    const [first, second] = await linksOf(ann);
    expect(first).toEqual({
      commit,
      tree: ann.git('rev-parse', `${commit}^{tree}`),
      parent: ann.git('rev-parse', `${commit}^`),
      patchId: expect.stringMatching(/^[0-9a-f]{40}$/),
      subject: ann.git('log', '-1', '--format=%s', commit),
      authorDate: expect.any(String),
      pairs: [
        ['a/b c.txt', ann.git('hash-object', 'a/b c.txt')],
        ['ä.txt', ann.git('rev-parse', `${commit}:ä.txt`)],
      ],
      how: 'variable',
      version: 1,
    });
    expect(Date.parse(first?.authorDate ?? '')).toBe(Number(ann.git('log', '-1', '--format=%at', commit)) * 1000);
    expect(second?.pairs).toEqual([['ä.txt', null]]);
  });

  test('holds no secret, and no hash of what holds one, is ignored or has a redacted name', async () => {
    const [inSubject, inFile, inName] = [token(), token(), token()];
    ann.write({ '.gitignore': 'private/\n' });
    const commit = ann.commit(`use ${inSubject} for ${ann.path}/x`, { 'key.txt': `key = ${inFile}\n`, [`of ${inName}`]: 'x\n', 'fine.txt': 'fine\n' }, ONE);
    ann.write({ 'private/a.txt': 'nobody knows\n' });
    ann.git('add', '-f', 'private/a.txt');
    ann.as(ONE, 'commit', '-q', '-m', 'ignored');
    await ann.drain();
    const [link, ignored] = await linksOf(ann);
    expect(link?.subject).toMatch(/^use \[REDACTED:gh:[0-9a-f]{8}\] for \$\{PROJECT\}\/x$/);
    expect(new Map(link?.pairs.map(([path, blob]) => [path, blob]))).toEqual(
      new Map<string, string | undefined>([
        ['.gitignore', ann.git('rev-parse', `${commit}:.gitignore`)],
        ['fine.txt', ann.git('rev-parse', `${commit}:fine.txt`)],
        ['key.txt', undefined],
        [link?.pairs.map(([path]) => path).find((path) => path.startsWith('of ')) ?? '', undefined],
      ]),
    );
    expect(link?.patchId).toBeUndefined();
    expect(ignored?.pairs).toEqual([['private/a.txt']]);
    expect(ignored?.patchId).toBeUndefined();
    await ann.send();
    const left = `${files((await store(ann)).home)}${sentText()}`;
    for (const value of [
      inSubject,
      inFile,
      inName,
      createHash('sha1')
        .update(`blob ${inFile.length + 7}\0key = ${inFile}\n`)
        .digest('hex'),
    ])
      expect(left).not.toContain(value);
    expect(left).toContain('fine.txt');
    ann.git('commit', '-q', '--amend', '-m', `use ${inSubject} for ${ann.path}/x`, '--no-edit');
    expect(await ann.behind(commit)).toEqual(['one commit']);
  });

  test('has no hash of a change that took a secret away, as its branch has none', async () => {
    const value = token();
    ann.commit('with it', { 'key.txt': `first\nkey = ${value}\n` });
    ann.git('push', '-q', 'origin', 'main');
    ann.git('checkout', '-q', '-b', 'work');
    ann.commit('without', { 'key.txt': 'first\n' }, ONE);
    ann.commit('more', { 'more.txt': 'more\n' }, ONE);
    await ann.drain();
    const [without, more] = await linksOf(ann);
    expect([without?.patchId, without?.branch, without?.pairs]).toEqual([undefined, undefined, [['key.txt', ann.git('rev-parse', 'HEAD:key.txt')]]]);
    expect([more?.patchId, more?.branch]).toEqual([expect.any(String), undefined]);
  });

  test('passes the gate, whatever files are called and however strict the settings are', async () => {
    const names = ['.env.example', 'api_key.txt', 'password', 'src/token.ts', 'secrets/client_secret.json', 'id_rsa.pub', '=4', 'a b\nc'];
    mkdirSync(join(ann.path, '.git/relay'), { recursive: true });
    writeFileSync(join(ann.path, '.git/relay/config.jsonc'), '{"redact":{"paranoid":true,"pii":["email","ipv4","host","user"]}}');
    const commit = ann.commit('Set the password: see docs', Object.fromEntries(names.map((name) => [name, `of ${name}\n`])), ONE);
    await ann.drain();
    const mine = await store(ann);
    const handoffs = [`${await mine.writer()}/claude-code-one`];
    await gate(
      await ann.ws(),
      team.remote,
      handoffs.map((handoff) => ({ handoff, root: ann.path, learned: [] })),
    );
    const [link] = await linksOf(ann);
    expect(link?.pairs.map(([path]) => path).sort()).toEqual(names.toSorted());
    expect(link?.pairs.every(([, blob]) => blob)).toBe(true);
    expect(await ann.behind(commit)).toEqual(['one commit']);
  });

  test('is bounded for a huge commit', async () => {
    const many = Object.fromEntries(Array.from({ length: 450 }, (_, i) => [`f${String(i).padStart(3, '0')}.txt`, `${i}\n`]));
    const commit = ann.commit('many', many, ONE);
    await ann.drain();
    const [link] = await linksOf(ann);
    expect([link?.pairs.length, link?.more, link?.patchId]).toEqual([200, 250, undefined]);
    expect(await ann.behind(commit)).toEqual(['one commit']);
  });
});

describe('links leave', () => {
  test('only with a session that goes there, and without a new version', async () => {
    await ann.snapshot('codex:two');
    ann.commit('one', { 'a.txt': 'a\n' }, ONE);
    ann.commit('two', { 'b.txt': 'b\n' }, 'codex:two');
    await ann.drain();
    await ann.send(ONE);
    expect(sent()).toMatch(/^links\/..\/claude-code-one\.[^/]+\.jsonl$/);
    const mine = await store(ann);
    const writer = await mine.writer();
    expect(await mine.unsent(team.remote)).toEqual([`${writer}/codex-two`]);
    ann.commit('three', { 'c.txt': 'c\n' }, ONE);
    await ann.drain();
    expect((await mine.unsent(team.remote)).sort()).toEqual([`${writer}/claude-code-one`, `${writer}/codex-two`]);
    expect((await mine.send(team.remote, [`${writer}/claude-code-one`])).sent).toEqual([]);
    expect(await mine.unsent(team.remote)).toEqual([`${writer}/codex-two`]);
    const bob = team.clone('bob');
    await bob.pull();
    expect(await bob.behind(ann.git('rev-parse', 'main'))).toEqual(['one commit']);
    expect(await bob.behind('main')).toEqual([]);
  });

  test('after the last look at them: what became known as a secret since is taken out, what was added since waits', async () => {
    const value = `pa-${secret()}`;
    ann.commit(`deploy with ${value}`, { 'a.txt': 'a\n' }, ONE);
    await ann.drain();
    const mine = await store(ann);
    const handoffs = [`${await mine.writer()}/claude-code-one`];
    writeFileSync(join(ann.path, '.env'), `DEPLOY_PASSWORD=${value}\n`);
    const prepared = handoffs.map((handoff) => ({ handoff, root: ann.path, learned: [] }));
    await gate(await ann.ws(), team.remote, prepared);
    ann.commit('later', { 'b.txt': 'b\n' }, ONE);
    await ann.drain();
    await mine.send(team.remote, handoffs);
    expect(sentText()).not.toContain(value);
    expect(sentText()).toContain('deploy with [REDACTED:');
    expect(sentText()).not.toContain('"later"');
    await mine.send(team.remote, handoffs);
    expect(sentText()).toContain('"later"');
  });
});

describe('a purge', () => {
  const share = async (): Promise<string> => {
    const value = secret();
    ann.commit(`about ${value}`, { 'a.txt': 'a\n', [`${value}.txt`]: 'b\n' }, ONE);
    ann.git('push', '-q', 'origin', 'main');
    await ann.drain();
    await ann.send();
    expect(sentText()).toContain(value);
    return value;
  };
  const nowhere = async (clone: LinkedClone, value: string): Promise<void> => {
    const { path, home } = await store(clone);
    expect(everything(path)).not.toContain(value);
    expect(files(home)).not.toContain(value);
  };

  test('of a value takes it out of links here, there and in every other clone', async () => {
    const value = await share();
    const bob = team.clone('bob');
    await bob.pull();
    await (await store(bob)).purge(team.remote, { values: [value] });
    expect(sentText()).not.toContain(value);
    await nowhere(bob, value);
    expect(await bob.behind('main')).toEqual(['one commit']);
    ann.commit(`again ${value}`, { 'c.txt': 'c\n' }, ONE);
    await ann.drain();
    await ann.pull();
    await nowhere(ann, value);
    await ann.send();
    expect(sentText()).not.toContain(value);
    await bob.pull();
    expect(await bob.behind(ann.git('rev-parse', 'main'))).toEqual(['one commit']);
  });

  test('of a handoff takes its links along, and no others', async () => {
    await ann.snapshot('codex:two');
    ann.commit('two', { 'b.txt': 'b\n' }, 'codex:two');
    const value = await share();
    const mine = await store(ann);
    await mine.purge(team.remote, { handoff: `${await mine.writer()}/claude-code-one` });
    await nowhere(ann, value);
    expect(sentText()).not.toContain(value);
    expect(await ann.behind('main')).toEqual([]);
    expect(await ann.behind('main~1')).toEqual(['two commit']);
    expect(sent()).toMatch(/^links\/..\/codex-two\.[^/]+\.jsonl$/);
  });
});

describe('links are kept', () => {
  test('by two processes at once, whole and each once', async () => {
    for (let i = 0; i < 12; i++) ann.commit(`c${i}`, { [`f${i}.txt`]: `${i}\n` });
    const commits = ann.git('rev-list', 'main', '-n', '12').split('\n');
    const worker = fileURLToPath(new URL('../support/link-worker.ts', import.meta.url));
    const run = (some: string[]): Promise<number | null> =>
      new Promise((resolve) => {
        const child = fork(worker, [ann.path, ...some], { env: { ...team.place.env }, execArgv: ['--import', 'tsx'], stdio: 'inherit' });
        child.on('close', resolve);
      });
    expect(await Promise.all([run(commits), run(commits.toReversed()), run(commits)])).toEqual([0, 0, 0]);
    expect((await linksOf(ann)).map(({ commit }) => commit).sort()).toEqual(commits.toSorted());
    const folder = join((await store(ann)).home, 'links');
    const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'));
    expect(lines.length).toBe(12);
  });

  test('when a process died in the middle of a line', async () => {
    const first = ann.commit('first', { 'a.txt': 'a\n' }, ONE);
    await ann.drain();
    const folder = join((await store(ann)).home, 'links');
    const [name = ''] = readdirSync(folder);
    appendFileSync(join(folder, name), '{"commit":"0123');
    expect(await ann.behind(first)).toEqual(['one commit']);
    const second = ann.commit('second', { 'b.txt': 'b\n' }, ONE);
    await ann.drain();
    expect((await linksOf(ann)).map(({ commit }) => commit)).toEqual([first, second]);
    expect(readFileSync(join(folder, name), 'utf8')).not.toContain('"0123');
  });

  test('cheaply: ten thousand of them cost a commit, a send and a question next to nothing more', async () => {
    const commit = ann.commit('first', { 'a.txt': 'a\n' }, ONE);
    await ann.drain();
    await ann.send();
    const mine = await store(ann);
    const [like] = await linksOf(ann);
    if (!like) throw new Error('there is no link');
    const id = (n: number): string => createHash('sha1').update(String(n)).digest('hex');
    const links = Array.from({ length: 10_000 }, (_, i) => ({
      session: 'claude-code-one',
      link: { ...like, commit: id(i), tree: id(i + 20_000), patchId: id(i + 40_000), pairs: [[`src/f${i}.ts`, id(i + 60_000)] as [string, string]] },
    }));
    await mine.link(links);
    await mine.send(team.remote);
    const timed = async (work: () => Promise<unknown>): Promise<number> => {
      const started = performance.now();
      await work();
      return performance.now() - started;
    };
    const recordOne = async (): Promise<void> => {
      const next = ann.commit('next', { 'a.txt': `${Math.random()}\n` });
      const ws = await ann.ws();
      await recordCommits(ws, [{ commit: next, sessions: [{ agent: 'claude-code', session: 'one', how: 'variable' }] }]);
      await recordRewrites(ws, [[next, commit]]);
    };
    const figures = { record: await timed(recordOne), send: await timed(() => mine.send(team.remote)), ask: await timed(() => ann.behind(commit)) };
    const before = team.place.git(team.origin, 'count-objects', '-v');
    await recordOne();
    const { bytes } = await mine.send(team.remote);
    expect(before).toContain('count');
    expect(bytes).toBeLessThan(64 * 1024);
    for (const [what, ms] of Object.entries(figures)) expect(ms, what).toBeLessThan(2_000);
    if (process.env.RELAY_TEST_FIGURES) process.stderr.write(`${JSON.stringify({ ...figures, bytes })}\n`);
  });
});
