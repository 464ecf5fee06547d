import { openRegular, withPath } from './regular.ts';

/** One line of a file, without its line feed. `offset` is where it starts, in bytes; `terminated` is false for a last line without line feed. */
export interface Line {
  bytes: Buffer;
  offset: number;
  terminated: boolean;
}

/**
 * Reads a file line by line without holding more than the current line and chunk. Yields the lines of one
 * chunk together, since an await per line would cost more than the work on it.
 * @param start first byte to read; @param end byte to stop before (default: the end of the file as it is found)
 */
export async function* readLines(path: string, start = 0, end?: number): AsyncGenerator<Line[]> {
  if (end !== undefined && end <= start) return;
  const stream = (await openRegular(path)).createReadStream({ start, ...(end === undefined ? {} : { end: end - 1 }), highWaterMark: 256 * 1024 });
  stream.on('error', (error) => withPath(error, path));
  let rest: Buffer[] = [];
  let restLength = 0;
  let offset = start;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      const piece = chunk.subarray(from, at);
      const bytes = restLength ? Buffer.concat([...rest, piece], restLength + piece.length) : piece;
      rest = [];
      restLength = 0;
      lines.push({ bytes, offset, terminated: true });
      offset += bytes.length + 1;
      from = at + 1;
    }
    if (from < chunk.length) {
      rest.push(chunk.subarray(from));
      restLength += chunk.length - from;
    }
    if (lines.length) yield lines;
  }
  if (restLength) yield [{ bytes: Buffer.concat(rest, restLength), offset, terminated: false }];
}
