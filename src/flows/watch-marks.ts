import { join } from 'node:path';
import type { ContextUse } from '#adapters/adapter.ts';
import { RelayError } from '#lib/errors.ts';
import { readJsonFile, writeWhole } from '#store/files.ts';
import { takeLock } from '#store/lock.ts';
import { sessionName } from '#store/names.ts';

/** How full the context of a session was when it was handed on, or has been since. */
interface Mark {
  /** percent of the window */
  percent: number;
}

/** Percent of the window by which a context has to grow until its session is handed on again. */
const STEP = 10;

type Named = { agent: string; session: string };

/** To one place. */
export const percentOf = ({ tokens, window }: ContextUse): number => Math.round((1000 * tokens) / window) / 10;

/** @param home of the store */
const folderOf = (home: string): string => join(home, 'watch');
const markFile = (home: string, { agent, session }: Named): string => join(folderOf(home), `${sessionName(agent, session)}.json`);

/** undefined: the session was not handed on yet. */
export async function markOf(home: string, named: Named): Promise<number | undefined> {
  const { percent } = ((await readJsonFile(markFile(home, named))) ?? {}) as Partial<Mark>;
  return typeof percent === 'number' ? percent : undefined;
}

/** Whether something is to be done or noted: the context has grown enough, or has become smaller than when the session was handed on. */
export function isTelling(use: ContextUse, at: number, mark: number | undefined): boolean {
  return isDue(percentOf(use), at, mark) || (mark !== undefined && percentOf(use) < mark);
}

const isDue = (percent: number, at: number, mark: number | undefined): boolean => at > 0 && percent >= at && (mark === undefined || percent >= mark + STEP);

/**
 * Does `handOn` when it is due, and remembers that. Of several processes one does it; the others leave it to that one. A context that has become smaller
 * since (by a compaction) counts from there, so that it is handed on when it is full again.
 */
export async function whenDue<T>(home: string, named: Named, use: ContextUse, at: number, handOn: () => Promise<T>): Promise<T | undefined> {
  if (!isTelling(use, at, await markOf(home, named))) return undefined;
  const lock = await takeLock(folderOf(home), sessionName(named.agent, named.session), 0).catch((error: unknown) => {
    if (error instanceof RelayError) return undefined;
    throw error;
  });
  if (!lock) return undefined;
  try {
    const mark = await markOf(home, named);
    if (!isTelling(use, at, mark)) return undefined;
    const done = isDue(percentOf(use), at, mark) ? await handOn() : undefined;
    // Last of all: what was killed is done again, and does no more than was left to do.
    await writeWhole(markFile(home, named), `${JSON.stringify({ percent: percentOf(use) } satisfies Mark)}\n`);
    return done;
  } finally {
    await lock.release();
  }
}
