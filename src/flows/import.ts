import { createHash } from 'node:crypto';
import type { Adapter, Resume, Written } from '#adapters/adapter.ts';
import { RelayError } from '#lib/errors.ts';
import type { Loss } from '#session/loss.ts';
import { compareFiles, type Drift, readSnapshot } from '#snapshot/index.ts';
import { notCompared } from './check.ts';
import { type Found, needAdapter } from './find.ts';
import { saidIn } from './hand-back.ts';
import { sourceLosses } from './import-losses.ts';
import { openSource, type Source } from './import-source.ts';
import { type Made, make, placeFor } from './make.ts';
import { place } from './place.ts';
import { readImports, rememberImport, stateFolder } from './registry.ts';
import { writtenState } from './untouched.ts';
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
  const { more } = readSnapshot(source.files);
  if (more) source.notes.push(notCompared(more));
  if (options.strict && drift.some((d) => d.state !== 'same')) throw driftError(drift);
  const place = await placeFor(ws, source, target, drift);
  const made = await make(ws, source, place);
  if (options.dryRun) await drain(made.written);
  else await put(ws, target, made.written, source.notes);
  const { streams, conversation, fitted, notes } = await made.plan();
  if (!options.dryRun) await remember(ws, source, target, made, made.back?.said ?? saidIn(conversation));
  const { session, path, loss } = made.written;
  const resume = startedBy(ws, target, made.written.resume);
  return {
    agent: target.id,
    session,
    path,
    title: place.target.title,
    resume,
    view: fitted.size,
    loss: [...notes, ...sourceLosses(streams, conversation, source, target), ...loss],
    drift,
    from: source.version,
    notes: source.notes,
  };
}

/** With the program that the settings name for this agent (agents.<id>.command), where they name one. */
const startedBy = (ws: Workspace, { id }: Adapter, resume: Resume): Resume => ({ ...resume, command: ws.settings.agents[id]?.command ?? resume.command });

/** Puts the files in place. A name that only the client itself can set is given to it, where it is installed. */
async function put(ws: Workspace, target: Adapter, written: Written, notes: string[]): Promise<void> {
  await place(written);
  const { id } = await target.open(whereOf(ws, target.id), written.path);
  if (id !== written.session) throw new RelayError('failed', `What was written to ${written.path} is read back as session ${id}.`, 'This is a bug of relay.');
  if (!written.namedByClient) return;
  const answer = await target.confirm?.(whereOf(ws, target.id), written).catch(() => undefined);
  if (!answer) notes.push(`${target.title} is not on the PATH, so its own list shows the first question instead of the title.`);
  else if (!answer.listed) notes.push(`${target.title} does not list the session; it resumes by its id.`);
}

/** Takes every line without writing, so that the loss report is complete. */
async function drain(written: Written): Promise<void> {
  for (const file of written.files) for await (const _ of file.lines ?? []);
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
    resume: startedBy(ws, target, target.resume(session, source.cwd)),
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
    written: await writtenState(written.path),
  };
  await rememberImport(ws, entry).catch((error: Error) =>
    source.notes.push(`The import could not be noted in ${stateFolder(ws)} and is not remembered: ${error.message}`),
  );
}
