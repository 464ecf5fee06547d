import type { Conversation, Entry, Streams } from '#session/conversation.ts';
import { type Block, type BoundaryRecord, type MessageRecord, plainText, type SessionRecord } from '#session/record.ts';

/** A record and where it stands. */
interface Place {
  stream: string;
  n: number;
  record: SessionRecord;
}

/** What the old form of compaction (`{message}` without replacement_history, before 0.135) keeps of what people typed, in bytes: 20,000 tokens. */
const KEPT_USER_BYTES = 80_000;

/**
 * What `codex resume` sends: the response items in order, those of the files that this one goes on from first,
 * without rolled-back turns, and after a compaction its replacement history and what followed.
 */
export function conversation(streams: Streams): Conversation {
  const places = chain(streams).flatMap((stream) => (streams.get(stream) ?? []).map((record, n) => ({ stream, n, record })));
  const typed = typedTexts(places);
  const kept = rollBack(places, (record) => originOf(record, typed) === 'person');
  const entries: Entry[] = [];
  let view = entries;
  let sealed = false;
  let model: string | undefined;
  for (const place of kept.places) {
    const { record } = place;
    if (record.type === 'event') model = record.kind === 'settings' && typeof record.data?.model === 'string' ? record.data.model : model;
    else if (record.type === 'message') {
      const made = entriesOf(record, place, typed, model);
      entries.push(...made);
      if (view !== entries) view.push(...made);
    } else if (record.type === 'boundary') {
      view = viewAfter(record, place, entries);
      sealed = record.sealed === true;
    }
  }
  groupReplies(entries);
  if (view !== entries) groupReplies(view);
  return { entries, view, sealed, abandoned: kept.abandoned };
}

/** Names of the streams that make up the thread, oldest first: each names the one it goes on from. */
export function chain(streams: Streams): string[] {
  const names: string[] = [];
  for (let name: string | undefined = 'main'; name !== undefined && streams.has(name) && !names.includes(name); ) {
    names.unshift(name);
    const meta: SessionRecord | undefined = streams.get(name)?.find((record) => record.type === 'event' && record.data?.name === 'session_meta');
    const base: unknown = meta?.type === 'event' ? meta.data?.base : undefined;
    name = typeof base === 'string' ? `base/${base}` : undefined;
  }
  return names;
}

/** What people typed, by the events that show it; undefined where the file has no such event. */
function typedTexts(places: readonly Place[]): ReadonlySet<string> | undefined {
  const texts = new Set<string>();
  for (const { record } of places)
    if (record.type === 'event' && record.kind === 'user-message' && typeof record.data?.text === 'string') texts.add(record.data.text);
  return texts.size ? texts : undefined;
}

const BY_ROLE = { assistant: 'model', tool: 'tool', system: 'harness' } as const;

function originOf(record: MessageRecord, typed: ReadonlySet<string> | undefined): Entry['origin'] {
  if (record.origin) return record.origin;
  if (record.role !== 'user') return BY_ROLE[record.role];
  if (!typed || typed.has(plainText(record.content))) return 'person';
  return record.content.some((block) => block.type === 'text' && typed.has(block.text)) ? 'person' : 'harness';
}

/**
 * Takes out what `thread_rolled_back {num_turns}` gave up. The client counts what people typed, a message that steers a running
 * turn too, and takes what it put in before such a message (from the turn-start event on) with it.
 */
function rollBack(places: readonly Place[], isTyped: (record: MessageRecord) => boolean): { places: Place[]; abandoned: number } {
  const kept: Place[] = [];
  const turns: number[] = [];
  let start: number | undefined;
  let abandoned = 0;
  for (const place of places) {
    const { record } = place;
    if (record.type === 'event' && record.kind === 'rollback') {
      const count = Number(record.data?.turns) || 0;
      const gone = count > 0 ? kept.splice(turns.splice(-count)[0] ?? kept.length) : [];
      abandoned += gone.filter((g) => g.record.type === 'message').length;
      start = undefined;
      continue;
    }
    if (record.type === 'event' && record.kind === 'turn-start') start = kept.length;
    if (record.type === 'message' && record.role === 'user' && isTyped(record)) {
      turns.push(start ?? kept.length);
      start = undefined;
    }
    kept.push(place);
  }
  return { places: kept, abandoned };
}

function entriesOf(record: MessageRecord, place: Place, typed: ReadonlySet<string> | undefined, model: string | undefined): Entry[] {
  const entry: Entry = {
    role: record.role,
    content: record.content,
    stream: place.stream,
    record: place.n,
    origin: originOf(record, typed),
    ...(record.time === undefined ? {} : { time: record.time }),
    ...(record.role === 'assistant' && model !== undefined ? { model } : {}),
    ...(record.summary ? { summary: true } : {}),
    ...(record.hidden ? { hidden: true } : {}),
  };
  return withProviderResult(entry);
}

/** Tools that run at the provider leave a call and no result: one is made, so that the call stays a call. */
function withProviderResult(entry: Entry): Entry[] {
  const [first, ...rest] = entry.content;
  if (first?.type !== 'tool_call' || (first.name !== 'web_search' && first.name !== 'image_generation') || entry.role !== 'assistant') return [entry];
  const made: Block[] = rest.filter((block) => block.type === 'image');
  const content = made.length
    ? made.filter((block) => block.type === 'image')
    : [{ type: 'text' as const, text: '(ran at the provider; its result is not in the session)' }];
  const result: Entry = {
    role: 'tool',
    origin: 'tool',
    stream: entry.stream,
    record: entry.record,
    content: [{ type: 'tool_result', call_id: first.id, content }],
  };
  return [
    { ...entry, content: [first] },
    { ...result, ...(entry.time === undefined ? {} : { time: entry.time }) },
  ];
}

/** The model's view right after a compaction. */
function viewAfter(record: BoundaryRecord, place: Place, before: readonly Entry[]): Entry[] {
  const base = { stream: place.stream, record: place.n, ...(record.time === undefined ? {} : { time: record.time }) };
  const summaryEntry = (text: string): Entry => ({ role: 'user', content: [{ type: 'text', text }], origin: 'harness', summary: true, ...base });
  if (!record.view) return [...keptQuestions(before), ...(record.summary === undefined ? [] : [summaryEntry(record.summary)])];
  return record.view.map((item) => {
    const isSummary = record.summary !== undefined && item.role === 'user' && plainText(item.content) === record.summary;
    const origin = isSummary ? 'harness' : (item.origin ?? (item.role === 'user' ? 'person' : BY_ROLE[item.role]));
    return {
      role: item.role,
      content: item.content,
      origin,
      ...base,
      ...(isSummary ? { summary: true } : {}),
      ...(origin === 'harness' && !isSummary ? { hidden: true } : {}),
    };
  });
}

/** What people typed, newest first as far as the client's allowance goes. */
function keptQuestions(entries: readonly Entry[]): Entry[] {
  const kept: Entry[] = [];
  let left = KEPT_USER_BYTES;
  for (let i = entries.length - 1; i >= 0 && left > 0; i--) {
    const entry = entries[i] as Entry;
    if (entry.role !== 'user' || entry.origin !== 'person') continue;
    left -= Buffer.byteLength(plainText(entry.content));
    if (left >= 0 || !kept.length) kept.unshift(entry);
  }
  return kept;
}

/** What the model said without anything in between is one reply. */
function groupReplies(entries: Entry[]): void {
  let group: string | undefined;
  for (const entry of entries) {
    if (entry.role !== 'assistant') group = undefined;
    else {
      group ??= `${entry.stream}#${entry.record}`;
      entry.group = group;
    }
  }
}
