/** One file, or folder, over a session: where and what it was at first, where and what it is now. */
export interface FileRecord {
  /** its path at the beginning; undefined: it was made in the session */
  start: string | undefined;
  /** undefined: it is not there any more */
  now: string | undefined;
  /** where it is, or was last */
  path: string;
  content: Content;
  folder: boolean;
  /** Git is to know it, since `git add` */
  staged: boolean;
  /** as Git has it: at first as it was, then as last committed */
  base: Version;
  /** the file that it was copied from */
  copied?: string;
  /** it was made only to be put in the place of another */
  merged?: boolean;
  /** its changes lie in a stash */
  stashed: boolean;
  /** operations that changed it, and that read it, in order */
  changes: number[];
  reads: number[];
  /** operations of which nothing says whether they changed it, since the last that did */
  doubts: number[];
  /** place of the last change, else of the first reading; greater is later */
  last: number;
}

/** A text that was replaced, and what stands there now. */
export type Swap = readonly [before: string, after: string];

/** What is in a file, compared with what was in it at the beginning. */
export interface Content {
  /** changed in a way that tells nothing of how to take it back */
  changed: boolean;
  swaps: readonly Swap[];
}

export interface Version {
  now: string | undefined;
  content: Content;
}

const SAME: Content = { changed: false, swaps: [] };
export const CHANGED: Content = { changed: true, swaps: [] };

export function newRecord(path: string, existed: boolean): FileRecord {
  const start = existed ? path : undefined;
  const as = { now: start, content: SAME };
  return { start, ...as, path, folder: false, staged: false, base: as, stashed: false, changes: [], reads: [], doubts: [], last: 0 };
}

export const versionOf = ({ now, content }: FileRecord): Version => ({ now, content });

/** Whether there is something to commit. */
export const isDirty = ({ now, content, base }: FileRecord): boolean => now !== base.now || content !== base.content;
/** Whether Git knows the file at all. */
export const isTracked = ({ base, staged }: FileRecord): boolean => base.now !== undefined || staged;
export const isTouched = ({ content: { changed, swaps } }: FileRecord): boolean => changed || swaps.length > 0;

/** A content after a replacement; the opposite of an earlier one takes that back. */
export function swapped(content: Content, [before, after]: Swap): Content {
  const undone = content.swaps.findLastIndex(([was, is]) => was === after && is === before);
  return { ...content, swaps: undone < 0 ? [...content.swaps, [before, after]] : content.swaps.toSpliced(undone, 1) };
}
