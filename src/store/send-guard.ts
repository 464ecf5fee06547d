import { RelayError } from '#lib/errors.ts';
import { contains } from './card-index.ts';
import { reachable } from './chains.ts';
import { readRefs } from './handoffs.ts';
import { fetchIndexes, newTombstones } from './receive.ts';
import type { Reach } from './remote.ts';
import type { Side } from './side.ts';
import { goneBy, keptTombstones, purgedObjects } from './tombstones.ts';

/** A lease alone would let a chain be replaced by one that does not hold it. */
export async function goesBack(side: Side, moves: readonly { to: string; from: string }[]): Promise<boolean> {
  for (const { to, from } of moves) if (from && !(await contains(side, to, from))) return true;
  return false;
}

/** Looks for tombstones on the remote that this clone has not followed yet. */
export async function isPurged(side: Side, to: Reach): Promise<boolean> {
  await fetchIndexes(side, to);
  return (await newTombstones(side, await readRefs(side), to)).length > 0;
}

/** What was purged must not come back, whoever purged it. @param moves where a handoff goes, and where the remote has it ("": nowhere) */
export async function needNothingPurged(side: Side, to: Reach, moves: readonly { handoff: string; to: string; from: string }[]): Promise<void> {
  const purged = await purgedObjects(side);
  if (!purged.size) return;
  const tombstones = await keptTombstones(side);
  for (const { handoff, to: tip, from } of moves) {
    if (!(await reachable(side, [tip], from ? [from] : [])).some((id) => purged.has(id))) continue;
    const by = goneBy(tombstones, handoff);
    throw new RelayError(
      'blocked',
      by
        ? `${handoff} was purged by ${by.by} on ${by.at.slice(0, 10)}, so it is not sent any more to ${to.shown}.`
        : `${handoff} holds what was purged from ${to.shown} and could not be taken out here, so it is not sent.`,
      `It is kept in this clone. To remove it here too: relay purge ${handoff}`,
    );
  }
}
