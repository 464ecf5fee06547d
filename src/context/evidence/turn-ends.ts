import { isRequest } from '#context/turns.ts';
import type { Entry, Streams } from '#session/conversation.ts';
import type { EventRecord, SessionRecord } from '#session/record.ts';
import type { Turn } from './evidence.ts';

/** What clients say when an account or a provider gives no more. */
const LIMIT =
  /\b(?:usage|rate|session|weekly|5-hour|hour)[- ]?limit|\blimit (?:reached|exceeded|will reset)|\bquota\b|out of credits|too many requests|\b429\b|额度|用量上限|限额/i;

/** How each turn ended, by what the client noted after its last message. */
export function turnsOf(streams: Streams, entries: readonly Entry[], count: number, isStop: (text: string) => boolean): Turn[] {
  const turns: Turn[] = [];
  let from = entries.findIndex(isRequest);
  for (let n = 1; n <= count; n++) {
    let to = from + 1;
    while (to < entries.length && !isRequest(entries[to] as Entry)) to++;
    turns.push({ n, ...ending(entries.slice(from, to), notesAfter(streams, entries[to - 1] as Entry), isStop) });
    from = to;
  }
  return turns;
}

/** The client's own notes between a message and the next one of its stream, be that on this branch or not. */
function notesAfter(streams: Streams, { stream, record }: Entry): EventRecord[] {
  const records = streams.get(stream) ?? [];
  const notes: EventRecord[] = [];
  for (let at = record + 1; at < records.length; at++) {
    const next = records[at] as SessionRecord;
    if (next.type === 'event') notes.push(next);
    else if (next.type === 'message' && next.side !== true) break;
  }
  return notes;
}

/** Which field of an event says what went wrong. */
const ERRORS: Readonly<Record<string, string>> = { error: 'message', 'api-error': 'text', 'turn-end': 'error' };

function errorIn({ kind, data }: EventRecord): string | undefined {
  const said = data?.[ERRORS[kind] ?? ''];
  return typeof said === 'string' ? said : undefined;
}

function ending(entries: readonly Entry[], notes: readonly EventRecord[], isStop: (text: string) => boolean): Omit<Turn, 'n'> {
  const stopped = entries.some((entry) => entry.origin === 'harness' && entry.content.some((block) => block.type === 'text' && isStop(block.text)));
  for (const note of notes) {
    const said = errorIn(note);
    if (said !== undefined) return { ended: LIMIT.test(said) ? 'limit' : 'failed', reason: said };
    if (note.kind === 'turn-end' && typeof note.data?.reason === 'string') return { ended: 'interrupted', reason: note.data.reason };
  }
  if (stopped) return { ended: 'interrupted' };
  const last = entries.at(-1);
  const answered = last?.role === 'assistant' && !last.content.some(({ type }) => type === 'tool_call') && last.content.some(({ type }) => type === 'text');
  return { ended: answered ? 'complete' : 'open' };
}
