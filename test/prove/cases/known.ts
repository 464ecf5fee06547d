import { join } from 'node:path';
import { gitText } from '../../support/git-text.ts';
import { keepSecrets, secretValues } from '../../support/known-sources.ts';
import { plant } from '../../support/plant.ts';
import { sample } from '../../support/samples.ts';
import { say } from '../../support/say.ts';
import { inWorld, nameOf, type Prove, writeFileAt } from '../world.ts';

const KNOWN = 200;
const LEARNED = 200;
/** Of those that stand beside their name once only, at least so many are to be taken out everywhere. */
const LEARNED_MIN = 170;

/** Ways in which a value says what it is. */
const CONTEXTS: ((value: string) => string)[] = [
  (v) => `DB_PASSWORD=${v}`,
  (v) => `curl -H "Authorization: Bearer ${v}" https://api.acme.dev`,
  (v) => `{"client_secret": "${v}"}`,
  (v) => `psql postgres://app:${v}@db.acme.dev/main`,
  (v) => `docker login -u ann --password ${v} registry.acme.dev`,
  (v) => `const apiKey = '${v}';`,
  (v) => `db:\n  password: ${v}\n`,
  (v) => `machine a.dev login ann password ${v}`,
];

/** Values that a user has in environment and files, bare in every kind of place; and values that a session itself names once: none is in what was sent. */
export const prove: Prove = (input, prover) =>
  inWorld(input, prover, async (w) => {
    const known = secretValues(KNOWN);
    const learned = Array.from({ length: LEARNED }, () => sample('Hq4{an17}x9'));
    Object.assign(w.ann.env, keepSecrets(known, w.ann.home, w.annProject));
    writeFileAt(join(w.annProject, 'notes.txt'), 'notes\n');
    const bare = `bare: ${learned.join(' ')}`;
    say(w.session, bare);
    plant(w.session, known, 'notes.txt');
    for (const [i, value] of learned.entries()) say(w.session, (CONTEXTS[i % CONTEXTS.length] as (v: string) => string)(value));
    say(w.session, bare);
    const pushed = await w.relay(w.ann, w.annProject, 'push', nameOf(w.session), '--json');
    prover.check(pushed.code === 0, 'the push succeeds', pushed.stderr);
    const text = gitText(w.remote) + pushed.stdout + pushed.stderr;
    const left = (values: string[]) => values.filter((value) => text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1)));
    const gone = (values: string[]) => values.length - left(values).length;
    prover.note(`known values gone: ${gone(known)} of ${KNOWN}; learned ones: ${gone(learned)} of ${LEARNED}`);
    prover.check(text.includes('[REDACTED:known:'), 'what was sent holds the session');
    prover.check(gone(known) === KNOWN, `all ${KNOWN} values of environment, .env.local, .npmrc and .netrc are gone`, `left: ${KNOWN - gone(known)}`);
    prover.check(
      gone(learned) >= LEARNED_MIN,
      `at least ${LEARNED_MIN} of ${LEARNED} values that the session names once are gone, before that place and behind it`,
    );
  });
