import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adapterById } from '../../../adapters/registry.ts';
import { objectsText } from '../../support/git-text.ts';
import { walk } from '../../support/layout.ts';
import { kindOf, type Path, places, plantKeys, plantWhere, recordsOf } from '../../support/planted.ts';
import { type Installed, installed, outline, requestItems } from '../../support/resume.ts';
import { sample } from '../../support/samples.ts';
import { type ImportJson, inWorld, nameOf, type Prove, type Prover, type PushJson, type World } from '../world.ts';

/**
 * A secret in every kind of place that a string of the session has, one kind at a time and all at once. Where an id, a role, a type or a
 * time stands, the push stops and says where; anywhere else it is taken out, and the session goes over and is resumed by the real client.
 */
export const prove: Prove = (input, prover) =>
  inWorld(input, prover, async (w) => {
    const s = sessionOf(w);
    for (const kind of s.kinds(s.isFixed)) {
      s.plantLast((path) => kindOf(path) === kind);
      const { code, stderr } = await w.relay(w.ann, w.annProject, 'push', 'latest');
      prover.check(code === 3 && /record \S+ \d+ at \//.test(stderr) && !s.isLeft(stderr), `${kind}: the push stops and says where`, `${code}: ${stderr}`);
    }
    prover.check(!s.isLeft(objectsText(w.remote)) && !s.isLeft(objectsText(storeOf(w))), 'nothing of it was stored or sent');
    const kinds = s.kinds((path) => !s.isFixed(path));
    await goOver(w, s, prover, [
      { what: 'keys', wanted: 'keys' },
      ...kinds.map((kind) => ({ what: kind, wanted: (path: Path) => kindOf(path) === kind })),
      { what: `all ${kinds.length} kinds at once`, wanted: (path: Path) => !s.isFixed(path) },
    ]);
  });

/** Only the last part of it: everywhere at once. */
export const proveAtOnce: Prove = (input, prover) =>
  inWorld(input, prover, async (w) => {
    const s = sessionOf(w);
    await goOver(w, s, prover, [
      { what: 'everywhere at once', wanted: (path) => !s.isFixed(path) },
      { what: 'keys', wanted: 'keys' },
    ]);
  });

/** Plants and carries the session over, once for each of some choices of places. */
async function goOver(w: World, s: Session, prover: Prover, choices: { what: string; wanted: Wanted }[]): Promise<void> {
  const client = await installed(w.bob, prover.to);
  try {
    s.restore();
    const whole = await carried(w, prover.to, client);
    for (const { what, wanted } of choices) {
      startOver(w);
      s.plant(wanted);
      const arrived = await carried(w, prover.to, client).catch((error: Error) => error);
      const detail = arrived instanceof Error ? arrived.message : s.isLeft(arrived.text) ? 'it arrived' : missing(whole, arrived);
      prover.check(!detail, `${what}: goes over and is resumed`, detail);
      if (s.isLeft(objectsText(storeOf(w)))) prover.check(false, `${what}: no secret in any object of Ann's store`);
    }
  } finally {
    await client.close();
  }
  prover.check(!s.isLeft(objectsText(w.remote)), 'no secret in any object of the remote');
}

type Session = ReturnType<typeof sessionOf>;
/** Places of values; or the keys that tools and people choose. */
type Wanted = ((path: Path) => boolean) | 'keys';

/** The session's transcripts: its own, its sub-agents', and those that it goes on from. */
function sessionOf({ session }: World) {
  const slot = adapterById(session.agent)?.slot;
  const secrets: string[] = [];
  const fresh = (): string => {
    secrets.push(sample('ghp_{an36}'));
    return secrets.at(-1) as string;
  };
  const folder = join(session.home, session.agent === 'codex' ? '.codex/sessions' : '.claude/projects');
  const files = new Map(
    walk(folder)
      .filter((path) => path.endsWith('.jsonl'))
      .map((path) => [path, readFileSync(path)]),
  );
  const restore = (): void => files.forEach((bytes, path) => writeFileSync(path, bytes));
  return {
    restore,
    isFixed: (path: Path): boolean => slot?.(path, sample('ghp_{an36}')) === 'fixed',
    /** Does anything that was planted stand in this text? */
    isLeft: (text: string): boolean => secrets.some((secret) => text.includes(secret.slice(4))),
    kinds: (wanted: (path: Path) => boolean): string[] => {
      restore();
      const all = [...files.keys()].flatMap(recordsOf).flatMap((record) => places(record));
      return [...new Set(all.filter(({ path }) => wanted(path)).map(({ path }) => kindOf(path)))];
    },
    plant(wanted: Wanted): void {
      restore();
      const secret = fresh();
      for (const path of files.keys()) wanted === 'keys' ? plantKeys(path, secret) : plantWhere(path, secret, wanted);
      for (const [path, bytes] of files) moveCut(path, bytes, files);
    },
    /** Only in the last record that has such a place: a session whose records have all lost their type is none. */
    plantLast(wanted: (path: Path) => boolean): void {
      restore();
      for (const path of files.keys()) {
        const last = recordsOf(path).findLastIndex((record) => places(record).some((place) => wanted(place.path)));
        if (last >= 0) return plantWhere(path, fresh(), (at, n) => n === last && wanted(at));
      }
    },
  };
}

/** As if the session had never been pushed: what was taken out of a version stays out of later ones. */
function startOver(w: World): void {
  for (const folder of [join(w.annProject, '.git/relay'), join(w.ann.home, '.local/state/relay')]) rmSync(folder, { recursive: true, force: true });
  const git = (args: string[], input = '') => execFileSync('git', args, { cwd: w.remote, encoding: 'utf8', input });
  git(['update-ref', '--stdin'], git(['for-each-ref', '--format=delete %(refname)', 'refs/relay']));
}

interface Arrived {
  /** what the real client sends, and what was written */
  text: string;
  seen: ReturnType<typeof outline>;
  losses: number;
}

/** A rollout that goes on from another one says where that is cut, in bytes: the lines before have grown. */
function moveCut(path: string, before: Buffer, files: ReadonlyMap<string, Buffer>): void {
  const cut = Number(/"history_base":\{[^}]*"end_byte_offset":(\d+)/.exec(before.toString('latin1'))?.[1]);
  const base = [...files].find(([other, bytes]) => other !== path && cut <= bytes.length && bytes[cut - 1] === 10);
  if (!cut || !base) return;
  const lines = base[1].subarray(0, cut).toString('latin1').split('\n').length - 1;
  const after = Buffer.from(`${readFileSync(base[0], 'utf8').split('\n').slice(0, lines).join('\n')}\n`).length;
  writeFileSync(path, readFileSync(path, 'utf8').replace(`"end_byte_offset":${cut}`, `"end_byte_offset":${after}`));
}

/** Pushes the session as it is, imports it at Bob's and resumes it there. */
async function carried(w: World, to: ImportJson['agent'], client: Installed): Promise<Arrived> {
  const { handoffs } = await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session));
  const handoff = handoffs[0]?.handoff ?? '';
  await w.json(w.bob, w.bobProject, 'pull', handoff);
  const imported = await w.json<ImportJson>(w.bob, w.bobProject, 'import', handoff, '--to', to);
  const resumed = await client.resume(imported);
  if (resumed.faults.length) throw new Error(`the service refuses it: ${resumed.faults.join('; ')}`);
  const items = requestItems(resumed);
  if (resumed.session !== imported.session) throw new Error(`the client went on in ${resumed.session}`);
  const text = JSON.stringify(items) + JSON.stringify(imported) + readFileSync(imported.path, 'utf8');
  return { text, seen: outline(resumed), losses: imported.loss.length };
}

/** What the model gets less of than of the session as it was, unless the import says that something was lost. "" where nothing is missing. */
function missing(whole: Arrived, arrived: Arrived): string {
  const less = (Object.keys(whole.seen) as (keyof Arrived['seen'])[]).filter((kind) => arrived.seen[kind] < whole.seen[kind]);
  if (!less.length || arrived.losses > whole.losses) return '';
  return less.map((kind) => `${arrived.seen[kind]} of ${whole.seen[kind]} ${kind}s reach the model, and no loss says so`).join('; ');
}

const storeOf = (w: World): string => join(w.annProject, '.git/relay/store.git');
