import { randomInt } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitText } from '../../support/git-text.ts';
import { grow } from '../../support/grow.ts';
import { sample } from '../../support/samples.ts';
import { say, twin } from '../../support/say.ts';
import { inWorld, nameOf, type Prove, type Prover, type PushJson, type World } from '../world.ts';

type Pushed = PushJson & { exposed: { handoff: string; version: number; values: string[]; purge: string }[] };

/** Two words and two digits: nothing but a name, or the environment, tells that it is a secret. */
const WORDS = ['tango', 'maple', 'violin', 'harbor', 'copper', 'lemon', 'tundra', 'velvet'];
const word = (): string => WORDS[randomInt(WORDS.length)] as string;
const plainSecret = (): string => `${word()}${sample('{dig2}')}${word()}${sample('{dig2}')}`;
const opaque = (): string => sample('Zk7{an17}');

const base64 = (text: string): string => Buffer.from(text).toString('base64').replace(/=+$/, '').slice(4, -4);

interface Play {
  w: World;
  prover: Prover;
  push(...args: string[]): Promise<Pushed>;
  /** a verdict: the value is nowhere on the remote */
  gone(value: string, what: string): void;
}

const play =
  (what: string, body: (play: Play) => Promise<void>): Prove =>
  (input, prover) =>
    inWorld(input, prover, async (w) => {
      prover.note(what);
      const push = (...args: string[]) => w.json<Pushed>(w.ann, w.annProject, 'push', ...args);
      const gone = (value: string, where: string) => {
        const text = gitText(w.remote);
        prover.check(!text.includes(value) && !text.includes(base64(`..${value}..`)), where);
      };
      await body({ w, prover, push, gone });
    });

const sameSession = play('a value that stands bare first, and with its name later', async ({ w, push, gone, prover }) => {
  const [early, late] = [opaque(), opaque()];
  say(w.session, `the door says ${early} and ${Buffer.from(`..${early}..`).toString('base64')}`);
  await push(nameOf(w.session), '--no-send');
  grow(w.session, 20_000, 1);
  await push(nameOf(w.session), '--no-send');
  say(w.session, `DB_PASSWORD=${early}`);
  say(w.session, `GATE_PASSWORD=${late}`);
  say(w.session, `the gate says ${late}`);
  const { handoffs } = await push(nameOf(w.session));
  gone(early, 'a bare value of versions that were not sent is on the remote in no form');
  gone(late, 'a bare value behind its name is not on the remote');
  const shown = JSON.stringify(await w.json(w.ann, w.annProject, 'show', handoffs[0]?.handoff ?? ''));
  prover.check(/the door says \[REDACTED:/.test(shown), 'what stood around the bare value is still there');
});

const otherSession = play('a value that another session tells', async ({ w, push, gone, prover }) => {
  const [unsent, later] = [opaque(), opaque()];
  const [second, third] = [twin(w.session, 2), twin(w.session, 3)];
  say(second, `the door says ${unsent}`);
  await push(nameOf(second), '--no-send');
  say(w.session, `DB_PASSWORD=${unsent}`);
  say(w.session, `GATE_PASSWORD=${later}`);
  await push(nameOf(w.session), nameOf(second));
  gone(unsent, "a value in another session's unsent versions is not on the remote");
  say(third, `the gate says ${later}.`);
  await push(nameOf(third));
  gone(later, 'a value that was learned in an earlier run is found in another session');
  const file = join(w.annProject, '.git/relay/learned.json');
  prover.check(
    !readFileSync(file, 'utf8').includes(later.slice(0, 6)) && (statSync(file).mode & 0o777) === 0o600,
    'what is remembered holds no value, mode 0600',
  );
});

const alreadySent = play('a value that was sent before it was known', async ({ w, push, prover }) => {
  const secret = plainSecret();
  say(w.session, `the service answers to ${secret}`);
  const first = await push(nameOf(w.session));
  const handoff = first.handoffs[0]?.handoff ?? '';
  prover.check(first.exposed.length === 0, 'nothing is told where nothing is known');
  writeFileSync(join(w.annProject, '.env'), `API_TOKEN=${secret}\n`);
  grow(w.session, 5000, 1);
  const second = await push(nameOf(w.session));
  const [told] = second.exposed;
  prover.check(
    second.exposed.length === 1 && told?.handoff === handoff && told.version === 1 && told.purge === `relay purge ${handoff}@1`,
    'the version that was sent with it is named, with the command that takes it out',
    JSON.stringify(second.exposed),
  );
  prover.check(/^known:[0-9a-f]{8}$/.test(told?.values[0] ?? '') && !JSON.stringify(second).includes(secret), 'by fingerprint, not by value');
  const shown = JSON.stringify(await w.json(w.ann, w.annProject, 'show', handoff));
  prover.check(/answers to \[REDACTED:known:/.test(shown) && !shown.includes(secret), 'the new version on top is clean');
  grow(w.session, 5000, 2);
  const text = await w.relay(w.ann, w.annProject, 'push', nameOf(w.session));
  prover.check(text.stdout.includes(`relay purge ${handoff}@1`) && /[Rr]otate/.test(text.stdout), 'it is told again until it is gone', text.stdout);
});

/** What a clone can lose, by where it lies. */
const LOSSES: Record<string, (w: World) => void> = {
  'the state of its sessions': (w) => {
    lose(w, 'state');
    lose(w, 'learned.json');
  },
  'its key': (w) => lose(w, 'key'),
  'its whole store': (w) => lose(w, ''),
  'its store and what relay keeps for the user': (w) => {
    lose(w, '');
    rmSync(join(w.ann.home, '.local/state/relay'), { recursive: true, force: true });
  },
};
const lose = (w: World, what: string): void => rmSync(join(w.annProject, '.git/relay', what), { recursive: true });

const losses = Object.entries(LOSSES).map(([what, lost], n) =>
  play(`a clone that loses ${what} while the value is in no environment any more`, async ({ w, push, gone, prover }) => {
    const secret = plainSecret();
    const env = join(w.annProject, '.env');
    writeFileSync(env, `API_TOKEN=${secret}\n`);
    say(w.session, `the service answers to ${secret}`);
    // So long that the store keeps it in a file of its own.
    say(w.session, `${'a long line of output that says little\n'.repeat(6000)}${secret}`);
    await push(nameOf(w.session));
    rmSync(env);
    lost(w);
    grow(w.session, 5000, n);
    say(w.session, `so ${secret} it is`);
    const { handoffs } = await push(nameOf(w.session));
    gone(secret, `after the loss of ${what} nothing that was redacted comes back`);
    const shown = JSON.stringify(await w.json(w.ann, w.annProject, 'show', handoffs[0]?.handoff ?? ''));
    prover.check(
      /answers to \[REDACTED:known:/.test(shown) && /so \[REDACTED:known:/.test(shown),
      'its placeholder stands where it stood, and where the value came again',
    );
  }),
);

/** Values that are told once, over time: earlier and later records, other sessions, what was sent, what a clone forgets. */
export const prove: Prove = async (input, prover) => {
  for (const one of [sameSession, otherSession, alreadySent, ...losses]) await one(input, prover);
};
