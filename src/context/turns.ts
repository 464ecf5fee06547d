import type { Entry } from '#session/conversation.ts';
import { plainText } from '#session/record.ts';

/** True for what a person asked: the beginning of a turn. */
export const isRequest = (entry: Entry): boolean => entry.role === 'user' && entry.origin === 'person' && !entry.summary;

/** Index of the first request; where no person asked (a sub-agent's session), of the first text that the model was given as the user's. -1: none. */
export function firstRequest(entries: readonly Entry[]): number {
  const asked = entries.findIndex((entry) => isRequest(entry) && plainText(entry.content) !== '');
  if (asked >= 0) return asked;
  return entries.findIndex((entry) => entry.role === 'user' && !entry.summary && entry.content.some((block) => block.type === 'text'));
}

/**
 * For each entry, whether the conversation may be cut before it: no call is parted from its result, no reply from its other parts.
 * Linear in the number of entries.
 */
export function safeCuts(entries: readonly Entry[]): boolean[] {
  const open = new Set<string>();
  const answered = lastResults(entries);
  return entries.map((entry, at) => {
    const safe = open.size === 0 && (entry.group === undefined || entry.group !== entries[at - 1]?.group);
    for (const block of entry.content) {
      if (block.type === 'tool_call' && (answered.get(block.id) ?? -1) > at) open.add(block.id);
      else if (block.type === 'tool_result' && answered.get(block.call_id) === at) open.delete(block.call_id);
    }
    return safe;
  });
}

/** The last entry that answers each call id. */
function lastResults(entries: readonly Entry[]): Map<string, number> {
  const last = new Map<string, number>();
  entries.forEach((entry, at) => {
    for (const block of entry.content) if (block.type === 'tool_result') last.set(block.call_id, at);
  });
  return last;
}
