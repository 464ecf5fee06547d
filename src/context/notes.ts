import type { Entry } from '#session/conversation.ts';
import type { Loss } from '#session/loss.ts';
import type { Refitted } from './fit.ts';

/** The loss lines of a plan: each older record that the model gets shortened, and what it gets an extract of only. */
export function fitNotes(fitted: Refitted): Loss[] {
  // Another lead was made by the source's own client: the model misses nothing that it had there.
  if (!fitted.refitted) return [];
  const whole = new Set(fitted.history);
  const given = new Set(fitted.lead.map(keyOf));
  const notes: Loss[] = [];
  const cut = fitted.history.filter((entry) => !given.has(keyOf(entry)));
  if (cut.length)
    notes.push({
      record: null,
      kind: 'budget',
      action: 'shortened',
      reason: `${cut.length} older messages (${keyOf(cut[0] as Entry)} to ${keyOf(cut.at(-1) as Entry)}) stay in the file; the model gets an extract of them`,
    });
  for (const entry of fitted.lead)
    if (entry.origin !== 'relay' && !whole.has(entry))
      notes.push({
        record: entry.record,
        stream: entry.stream,
        kind: 'budget',
        action: 'shortened',
        reason: 'long tool input or output, pictures and thinking of an older turn are shortened for the model; whole in the file',
      });
  return notes;
}

const keyOf = (entry: Entry): string => `${entry.stream} ${entry.record}`;
