import { belonging, chainAfter, dirtyBlobs, isChain, type StoreRef, storeRefs } from './chains.ts';
import { rootId } from './draft.ts';
import { forgetUnreachable, presentObjects, scrubFiles } from './forget.ts';
import { PLACES, trackingRef } from './names.ts';
import type { Reach } from './remote.ts';
import { type Rewritten, rewrite, versionsOf } from './rewrite.ts';
import type { Scrubbing } from './scrub.ts';
import type { Side } from './side.ts';
import { goneBy, type Kept, keepTombstones, keptTombstones, markOf } from './tombstones.ts';
import { fetchSound, moveRefs } from './transfer.ts';

/** A tombstone may teach so many values, of such a length: it may come from anybody who can push. */
const VALUES = 64;
const SHORTEST = 6;
const LONGEST = 65_536;

/**
 * Does in this clone what tombstones say: what was purged goes from refs, logs and objects; own work stays, without purged versions before it and without
 * purged values in it. A clone that has the value can tell it from what the named objects became, so that no tombstone has to say it.
 * The caller has the store for itself.
 */
export async function settleTombstones(side: Side, from: Reach, tombstones: readonly Kept[]): Promise<Kept[]> {
  const unsettled = tombstones.filter(({ settled }) => !settled).sort((a, b) => (a.at < b.at ? -1 : 1));
  const followed: Kept[] = [];
  for (const tombstone of unsettled) {
    const ids = [...tombstone.commits, ...tombstone.blobs].map(([old]) => old);
    if (!(await presentObjects(side, ids)).size) continue;
    await settleOne(side, from, tombstone);
    followed.push(tombstone);
  }
  if (followed.length) await forgetUnreachable(side);
  await keepTombstones(
    side,
    unsettled.map((one) => ({ ...one, settled: true })),
  );
  return followed;
}

async function settleOne(side: Side, from: Reach, tombstone: Kept): Promise<void> {
  const scrubbing = tombstone.blobs.length ? await side.scrubbing() : undefined;
  await fetchNewForms(side, from, tombstone);
  const values = scrubbing ? await purgedValues(side, tombstone, scrubbing) : [];
  if (values.length) await scrubbing?.remember(values);
  const scrub = values.length ? scrubbing?.scrub(values, markOf(tombstone.id)) : undefined;
  const refs = await storeRefs(side);
  const tombstones = await keptTombstones(side);
  const chains = refs.filter((ref) => isChain(ref) && !(ref.kind === 'own' && goneBy(tombstones, ref.name)));
  const tips = chains.map(({ tip }) => tip);
  const versions = await versionsOf(side, tips);
  const none = new Set(tombstone.commits.filter(([, now]) => now === null).map(([old]) => old));
  none.delete(rootId(side.repository.objectFormat));
  const dirty = scrub ? await dirtyBlobs(side, tips, scrub) : new Set<string>();
  const rewritten = await rewrite(side, versions, { drop: ({ commit }) => none.has(commit), scrub, dirty });
  // What cannot be edited is left alone where it is one's own; sending it is refused.
  const stuck = new Set(rewritten.impossible.map(({ handoff }) => handoff));
  const belongs = belonging(versions, rewritten);
  const moves = refs.flatMap((ref) => after(ref, chains, rewritten, belongs, stuck));
  const built = (await storeRefs(side)).filter(({ ref }) => ref.startsWith('refs/relay-new/') && !refs.some((one) => one.ref === ref));
  await moveRefs(side, [...moves, ...built.map(({ ref }) => [ref, null] as const)]);
  if (scrub) await scrubFiles(side, scrub);
}

/** What the purged objects became, of chains that this clone knows. A chain that the remote has no more is passed over. */
async function fetchNewForms(side: Side, from: Reach, tombstone: Kept): Promise<void> {
  const left = new Set(tombstone.handoffs.filter(({ gone }) => !gone).map(({ handoff }) => handoff));
  const specs = (await storeRefs(side)).flatMap(({ kind, name, ref, remoteKey, remoteRef }) => {
    if (!left.has(name)) return [];
    if (kind === 'fetched' && remoteKey === from.key) return [`+${remoteRef}:${ref}`];
    return kind === 'own' ? [`+${PLACES[from.place]}/s/${name}:${trackingRef(from.key, from.place, `s/${name}`)}`] : [];
  });
  await fetchSound(side, from, [...new Set(specs)]);
}

/** The values that were purged, told from what the objects that held them became. */
async function purgedValues(side: Side, tombstone: Kept, scrubbing: Scrubbing): Promise<string[]> {
  const mark = markOf(tombstone.id);
  const found = new Set<string>();
  for (const [old, now] of tombstone.blobs) {
    if (now === null || found.size >= VALUES) continue;
    const [before, after] = await Promise.all([side.objects.get(old), side.objects.get(now)]);
    if (before?.type !== 'blob' || after?.type !== 'blob') continue;
    for (const value of scrubbing.between(before.bytes, after.bytes, mark))
      if (value.length >= SHORTEST && value.length <= LONGEST && found.size < VALUES) found.add(value);
  }
  return [...found];
}

/** How a ref moves. Nothing of a ref of one's own is ever lost here. */
function after(
  ref: StoreRef,
  chains: readonly StoreRef[],
  rewritten: Rewritten,
  belongs: (commit: string) => string | undefined,
  stuck: ReadonlySet<string>,
): (readonly [string, string | null, string])[] {
  const stands = rewritten.stands(ref.tip);
  const to = (now: string | null) => (now === ref.tip ? [] : [[ref.ref, now, ref.tip] as const]);
  if (ref.kind === 'gone') return to(rewritten.root);
  if (ref.kind === 'index') return [];
  if (ref.kind === 'aside') return /^refs\/relay-(outbox|new)\//.test(ref.ref) || stands !== ref.tip ? to(null) : [];
  if (!chains.includes(ref)) return [];
  if (ref.kind === 'fetched') return to(stands === ref.tip ? ref.tip : null);
  const now = stuck.has(ref.name) ? ref.tip : chainAfter(ref, rewritten, belongs);
  return now === null && ref.kind === 'own' ? [] : to(now);
}
