import { RelayError } from '#lib/errors.ts';
import { type Change, undo } from './change.ts';

/** What became of changes that were to be taken back. */
export interface TakenBack {
  /** hooks from before that lie where they were kept, since somebody else's have taken their place */
  left: string[];
  /** files that are not as before, for good: why, and what to do */
  lost: { path: string; why: string; fix: string }[];
  /** those that could not be taken back now; their files are as they were */
  failed: { change: Change; error: RelayError }[];
}

const LOST = 'If you have a copy of it, put it back yourself.';

/** Takes changes back, the last one first; one that fails keeps none of the others. */
export async function takeBack(changes: readonly Change[]): Promise<TakenBack> {
  const done: TakenBack = { left: [], lost: [], failed: [] };
  for (const change of [...changes].reverse()) {
    try {
      const { left, lost } = await undo(change);
      if (left) done.left.push(left);
      if (lost) done.lost.push({ path: change.path, why: `The hook that was in ${change.path} before relay is gone: it was kept in ${lost}.`, fix: LOST });
    } catch (error) {
      done.failed.push({ change, error: asRelayError(change, error) });
    }
  }
  return done;
}

function asRelayError({ path }: Change, error: unknown): RelayError {
  if (error instanceof RelayError) return error;
  return new RelayError(
    'failed',
    `${path} could not be put back: ${(error as Error).message}`,
    'See to it that it can be changed, then type: relay hooks uninstall',
  );
}
