import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { growTurns } from '../../support/grow.ts';
import { serveHttp } from '../../support/http-remote.ts';
import type { Person } from '../../support/lab.ts';
import { RELAY } from '../../support/lab.ts';
import { plant } from '../../support/plant.ts';
import { runProgram } from '../../support/processes.ts';
import { everything, files, reachableText } from '../../support/purging.ts';
import { say } from '../../support/say.ts';
import { type ImportJson, inWorld, nameOf, type Prove, type Prover, type PushJson, type World } from '../world.ts';

/** How the remote is reached, and where relay's refs lie there. */
interface Setting {
  title: string;
  http?: boolean;
  namespace?: string;
}

const SETTINGS: Setting[] = [{ title: 'refs/relay' }, { title: 'refs/heads/relay', namespace: 'refs/heads/relay' }, { title: 'over http', http: true }];

/** Three clones, two of them stale when something is purged: it is gone here and there, stays gone when they push, and they keep their own work. */
export const prove: Prove = async (input, prover) => {
  for (const setting of SETTINGS) await inWorld(input, prover, (w) => inSetting(w, prover, setting, byValue));
  await inWorld(input, prover, (w) => inSetting(w, prover, { title: 'a handoff' }, wholeHandoff));
  await inWorld(input, prover, (w) => inSetting(w, prover, { title: 'a version' }, oneVersion));
};

/** Somebody at work: a person with a checkout. */
interface Clone {
  person: Person;
  project: string;
  store: string;
}

interface Scene {
  w: World;
  check: Prover['check'];
  to: Prover['to'];
  ann: Clone;
  bob: Clone;
  cy: Clone;
  /** in no rule's eyes a secret: words and a number, never twice the same */
  value: string;
  push(clone: Clone, ...args: string[]): Promise<PushJson>;
  purge(clone: Clone, args: string[], piped?: string): Promise<void>;
}

async function inSetting(w: World, prover: Prover, setting: Setting, body: (scene: Scene) => Promise<void>): Promise<void> {
  const at = (person: Person, project: string): Clone => ({ person, project, store: join(project, '.git/relay/store.git') });
  const cy = w.person('cy');
  const clones = { ann: at(w.ann, w.annProject), bob: at(w.bob, w.bobProject), cy: at(cy, w.clone(cy, 'cy/proj', w.remote)) };
  const server = setting.http ? await overHttp(w, Object.values(clones)) : undefined;
  const namespace = setting.namespace ? ['--namespace', setting.namespace] : [];
  try {
    await body({
      w,
      check: (ok, what, detail) => prover.check(ok, `${setting.title}: ${what}`, detail),
      to: prover.to,
      ...clones,
      value: `violet-otter-${randomBytes(4).readUInt32BE()}`,
      push: ({ person, project }, ...args) => w.json(person, project, 'push', ...args, '--yes', ...namespace),
      async purge({ person, project }, args, piped) {
        const command = [RELAY, 'purge', ...args, '--yes', ...namespace];
        const { code, stderr, stdout } = await runProgram(process.execPath, command, {
          cwd: project,
          env: person.env,
          timeout: 300_000,
          ...(piped ? { input: piped } : {}),
        });
        if (code !== 0) throw new Error(`relay purge ended with ${code}: ${stderr}\n${stdout}`);
        prover.check(/^Rotate the key first/.test(stderr), `${setting.title}: it says first that the key must be rotated`, stderr);
      },
    });
  } finally {
    await server?.close();
  }
}

async function overHttp(w: World, clones: readonly Clone[]): Promise<{ close(): Promise<unknown> }> {
  w.git(w.ann, w.remote, 'config', 'http.receivepack', 'true');
  const server = await serveHttp(join(w.root, 'remotes'), w.ann.env);
  for (const { person, project } of clones) w.git(person, project, 'remote', 'set-url', 'origin', `http://${server.host}/team.git`);
  return server;
}

/** Everything that relay keeps of a clone. */
const kept = ({ person, project, store }: Clone): string =>
  [everything(store), files(join(project, '.git/relay')), files(join(person.home, '.local/state/relay'))].join('\n');

const found = (text: string, value: string): boolean => text.includes(value) || text.includes(Buffer.from(value).toString('base64').slice(0, 16));

/** Imports what was pulled, goes on with it, and answers the new session. */
async function goesOn({ w, to }: Scene, { person, project }: Clone, handoff: string): Promise<ImportJson & { name: string; grow(step: number): void }> {
  await w.json(person, project, 'pull');
  const made = await w.json<ImportJson>(person, project, 'import', handoff, '--to', to);
  const session = { agent: made.agent, id: made.session, path: made.path, cwd: project };
  return { ...made, name: `${made.agent}:${made.session}`, grow: (step) => growTurns(session, 1, step) };
}

/** How to see that something is back on the remote, or still in a clone. */
interface Traces {
  isBack(): boolean;
  isThere(clone: Clone): boolean;
}

const ofValue = ({ w, value }: Scene): Traces => ({
  isBack: () => found(reachableText(w.remote), value),
  isThere: (clone) => found(kept(clone), value),
});

/** Both stale clones push what they had, then pull. @param held true: what Cy has only imported and gone on with must not leave any more */
async function catchUp(
  { w, bob, cy, check, push }: Scene,
  { cys, bobs }: Record<'cys' | 'bobs', { name: string }>,
  traces: Traces,
  held = false,
): Promise<void> {
  for (const [clone, session, who] of [
    [cy, cys, 'Cy'],
    [bob, bobs, 'Bob'],
  ] as const) {
    if (held && clone === cy) {
      const { code, stderr } = await w.relay(clone.person, clone.project, 'push', session.name, '--yes');
      check(code === 3 && stderr.includes('was imported from'), 'what Cy imported and never sent is stopped, and it is said why', stderr);
    } else await push(clone, session.name);
    check(!traces.isBack(), `${who}'s stale clone pushes, and it is not back`);
    await w.json(clone.person, clone.project, 'pull');
    check(!traces.isThere(clone), `it is gone from ${who}'s clone`);
  }
}

async function byValue(scene: Scene): Promise<void> {
  const { w, ann, bob, cy, value, check, push } = scene;
  plant(w.session, [value], 'notes.txt');
  const handoff = (await push(ann, nameOf(w.session))).handoffs[0]?.handoff ?? '';
  growTurns(w.session, 1, 1);
  await push(ann, nameOf(w.session));
  check(found(reachableText(w.remote), value), 'the value is on the remote to begin with');
  const [bobs, cys] = [await goesOn(scene, bob, handoff), await goesOn(scene, cy, handoff)];
  bobs.grow(2);
  const fork = (await push(bob, bobs.name)).handoffs[0]?.handoff ?? '';
  bobs.grow(3);
  await w.json(bob.person, bob.project, 'push', bobs.name, '--no-send');
  cys.grow(4);
  await scene.purge(ann, ['--match', '-'], `${value}\n`);
  check(!found(kept(ann), value), "no ref, log, object or file of Ann's clone holds it");
  check(!found(reachableText(w.remote), value), 'nothing that a ref of the remote reaches holds it');
  await catchUp(scene, { cys, bobs }, ofValue(scene));
  const own = await w.json<{ version: number }>(bob.person, bob.project, 'show', fork);
  check(own.version >= 2, "Bob's own work is there", JSON.stringify(own.version));
  say(w.session, `again: ${value}`);
  await push(ann, nameOf(w.session));
  check(!found(reachableText(w.remote), value), "Ann's next push of the same session does not bring it back");
  for (const clone of [ann, bob, cy]) check(w.git(clone.person, clone.store, 'fsck', '--full', '--strict') === '', 'the store is sound');
}

async function wholeHandoff(scene: Scene): Promise<void> {
  const { w, ann, bob, cy, check, push } = scene;
  const handoff = (await push(ann, nameOf(w.session))).handoffs[0]?.handoff ?? '';
  growTurns(w.session, 1, 1);
  await push(ann, nameOf(w.session));
  const commits = w.git(ann.person, ann.store, 'rev-list', '--max-parents=1', '--min-parents=1', `refs/relay/s/${handoff}`).split('\n');
  const blobs = w.git(ann.person, ann.store, 'ls-tree', '-r', '--format=%(objectname)', `refs/relay/s/${handoff}`, 'transcript/').split('\n');
  const [bobs, cys] = [await goesOn(scene, bob, handoff), await goesOn(scene, cy, handoff)];
  bobs.grow(2);
  const fork = (await push(bob, bobs.name)).handoffs[0]?.handoff ?? '';
  bobs.grow(3);
  await w.json(bob.person, bob.project, 'push', bobs.name, '--no-send');
  cys.grow(4);
  const has = (clone: { person: Person; store: string }, ids: string[]): string[] =>
    w
      .git(clone.person, clone.store, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)')
      .split('\n')
      .filter((id) => ids.includes(id));
  const onRemote = (): string[] =>
    w
      .git(w.ann, w.remote, 'rev-list', '--all')
      .split('\n')
      .filter((id) => commits.includes(id));
  check(commits.length === 2 && blobs.every(Boolean), 'two commits and their lines are looked for');
  for (const clone of [bob, cy]) check(has(clone, commits).length === 2, 'they are in both stale clones to begin with');
  check(onRemote().length === 2, 'and on the remote');
  await scene.purge(ann, [handoff]);
  check(!has(ann, [...commits, ...blobs]).length, "no commit and no line of it is in Ann's clone");
  check(!onRemote().length, 'no ref of the remote reaches it');
  await catchUp(scene, { cys, bobs }, { isBack: () => onRemote().length > 0, isThere: (clone) => has(clone, commits).length > 0 }, true);
  check((await w.json<{ version: number }>(bob.person, bob.project, 'show', fork)).version >= 2, "Bob's own work is there");
  growTurns(w.session, 1, 5);
  const unnamed = await w.relay(ann.person, ann.project, 'push', '--yes');
  check(unnamed.code === 3 && unnamed.stderr.includes('was purged'), 'a push without names says that it was purged', unnamed.stderr);
  const refs = (): string => w.git(w.ann, w.remote, 'for-each-ref', '--format=%(refname)');
  check(!refs().includes(handoff), 'a push without names does not send it again');
  const again = await push(ann, nameOf(w.session));
  check(again.handoffs[0]?.version === 3, 'by name it goes again, with the next number', JSON.stringify(again.handoffs[0]?.version));
  check(refs().includes(handoff), 'and is there then');
}

async function oneVersion(scene: Scene): Promise<void> {
  const { w, ann, bob, cy, value, check, push } = scene;
  const handoff = (await push(ann, nameOf(w.session))).handoffs[0]?.handoff ?? '';
  const clean = readFileSync(w.session.path);
  say(w.session, value);
  await push(ann, nameOf(w.session));
  writeFileSync(w.session.path, clean);
  growTurns(w.session, 1, 1);
  await push(ann, nameOf(w.session));
  const [bobs, cys] = [await goesOn(scene, bob, handoff), await goesOn(scene, cy, handoff)];
  bobs.grow(2);
  await push(bob, bobs.name);
  bobs.grow(3);
  cys.grow(4);
  check(found(reachableText(w.remote), value), 'it is on the remote to begin with');
  for (const clone of [bob, cy]) check(found(kept(clone), value), 'it is in both stale clones to begin with');
  await scene.purge(ann, [`${handoff}@2`]);
  check(!found(kept(ann), value), "what it held is nowhere in Ann's clone");
  check(!found(reachableText(w.remote), value), 'nor on the remote');
  const log = await w.json<{ versions: { version: number }[] }>(ann.person, ann.project, 'log', handoff);
  check(log.versions.map(({ version }) => version).join() === '1,3', 'the others keep their numbers', JSON.stringify(log.versions));
  const said = await w.relay(ann.person, ann.project, 'show', `${handoff}@2`);
  check(/was purged/.test(said.stderr), 'asked for, it answers that it was purged', said.stderr);
  await catchUp(scene, { cys, bobs }, ofValue(scene));
}
