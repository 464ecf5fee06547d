import { clip } from '#context/shorten.ts';
import type { Brief, FilePoint, Point } from './value.ts';

/** UTF-8 bytes that a document may have. What binds is never cut for it. */
export const ROOM = 64 * 1024;

/** In UTF-16 units: a request that is told only by its beginning. */
const REQUEST_SHORT = 100;
/** Of a long list, so many at each end, or at the end. */
const [ENDS, LAST, FILES] = [5, 10, 100];

/** What gives way, in this order: what was only read, what was found and met on the way, later requests, files that were changed long ago. */
const STEPS: readonly ((brief: Brief) => Brief)[] = [
  (brief) => ({ ...brief, files: withoutReads(brief.files) }),
  (brief) => ({ ...brief, decisions: lastNarrated(brief.decisions), rejected: lastNarrated(brief.rejected) }),
  (brief) => ({ ...brief, errors: last(brief.errors, LAST, (gone) => leftOut(gone, 'earlier errors')), checks: brief.checks.slice(-2 * LAST) }),
  (brief) => ({ ...brief, requests: brief.requests.map((one, at) => (at === 0 || at >= brief.requests.length - ENDS ? one : shortened(one))) }),
  (brief) => ({ ...brief, requests: ends(brief.requests) }),
  (brief) => ({ ...brief, files: last(brief.files, FILES, (gone) => fileNote(gone, 'earlier files')) }),
];

/** The brief with as little left out as its document needs to have room; each list says what it lacks. @param size UTF-8 bytes of a brief's document */
export function withinRoom(brief: Brief, size: (brief: Brief) => number): Brief {
  let made = brief;
  for (const step of STEPS) {
    if (size(made) <= ROOM) break;
    made = step(made);
  }
  return made;
}

const leftOut = (count: number, what: string): Point => ({
  text: `${count} ${what} are left out here; they stand in the session`,
  cites: [],
  origin: 'relay',
  mark: '',
});

const fileNote = (count: number, what: string): FilePoint => ({ ...leftOut(count, what), path: '', state: 'read' });

function withoutReads(files: readonly FilePoint[]): FilePoint[] {
  const kept = files.filter(({ state }) => state !== 'read');
  const gone = files.length - kept.length;
  return gone ? [...kept, fileNote(gone, 'files that were only read')] : kept;
}

/** What the user or a document says is kept. */
const narrated = ({ origin, cites }: Point): boolean => origin !== 'user' && origin !== 'document' && cites.length > 0;

function lastNarrated(points: readonly Point[]): Point[] {
  const kept = new Set(points.filter((one) => narrated(one)).slice(-LAST));
  const gone = points.filter((one) => narrated(one) && !kept.has(one));
  return gone.length ? [leftOut(gone.length, 'earlier findings'), ...points.filter((one) => !gone.includes(one))] : [...points];
}

function last<T>(points: readonly T[], count: number, note: (gone: number) => T): T[] {
  return points.length > count ? [note(points.length - count), ...points.slice(-count)] : [...points];
}

function ends(points: readonly Point[]): Point[] {
  const gone = points.length - 2 * ENDS;
  return gone > 0 ? [...points.slice(0, ENDS), leftOut(gone, 'requests between these'), ...points.slice(-ENDS)] : [...points];
}

const shortened = (point: Point): Point =>
  point.text.length > REQUEST_SHORT ? { ...point, text: `${clip(point.text, REQUEST_SHORT).replace(/\s+/g, ' ')}…` } : point;
