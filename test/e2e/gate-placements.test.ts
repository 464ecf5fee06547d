import { isUtf8 } from 'node:buffer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameOf, type World, world } from '../prove/world.ts';
import { objectsText } from '../support/git-text.ts';
import { PLACEMENTS, pathOf } from '../support/placements.ts';
import { SAMPLES } from '../support/proofs.ts';
import { sample } from '../support/samples.ts';
import { sideStore } from '../support/side-store.ts';

const [claude] = SAMPLES as [(typeof SAMPLES)[0]];
/** Known by the name of its variable. */
const known = sample('Kx{an22}');
let w: World;
let side: ReturnType<typeof sideStore>;
let ref: string;
let tip: string;
const planted: string[] = [];

const push = () => w.relay({ ...w.ann, env: { ...w.ann.env, DEPLOY_TOKEN: known } }, w.annProject, 'push', nameOf(w.session), '--yes');

beforeAll(async () => {
  w = world(claude);
  expect((await w.relay(w.ann, w.annProject, 'push', nameOf(w.session), '--no-send')).code).toBe(0);
  side = sideStore(w.annProject);
  ref = side.ref('refs/relay/s/');
  tip = side.git(['rev-parse', ref]);
}, 60_000);

afterAll(() => {
  const there = objectsText(w.remote);
  for (const secret of planted) expect(there).not.toContain(secret.slice(4));
  w.done();
});

/** Pushes what is there with something planted in it; every word of `named` must be in the error. */
async function stops(to: string, secrets: readonly string[], named: readonly string[]): Promise<void> {
  planted.push(...secrets);
  side.move(ref, to);
  const { code, stderr, stdout } = await push();
  side.move(ref, tip);
  expect(code, stderr).toBe(3);
  for (const one of named) expect(stderr).toContain(one);
  for (const secret of secrets) expect(`${stderr}${stdout}`).not.toContain(secret.slice(4));
}

const parents = (): string[] => side.git(['rev-list', '--parents', '-1', tip]).split(' ').slice(1);
const commitOf = (tree: string): string => side.commit(tree, parents());
const short = (id: string): string => id.slice(0, 12);

describe('a push stops, and names object, record and rule, for a token and for a known value', () => {
  it.each(PLACEMENTS)('in $what', async (placement) => {
    const secrets = [sample('ghp_{an36}'), known];
    const named = ['gh:', 'known:'];
    let to = tip;
    for (const [i, secret] of secrets.entries()) {
      const bytes = placement.make(secret);
      const path = placement.path ? `${i}/${placement.path}` : pathOf(placement, bytes);
      to = commitOf(side.treeWith(to, path, bytes));
      named.push(`object ${short(side.blob(bytes))}`, path);
      if (path.endsWith('.jsonl') && isUtf8(bytes) && !bytes.includes(0)) named.push(`${path}), record `);
    }
    await stops(to, secrets, named);
  });
});

interface InGit {
  what: string;
  make(secret: string): { to: string; named: string[] };
}

const WHO = 'Eve <eve@example.invalid> 1795000000 +0000';
const commit = (message: string, headers = '', author = WHO): string =>
  side.object(
    'commit',
    Buffer.from(
      [
        `tree ${side.git(['rev-parse', `${tip}^{tree}`])}`,
        ...parents().map((parent) => `parent ${parent}`),
        `author ${author}`,
        `committer ${WHO}`,
        ...(headers ? [headers] : []),
        '',
        message,
      ].join('\n'),
      'latin1',
    ),
  );
const inCommit = (what: string, make: (secret: string) => string): InGit => ({
  what,
  make(secret) {
    const to = make(secret);
    return { to, named: [`object ${short(to)}`, 'a commit'] };
  },
});
const inTree = (what: string, make: (secret: string) => string, folder = ''): InGit => ({
  what,
  make(secret) {
    const tree = make(secret);
    return { to: commitOf(tree), named: [`object ${short(folder ? side.git(['rev-parse', `${tree}:${folder}`]) : tree)}`, 'a tree'] };
  },
});
const inFile = (what: string, mode: string, path: string): InGit => ({
  what,
  make: (secret) => ({ to: commitOf(side.treeWith(tip, path, `to ${secret}`, mode)), named: [`object ${short(side.blob(`to ${secret}`))}`, path] }),
});
/** The entries of a version's tree and more, as git would not write them. */
const treeOf = (...more: [name: string, blob: string][]): string =>
  side.object(
    'tree',
    Buffer.concat(
      side
        .git(['ls-tree', tip])
        .split('\n')
        .map((entry) => /^0*(\d+) \w+ ([0-9a-f]+)\t(.*)$/.exec(entry) as unknown as [string, string, string, string])
        .map(([, mode, id, name]): [string, string, string] => [mode, name, id])
        .concat(more.map(([name, id]) => ['100644', name, id]))
        .map(([mode, name, id]) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')])),
    ),
  );

const IN_GIT: InGit[] = [
  inCommit('a message', (secret) => commit(`relay: ${secret}`)),
  inCommit('a message beside bytes that are no UTF-8', (secret) => commit(`\xe9 ${secret}`, 'encoding ISO-8859-1')),
  inCommit('a message that is JSON', (secret) => commit(JSON.stringify({ a: secret }))),
  inCommit("an author's name", (secret) => commit('relay: x', '', WHO.replace('Eve', secret))),
  inCommit("an author's address", (secret) => commit('relay: x', '', WHO.replace('eve@', `${secret}@`))),
  inCommit('a header of its own', (secret) => commit('relay: x', `remark ${secret}`)),
  inCommit('a signature', (secret) => commit('relay: x', `gpgsig -----BEGIN\n ${secret}\n -----END`)),
  inTree('the name of a file', (secret) => side.treeWith(tip, `${secret}.txt`, 'x')),
  inTree('the name of a folder', (secret) => side.treeWith(tip, `attachments/${secret}/x`, 'x'), 'attachments'),
  inTree('a name that stands twice', (secret) => treeOf(['x', side.blob('x')], ['x', side.blob('y')], [`z${secret.length} ${secret}`, side.blob('x')])),
  inFile('a program', '100755', 'remark.sh'),
  inFile('the target of a link', '120000', 'remark'),
  {
    what: 'the first of two files of one name',
    make: (secret) => ({
      to: commitOf(treeOf(['x.txt', side.blob(`a ${secret}`)], ['x.txt', side.blob('x')])),
      named: [`object ${short(side.blob(`a ${secret}`))}`, 'x.txt'],
    }),
  },
  {
    what: 'a version that a later one took out again',
    make(secret) {
      const between = commitOf(side.treeWith(tip, 'remark.txt', secret));
      return { to: side.commit(`${tip}^{tree}`, [between]), named: [`object ${short(side.blob(secret))}`, 'remark.txt'] };
    },
  },
  {
    what: 'another history that was merged',
    make(secret) {
      const other = side.commit(`${tip}^{tree}`, [], `relay: ${secret}`);
      return { to: side.commit(`${tip}^{tree}`, [...parents(), other]), named: [`object ${short(other)}`, 'a commit'] };
    },
  },
];

describe('a push stops in the same way for what Git itself keeps', () => {
  it.each(IN_GIT)('$what', async ({ make }) => {
    for (const [secret, kind] of [
      [sample('ghp_{an36}'), 'gh:'],
      [known, 'known:'],
    ] as const) {
      const { to, named } = make(secret);
      await stops(to, [secret], [...named, kind]);
    }
  });

  it('and sends no tag and no note', async () => {
    const secret = sample('ghp_{an36}');
    planted.push(secret);
    side.git(['update-ref', 'refs/notes/commits', side.commit(`${tip}^{tree}`, [], `note ${secret}`)]);
    const tag = side.object('tag', `object ${tip}\ntype commit\ntag x\ntagger ${WHO}\n\n${secret}\n`);
    side.git(['update-ref', 'refs/tags/x', tag]);
    side.move(ref, tag);
    const tagged = await push();
    expect(tagged.code, tagged.stderr).not.toBe(0);
    side.move(ref, tip);
    const sent = await push();
    expect(sent.code, sent.stderr).toBe(0);
  });
});
