import { createHash } from 'node:crypto';

/** A segment of a stream as the manifest lists it: [records, bytes]. A stream's header counts as bytes of the first, not as a record. */
export type Segment = [records: number, bytes: number];

/** Where segments end: content decides, so two people who hold the same lines hold the same segments. In bytes. */
const SHORTEST = 64 * 1024;
const LONGEST = 512 * 1024;
/** One line in so many ends a segment, which gives about 256 KB with lines of usual length. */
const ONE_IN = 56;

const endsSegment = (line: string): boolean => createHash('sha1').update(line).digest().readUInt32BE(0) % ONE_IN === 0;

interface Cutter {
  /** Takes a line without line feed. `record` false: a stream's header. */
  push(line: string, record?: boolean): void;
  /** Hands out what is left. */
  end(): void;
}

/** Cuts lines into segments and hands each out as soon as it ends. The bytes are the receiver's. */
export function cutter(emit: (bytes: Buffer, records: number) => void): Cutter {
  let buffer = Buffer.allocUnsafe(LONGEST + SHORTEST);
  let used = 0;
  let records = 0;
  const end = () => {
    if (!used) return;
    emit(Buffer.from(buffer.subarray(0, used)), records);
    used = 0;
    records = 0;
  };
  return {
    push(line, record = true) {
      // A UTF-16 unit takes three bytes at most.
      const room = used + line.length * 3 + 1;
      if (room > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.max(room, buffer.length * 2));
        buffer.copy(larger, 0, 0, used);
        buffer = larger;
      }
      used += buffer.write(line, used, 'utf8');
      buffer[used++] = 10;
      if (record) records++;
      if (used >= LONGEST || (used >= SHORTEST && endsSegment(line))) end();
    },
    end,
  };
}
