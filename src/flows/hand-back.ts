import { createHash } from 'node:crypto';
import type { Adapter } from '#adapters/adapter.ts';
import type { Conversation, Entry, Streams } from '#session/conversation.ts';
import { pairCalls } from '#session/pairs.ts';
import { plainText } from '#session/record.ts';
import type { SessionCard } from '#session/source.ts';
import { wellFormedConversation } from '#session/well-formed.ts';
import { needAdapter } from './find.ts';
import { type Loaded, loadLocal, loadStored, readStreams } from './load.ts';
import type { Manifest } from './manifest.ts';
import { movedConversation } from './moved.ts';
import { pathsOf } from './redaction.ts';
import { readImports } from './registry.ts';
import { type Workspace, whereOf } from './workspace.ts';

/** A session that comes home: it was imported from one of the agent it goes to now, and went on since. */
export interface HandBack {
  /** the session it came from, whose own lines are kept as they are */
  base: Loaded;
  /** how people name that one */
  from: string;
  /** handoff that it lies in; absent for a session of this machine */
  handoff?: string;
  /** what was said since, in the stream `continued` */
  more: { card: SessionCard; entries: Entry[] };
  /** what is said in all of it, to tell later whether it went on */
  said: string;
}

/** Stream that the entries of what was said since are counted in, so that their numbers are not taken for those of the base. */
const SINCE = 'continued';

interface Origin {
  /** `<agent>:<id>` of a local session, or a handoff and its version */
  from: string;
  handoff?: { name: string; version: number };
  /** main records that the import wrote */
  records: number;
  /** what was said in the base then (saidIn) */
  said?: string | undefined;
}

/** A digest of what is said in a conversation: the same as long as nothing was added, rewound or changed in length. */
export function saidIn({ entries }: Conversation): string {
  const hash = createHash('sha256');
  for (const entry of entries) hash.update(`${entry.role} ${entry.stream} ${entry.record} ${plainText(entry.content).length}\n`);
  return hash.digest('hex').slice(0, 16);
}

interface Homecoming {
  loaded: Loaded;
  manifest?: Manifest;
  /** folder that the session goes on in */
  cwd: string;
  /** root of the project, where it lies in one */
  root?: string;
}

/**
 * Looks whether a session was imported from one of `target`'s and only went on since.
 * @returns undefined when it was not, or when the two can no longer be joined: the base is gone or went on too, or the imported part was rewound
 */
export async function handBack(ws: Workspace, source: Homecoming, target: Adapter): Promise<HandBack | undefined> {
  const { loaded, manifest, cwd, root = cwd } = source;
  const { card } = loaded;
  const origin = await originOf(ws, card, manifest, target);
  if (!origin) return undefined;
  const base = await openBase(ws, origin, root, target);
  if (!base) return undefined;
  const since = addedSince(needAdapter(card.agent), await readStreams(loaded), origin.records);
  if (!since) return undefined;
  const { name, version } = origin.handoff ?? {};
  return {
    base,
    from: name ? `${name}@${version}` : origin.from,
    ...(name ? { handoff: name } : {}),
    more: { card, entries: asWritten(since.entries, card.cwd, cwd) },
    said: since.said,
  };
}

/** What any client can read, told of the folder that it goes on in. */
function asWritten(entries: Entry[], from: string, to: string): Entry[] {
  const { conversation } = wellFormedConversation({ entries: pairCalls(entries).entries, view: [], sealed: false, abandoned: 0 });
  return movedConversation(conversation, from, to).conversation.entries;
}

/** Known from the import made on this machine, else from the handoff's own account of what it goes on from. */
async function originOf(ws: Workspace, card: SessionCard, manifest: Manifest | undefined, target: Adapter): Promise<Origin | undefined> {
  const entry = (await readImports(ws)).findLast((e) => e.to === `${card.agent}:${card.id}` && e.from.startsWith(`${target.id}:`));
  if (entry?.records !== undefined) {
    const [, name, version] = /^(.+)@(\d+)$/.exec(entry.version) ?? [];
    return { from: entry.from, records: entry.records, said: entry.said, ...(name ? { handoff: { name, version: Number(version) } } : {}) };
  }
  const lineage = manifest?.lineage;
  if (!lineage?.records) return undefined;
  return { from: lineage.handoff, handoff: { name: lineage.handoff, version: lineage.version }, records: lineage.records };
}

async function openBase(ws: Workspace, origin: Origin, root: string, target: Adapter): Promise<Loaded | undefined> {
  if (origin.handoff) {
    const { name, version } = origin.handoff;
    const card = ws.repository && (await (await ws.store()).list()).find((c) => c.handoff === name);
    if (card?.agent !== target.id) return undefined;
    const opened = await ws.openHandoff(card, version).catch(() => undefined);
    return opened && loadStored(opened, await pathsOf(ws, root));
  }
  const where = whereOf(ws, target.id);
  const id = origin.from.slice(target.id.length + 1);
  const card = (await target.list(where)).find((c) => c.id === id);
  if (!card) return undefined;
  const base = loadLocal(await target.open(where, card.path), target);
  return saidIn(target.conversation(await readStreams(base))) === origin.said ? base : undefined;
}

/** What follows the imported part; undefined when some of that part is no longer on the branch. */
function addedSince(adapter: Adapter, streams: Streams, records: number): { entries: Entry[]; said: string } | undefined {
  const main = streams.get('main') ?? [];
  const then = adapter.conversation(new Map([...streams, ['main', main.slice(0, records)]]));
  const whole = adapter.conversation(streams);
  const { entries } = whole;
  const isSince = (entry: Entry): boolean => entry.stream === 'main' && entry.record >= records;
  const before = entries.filter((entry) => !isSince(entry));
  if (main.length < records || before.some((entry, i) => entry.record !== then.entries[i]?.record) || before.length !== then.entries.length) return undefined;
  // Summaries stand for what is there in full.
  const since = entries.filter((entry) => isSince(entry) && !entry.summary).map((entry) => ({ ...entry, stream: SINCE }));
  return { entries: since, said: saidIn(whole) };
}

/** The base's conversation with what was said since. */
export function joined(base: Conversation, { more }: HandBack): Conversation {
  const entries = [...base.entries, ...more.entries];
  return { ...base, entries, view: base.view === base.entries ? entries : [...base.view, ...more.entries] };
}
