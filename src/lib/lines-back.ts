import { openRegular, readPiece, withPath } from './regular.ts';

/** Bytes of the first piece read; each further one is four times as large. */
const FIRST = 64 * 1024;
const LARGEST = 4 * 1024 * 1024;
const LF = 10;

/**
 * Lines of a file from its end to its beginning, without their line feeds; whoever has found what it looks for stops, and no more is read.
 * A last line without line feed comes first; a line that does not lie wholly within the last `most` bytes does not come.
 * @param end first byte that does not count (default: the end of the file as it is found)
 */
export async function* linesBack(path: string, most: number, end?: number): AsyncGenerator<Buffer> {
  const file = await openRegular(path);
  try {
    const { size } = await file.stat();
    const stop = Math.min(end ?? size, size);
    const floor = Math.max(0, stop - most);
    // What stands before the first line feed of the pieces read so far, newest piece last.
    let rest: Buffer[] = [];
    for (let at = stop, length = FIRST; at > floor; length = Math.min(length * 4, LARGEST)) {
      const start = Math.max(floor, at - length);
      const piece = await readPiece(file, start, at - start);
      let to = piece.length;
      for (let lf = piece.lastIndexOf(LF); lf >= 0; lf = lf > 0 ? piece.lastIndexOf(LF, lf - 1) : -1) {
        const line = Buffer.concat([piece.subarray(lf + 1, to), ...rest]);
        rest = [];
        to = lf;
        if (line.length) yield line;
      }
      rest.unshift(piece.subarray(0, to));
      at = start;
    }
    const first = Buffer.concat(rest);
    if (floor === 0 && first.length) yield first;
  } catch (error) {
    throw withPath(error, path);
  } finally {
    await file.close();
  }
}
