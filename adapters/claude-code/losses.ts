import type { Entry } from '#session/conversation.ts';
import type { Loss } from '#session/loss.ts';

/** Collects what a writer changed. What happens many times over in the same way becomes one line, at its first record. */
export interface Losses {
  note(entry: Entry | undefined, kind: string, action: Loss['action'], reason: string): void;
  /** `reason` gets the count */
  count(entry: Entry, kind: string, action: Loss['action'], key: string, reason: (n: number) => string): void;
  /** puts the counted lines into the report; once, at the end */
  close(): void;
}

export function createLosses(report: Loss[]): Losses {
  const counted = new Map<string, { loss: Omit<Loss, 'reason'>; n: number; reason: (n: number) => string }>();
  const place = (entry: Entry | undefined): Pick<Loss, 'record' | 'stream'> =>
    entry && entry.record >= 0 ? { record: entry.record, stream: entry.stream } : { record: null };
  return {
    note: (entry, kind, action, reason) => void report.push({ ...place(entry), kind, action, reason }),
    count(entry, kind, action, key, reason) {
      const known = counted.get(`${kind}\0${key}`);
      if (known) known.n++;
      else counted.set(`${kind}\0${key}`, { loss: { ...place(entry), kind, action }, n: 1, reason });
    },
    close() {
      for (const { loss, n, reason } of counted.values()) report.push({ ...loss, reason: reason(n) });
      counted.clear();
    },
  };
}
