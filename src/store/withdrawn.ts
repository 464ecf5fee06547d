import { reachable, type StoreRef, storeRefs } from './chains.ts';
import { type Side, sideExists } from './side.ts';
import { keptTombstones, purgedObjects, purgesIn } from './tombstones.ts';
import type { PurgedHandoff } from './types.ts';

/** See Store.purges. */
export const knownPurges = async (side: Side): Promise<PurgedHandoff[]> => purgesIn(await keptTombstones(side));

/** See Store.withdrawn. */
export async function withdrawnHandoffs(side: Side): Promise<Set<string>> {
  const { gone, own } = await goneAndOwn(side);
  // One that was pushed again by name is an ordinary one from then on.
  for (const { name, tip } of own) if (!(await holdsPurged(side, tip))) gone.delete(name);
  return new Set(gone.keys());
}

/** See Store.heldBack. */
export async function heldBackHandoffs(side: Side): Promise<PurgedHandoff[]> {
  const { gone, own } = await goneAndOwn(side);
  const held: PurgedHandoff[] = [];
  for (const { name, tip } of own) if (await holdsPurged(side, tip)) held.push(gone.get(name) as PurgedHandoff);
  return held;
}

/** Handoffs that were purged as a whole, each with its newest purge, and those of them that this clone has as its own. */
async function goneAndOwn(side: Side): Promise<{ gone: Map<string, PurgedHandoff>; own: StoreRef[] }> {
  const gone = new Map((await knownPurges(side)).flatMap((one) => (one.gone ? [[one.handoff, one] as const] : [])));
  const refs = gone.size && sideExists(side) ? await storeRefs(side) : [];
  return { gone, own: refs.filter(({ kind, name }) => kind === 'own' && gone.has(name)) };
}

async function holdsPurged(side: Side, tip: string): Promise<boolean> {
  const purged = await purgedObjects(side);
  return (await reachable(side, [tip])).some((id) => purged.has(id));
}
