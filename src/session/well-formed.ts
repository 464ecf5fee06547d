import { type Json, type JsonObject, setOwn } from '#lib/json.ts';
import type { Conversation, Entry } from './conversation.ts';
import type { Loss } from './loss.ts';
import type { Block } from './record.ts';

/** Node 20 has these; the compiler's library gets them with ES2024. */
interface WellFormed {
  isWellFormed(): boolean;
  toWellFormed(): string;
}

/** Text with U+FFFD for each half of a surrogate pair: UTF-8 has no form for one, and a client that keeps UTF-8 skips a line that holds its escape. */
export const wellFormed = (text: string): string => (text as unknown as WellFormed).toWellFormed();
const isWellFormed = (text: string): boolean => (text as unknown as WellFormed).isWellFormed();

/** A conversation that any client can read and any provider takes. @returns the same one where nothing had to change */
export function wellFormedConversation(conversation: Conversation): { conversation: Conversation; notes: Loss[] } {
  const notes: Loss[] = [];
  const entries = wellFormedEntries(conversation.entries, notes);
  const view = conversation.view === conversation.entries ? entries : wellFormedEntries(conversation.view, []);
  const same = entries === conversation.entries && view === conversation.view;
  return { conversation: same ? conversation : { ...conversation, entries, view }, notes };
}

function wellFormedEntries(entries: Entry[], notes: Loss[]): Entry[] {
  let out: Entry[] | undefined;
  for (const [i, entry] of entries.entries()) {
    const content = mapped(entry.content as unknown as Json) as unknown as Block[];
    if (content === entry.content) continue;
    out ??= entries.slice();
    out[i] = { ...entry, content };
    notes.push({
      record: entry.record < 0 ? null : entry.record,
      stream: entry.stream,
      kind: 'text',
      action: 'changed',
      reason: 'half of a character that consists of two (a lone surrogate) is written as U+FFFD',
    });
  }
  return out ?? entries;
}

/** The value itself where all of its strings are well-formed. */
function mapped(value: Json): Json {
  if (typeof value === 'string') return isWellFormed(value) ? value : wellFormed(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list = value.map(mapped);
    return list.some((item, i) => item !== value[i]) ? list : value;
  }
  const made: JsonObject = {};
  let same = true;
  for (const key of Object.keys(value)) {
    const item = mapped(value[key] as Json);
    same &&= item === value[key] && isWellFormed(key);
    setOwn(made, wellFormed(key), item);
  }
  return same ? value : made;
}
