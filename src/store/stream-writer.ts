import { RelayError } from '#lib/errors.ts';
import { type StreamEntry, streamEntry } from './manifest.ts';
import { segmentPath } from './names.ts';
import { cutter, type Segment } from './segments.ts';

export interface StreamWriter {
  write(line: string): void;
  /** All segments of the stream, and how many of them stand as they did. */
  finish(): Promise<{ entry: StreamEntry; unchanged: number }>;
}

/**
 * A stream that goes on after its first `keep` records. Whole segments before that point are neither read nor written;
 * the one that the point lies in (or the last, which may still grow) is read once and cut anew.
 * @param load lines of a stored segment, asked for at most once
 * @param emit takes a finished segment under its path
 */
export function streamWriter(
  name: string,
  keep: number,
  header: string,
  stored: StreamEntry | undefined,
  load: (index: number) => Promise<string[]>,
  emit: (path: string, bytes: Buffer) => void,
): StreamWriter {
  const had = stored?.records ?? 0;
  if (keep > had) throw new RelayError('failed', `Stream ${name} holds ${had} records; ${keep} of them cannot be kept.`);
  const old = stored?.segments ?? [];
  const { whole, part } = cutPoint(old, keep);
  const segments: Segment[] = old.slice(0, whole);
  const cut = cutter((bytes, records) => {
    emit(segmentPath(name, segments.length), bytes);
    segments.push([records, bytes.length]);
  });
  // Lines wait here until the part of the old segment that stays has been read.
  let waiting: string[] | undefined;
  let begun: Promise<void> | undefined;

  const begin = async (): Promise<void> => {
    if (keep === 0) return cut.push(header, false);
    if (part === undefined) return;
    waiting = [];
    const lines = await load(whole);
    const headerLines = whole === 0 ? 1 : 0;
    lines.slice(0, headerLines + part).forEach((line, i) => cut.push(line, i >= headerLines));
    for (const line of waiting) cut.push(line);
    waiting = undefined;
  };
  const start = (): Promise<void> => {
    begun ??= begin();
    begun.catch(() => {});
    return begun;
  };
  return {
    write(line) {
      start();
      if (waiting) waiting.push(line);
      else cut.push(line);
    },
    async finish() {
      if (!begun && keep === had && keep > 0) return { entry: streamEntry(name, old), unchanged: old.length };
      await start();
      cut.end();
      return { entry: streamEntry(name, segments), unchanged: whole };
    },
  };
}

/** How many segments stay whole, and how many records of the next one stay (undefined: none of it is needed). */
function cutPoint(segments: Segment[], keep: number): { whole: number; part: number | undefined } {
  if (keep === 0) return { whole: 0, part: undefined };
  let before = 0;
  for (let i = 0; i < segments.length; i++) {
    const records = (segments[i] as Segment)[0];
    const last = i === segments.length - 1;
    if (keep < before + records || last) return { whole: i, part: keep - before };
    before += records;
    if (keep === before) {
      // The next segment begins exactly here, so this one ended by its content.
      return { whole: i + 1, part: undefined };
    }
  }
  return { whole: segments.length, part: undefined };
}
