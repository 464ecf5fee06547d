import { attach, decodeRecord } from '#session/codec.ts';
import type { SessionRecord } from '#session/record.ts';
import { isRedacted } from '#session/redacted.ts';
import type { StoredVersion } from '#store/types.ts';

/** Answers what is stored of the next record of a stream, where something in it was redacted. */
export type StoredRecords = () => Promise<SessionRecord | undefined>;

/**
 * The stored records of a stream, one after the other, as floors for the source's lines of the same number. Lines without
 * a placeholder are passed over unread. What cannot be read is no floor, and what follows it neither.
 */
export function storedRecords(version: StoredVersion | null, stream: string): StoredRecords | undefined {
  if (!version?.streams.some((one) => one.name === stream)) return undefined;
  const lines = version.lines(stream)[Symbol.asyncIterator]();
  let ended = false;
  return async () => {
    try {
      const next = ended ? undefined : await lines.next();
      if (next === undefined || next.done) {
        ended = true;
        return undefined;
      }
      if (!mayHoldPlaceholder(next.value)) return undefined;
      return await attach(decodeRecord(next.value, stream), (sha256) => version.attachment(sha256), stream);
    } catch {
      ended = true;
      return undefined;
    }
  };
}

const mayHoldPlaceholder = (line: string): boolean => isRedacted(line) || line.includes('"attached":[');
