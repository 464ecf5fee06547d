import { execFileSync } from 'node:child_process';
import { objectsText } from '../../support/git-text.ts';
import { sample } from '../../support/samples.ts';
import { sideStore } from '../../support/side-store.ts';
import { inWorld, nameOf, type Prove, type World } from '../world.ts';

type Side = ReturnType<typeof sideStore>;

/** A secret put into an object of the store behind relay's back: what is moved, and the object (its id, or a path in the tip) that must be named. */
interface Planting {
  what: string;
  plant(side: Side, tip: string, secret: string): { tip: string; object?: string; path?: string };
}

const parentOf = (side: Side, commit: string): string[] => side.git(['rev-list', '--parents', '-1', commit]).split(' ').slice(1);

const inFile = (what: string, choose: (files: string[]) => string, edit: (text: string, secret: string) => string): Planting => ({
  what,
  plant(side, tip, secret) {
    const path = choose(side.files(tip));
    const text = edit(side.files(tip).includes(path) ? side.read(tip, path) : '', secret);
    return { tip: side.commit(side.treeWith(tip, path, text), parentOf(side, tip)), object: side.blob(text), path };
  },
});

const PLANTINGS: Planting[] = [
  inFile(
    'a segment',
    (files) => files.find((file) => /^transcript\/main\/.*\.jsonl$/.test(file)) ?? '',
    (text, secret) => `${text}\n${JSON.stringify({ type: 'event', kind: 'made-up', data: { text: `see ${secret}` } })}\n`,
  ),
  inFile(
    'an attachment',
    () => `attachments/ab/${'ab'.repeat(32)}`,
    (_, secret) => `the key is ${secret}\n`,
  ),
  inFile(
    'session.json',
    () => 'session.json',
    (text, secret) => JSON.stringify({ ...JSON.parse(text), remark: secret }),
  ),
  inFile(
    'files.json',
    () => 'files.json',
    (text, secret) => JSON.stringify({ ...JSON.parse(text), remark: secret }),
  ),
  {
    what: 'an index card',
    plant(side, tip, secret) {
      const manifest = JSON.parse(side.read(tip, 'session.json'));
      const text = JSON.stringify({ ...manifest, card: { ...manifest.card, title: secret } });
      return { tip: side.commit(side.treeWith(tip, 'session.json', text), parentOf(side, tip)), path: 'cards/' };
    },
  },
  {
    what: 'a commit message',
    plant(side, tip, secret) {
      const made = side.commit(`${tip}^{tree}`, parentOf(side, tip), `relay: ${secret}`);
      return { tip: made, object: made };
    },
  },
  {
    what: "an author's name",
    plant(side, tip, secret) {
      const made = side.commit(`${tip}^{tree}`, parentOf(side, tip), 'relay: a session', `Eve ${secret}`);
      return { tip: made, object: made };
    },
  },
  {
    what: 'the name of a file in a tree',
    plant(side, tip, secret) {
      const tree = side.treeWith(tip, `attachments/ab/${secret}`, 'x');
      return { tip: side.commit(tree, parentOf(side, tip)), object: side.git(['rev-parse', `${tree}:attachments/ab`]) };
    },
  },
  {
    what: 'a version that a later one took out again',
    plant(side, tip, secret) {
      const between = side.commit(side.treeWith(tip, 'remark.txt', secret), parentOf(side, tip));
      return { tip: side.commit(`${tip}^{tree}`, [between]), object: side.blob(secret), path: 'remark.txt' };
    },
  },
];

/** Whatever object of a version holds a secret, the push stops, names it, and sends nothing; with the object gone, it sends. */
export const prove: Prove = (input, prover) =>
  inWorld(input, prover, async (w) => {
    const push = (...args: string[]) => w.relay(w.ann, w.annProject, 'push', nameOf(w.session), ...args);
    const made = await push('--no-send');
    if (made.code !== 0) throw new Error(made.stderr);
    const side = sideStore(w.annProject);
    const secrets: string[] = [];
    const stops = async (what: string, planted: { object?: string; path?: string }): Promise<void> => {
      const secret = secrets.at(-1) as string;
      const { code, stderr, stdout } = await push();
      const named = [planted.object?.slice(0, 12) ?? '', planted.path ?? '', 'GitHub token (gh:', 'relay redact --allow gh:', 'relay purge'].every((word) =>
        stderr.includes(word),
      );
      prover.check(code === 3 && named, `${what}: the push stops, names object and rule, and says what to do`, `${code}: ${stderr}`);
      prover.check(!`${stderr}${stdout}`.includes(secret.slice(4)), `${what}: what it says does not hold the secret`);
    };
    const ref = side.ref('refs/relay/s/');
    const tip = side.git(['rev-parse', ref]);
    for (const { what, plant } of PLANTINGS) {
      secrets.push(sample('ghp_{an36}'));
      const planted = plant(side, tip, secrets.at(-1) as string);
      side.move(ref, planted.tip);
      await stops(what, planted);
      side.move(ref, tip);
    }
    prover.check(!relayRefs(w), 'nothing was sent');
    const sent = await push();
    prover.check(sent.code === 0 && relayRefs(w) !== '', 'without them it is sent', sent.stderr);
    const there = objectsText(w.remote);
    const left = secrets.filter((secret) => there.includes(secret.slice(4)));
    prover.check(left.length === 0, 'no secret is in any object of the remote', `${left.length} are`);
  });

const relayRefs = (w: World): string => execFileSync('git', ['for-each-ref', 'refs/relay'], { cwd: w.remote, encoding: 'utf8' });
