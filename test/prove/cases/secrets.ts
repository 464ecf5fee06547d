import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { layOut } from '../../support/fixtures.ts';
import { gitText } from '../../support/git-text.ts';
import { lab } from '../../support/lab.ts';
import { plant } from '../../support/plant.ts';
import { files } from '../../support/purging.ts';
import type { ImportJson, Prove, PushJson } from '../world.ts';
import { nameOf, writeFileAt } from '../world.ts';

const letters = (n: number): string =>
  randomBytes(2 * n)
    .toString('base64')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, n);

/** Made up anew at each run. `search`: what must be found nowhere. */
function makeSecrets(): { token: string; pair: string; pem: string; url: string; search: Record<string, string[]> } {
  const token = `ghp_${letters(36)}`;
  const password = `Zk7${letters(17)}`;
  const urlPassword = `Qv9${letters(17)}`;
  const pem = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;
  const body = pem.split('\n').slice(1, -2);
  return {
    token,
    pair: `DB_PASSWORD=${password}`,
    pem,
    url: `https://deploy:${urlPassword}@db.example.com/main`,
    search: { 'the token': [token, token.slice(4)], 'the password': [password], 'the PEM key': body, 'the URL password': [urlPassword] },
  };
}

/** Secrets in every place that a session and its repository have: none is in any Git object, ref, message, file or output of relay. */
export const prove: Prove = async (input, prover) => {
  const secrets = makeSecrets();
  const w = lab();
  try {
    const [ann, bob] = [w.person('ann'), w.person('bob')];
    const remote = w.bare('team');
    // The working directory, the branch and the remote's URL hold secrets too.
    const plain = w.project(ann, 'ann/proj', remote);
    const project = join(w.root, `ann/proj ${secrets.token} ${secrets.pair}`);
    renameSync(plain, project);
    w.git(ann, project, 'checkout', '-q', '-b', `wip/${secrets.token}/${secrets.pair}`);
    const address = `https://ann:${secrets.search['the URL password']?.[0]}@git.example.com/`;
    w.git(ann, project, 'config', `url.${remote}.insteadOf`, `${address}team.git`);
    w.git(ann, project, 'remote', 'set-url', 'origin', `${address}team.git`);
    const session = layOut(input.agent, input.path, ann.home, project);
    const fileName = `notes ${secrets.token} ${secrets.pair}.txt`;
    writeFileAt(join(project, fileName), 'notes\n');
    plant(session, [secrets.token, secrets.pair, secrets.pem, secrets.url], fileName);
    const bobProject = w.clone(bob, 'bob/work', remote);
    const outputs: string[] = [];
    const run = async (person: typeof ann, cwd: string, ...args: string[]): Promise<string> => {
      const ended = await w.relay(person, cwd, ...args);
      outputs.push(ended.stdout, ended.stderr);
      if (ended.code !== 0) throw new Error(`relay ${args[0]} ended with ${ended.code}: ${ended.stderr}`);
      return ended.stdout;
    };
    const pushed: PushJson = JSON.parse(await run(ann, project, 'push', nameOf(session), '--json'));
    const handoff = pushed.handoffs[0]?.handoff ?? '';
    for (const args of [['sessions'], ['list'], ['log', handoff], ['show', handoff], ['status'], ['check', handoff]])
      await run(ann, project, ...args, '--json');
    await run(ann, project, 'show', handoff);
    await run(bob, bobProject, 'pull', '--json');
    const imported: ImportJson = JSON.parse(await run(bob, bobProject, 'import', handoff, '--to', prover.to, '--json'));
    prover.note(`redacted: ${JSON.stringify(pushed.handoffs[0]?.redactions)}`);
    const places: Record<string, string> = {
      "any object, ref or message of Ann's store": gitText(join(project, '.git/relay/store.git')),
      'any object, ref or message of the remote': gitText(remote),
      "any object, ref or message of Bob's store": gitText(join(bobProject, '.git/relay/store.git')),
      'any file that relay wrote':
        [project, bobProject].map((p) => files(join(p, '.git/relay'))).join('\n') + [ann, bob].map((p) => files(join(p.home, '.local/state/relay'))).join('\n'),
      'what relay printed': outputs.join('\n'),
      "Bob's imported session": readFileSync(imported.path, 'utf8'),
    };
    for (const [what, values] of Object.entries(secrets.search))
      for (const [where, text] of Object.entries(places)) {
        const hit = values.find((value) => text.includes(value));
        prover.check(hit === undefined, `${what} is not in ${where}`, hit && around(text, hit));
      }
  } finally {
    if (prover.keep) prover.note(`kept: ${w.root}`);
    else w.done();
  }
};

const around = (text: string, hit: string): string => JSON.stringify(text.slice(Math.max(0, text.indexOf(hit) - 160), text.indexOf(hit) + 20));
