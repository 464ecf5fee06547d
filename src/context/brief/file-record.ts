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

/** A content after a replacement. One of what an earlier one put there continues that; the opposite takes it back. */
export function swapped(content: Content, swap: Swap): Content {
  const [before, after] = withoutContext(swap);
  const at = content.swaps.findLastIndex(([, is]) => is === before);
  const [was] = content.swaps[at] ?? [before];
  const rest = at < 0 ? content.swaps : content.swaps.toSpliced(at, 1);
  return { ...content, swaps: was === after ? rest : [...rest, [was, after]] };
}

/** Edits of one place name more or fewer of the lines around it. One stays beside what was only put in or taken out: it says where. */
export function withoutContext([before, after]: Swap): Swap {
  const [was, is] = [before.split('\n'), after.split('\n')];
  const shortest = Math.min(was.length, is.length);
  let end = 0;
  while (end < shortest - 1 && was[was.length - 1 - end] === is[is.length - 1 - end]) end++;
  let start = 0;
  while (start < shortest - 1 - end && was[start] === is[start]) start++;
  return [was.slice(start, was.length - end).join('\n'), is.slice(start, is.length - end).join('\n')];
}
