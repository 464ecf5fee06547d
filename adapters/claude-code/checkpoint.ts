import type { JsonObject } from '#lib/json.ts';
import type { Entry, Fitted } from '#session/conversation.ts';
import { plainText } from '#session/record.ts';
import { type Lines, userText } from './lines.ts';

/** Splits a lead into the text of its summary and what is kept beside it. */
export function splitLead(lead: readonly Entry[]): { summary: string; rest: readonly Entry[] } {
  const [first, ...rest] = lead;
  if (first?.summary) return { summary: plainText(first.content), rest };
  return { summary: 'Earlier parts of this conversation no longer stand in the context.', rest: lead };
}

/** The client's own mark of a compaction: from here on the model gets the summary and what follows it. */
export function boundaryLine(lines: Lines, fitted: Fitted, time: string | undefined, more: JsonObject = {}): JsonObject {
  const before = fitted.history.reduce((sum, entry) => sum + plainText(entry.content).length, 0);
  return lines.boundary(time, {
    compactMetadata: { trigger: 'manual', preTokens: Math.ceil(before / 4) + fitted.size.tokens, postTokens: fitted.size.tokens, ...more },
  });
}

/** The summary; what must be said first stands before it. */
export const summaryLine = (lines: Lines, orientation: string, summary: string, time: string | undefined): JsonObject =>
  lines.entry('user', time, {
    ...userText([orientation, summary].filter((text) => text.trim() !== '').join('\n\n')),
    isVisibleInTranscriptOnly: true,
    isCompactSummary: true,
  });
