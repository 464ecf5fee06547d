import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Adapter, Target, Written } from '#adapters/adapter.ts';
import { type Budget, fit, type Refitted } from '#context/fit.ts';
import { fitNotes } from '#context/notes.ts';
import { orientation } from '#context/orientation.ts';
import { findRepository } from '#git/repository.ts';
import { RelayError } from '#lib/errors.ts';
import { uuidv7 } from '#lib/uuid.ts';
import type { Conversation, Streams } from '#session/conversation.ts';
import type { Loss } from '#session/loss.ts';
import { pairCalls } from '#session/pairs.ts';
import { wellFormed, wellFormedConversation } from '#session/well-formed.ts';
import { compareFiles, type Drift } from '#snapshot/index.ts';
import { type Found, needAdapter } from './find.ts';
import { type HandBack, handBack, joined, saidIn } from './hand-back.ts';
import { type Loaded, loadLocal, loadStored, readStreams, watchStreams } from './load.ts';
import { type Manifest, manifestOf } from './manifest.ts';
import { movedConversation, otherProject, unknownCommit } from './moved.ts';
import { place } from './place.ts';
import { pathsOf } from './redaction.ts';
import { readImports, rememberImport, stateFolder } from './registry.ts';
import { type Workspace, whereOf } from './workspace.ts';

export interface ImportOptions {
  /** agent id of the target */
  to: string;
  /** folder to go on in; default: the session's folder within this project, else where relay was called */
  cwd?: string;
  dryRun?: boolean;
  /** make another one although this version was imported already */
  again?: boolean;
  /** stop on drift */
  strict?: boolean;
}

/** `import --json`. */
export interface Imported {
  agent: string;
  session: string;
  path: string;
  title: string;
  resume: { command: string; args: string[]; cwd: string };
  view: { tokens: number; items: number; bytes: number };
  loss: Loss[];
  drift: Drift[];
  /** set when this very version was imported before and nothing was written */
  already?: boolean;
  /** the source, as people name it */
  from: string;
  /** what was decided on the way, for the person */
  notes: string[];
}

/** Puts a session or handoff into another agent (or the same one) as a native session. */
export async function importSession(ws: Workspace, found: Found, options: ImportOptions): Promise<Imported> {
  const target = needAdapter(options.to);
  const source = await openSource(ws, found, options);
  const before = await earlierImport(ws, source, target, options);
  if (before) return before;
  const drift = source.files ? await compareFiles({ root: source.root ?? source.cwd, env: ws.env }, source.files) : [];
  if (options.strict && drift.some((d) => d.state !== 'same')) throw driftError(drift);
  const place = await placeFor(ws, source, target, drift);
  const made = await make(ws, source, place);
  if (options.dryRun) await drain(made.written);
  else await put(ws, target, made.written, source.notes);
  const { streams, conversation, fitted, notes } = await made.plan();
  if (!options.dryRun) await remember(ws, source, target, made, made.back?.said ?? saidIn(conversation));
  const { session, path, resume, loss } = made.written;
  return {
    agent: target.id,
    session,
    path,
    title: place.target.title,
    resume,
    view: fitted.size,
    loss: [...notes, ...unknownRecords(streams, source, target), ...abandoned(conversation, source, target), ...leftOut(source), ...loss],
    drift,
    from: source.version,
    notes: source.notes,
  };
}

/** Where an import goes, and what is said to the model there. */
interface Place {
  adapter: Adapter;
  target: Target;
  orientation: string;
  budget: Budget;
}

/** What is known of a conversation once all of it was read. */
interface Plan {
  streams: Streams;
  conversation: Conversation;
  fitted: Refitted;
  /** what had to be changed for any other agent */
  notes: Loss[];
}

interface Made {
  written: Written;
  /** set where the session came from one of the target's, whose lines are kept */
  back?: HandBack;
  /** lines of the main file, once it was drained */
  lines(): number;
  /** complete only after the files of `written` were drained */
  plan(): Promise<Plan>;
}

async function placeFor(ws: Workspace, source: Source, adapter: Adapter, drift: Drift[]): Promise<Place> {
  const { card } = source.loaded;
  const where = whereOf(ws, adapter.id);
  const branch = (await findRepository(source.cwd, ws.env))?.head.branch;
  const sameAgent = card.agent === adapter.id;
  const placeholders = (source.manifest?.redactions.total ?? 0) > 0;
  // The same agent finds its own session as it was; something is said only when there is something to say.
  const silent = sameAgent && !placeholders && drift.every((d) => d.state === 'same');
  const say = {
    cwd: source.cwd,
    drift,
    card: { ...card, agent: needAdapter(card.agent).title },
    ...(source.handoff ? { handoff: source.handoff } : {}),
    ...(source.manifest ? { author: source.manifest.author.name } : {}),
    placeholders,
    foreign: source.manifest !== undefined,
    sameAgent,
  };
  const own = ws.settings.agents[adapter.id];
  return {
    adapter,
    target: {
      where,
      cwd: source.cwd,
      id: uuidv7(ws.now()),
      title: sameAgent ? card.title : wellFormed(card.title),
      ...(branch ? { branch } : {}),
      now: ws.now(),
    },
    orientation: silent ? '' : orientation(say),
    budget: {
      ...(await adapter.window(where)),
      ...(own?.window ? { tokens: own.window } : {}),
      ...(own?.reserve === undefined ? {} : { reserve: own.reserve }),
    },
  };
}

/** The target's own session, one that comes home to it, or another agent's. */
async function make(ws: Workspace, source: Source, place: Place): Promise<Made> {
  const { loaded, notes } = source;
  if (loaded.card.agent === place.adapter.id) return restored(ws, source, place);
  const back = await handBack(ws, source, place.adapter);
  if (!back) return rewritten(source, place);
  const { from, more, base, handoff } = back;
  notes.push(`It goes on from ${from}, whose history is kept as it is: ${more.entries.length} messages of ${loaded.card.agent} follow it.`);
  const { handoff: _, ...rest } = source;
  return { ...(await restored(ws, { ...rest, loaded: base, ...(handoff ? { handoff } : {}) }, place, back)), back };
}

/** Counts the lines of the main file while they are taken. */
function counted(written: Written): { written: Written; lines(): number } {
  const main = written.files.at(-1);
  const source = main?.lines;
  let count = 0;
  if (main && source)
    main.lines = (async function* () {
      count = 0;
      for await (const line of source) {
        count++;
        yield line;
      }
    })();
  return { written, lines: () => count };
}

/** Another agent: the whole conversation is read and fitted before anything is written. */
async function rewritten(source: Source, place: Place): Promise<Made> {
  const plan = planOf(source, place, await readStreams(source.loaded));
  const { target, orientation, adapter } = place;
  const written = await adapter.write({ target, card: source.loaded.card, orientation, fitted: plan.fitted });
  return { ...counted(written), plan: async () => plan };
}

/** The same agent: its own lines are copied; whether they need a checkpoint is known when the last one has passed. */
async function restored(ws: Workspace, source: Source, place: Place, back?: HandBack): Promise<Made> {
  const { loaded } = source;
  const passing = watchStreams(loaded);
  let known: Plan | undefined;
  const plan = async (): Promise<Plan> => (known ??= ownPlan(planOf(source, place, await passing.streams(), back)));
  const sealedForUs = source.handoff === undefined || source.handoff.startsWith(`${await (await ws.store()).writer()}/`);
  const written = await place.adapter.restore({
    target: place.target,
    card: loaded.card,
    orientation: place.orientation,
    streams: loaded.streams,
    records: passing.records,
    files: loaded.files,
    async checkpoint() {
      const { conversation, fitted } = await plan();
      // What another account sealed cannot be opened here; what our own client sealed can.
      if (conversation.sealed) return sealedForUs ? undefined : fitted;
      return fitted.refitted ? fitted : undefined;
    },
    ...(back ? { more: back.more } : {}),
  });
  return { ...counted(written), plan };
}

/** The same agent keeps its own lines: only a checkpoint that was added shortens anything. */
const ownPlan = (plan: Plan): Plan => ({ ...plan, notes: plan.fitted.refitted ? fitNotes(plan.fitted) : [] });

function planOf(source: Source, { budget, orientation }: Place, streams: Streams, back?: HandBack): Plan {
  const { card } = source.loaded;
  const adapter = needAdapter(card.agent);
  const { conversation, notes } = wellFormedConversation(adapter.conversation(streams));
  if (!conversation.entries.length) throw nothingToImport(source, streams);
  const moved = movedConversation(conversation, card.cwd, source.cwd);
  const paired = pairConversation(back ? joined(moved.conversation, back) : moved.conversation);
  const fitted = fit(paired.conversation, budget, { source: adapter.title, orientation });
  return { streams, conversation, fitted, notes: [...notes, ...moved.notes, ...paired.notes, ...fitNotes(fitted)] };
}

interface Source {
  loaded: Loaded;
  /** which content exactly, for the registry */
  version: string;
  /** folder that the new session goes on in */
  cwd: string;
  root?: string;
  /** files.json of a stored version */
  files?: unknown;
  manifest?: Manifest;
  handoff?: string;
  notes: string[];
}

async function openSource(ws: Workspace, found: Found, options: ImportOptions): Promise<Source> {
  return found.kind === 'local' ? openLocal(ws, found, options) : openHandoff(ws, found, options);
}

async function openLocal(ws: Workspace, found: Found & { kind: 'local' }, options: ImportOptions): Promise<Source> {
  const source = await found.adapter.open(whereOf(ws, found.adapter.id), found.card.path);
  const stats = await Promise.all(source.streams.map((s) => stat(s.path)));
  const digest = createHash('sha256')
    .update(JSON.stringify(stats.map((s) => [s.size, s.mtimeMs])))
    .digest('hex')
    .slice(0, 16);
  const notes: string[] = [];
  const cwd = await chooseCwd(ws, options.cwd, source.cwd, notes);
  notes.push(...(await otherProject(ws, source.cwd, cwd)));
  return { loaded: loadLocal(source, found.adapter), version: `${source.agent}:${source.id}#${digest}`, cwd, notes };
}

async function openHandoff(ws: Workspace, found: Found & { kind: 'handoff' }, options: ImportOptions): Promise<Source> {
  const version = await ws.openHandoff(found.card, found.version);
  const manifest = manifestOf(version);
  const root = ws.repository?.workTree ?? ws.cwd;
  const notes: string[] = [];
  // ${PROJECT}/packages/a goes on in packages/a of this checkout.
  const within = /^\$\{PROJECT[^}]*\}\/?(.*)$/.exec(manifest.session.cwd)?.[1];
  const cwd = await chooseCwd(ws, options.cwd, within === undefined ? root : join(root, within), notes, root);
  const loaded = loadStored(version, await pathsOf(ws, root));
  notes.push(...(await unknownCommit(ws, manifest.code.commit)));
  return { loaded, version: `${version.handoff}@${version.n}`, cwd, root, files: version.files, manifest, handoff: version.handoff, notes };
}

/** The folder asked for, else the session's own if it exists here, else the project's root or the current folder (said in a note). */
async function chooseCwd(ws: Workspace, asked: string | undefined, recorded: string, notes: string[], fallback?: string): Promise<string> {
  if (asked !== undefined) {
    const path = await existingFolder(join(asked.startsWith('/') ? '/' : ws.cwd, asked));
    if (path) return path;
    throw new RelayError('usage', `--cwd: there is no folder ${asked}.`);
  }
  const own = recorded ? await existingFolder(recorded) : undefined;
  if (own) return own;
  const other = fallback ?? ws.repository?.workTree ?? ws.cwd;
  notes.push(`The session's folder ${recorded || '(none recorded)'} is not here; it goes on in ${other}.`);
  return other;
}

async function existingFolder(path: string): Promise<string | undefined> {
  const info = await stat(path).catch(() => undefined);
  return info?.isDirectory() ? realpath(path) : undefined;
}

function pairConversation(conversation: Conversation): { conversation: Conversation; notes: Loss[] } {
  const entries = pairCalls(conversation.entries);
  if (conversation.view === conversation.entries)
    return { conversation: { ...conversation, entries: entries.entries, view: entries.entries }, notes: entries.notes };
  return { conversation: { ...conversation, entries: entries.entries, view: pairCalls(conversation.view).entries }, notes: entries.notes };
}

/** Puts the files in place. A name that only the client itself can set is given to it, where it is installed. */
async function put(ws: Workspace, target: Adapter, written: Written, notes: string[]): Promise<void> {
  await place(written);
  if (!written.namedByClient) return;
  const answer = await target.confirm?.(whereOf(ws, target.id), written).catch(() => undefined);
  if (!answer) notes.push(`${target.title} is not on the PATH, so its own list shows the first question instead of the title.`);
  else if (!answer.listed) notes.push(`${target.title} does not list the session; it resumes by its id.`);
}

/** Takes every line without writing, so that the loss report is complete. */
async function drain(written: Written): Promise<void> {
  for (const file of written.files) for await (const _ of file.lines ?? []);
}

/** The same agent gets these lines as they are. */
function unknownRecords(streams: Streams, source: Source, target: Adapter): Loss[] {
  if (source.loaded.card.agent === target.id) return [];
  const losses: Loss[] = [];
  for (const [stream, records] of streams) {
    records.forEach((record, n) => {
      if (record.type === 'event' && record.kind === 'unknown')
        losses.push({
          record: n,
          stream,
          kind: 'unknown-record',
          action: 'left-out',
          reason: `Record type ${JSON.stringify(record.data?.name ?? '?')} is not known to this relay; it is kept in the stored session.`,
        });
      if (record.type === 'raw' && (record.text ?? record.base64) !== '')
        losses.push({
          record: n,
          stream,
          kind: 'unreadable-line',
          action: 'left-out',
          reason:
            record.eol === false
              ? 'The last line is cut; it is kept as it is in the stored session.'
              : 'This line is no record; it is kept as it is in the stored session.',
        });
    });
  }
  return losses;
}

function abandoned(conversation: Conversation, source: Source, target: Adapter): Loss[] {
  if (!conversation.abandoned || source.loaded.card.agent === target.id) return [];
  return [
    {
      record: null,
      kind: 'branch',
      action: 'left-out',
      reason: `${conversation.abandoned} messages on abandoned branches (rewound or rolled back) are not part of what goes on.`,
    },
  ];
}

const leftOut = (source: Source): Loss[] =>
  source.loaded.leftOut.map((what) => ({ record: null, kind: 'beside', action: 'left-out', reason: `Not taken along: ${what}.` }));

function nothingToImport(source: Source, streams: Streams): RelayError {
  const records = [...streams.values()].reduce((sum, s) => sum + s.length, 0);
  return new RelayError('nothing-to-import', `${source.version} holds no message that could be resumed (${records} records).`, 'Nothing was written.');
}

function driftError(drift: Drift[]): RelayError {
  const changed = drift.filter((d) => d.state !== 'same').map((d) => `${d.path} (${d.state})`);
  return new RelayError(
    'drift',
    `Files differ from the session: ${changed.slice(0, 5).join(', ')}.`,
    'Import without --strict, or bring the files to the session’s state first.',
  );
}

const folderDigest = (cwd: string): string => createHash('sha256').update(cwd).digest('hex').slice(0, 16);

async function earlierImport(ws: Workspace, source: Source, target: Adapter, options: ImportOptions): Promise<Imported | undefined> {
  if (options.again || options.dryRun) return undefined;
  const entry = (await readImports(ws)).findLast(
    (e) => e.version === source.version && e.to.startsWith(`${target.id}:`) && e.folder === folderDigest(source.cwd),
  );
  if (!entry) return undefined;
  const session = entry.to.slice(target.id.length + 1);
  const card = (await target.list(whereOf(ws, target.id))).find((c) => c.id === session);
  // The user may have deleted it since: then it is made again.
  if (!card) return undefined;
  return {
    agent: target.id,
    session,
    path: card.path,
    title: card.title,
    resume: target.resume(session, source.cwd),
    view: { tokens: 0, items: 0, bytes: 0 },
    loss: [],
    drift: [],
    already: true,
    from: source.version,
    notes: [`${source.version} was imported already, as ${entry.to}. --again makes another.`],
  };
}

/** The session is in place: that it cannot be remembered is no reason to say that the import failed. */
async function remember(ws: Workspace, source: Source, target: Adapter, { written, lines }: Made, said: string): Promise<void> {
  const { agent, id } = source.loaded.card;
  const entry = {
    from: `${agent}:${id}`,
    version: source.version,
    to: `${target.id}:${written.session}`,
    folder: folderDigest(source.cwd),
    at: ws.now().toISOString(),
    records: lines(),
    said,
  };
  await rememberImport(ws, entry).catch((error: Error) =>
    source.notes.push(`The import could not be noted in ${stateFolder(ws)} and is not remembered: ${error.message}`),
  );
}
