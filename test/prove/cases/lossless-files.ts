import { appendFileSync, readFileSync, realpathSync } from 'node:fs';
import fc from 'fast-check';
import { adapterById } from '#adapters/registry.ts';
import { readLines } from '#lib/lines.ts';
import { uuidOf } from '#lib/uuid.ts';
import type { SessionSource, SourceStream } from '#session/source.ts';
import type { Adapter } from '../../../adapters/adapter.ts';
import type { Person } from '../../support/lab.ts';
import { asUtf8, dashed } from '../../support/layout.ts';
import { oddLine } from '../../support/odd-lines.ts';
import { type ImportJson, type Input, inWorld, nameOf, type Prover, type PushJson, type World } from '../world.ts';
import { within } from './lossless-lines.ts';

/** What an import into the same agent may change of a session in which nothing was redacted; `beside`: what never was in the session's files. */
const ALLOWED = new Set(['entrypoint', 'source', 'fork', 'model-provider', 'beside']);
/** Where a line may differ that was changed for one of these reasons. */
const FIELDS = /^\/(?:entrypoint|ordinal|payload\/(?:source|model_provider|history_base(?:\/.*)?|thread_settings\/model_provider_id))$/;
const MOST = 1.1;

/**
 * From Ann over Git to Bob's same agent: with ids and folders put back, each file is the same but for what the loss report names.
 * `odd`: with hundreds of odd lines behind the session's own.
 */
export const roundTrip = (input: Input, prover: Prover, odd = false): Promise<void> =>
  inWorld(input, prover, async (w) => {
    const adapter = adapterById(input.agent) as Adapter;
    if (odd) appendFileSync(w.session.path, Buffer.concat(oddLines(w).flatMap((line) => [line, Buffer.from('\n')])));
    const source = await adapter.open(whereOf(w.ann), w.session.path);
    const pushed = await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session));
    const handoff = pushed.handoffs[0]?.handoff ?? '';
    if (!odd) await size(w, source, handoff, prover);
    await w.json(w.bob, w.bobProject, 'pull');
    const imported = await w.json<ImportJson>(w.bob, w.bobProject, 'import', handoff, '--to', input.agent);
    const made = await adapter.open(whereOf(w.bob), imported.path);
    const back = putBack(w, source, imported.session);
    await streams({ source, made, imported, back }, prover);
    files(source, made, back, prover);
    if (!odd) report(w.session.path, pushed, imported, prover);
  });

const ODD = 300;

/** Odd lines of any kind, and the session's own with something odd in them. Those that its client would take for the session's beginning are left out. */
function oddLines(w: World): Buffer[] {
  const own = readFileSync(w.session.path, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.includes('session_meta'));
  return [...fc.sample(oddLine, { numRuns: ODD, seed: 17 }), ...within(own.map((line) => Buffer.from(line))).slice(0, ODD)];
}

const whereOf = (person: Person) => ({ env: person.env, home: person.home });

/** The stored transcript beside its source. */
async function size(w: World, source: SessionSource, handoff: string, prover: Prover): Promise<void> {
  const tree = w.git(w.ann, w.remote, 'ls-tree', '-r', '-l', `refs/relay/s/${handoff}`, 'transcript/');
  const stored = tree.split('\n').reduce((sum, line) => sum + Number(line.split(/\s+/)[3]), 0);
  let bytes = 0;
  for (const stream of source.streams) bytes += Math.min(readFileSync(stream.path).length, stream.end ?? Number.MAX_SAFE_INTEGER);
  const ratio = stored / bytes;
  prover.check(ratio <= MOST, `the canonical stream is ${ratio.toFixed(3)} times the source of ${bytes} bytes (at most ${MOST})`);
}

type Back = (latin1: string) => string;

/** Ann's ids and folders for Bob's, longest first, in each spelling that the clients use. Bytes are read as latin1. */
function putBack(w: World, source: SessionSource, session: string): Back {
  const pairs: [string, string][] = [[session, source.id]];
  for (const { name } of source.streams) if (name.startsWith('agent/')) pairs.push([uuidOf(session, name), name.slice(6)]);
  for (const [bob, ann] of [
    [realpathSync(w.bobProject), realpathSync(w.annProject)],
    [w.bob.home, w.ann.home],
  ] as [string, string][])
    for (const spelt of [(p: string) => p, dashed, encodeURI]) pairs.push([spelt(bob), spelt(ann)]);
  pairs.sort((a, b) => b[0].length - a[0].length);
  return (text) => pairs.reduce((out, [bob, ann]) => out.replaceAll(bob, ann), text);
}

interface Compared {
  source: SessionSource;
  made: SessionSource;
  imported: ImportJson;
  back: Back;
}

interface Wanted {
  stream: string;
  record: number;
  line: string;
}

async function linesOf(stream: SourceStream): Promise<{ lines: string[]; torn: boolean }> {
  const lines: string[] = [];
  let torn = false;
  for await (const some of readLines(stream.path, 0, stream.end))
    for (const line of some) {
      lines.push(line.bytes.toString('latin1'));
      torn = !line.terminated;
    }
  return { lines, torn };
}

async function streams(compared: Compared, prover: Prover): Promise<void> {
  const { source, made, imported, back } = compared;
  const { loss } = imported;
  const named = (stream: string, record: number | null) => loss.filter((l) => l.record === record && (l.stream ?? 'main') === stream);
  let changed = 0;
  for (const stream of source.streams.filter((s) => !s.name.startsWith('base/'))) {
    const wanted = await wantedLines(source, stream);
    const kept = wanted.filter(({ stream: of, record }) => !named(of, record).some((l) => l.action === 'left-out'));
    const found = findStream(made, stream.name, imported.session);
    const gone = named(stream.name, null).some((l) => l.action === 'left-out');
    if (!found) {
      prover.check(gone, `${stream.name} is there again, or the report names it`);
      continue;
    }
    const { lines, torn } = await linesOf(found);
    const differing = kept.filter(({ line }, i) => lines[i] === undefined || back(lines[i] as string) !== line);
    changed += differing.length;
    const unnamed = differing.filter(({ stream: of, record }) => !named(of, record).length);
    prover.check(
      unnamed.length === 0,
      `${stream.name}: ${kept.length - differing.length} of ${wanted.length} lines are the same bytes, the report names the others`,
      unnamed
        .slice(0, 3)
        .map(({ stream: of, record, line }) =>
          difference(`${of} ${record}`, line, back(lines[kept.findIndex((k) => k.stream === of && k.record === record)] ?? '')),
        )
        .join('\n'),
    );
    const further = differing
      .filter(({ stream: of, record }) => named(of, record).every((l) => ALLOWED.has(l.kind)))
      .flatMap((one) => {
        const places = differingPlaces(JSON.parse(asUtf8(one.line)), JSON.parse(asUtf8(back(lines[kept.indexOf(one)] ?? '{}'))), '');
        return places.filter((place) => !FIELDS.test(place)).map((place) => `${one.stream} ${one.record} ${place}`);
      });
    prover.check(further.length === 0, `${stream.name}: these differ in what had to change only`, further.slice(0, 5).join('\n'));
    const more = lines.length - kept.length;
    const added = loss.filter((l) => l.action === 'added').length;
    prover.check(
      more === 0 || (more > 0 && stream.name === 'main' && added > 0),
      `${stream.name}: ${more} lines are added, as the report says`,
      JSON.stringify(loss.slice(0, 5)),
    );
    const was = (await linesOf(stream)).torn;
    prover.check(was === torn || (more > 0 && !torn), `${stream.name} ends as it did`);
  }
  const reported = new Set(loss.filter((l) => l.record !== null && l.action === 'changed').map((l) => `${l.stream ?? 'main'} ${l.record}`)).size;
  prover.note(`${changed} lines differ, ${reported} are reported as changed`);
}

/** The lines of a stream as its client reads them: one that goes on from other files has theirs after its own first. */
async function wantedLines(source: SessionSource, stream: SourceStream): Promise<Wanted[]> {
  const numbered = async (one: SourceStream): Promise<Wanted[]> => (await linesOf(one)).lines.map((line, record) => ({ stream: one.name, record, line }));
  const own = await numbered(stream);
  if (stream.name !== 'main') return own;
  const bases = source.streams.filter((s) => s.name.startsWith('base/'));
  const earlier: Wanted[] = [];
  for (const base of inOrder(bases)) earlier.push(...(await numbered(base)));
  return earlier.length ? [...own.slice(0, 1), ...earlier, ...own.slice(1)] : own;
}

/** Oldest first: by the time of their first line. */
const inOrder = (bases: SourceStream[]): SourceStream[] => {
  const start = (s: SourceStream): string => /"timestamp":"([^"]+)"/.exec(readFileSync(s.path, 'latin1'))?.[1] ?? '';
  return [...bases].sort((a, b) => (start(a) < start(b) ? -1 : 1));
};

const findStream = (made: SessionSource, name: string, session: string): SourceStream | undefined =>
  made.streams.find((s) => s.name === name || (name.startsWith('agent/') && s.name === `agent/${uuidOf(session, name)}`));

/** JSON pointers of all values that differ. */
function differingPlaces(was: unknown, is: unknown, at: string): string[] {
  if (typeof was !== 'object' || typeof is !== 'object' || was === null || is === null) return was === is ? [] : [at];
  const keys = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...keys].flatMap((key) => differingPlaces((was as Record<string, unknown>)[key], (is as Record<string, unknown>)[key], `${at}/${key}`));
}

function difference(where: string, was: string, is: string): string {
  let at = 0;
  while (at < was.length && was[at] === is[at]) at++;
  return `${where}, byte ${at}:\n  was ${was.slice(Math.max(0, at - 80), at + 120)}\n  is  ${is.slice(Math.max(0, at - 80), at + 120)}`;
}

function files(source: SessionSource, made: SessionSource, back: Back, prover: Prover): void {
  const wrong = source.files.filter(({ name, path }) => {
    const found = made.files.find((file) => back(file.name) === name);
    return !found || back(readFileSync(found.path, 'latin1')) !== readFileSync(path, 'latin1');
  });
  prover.check(wrong.length === 0, `${source.files.length} files beside the transcript are the same bytes`, wrong.map((f) => f.name).join('\n'));
}

function report(path: string, pushed: PushJson, imported: ImportJson, prover: Prover): void {
  const redactions = pushed.handoffs[0]?.redactions.total ?? 0;
  const drifted = imported.drift.some((d) => d.state !== 'same');
  const kinds = [...new Set(imported.loss.map((l) => l.kind))];
  prover.note(`loss: ${kinds.join(', ') || 'none'}; redactions: ${redactions}${drifted ? '; files differ' : ''}`);
  // Another account cannot open a sealed compaction, so its model goes on from a checkpoint of the whole history.
  const sealed = /"type":"compaction",[^{}]*"encrypted_content"/.test(readFileSync(path, 'utf8'));
  const allowed = (kind: string) => ALLOWED.has(kind) || (kind === 'checkpoint' && sealed) || (kind === 'orientation' && (redactions > 0 || drifted));
  const other = imported.loss.filter((l) => !allowed(l.kind));
  // Where something was redacted, or the source itself holds lines that are no records, there may be more to say.
  if (redactions === 0)
    prover.check(
      other.length === 0,
      'the report holds only what had to change',
      other
        .slice(0, 5)
        .map((l) => JSON.stringify(l))
        .join('\n'),
    );
  else prover.note(other.map((l) => JSON.stringify(l)).join('\n     '));
}
