import { belonging, chainAfter, dirtyBlobs, dropBuilt, isChain, type StoreRef, storeRefs, tainted } from './chains.ts';
import { rootId } from './draft.ts';
import { forgetUnreachable, presentObjects } from './forget.ts';
import { scrubLinks } from './links.ts';
import { PLACES, trackingRef } from './names.ts';
import type { Reach } from './remote.ts';
import { type Rewritten, rewrite, versionsOf } from './rewrite.ts';
import { VALUE_LENGTH } from './scrub.ts';
import { dropCaches } from './scrub-files.ts';
import type { Side } from './side.ts';
import { goneBy, type Kept, keepTombstones, keptTombstones, markOf, purgedObjects } from './tombstones.ts';
import { fetchSound, moveRefs } from './transfer.ts';

/** A tombstone may teach so many values: it may come from anybody who can push. */
const VALUES = 64;

/**
 * Does in this clone what the tombstones of a remote say that it has not followed yet: what was purged goes from refs, logs and objects; own work stays, without purged
 * versions before it and without purged values in it. A clone that has the value can tell it from what the named objects became, so that no tombstone has
 * to say it. The caller has the store for itself.
 * @returns those that concerned this clone
 */
export async function settleTombstones(side: Side, from: Reach): Promise<Kept[]> {
  const all = await keptTombstones(side);
  const unsettled = all.filter(({ settled, remote }) => !settled && remote === from.key).sort((a, b) => (a.at < b.at ? -1 : 1));
  const present = unsettled.length ? await presentObjects(side, [...(await purgedObjects(side))]) : new Set<string>();
  const followed = present.size ? await follow(side, from, all, unsettled, present) : [];
  await keepTombstones(
    side,
    unsettled.map((one) => ({ ...one, settled: true })),
  );
  return followed;
}

async function follow(side: Side, from: Reach, all: readonly Kept[], unsettled: readonly Kept[], present: ReadonlySet<string>): Promise<Kept[]> {
  await fetchNewForms(side, from, unsettled);
  const values = await purgedValues(side, all, present);
  if (values.size) await (await side.scrubbing())?.remember([...values.values()].flat());
  const commits = new Map(all.flatMap((tombstone) => tombstone.commits));
  commits.delete(rootId(side.repository.objectFormat));
  for (const tombstone of unsettled) await settleOne(side, tombstone, values.get(tombstone.id) ?? [], commits);
  await forgetUnreachable(side);
  const concerns = ({ id, commits, blobs }: Kept): boolean => values.has(id) || [...commits, ...blobs].some(([old]) => present.has(old));
  return unsettled.filter(concerns);
}

/** What the purged objects became, of chains that this clone knows. A chain that the remote has no more is passed over. */
async function fetchNewForms(side: Side, from: Reach, tombstones: readonly Kept[]): Promise<void> {
  const left = new Set(tombstones.flatMap(({ handoffs }) => handoffs.filter(({ gone }) => !gone).map(({ handoff }) => handoff)));
  const specs = (await storeRefs(side)).flatMap(({ kind, name, ref, remoteKey, remoteRef }) => {
    if (!left.has(name)) return [];
    if (kind === 'fetched' && remoteKey === from.key) return [`+${remoteRef}:${ref}`];
    return kind === 'own' ? [`+${PLACES[from.place]}/s/${name}:${trackingRef(from.key, from.place, `s/${name}`)}`] : [];
  });
  await fetchSound(side, from, [...new Set(specs)]);
}

/** The values that were purged, by tombstone, told from what the objects that held them became: of the next purge, or of one after that. */
async function purgedValues(side: Side, all: readonly Kept[], present: ReadonlySet<string>): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  const becomes = new Map(all.flatMap(({ blobs }) => blobs));
  const scrubbing = becomes.size ? await side.scrubbing() : undefined;
  if (!scrubbing) return found;
  const byMark = new Map(all.map(({ id }) => [markOf(id), id]));
  for (const old of becomes.keys()) {
    const before = present.has(old) ? await side.objects.get(old) : null;
    const after = before && (await newestForm(side, old, becomes));
    if (before?.type !== 'blob' || after?.type !== 'blob') continue;
    for (const [mark, value] of scrubbing.between(before.bytes, after.bytes, [...byMark.keys()])) {
      const id = byMark.get(mark) as string;
      const known = found.get(id) ?? [];
      if (isPurgeable(value) && known.length < VALUES && !known.includes(value)) found.set(id, [...known, value]);
    }
  }
  return found;
}

const isPurgeable = ({ length }: string): boolean => length >= VALUE_LENGTH.shortest && length <= VALUE_LENGTH.longest;

/** The last thing that an object became and that is here. */
async function newestForm(side: Side, id: string, becomes: ReadonlyMap<string, string | null>): ReturnType<Side['objects']['get']> {
  const seen = new Set([id]);
  let newest: Awaited<ReturnType<Side['objects']['get']>> = null;
  for (let next = becomes.get(id); next && !seen.has(next); next = becomes.get(next)) {
    seen.add(next);
    newest = (await side.objects.get(next)) ?? newest;
  }
  return newest;
}

/** True for a commit of which nothing is left in the end. */
function isNone(commit: string, becomes: ReadonlyMap<string, string | null>): boolean {
  const seen = new Set<string>();
  let now: string | null = commit;
  while (now !== null && becomes.has(now) && !seen.has(now)) {
    seen.add(now);
    now = becomes.get(now) as string | null;
  }
  return now === null;
}

async function settleOne(side: Side, tombstone: Kept, values: readonly string[], commits: ReadonlyMap<string, string | null>): Promise<void> {
  const scrub = values.length ? (await side.scrubbing())?.scrub(values, markOf(tombstone.id)) : undefined;
  await dropBuilt(side);
  const refs = await storeRefs(side);
  const tombstones = await keptTombstones(side);
  const chains = refs.filter((ref) => isChain(ref) && !(ref.kind === 'own' && goneBy(tombstones, ref.name)));
  const tips = chains.map(({ tip }) => tip);
  const versions = await versionsOf(side, tips);
  const dirty = scrub ? await dirtyBlobs(side, tips, scrub) : new Set<string>();
  const rewritten = await rewrite(side, versions, { drop: ({ commit }) => isNone(commit, commits), scrub, dirty });
  const around: Around = {
    chains: new Set(chains),
    rewritten,
    belongs: belonging(versions, rewritten),
    purged: await tainted(side, versions, await purgedObjects(side)),
    // What cannot be edited is left alone where it is one's own; sending it is refused.
    stuck: new Set(rewritten.impossible.map(({ handoff }) => handoff)),
  };
  await moveRefs(
    side,
    refs.flatMap((ref) => after(ref, around)),
  );
  await dropBuilt(side);
  if (!scrub) return;
  await dropCaches(side, scrub);
  await scrubLinks(side, scrub);
}

interface Around {
  chains: ReadonlySet<StoreRef>;
  rewritten: Rewritten;
  belongs(commit: string): string | undefined;
  /** commits that reach something that was purged */
  purged: ReadonlySet<string>;
  stuck: ReadonlySet<string>;
}

/** How a ref moves. Nothing of a ref of one's own is ever lost here. */
function after(ref: StoreRef, { chains, rewritten, belongs, purged, stuck }: Around): (readonly [string, string | null, string])[] {
  const to = (now: string | null) => (now === ref.tip ? [] : [[ref.ref, now, ref.tip] as const]);
  const touched = rewritten.stands(ref.tip) !== ref.tip || purged.has(ref.tip);
  if (ref.kind === 'gone') return to(rewritten.root);
  if (ref.kind === 'index') return [];
  if (ref.kind === 'aside') return ref.ref.startsWith('refs/relay-outbox/') || touched ? to(null) : [];
  if (!chains.has(ref)) return [];
  if (ref.kind === 'fetched') return to(touched ? null : ref.tip);
  const now = stuck.has(ref.name) ? ref.tip : chainAfter(ref, rewritten, belongs);
  return now === null && ref.kind === 'own' ? [] : to(now);
}
