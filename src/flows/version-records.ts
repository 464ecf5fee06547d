import { attach, decodeRecord } from '#session/codec.ts';
import type { SessionRecord } from '#session/record.ts';
import type { StoredVersion } from '#store/types.ts';

/** The records of a version, stream by stream, attachments in place and paths as stored (tokens). */
export async function* readRecords(version: StoredVersion): AsyncGenerator<{ stream: string; n: number; record: SessionRecord }> {
  for (const { name } of version.streams) {
    let n = 0;
    for await (const line of version.lines(name)) {
      const where = `${version.handoff} ${name} record ${n}`;
      const record = decodeRecord(line, where);
      yield { stream: name, n: n++, record: record.attached ? await attach(record, (id) => version.attachment(id), where) : record };
    }
  }
}
