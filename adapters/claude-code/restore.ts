import { join } from 'node:path';
import { cut } from '#lib/cut.ts';
import { isObject, type JsonObject, parseJson } from '#lib/json.ts';
import { sourceLine } from '#session/codec.ts';
import type { Entry, Fitted } from '#session/conversation.ts';
import type { Loss } from '#session/loss.ts';
import type { SessionRecord } from '#session/record.ts';
import type { OutFile, RestoreInput, Written } from '../adapter.ts';
import { besideFiles, freePlaces, type IsFree } from './beside.ts';
import { boundaryLine, splitLead, summaryLine } from './checkpoint.ts';
import { resumeCommand } from './launch.ts';
import { createLines } from './lines.ts';
import { createLosses } from './losses.ts';
import { AGENT, projectPath } from './native.ts';
import { mender } from './redacted.ts';
import { hiddenLine, messageLines, type Writing } from './replies.ts';
import { createRewrite, type Rewrite } from './rewrite.ts';
import { unsignChanged } from './signed.ts';
import { createTrunk, type Trunk } from './trunk.ts';
import { lastPrompt } from './write.ts';

/** A session of this same client, line by line as it was; what must differ is named in the loss report. */
export async function restore(input: RestoreInput): Promise<Written> {
  const { target, card } = input;
  const project = projectPath(target.where, target.cwd);
  const rewrite = createRewrite({ id: card.id, path: card.path, cwd: await oldCwd(input) }, { id: target.id, project, cwd: target.cwd });
  const loss: Loss[] = [];
  const path = join(project, `${target.id}.jsonl`);
  const main = mainFile(path, input, rewrite, loss);
  const isFree = freePlaces();
  const side = sideStreams(input, project, rewrite, loss, isFree);
  const files = [...besideFiles(input, project, rewrite, loss, isFree), ...side, main];
  return { files, appends: [], loss, session: target.id, path, resume: resumeCommand(target.id, target.cwd) };
}

/** The working directory that the records still name: undefined when it is the new one already. Read from the first record that has one. */
async function oldCwd({ card, target, streams, records }: RestoreInput): Promise<string | undefined> {
  if (card.cwd === '' || card.cwd === target.cwd || !streams.includes('main')) return undefined;
  const needle = `"cwd":${JSON.stringify(card.cwd)}`;
  for await (const record of records('main')) {
    const line = sourceLine(record);
    if (typeof line === 'string' && line.includes('"cwd":"')) return line.includes(needle) ? card.cwd : undefined;
  }
  return undefined;
}

/** Lines of a stream with its ids and folders replaced. `edit` may change a line further. */
async function* streamLines(
  input: RestoreInput,
  stream: string,
  rewrite: Rewrite,
  loss: Loss[],
  seen: (record: SessionRecord, line: string | Buffer, index: number) => string | Buffer,
): AsyncGenerator<string | Buffer> {
  let index = 0;
  const mend = await mender(input, stream);
  for await (const record of input.records(stream)) {
    const line = sourceLine(record);
    if (typeof line !== 'string') yield seen(record, rewrite.bytes(line), index);
    else {
      const { text, moved } = rewrite.line(line);
      if (moved)
        loss.push({
          record: index,
          stream,
          kind: 'path',
          action: 'changed',
          reason: "the path of this session's own files names the place where they lie now",
        });
      const signed = unsignChanged(line, text, record, index, stream, loss);
      yield seen(
        record,
        mend(record, signed, (kind, action, reason) => loss.push({ record: index, stream, kind, action, reason })),
        index,
      );
    }
    index++;
  }
}

/** Notes whether the last line had a line feed; known only once all lines were taken. */
const keepEnd = (file: OutFile, record: SessionRecord): void => {
  if (record.eol === false) file.eol = false;
};

/** Longest id of a sub-agent that its file's name has room for. */
const AGENT_MAX = 200;

function sideStreams(input: RestoreInput, project: string, rewrite: Rewrite, loss: Loss[], isFree: IsFree): OutFile[] {
  return input.streams.flatMap((stream) => {
    if (stream === 'main') return [];
    const agent = /^agent\/([A-Za-z0-9_-]+)$/.exec(stream)?.[1];
    if (agent === undefined || agent.length > AGENT_MAX) {
      loss.push({ record: null, stream: cut(stream, 200), kind: 'side-stream', action: 'left-out', reason: 'its name is none that this client uses' });
      return [];
    }
    const file: OutFile = { path: join(project, input.target.id, 'subagents', `agent-${agent}.jsonl`) };
    if (!isFree(file.path)) return [];
    file.lines = streamLines(input, stream, rewrite, loss, (record, line) => {
      keepEnd(file, record);
      return line;
    });
    return [file];
  });
}

function mainFile(path: string, input: RestoreInput, rewrite: Rewrite, loss: Loss[]): OutFile {
  const file: OutFile = { path };
  file.lines = (async function* () {
    const trunk = createTrunk();
    let started = false;
    const lines = streamLines(input, 'main', rewrite, loss, (record, line, index) => {
      keepEnd(file, record);
      trunk.add(record);
      if (started || typeof line !== 'string') return line;
      const made = asInteractive(line, index, loss);
      started = made !== undefined;
      return made ?? line;
    });
    yield* lines;
    for (const added of addedLines(input, await input.checkpoint(), trunk, loss)) {
      file.eol = true;
      yield JSON.stringify(added);
    }
  })();
  return file;
}

/** The first entry that names an entrypoint decides whether the picker shows a session: `sdk-*` hides it. Answers undefined for a line without one. */
function asInteractive(line: string, index: number, loss: Loss[]): string | undefined {
  if (!line.includes('"entrypoint":"')) return undefined;
  const value = parseJson(line);
  if (!isObject(value) || typeof value.entrypoint !== 'string') return undefined;
  if (!value.entrypoint.startsWith('sdk-')) return line;
  loss.push({
    record: index,
    kind: 'entrypoint',
    action: 'changed',
    reason: `${value.entrypoint} is written as cli, since the picker hides sessions that begin with the other`,
  });
  const exact = JSON.stringify(value) === line;
  return exact ? JSON.stringify({ ...value, entrypoint: 'cli' }) : line.replace(`"entrypoint":${JSON.stringify(value.entrypoint)}`, '"entrypoint":"cli"');
}

/** What an import adds at the end: a checkpoint, what must be said first, a title. */
function* addedLines(input: RestoreInput, checkpoint: Fitted | undefined, trunk: Trunk, loss: Loss[]): Generator<JsonObject> {
  const { target, card, orientation } = input;
  const lines = createLines(target, 'added', trunk.leaf() ?? null, new Date(Math.max(Date.parse(card.updated) || 0, trunk.time())).toISOString());
  const added = (kind: string, reason: string): void => void loss.push({ record: null, kind, action: 'added', reason });
  const losses = createLosses(loss);
  const w: Writing = {
    session: target.id,
    agent: AGENT,
    cwds: ['', '.', target.cwd, card.cwd, input.more?.card.cwd ?? ''],
    lines,
    losses,
    ids: new Set(),
    part: new Set(),
    reply: 0,
  };
  if (input.more?.entries.length) {
    yield* moreLines(input.more, w);
    added('continued', `what was said afterwards (${input.more.entries.length} messages) follows the session's own lines`);
  }
  if (checkpoint?.lead.length) {
    yield* checkpointLines(input, checkpoint, w, trunk);
    added('checkpoint', 'the session is too large for the model: a compaction stands at its end; all that lies before is still in the file');
  } else if (orientation.trim() !== '') {
    yield hiddenLine(lines, orientation);
    added('orientation', 'a hidden message at the end says where the session goes on');
  }
  // The session's own lines may name where its branch ended before.
  if (input.more?.entries.length && lines.last !== null)
    yield { type: 'last-prompt', lastPrompt: lastPrompt(input.more.entries) ?? '', leafUuid: lines.last, sessionId: target.id };
  losses.close();
  if (target.title.trim() !== '' && target.title !== card.title) {
    yield { type: 'custom-title', customTitle: target.title, sessionId: target.id };
    added('title', 'the title of the import');
  }
}

/**
 * A boundary, the summary, copies of what is kept beside it, and the client's own list of earlier messages that stay in its view:
 * the tail is not written twice.
 */
function* checkpointLines({ orientation, more }: RestoreInput, fitted: Fitted, w: Writing, trunk: Trunk): Generator<JsonObject> {
  const { lines } = w;
  const { summary, rest } = splitLead(fitted.lead);
  const kept = preservable(fitted.tail, trunk);
  const boundary = boundaryLine(lines, fitted, undefined);
  const head = summaryLine(lines, orientation, summary, undefined);
  const again = kept ? rest : [...rest, ...fitted.tail];
  const later = new Set(more?.entries.map((entry) => entry.stream));
  const split = again.findIndex((entry) => later.has(entry.stream));
  w.part = new Set();
  const copies = [...messageLines(split < 0 ? again : again.slice(0, split), w)];
  if (more && split >= 0) copies.push(...moreLines({ ...more, entries: again.slice(split) }, w));
  if (kept?.length) {
    const anchor = lines.last as string;
    Object.assign(boundary.compactMetadata as JsonObject, {
      preservedSegment: { headUuid: kept[0] as string, anchorUuid: anchor, tailUuid: kept.at(-1) as string },
      preservedMessages: { anchorUuid: anchor, uuids: kept, allUuids: kept },
    });
  }
  yield boundary;
  yield head;
  yield* copies;
}

/** What another agent's session added, written as that agent's. */
function* moreLines({ card, entries }: NonNullable<RestoreInput['more']>, w: Writing): Generator<JsonObject> {
  const own = w.agent;
  w.agent = card.agent;
  yield* messageLines(entries, w);
  w.agent = own;
}

/** Ids of the records that the tail was made from, in order; undefined when some of it has no record of its own any more. */
function preservable(tail: readonly Entry[], trunk: Trunk): string[] | undefined {
  const ids: string[] = [];
  for (const entry of tail) {
    const id = entry.stream === 'main' && entry.record >= 0 ? trunk.id(entry.record) : undefined;
    if (id === undefined) return undefined;
    if (ids.at(-1) !== id) ids.push(id);
  }
  return ids;
}
