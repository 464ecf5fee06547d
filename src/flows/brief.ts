import { join } from 'node:path';
import { readCall, readReport, readStop } from '#adapters/actions.ts';
import type { Adapter } from '#adapters/adapter.ts';
import { makeBrief } from '#context/brief/make.ts';
import { type Head, render } from '#context/brief/render.ts';
import type { Brief } from '#context/brief/value.ts';
import { collect } from '#context/evidence/collect.ts';
import type { Evidence } from '#context/evidence/evidence.ts';
import { type OwnWords, wordsOf } from '#context/words/index.ts';
import type { Streams } from '#session/conversation.ts';
import { writeWhole } from '#store/files.ts';
import { stateOf } from '#store/homes.ts';
import { sessionName } from '#store/index.ts';
import { find, needAdapter } from './find.ts';
import { type Loaded, loadLocal, loadStored, readStreams } from './load.ts';
import { pathsOf } from './redaction.ts';
import { rootOf, type Workspace, whereOf } from './workspace.ts';

/** What a session says and shows (see Evidence), read from its beginning to its end. */
export async function evidenceOf(loaded: Loaded, adapter: Adapter): Promise<Evidence> {
  const streams = await readStreams(loaded);
  const { id, title, cwd, updated } = loaded.card;
  return collect(
    streams,
    adapter.conversation(streams),
    { call: (call, result) => readCall(call, result, adapter.id), report: (text) => readReport(text, adapter.id), stop: readStop },
    { agent: adapter.title, session: id, title, cwd: lastFolder(streams) ?? cwd, last: updated },
  );
}

/** The working directory that the session named last: it may have been changed on the way. */
function lastFolder(streams: Streams): string | undefined {
  const named = streams.get('main')?.findLast((record) => record.type === 'event' && record.kind === 'settings' && typeof record.data?.cwd === 'string');
  return named?.type === 'event' ? (named.data?.cwd as string) : undefined;
}

interface Made {
  evidence: Evidence;
  brief: Brief;
  /** handoff.md */
  document: string;
}

interface BriefOptions extends Partial<Head> {
  /** the user's own words of the settings */
  words?: OwnWords;
}

/** The brief of a session, and the document that is made of it. */
export async function briefOf(loaded: Loaded, adapter: Adapter, { words = {}, ...head }: BriefOptions = {}): Promise<Made> {
  const evidence = await evidenceOf(loaded, adapter);
  const brief = makeBrief(evidence, wordsOf(words));
  return { evidence, brief, document: render(brief, { status: 'draft', ...head }) };
}

interface Named extends Made {
  /** null: a session of this machine that is told as it is, not as it was stored */
  handoff: string | null;
  version: number | null;
  status: Head['status'];
  /** Writes the document into the user's own state, for nobody else to read; answers the path. */
  write(): Promise<string>;
}

/** The brief of what a name means: a session of this machine, or a handoff (see find). */
export async function briefNamed(ws: Workspace, name: string): Promise<Named> {
  const { loaded, adapter, handoff, version } = await openNamed(ws, name);
  const head: Head = { status: 'draft', ...(handoff ? { handoff: `${handoff}@${version}` } : {}) };
  const made = await briefOf(loaded, adapter, { ...head, words: ws.settings.context.words });
  const file = `${sessionName(adapter.id, loaded.card.id)}${version === null ? '' : `@${version}`}`;
  return {
    ...made,
    handoff,
    version,
    status: head.status,
    async write() {
      const path = join(stateOf(ws), 'handoffs', file, 'handoff.md');
      await writeWhole(path, made.document);
      return path;
    },
  };
}

async function openNamed(ws: Workspace, name: string): Promise<{ loaded: Loaded; adapter: Adapter; handoff: string | null; version: number | null }> {
  const found = await find(ws, name);
  if (found.kind === 'local') {
    const source = await found.adapter.open(whereOf(ws, found.adapter.id), found.card.path);
    return { loaded: loadLocal(source, found.adapter), adapter: found.adapter, handoff: null, version: null };
  }
  const version = await ws.openHandoff(found.card, found.version);
  const loaded = loadStored(version, await pathsOf(ws, ws.repository ? rootOf(ws.repository) : ws.cwd));
  return { loaded, adapter: needAdapter(loaded.card.agent), handoff: version.handoff, version: version.n };
}
