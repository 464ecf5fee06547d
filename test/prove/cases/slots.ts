import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '#lib/json.ts';
import { adapterById } from '../../../adapters/registry.ts';
import { objectsText } from '../../support/git-text.ts';
import { walk } from '../../support/layout.ts';
import { kindOf, type Path, places, plantKeys, plantWhere, recordsOf, standsIn } from '../../support/planted.ts';
import { type Installed, installed, outline, requestItems } from '../../support/resume.ts';
import { sample } from '../../support/samples.ts';
import { type ImportJson, inWorld, nameOf, type Prove, type Prover, type PushJson, type World } from '../world.ts';
import { type Arrived, isShortened, missing, notTaken, type Planted } from './slots-judge.ts';

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
      const [, pointer = ''] = /record \S+ \d+ at \/(\S+), a place/.exec(stderr) ?? [];
      prover.check(code === 3 && kindOf(steps(pointer)) === kind && !s.isLeft(stderr), `${kind}: the push stops and says where`, `${code}: ${stderr}`);
    }
    prover.check(!s.isLeft(objectsText(w.remote)) && !s.isLeft(objectsText(storeOf(w))), 'nothing of it was stored or sent');
    const kinds = s.kinds((path) => !s.isFixed(path));
    await goOver(w, s, prover, [
      ...s.keys(),
      ...kinds.map((kind) => ({ what: kind, wanted: (path: Path) => kindOf(path) === kind })),
      { what: `all ${kinds.length} kinds at once`, wanted: (path: Path) => !s.isFixed(path) },
    ]);
  });

/** Only the last part of it: everywhere at once. */
export const proveAtOnce: Prove = (input, prover) =>
  inWorld(input, prover, async (w) => {
    const s = sessionOf(w);
    await goOver(w, s, prover, [{ what: 'everywhere at once', wanted: (path) => !s.isFixed(path) }, ...s.keys()]);
  });

/** Plants and carries the session over, once for each of some choices of places. */
async function goOver(w: World, s: Session, prover: Prover, choices: Choice[]): Promise<void> {
  const client = await installed(w.bob, prover.to);
  try {
    s.restore();
    const { arrived: whole } = await carried(w, prover.to, client);
    for (const { what, wanted } of choices) {
      startOver(w);
      const planted = s.plant(wanted);
      const detail = await judged(w, s, prover, client, planted, whole).catch((error: Error) => error.message);
      prover.check(!detail, `${what}: goes from all ${planted.places.length} places, and the session goes over and is resumed`, detail);
      if (s.isLeft(objectsText(storeOf(w)))) prover.check(false, `${what}: no secret in any object of Ann's store`);
    }
  } finally {
    await client.close();
  }
  prover.check(!s.isLeft(objectsText(w.remote)), 'no secret in any object of the remote');
}

/** What is wrong with how a session came over; "" for nothing. */
async function judged(w: World, s: Session, { to, note }: Prover, client: Installed, planted: Planted, whole: Arrived): Promise<string> {
  if (!planted.places.length) return 'nothing was planted';
  const { handoff, arrived } = await carried(w, to, client);
  if (s.isLeft(arrived.text)) return 'it arrived';
  const left = await notTaken(w, handoff, planted);
  if (left) return left;
  if (!isShortened(whole) && !isShortened(arrived)) return missing(whole, arrived, planted);
  note('too long for the model: what reaches it is not compared');
  return '';
}

type Session = ReturnType<typeof sessionOf>;
/** Places of values; or the keys that tools and people choose. */
type Wanted = ((path: Path) => boolean) | 'keys';

interface Choice {
  what: string;
  wanted: Wanted;
}

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
  const cuts = [...files].flatMap((file) => cutOf(file, files) ?? []);
  const records = (): JsonObject[] => [...files.keys()].flatMap((path) => recordsOf(path, cuts.find(({ base }) => base === path)?.lines));
  const plant = (wanted: Wanted): Planted => {
    restore();
    const images = records()
      .flatMap((record) => places(record))
      .filter(({ path, value }) => wanted !== 'keys' && wanted(path) && IMAGE.test(value)).length;
    const secret = fresh();
    for (const path of files.keys()) wanted === 'keys' ? plantKeys(path, secret) : plantWhere(path, secret, wanted);
    const planted = records().flatMap((record) => standsIn(record, new RegExp(secret, 'g')));
    for (const cut of cuts) moveCut(cut);
    return { secret, places: planted, images };
  };
  return {
    restore,
    isFixed: (path: Path): boolean => slot?.(path, sample('ghp_{an36}')) === 'fixed',
    /** Does anything that was planted stand in this text, be it a third of it? */
    isLeft: (text: string): boolean => secrets.some((secret) => [4, 16, 28].some((from) => text.includes(secret.slice(from, from + 12)))),
    kinds: (wanted: (path: Path) => boolean): string[] => {
      restore();
      const all = records().flatMap((record) => places(record));
      return [...new Set(all.filter(({ path }) => wanted(path)).map(({ path }) => kindOf(path)))];
    },
    plant,
    /** The choice of keys, where the session has any that are chosen. */
    keys: (): Choice[] => (plant('keys').places.length ? [{ what: 'keys', wanted: 'keys' }] : []),
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

/** A rollout that goes on from another one, and where that is cut: what stands behind was taken back, and is no part of the session. */
interface Cut {
  path: string;
  base: string;
  /** in bytes, as the rollout says it */
  offset: number;
  /** what is left of it */
  lines: number;
}

function cutOf([path, bytes]: readonly [string, Buffer], files: ReadonlyMap<string, Buffer>): Cut | undefined {
  const offset = Number(/"history_base":\{[^}]*"end_byte_offset":(\d+)/.exec(bytes.toString('latin1'))?.[1]);
  const base = [...files].find(([other, all]) => other !== path && offset <= all.length && all[offset - 1] === 10);
  if (!offset || !base) return undefined;
  return { path, base: base[0], offset, lines: base[1].subarray(0, offset).toString('latin1').split('\n').length - 1 };
}

/** The lines before the cut have grown. */
function moveCut({ path, base, offset, lines }: Cut): void {
  const after = Buffer.from(`${readFileSync(base, 'utf8').split('\n').slice(0, lines).join('\n')}\n`).length;
  writeFileSync(path, readFileSync(path, 'utf8').replace(`"end_byte_offset":${offset}`, `"end_byte_offset":${after}`));
}

/** Pushes the session as it is, imports it at Bob's and resumes it there. */
async function carried(w: World, to: ImportJson['agent'], client: Installed): Promise<{ handoff: string; arrived: Arrived }> {
  const { handoffs } = await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session));
  const handoff = handoffs[0]?.handoff ?? '';
  await w.json(w.bob, w.bobProject, 'pull', handoff);
  const imported = await w.json<ImportJson>(w.bob, w.bobProject, 'import', handoff, '--to', to);
  const resumed = await client.resume(imported);
  if (resumed.faults.length) throw new Error(`the service refuses it: ${resumed.faults.join('; ')}`);
  const items = requestItems(resumed);
  if (resumed.session !== imported.session) throw new Error(`the client went on in ${resumed.session}`);
  const text = JSON.stringify(items) + JSON.stringify(imported) + readFileSync(imported.path, 'utf8');
  return { handoff, arrived: { text, seen: outline(resumed), loss: imported.loss } };
}

const storeOf = (w: World): string => join(w.annProject, '.git/relay/store.git');

/** Steps of a JSON pointer without its first slash; a number is one of a list. */
const steps = (pointer: string): Path =>
  pointer.split('/').map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~')));
/** How the content of an image begins: a data URL, or PNG, JPEG, GIF or WebP in base64. */
const IMAGE = /^(?:data:image\/|iVBORw0KGgo|\/9j\/|R0lGOD|UklGR)/;
