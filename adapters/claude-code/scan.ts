import { isObject, type JsonObject, parseJson } from '#lib/json.ts';
import { openRegular, readPiece, withPath } from '#lib/regular.ts';

/** How much of each end of a file is looked at for a list; more of the head while nothing is found in it. */
const END = 64 * 1024;
const BRIEF = 32 * 1024;
const MORE = 16;
const MOST = 64 * 1024 * 1024;

/** The telling records at both ends of a file, in order. */
export interface Ends {
  head: JsonObject[];
  tail: JsonObject[];
  mtime: Date;
  /** true: only the beginning was read */
  cut: boolean;
}

/**
 * Reads the records at both ends of a file; a line cut by the end of a piece is left out.
 * @param enough tells whether the head says what is needed; while it does not, more of the file is read
 * @param brief true: only the head, and less of it
 */
export async function readEnds(path: string, enough: (head: JsonObject[]) => boolean, brief = false): Promise<Ends | undefined> {
  const file = await openRegular(path).catch(() => undefined);
  if (!file) return undefined;
  try {
    const stat = await file.stat();
    if (stat.size === 0) return undefined;
    // A small file is read whole: no line is lost between two pieces.
    let length = brief ? Math.min(stat.size, BRIEF) : stat.size <= 2 * END ? stat.size : END;
    let bytes = await readPiece(file, 0, length);
    let head = records(bytes, false, length === stat.size);
    while (!enough(head) && length < Math.min(stat.size, MOST)) {
      length = Math.min(length * MORE, stat.size);
      bytes = await readPiece(file, 0, length);
      head = records(bytes, false, length === stat.size);
    }
    const whole = brief || length === stat.size;
    const start = Math.max(length, stat.size - END);
    const tail = whole ? [] : records(await readPiece(file, start, stat.size - start), true, true);
    return { head, tail, mtime: stat.mtime, cut: brief && length < stat.size };
  } catch (error) {
    throw withPath(error, path);
  } finally {
    await file.close();
  }
}

/** Only these lines say something to a list; the rest of a file (prompts of the client, its wire log) is most of its bytes. */
const TELLING = /"type":\s*"(?:user|assistant|custom-title|ai-title|summary|last-prompt)"/;

function records(bytes: Buffer, cutStart: boolean, atEnd: boolean): JsonObject[] {
  const lines = bytes.toString('utf8').split('\n');
  if (cutStart) lines.shift();
  if (!atEnd) lines.pop();
  return lines.flatMap((line) => {
    if (!TELLING.test(line)) return [];
    const value = parseJson(line.charCodeAt(0) === 0xfeff ? line.slice(1) : line);
    return isObject(value) ? [value] : [];
  });
}
