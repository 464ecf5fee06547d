import { RelayError } from '#lib/errors.ts';
import { asObject, type Json, type JsonObject } from '#lib/json.ts';
import { uuidOf } from '#lib/uuid.ts';
import { nativeValue, sourceLine } from '#session/codec.ts';
import type { Fitted } from '#session/conversation.ts';
import type { Loss } from '#session/loss.ts';
import { plainText, type SessionRecord } from '#session/record.ts';
import type { Say } from '#session/redacted.ts';
import type { OutFile, RestoreInput, Written } from '../adapter.ts';
import { resumeCommand } from './launch.ts';
import { readMeta } from './native.ts';
import { isPaginated, mender, mendMeta } from './redacted.ts';
import { type Rewrite, rewriter } from './rewrite.ts';
import { readSettings } from './settings.ts';
import { type Note, notes } from './to-items.ts';
import { line, turnWriter } from './turns.ts';
import { checkpoint, nameLine, orientationItem, rolloutPath } from './write.ts';

/** The session's own lines as a new rollout (see Adapter.restore): one file, also where the source was a chain of files. */
export async function restore(input: RestoreInput): Promise<Written> {
  const { target, card } = input;
  const { provider, configured } = await readSettings(target.where);
  const loss: Loss[] = [];
  const agents = input.streams.filter((stream) => stream.startsWith('agent/'));
  const ids = new Map([[card.id, target.id], ...agents.map((stream): [string, string] => [stream.slice(6), uuidOf(target.id, stream)])]);
  const rewrite = rewriter(ids, card.cwd !== target.cwd ? { from: card.cwd, to: target.cwd } : undefined);
  const copy: Copy = { input, rewrite, provider, configured, loss };
  const files: OutFile[] = [];
  for (const stream of agents) {
    const file = await agentFile(copy, stream, ids.get(stream.slice(6)) as string);
    if (file) files.push(file);
  }
  const main: OutFile = { path: rolloutPath(target, target.id) };
  const written: Written = {
    files: [...files, main],
    appends: [nameLine(target)],
    loss,
    session: target.id,
    path: main.path,
    resume: resumeCommand(target.id, target.cwd),
  };
  main.lines = mainLines(copy, await baseChain(input), main, written);
  return written;
}

interface Copy {
  input: RestoreInput;
  rewrite: Rewrite;
  provider: string;
  configured: boolean;
  loss: Loss[];
}

async function firstMeta(input: RestoreInput, stream: string): Promise<JsonObject | undefined> {
  for await (const record of input.records(stream)) if (isMeta(record)) return asObject(nativeValue(record)?.payload);
  return undefined;
}

const isMeta = (record: SessionRecord): boolean => record.type === 'event' && record.data?.name === 'session_meta';

/** Names of the streams that main goes on from, oldest first. */
async function baseChain(input: RestoreInput): Promise<string[]> {
  const chain: string[] = [];
  for (let at = 'main'; ; ) {
    const base = readMeta((await firstMeta(input, at)) ?? {})?.base;
    if (!base) return chain;
    at = `base/${base.id}`;
    if (!input.streams.includes(at) || chain.includes(at))
      throw new RelayError('corrupt', `The session goes on from thread ${base.id}, which was not stored with it.`);
    chain.unshift(at);
  }
}

/** What has been copied of a stream so far; added lines go on from it. */
interface Progress {
  stream: string;
  /** record number, from 0 */
  n: number;
  ordinal: number;
  paginated: boolean;
  /** the last line has no line feed */
  torn: boolean;
  time?: string;
  mend: Awaited<ReturnType<typeof mender>>;
}

const begin = async ({ input }: Copy, stream: string): Promise<Progress> => ({
  stream,
  n: 0,
  ordinal: -1,
  paginated: false,
  torn: false,
  mend: await mender(input, stream),
});

/**
 * The lines of main, preceded by those of the files it goes on from. Ordinals rise through such a chain, so only the
 * session_meta lines change: main's own comes first, the others fall away.
 */
async function* mainLines(copy: Copy, bases: string[], file: OutFile, written: Written): AsyncGenerator<string | Buffer> {
  const at = await begin(copy, 'main');
  let meta = true;
  let question: string | undefined;
  for await (const record of copy.input.records('main')) {
    if (record.type === 'message' && record.role === 'user' && record.origin === 'person') question ??= plainText(record.content);
    if (meta && isMeta(record)) {
      meta = false;
      yield rewritten(copy, mainMeta(copy, record, at, bases.length > 0));
      for (const base of bases) yield* baseLines(copy, base);
    } else yield* lineOf(copy, record, at);
    at.n++;
  }
  written.namedByClient = at.paginated && !showsAs(question, copy.input.target.title);
  const added = addedLines(copy, at, await copy.input.checkpoint());
  if (at.torn && !added.length) file.eol = false;
  if (at.torn && added.length)
    copy.loss.push({
      record: at.n - 1,
      stream: 'main',
      kind: 'line-end',
      action: 'changed',
      reason: 'The last line had no line feed; it has one now, since another follows.',
    });
  yield* added;
}

/** True where the client's own list, which shows the first question of a thread without a name, shows this title anyway. */
const showsAs = (question: string | undefined, title: string): boolean =>
  question !== undefined && oneLine(question).startsWith(oneLine(title.replace(/…$/, '')));
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

async function* baseLines(copy: Copy, stream: string): AsyncGenerator<string | Buffer> {
  const at = await begin(copy, stream);
  for await (const record of copy.input.records(stream)) {
    if (isMeta(record))
      copy.loss.push({
        record: at.n,
        stream,
        kind: 'fork',
        action: 'left-out',
        reason: 'The session refers to an earlier file; both are one file now, with one session_meta.',
      });
    else yield* lineOf(copy, record, at);
    at.n++;
  }
}

const rewritten = (copy: Copy, source: string | Buffer): string | Buffer => (typeof source === 'string' ? copy.rewrite(source) : source);

const ORDINAL = /^\{"timestamp":"[^"]*","ordinal":(\d+),/;

const sayAt =
  ({ loss }: Copy, { n, stream }: Progress): Say =>
  (kind, action, reason) =>
    loss.push({ record: n, stream, kind, action, reason });

/** The line of a record, or none where it is left out. */
function* lineOf(copy: Copy, record: SessionRecord, at: Progress): Generator<string | Buffer> {
  const source = isSettings(record) ? settingsLine(copy, record, at) : sourceLine(record);
  at.torn = record.eol === false;
  if (typeof source !== 'string') return yield source;
  const ordinal = ORDINAL.exec(source)?.[1];
  if (ordinal !== undefined) at.ordinal = Math.max(at.ordinal, Number(ordinal));
  if (record.type !== 'raw' && record.time !== undefined) at.time = record.time;
  const line = at.mend(record, source, sayAt(copy, at));
  if (line !== undefined) yield copy.rewrite(line);
}

const isSettings = (record: SessionRecord): boolean => record.type === 'event' && record.kind === 'settings' && record.data === undefined;

/** `thread_settings_applied` names the provider again, and the client goes by it. */
function settingsLine(copy: Copy, record: SessionRecord, at: Progress): string | Buffer {
  const source = sourceLine(record);
  if (typeof source !== 'string' || !source.includes('"model_provider_id"')) return source;
  const value = nativeValue(record);
  const settings = asObject(asObject(value?.payload)?.thread_settings);
  if (!settings || typeof settings.model_provider_id !== 'string' || settings.model_provider_id === copy.provider) return source;
  noteProvider(copy, at, 'model_provider_id', settings.model_provider_id);
  const was = `"model_provider_id":${JSON.stringify(settings.model_provider_id)}`;
  settings.model_provider_id = copy.provider;
  // A line that does not serialise back to itself is changed in this one place.
  if (record.type !== 'raw' && typeof record.native === 'string' && source.split(was).length === 2)
    return source.replace(was, () => `"model_provider_id":${JSON.stringify(copy.provider)}`);
  return JSON.stringify(value);
}

function noteProvider(copy: Copy, at: Progress, field: string, was: Json | undefined): void {
  const reason = `${field} is ${JSON.stringify(copy.provider)}, as ${copy.configured ? 'in the config.toml here' : 'Codex has it by default'}, instead of ${JSON.stringify(was ?? null)}: Codex resumes no session of another provider.`;
  copy.loss.push({ record: at.n, stream: at.stream, kind: 'model-provider', action: 'changed', reason });
}

/** session_meta as the target needs it; the same text where nothing had to change. */
function mainMeta(copy: Copy, record: SessionRecord, at: Progress, flattened: boolean): string | Buffer {
  const value = nativeValue(record);
  const payload = asObject(value?.payload);
  const source = sourceLine(record);
  if (!value || !payload) return source;
  at.paginated = isPaginated(value, payload);
  const note = (kind: string, reason: string): void => {
    copy.loss.push({ record: at.n, stream: at.stream, kind, action: 'changed', reason });
  };
  let changed = setProvider(copy, payload, at);
  if (mendMeta(value, payload, sayAt(copy, at))) changed = true;
  if (payload.source !== 'cli' && payload.source !== 'vscode' && payload.source !== undefined) {
    note('source', `source is cli instead of ${JSON.stringify(payload.source)}: Codex lists no other in its picker.`);
    payload.source = 'cli';
    changed = true;
  }
  if (flattened) {
    note('fork', 'history_base is gone: the lines it refers to stand in this file.');
    delete payload.history_base;
    value.ordinal = 0;
    changed = true;
  }
  return changed ? JSON.stringify(value) : source;
}

function setProvider(copy: Copy, payload: JsonObject, at: Progress): boolean {
  if (payload.model_provider === copy.provider) return false;
  noteProvider(copy, at, 'model_provider', payload.model_provider);
  payload.model_provider = copy.provider;
  return true;
}

/** Checkpoint and orientation, at the end, where they change nothing of what is there. */
function addedLines({ input, loss }: Copy, at: Progress, fitted: Fitted | undefined): string[] {
  const { orientation, card, target } = input;
  const clock = { time: at.time ?? target.now.toISOString() };
  const note = notes(loss);
  const ordinal = (): number | undefined => (at.paginated ? ++at.ordinal : undefined);
  const add = (kind: string, reason: string): void => {
    loss.push({ record: null, stream: 'main', kind, action: 'added', reason });
  };
  const more = moreLines(input, at, clock, ordinal, note);
  if (more.length) add('continued', `What was said afterwards (${input.more?.entries.length} messages) follows the session's own lines.`);
  const { time } = clock;
  if (fitted) {
    add(
      'checkpoint',
      'The session is larger than the window, or its compaction is sealed for another account: a checkpoint at the end tells the model what to go on from. The lines before it are complete.',
    );
    const history = checkpoint(orientation, [...fitted.lead, ...fitted.tail], card.agent, note);
    return [...more, line(time, 'compacted', history, ordinal())];
  }
  if (!orientation) return more;
  add('orientation', 'A message at the end tells the model about the move.');
  return [...more, line(time, 'response_item', orientationItem(orientation), ordinal())];
}

/** What another agent's session added, as turns of this one. Turn numbers go on from the line number, so that none was used before. */
function moreLines({ more, target }: RestoreInput, at: Progress, clock: { time: string }, ordinal: () => number | undefined, note: Note): string[] {
  if (!more?.entries.length) return [];
  const paginated = at.paginated ? { thread: target.id, ordinal: () => ordinal() as number } : undefined;
  const turns = turnWriter({ clock, agent: more.card.agent, note, after: at.n, paginated });
  return [...turns.entries(more.entries), ...turns.end()];
}

/** A sub-agent's rollout under its new id. One that goes on from another file cannot stand alone. */
async function agentFile(copy: Copy, stream: string, id: string): Promise<OutFile | undefined> {
  const meta = readMeta((await firstMeta(copy.input, stream)) ?? {});
  if (!meta || meta.base) {
    copy.loss.push({
      record: null,
      stream,
      kind: 'sub-agent',
      action: 'left-out',
      reason: 'The transcript of this sub-agent goes on from another file; it stays in the stored session.',
    });
    return undefined;
  }
  const file: OutFile = { path: rolloutPath(copy.input.target, id) };
  file.lines = agentLines(copy, stream, file);
  return file;
}

async function* agentLines(copy: Copy, stream: string, file: OutFile): AsyncGenerator<string | Buffer> {
  const at = await begin(copy, stream);
  for await (const record of copy.input.records(stream)) {
    if (isMeta(record) && at.n === 0) yield rewritten(copy, agentMeta(copy, record, at));
    else yield* lineOf(copy, record, at);
    at.n++;
  }
  if (at.torn) file.eol = false;
}

function agentMeta(copy: Copy, record: SessionRecord, at: Progress): string | Buffer {
  const value = nativeValue(record);
  const payload = asObject(value?.payload);
  if (!value || !payload) return sourceLine(record);
  const mended = mendMeta(value, payload, sayAt(copy, at));
  return setProvider(copy, payload, at) || mended ? JSON.stringify(value) : sourceLine(record);
}
