import { join } from 'node:path';
import { RelayError } from '#lib/errors.ts';
import { contains } from './card-index.ts';
import { reachable } from './chains.ts';
import { forgetUnreachable } from './forget.ts';
import { type Refs, readIndex, readRefs } from './handoffs.ts';
import { ownWriter } from './identity.ts';
import { takeAlone, takeTurn } from './lock.ts';
import type { StoredCard } from './manifest.ts';
import { backupRef, goneRef, handoffRef, isPart, PLACES, type PlaceOnRemote, trackingRef } from './names.ts';
import { type Reach, reach, rememberRemote } from './remote.ts';
import { settleTombstones } from './settle.ts';
import { makeSide, type Side } from './side.ts';
import { type Kept, keptTombstones, learnTombstones, needNotGone, purgedObjects, purgesIn } from './tombstones.ts';
import { fetchSound, listRemote, moveRefs, tryFetch } from './transfer.ts';
import type { Remote, Store } from './types.ts';
import { heldBackHandoffs } from './withdrawn.ts';

type Fetched = Awaited<ReturnType<Store['fetch']>>;
type Updated = Fetched['updated'];
type Listed = { place: PlaceOnRemote; card: StoredCard };

const PATIENCE = 600_000;
/** Why a handoff is refused that a program without tombstones pushed again. */
const CAME_BACK = 'it holds again what was purged. Whoever pushed it should upgrade relay; relay purge takes it off the remote';
const ALL_PLACES = Object.keys(PLACES) as PlaceOnRemote[];

/** See Store.fetch. */
export async function fetchHandoffs(side: Side, remote: Remote, want: { handoffs?: string[]; days?: number }): Promise<Fetched> {
  await makeSide(side);
  const from = await reach(side, remote);
  const locks = join(side.home, 'lock');
  const lock = await takeTurn(locks, `remote-${from.key}`, PATIENCE);
  let fetched: Fetched | Kept[];
  try {
    await rememberRemote(side, remote);
    fetched = await fetchLocked(side, from, want);
  } finally {
    await lock.release();
  }
  if (!Array.isArray(fetched)) {
    if (fetched.refused.some(({ reason }) => reason === CAME_BACK)) await alone(side, () => forgetUnreachable(side));
    return fetched;
  }
  const followed = await settleAlone(side, from);
  const more = await fetchHandoffs(side, remote, want);
  const held = new Set((await heldBackHandoffs(side)).map(({ handoff }) => handoff));
  const purged = purgesIn(followed).map((one) => ({ ...one, kept: one.gone && held.has(one.handoff) }));
  return { ...more, purged: [...purged, ...more.purged] };
}

/** Fetches; or answers what others purged, which has to be followed first, with the store for oneself. */
async function fetchLocked(side: Side, from: Reach, want: { handoffs?: string[]; days?: number }): Promise<Fetched | Kept[]> {
  const refusedIndexes = await fetchIndexes(side, from);
  const refs = await readRefs(side);
  const news = await newTombstones(side, refs, from);
  if (news.length) return news;
  const cards = await remoteCards(side, refs, from.key);
  const { writer } = await ownWriter(side);
  const tombstones = want.handoffs ? await keptTombstones(side) : [];
  const names = want.handoffs ? want.handoffs.map((name) => nameOf(cards, refs, from, name, tombstones)) : recent(side, cards, refs, writer, want.days);
  const { updated, refused } = await fetchNamed(side, from, refs, cards, names, writer);
  return { updated, refused: [...refusedIndexes, ...refused], purged: [] };
}

/** Tombstones that this clone has still to follow. */
export const newTombstones = (side: Side, refs: Refs, from: Reach): Promise<Kept[]> =>
  learnTombstones(
    side,
    from.key,
    refs.indexes.filter(({ remoteKey }) => remoteKey === from.key),
  );

/** Follows what others purged. Answers what concerned this clone. Not to be called with a lock held. */
export const settleAlone = (side: Side, from: Reach): Promise<Kept[]> => alone(side, () => settleTombstones(side, from));

async function alone<T>(side: Side, work: () => Promise<T>): Promise<T> {
  const lock = await takeAlone(join(side.home, 'lock'), PATIENCE);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/** Fetches the index of every writer, and with `all` every chain too; one that git refuses keeps nobody from the others. */
export async function fetchIndexes(side: Side, from: Reach, all = false): Promise<Fetched['refused']> {
  const kinds = all ? ['index', 's'] : ['index'];
  const wide = ALL_PLACES.flatMap((place) => kinds.map((kind) => `+${PLACES[place]}/${kind}/*:${trackingRef(from.key, place, `${kind}/*`)}`));
  const { failed } = await tryFetch(side, from, wide);
  if (!failed) return [];
  const there = await listAfter(from, failed);
  const specs = ALL_PLACES.flatMap((place) =>
    [...there].flatMap((ref) => {
      const rest = ref.startsWith(`${PLACES[place]}/`) ? ref.slice(PLACES[place].length + 1) : '';
      const [kind = '', ...names] = rest.split('/');
      const isOurs = kinds.includes(kind) && names.length === (kind === 's' ? 2 : 1) && names.every(isPart);
      return isOurs ? [{ ref, spec: `+${ref}:${trackingRef(from.key, place, rest)}` }] : [];
    }),
  );
  const refused = await fetchSound(
    side,
    from,
    specs.map(({ spec }) => spec),
  );
  return specs.flatMap(({ ref, spec }) => (refused.has(spec) ? [{ ref, reason: refused.get(spec) as string }] : []));
}

/** What a remote has, asked after a fetch failed. A remote that cannot be asked either is told by the first failure. */
const listAfter = (from: Reach, failed: RelayError | undefined): Promise<Set<string>> =>
  listRemote(from).catch((error: unknown) => {
    throw failed ?? error;
  });

/** Cards of all writers at a remote. A writer who moved from one place to another counts with the newer card. */
async function remoteCards(side: Side, refs: Refs, remoteKey: string): Promise<Map<string, Listed>> {
  const cards = new Map<string, Listed>();
  for (const index of refs.indexes.filter((one) => one.remoteKey === remoteKey)) {
    for (const [session, card] of await readIndex(side, index.tip)) {
      const handoff = `${index.writer}/${session}`;
      const other = cards.get(handoff);
      if (!other || other.card.version < card.version) cards.set(handoff, { place: index.place, card });
    }
  }
  return cards;
}

function nameOf(cards: Map<string, Listed>, refs: Refs, from: Reach, name: string, tombstones: readonly Kept[]): string {
  const plain = name.replace(/@[^@]*$/, '');
  const tracked = refs.fetched.filter((ref) => ref.remoteKey === from.key).map((ref) => ref.handoff);
  const all = [...new Set([...cards.keys(), ...tracked])];
  if (all.includes(plain)) return plain;
  const sessions = all.filter((handoff) => handoff.startsWith(plain) || handoff.slice(handoff.indexOf('/') + 1).startsWith(plain));
  const exact = sessions.filter((handoff) => handoff.slice(handoff.indexOf('/') + 1) === plain);
  const found = exact.length ? exact : sessions;
  if (found.length === 1) return found[0] as string;
  if (found.length) throw new RelayError('ambiguous', `"${plain}" could be ${found.slice(0, 5).join(', ')}.`, 'Write the whole name.');
  needNotGone(tombstones, plain);
  throw new RelayError('not-found', `${from.shown} has no handoff ${plain}.`, 'See what there is: relay pull, then relay list');
}

/** Handoffs updated in the last `days`; those of this clone only where it lacks them. */
function recent(side: Side, cards: Map<string, Listed>, refs: Refs, writer: string, days: number | undefined): string[] {
  if (days === undefined) return [];
  const since = side.now() - days * 86_400_000;
  return [...cards]
    .filter(([handoff, { card }]) => !(Date.parse(card.updated) < since) && !(handoff.startsWith(`${writer}/`) && refs.own.has(handoff)))
    .map(([handoff]) => handoff);
}

async function fetchNamed(
  side: Side,
  from: Reach,
  refs: Refs,
  cards: Map<string, Listed>,
  names: string[],
  writer: string,
): Promise<Pick<Fetched, 'updated' | 'refused'>> {
  const tracked = (handoff: string, place: PlaceOnRemote) =>
    refs.fetched.find((ref) => ref.remoteKey === from.key && ref.place === place && ref.handoff === handoff)?.tip;
  const todo = names
    .map((handoff) => ({ handoff, place: cards.get(handoff)?.place ?? refs.fetched.find((ref) => ref.handoff === handoff)?.place ?? from.place }))
    .map((one) => ({ ...one, before: tracked(one.handoff, one.place) }))
    .filter(({ handoff, before }) => before === undefined || before !== cards.get(handoff)?.card.commit);
  const spec = ({ handoff, place }: { handoff: string; place: PlaceOnRemote }): string =>
    `+${PLACES[place]}/s/${handoff}:${trackingRef(from.key, place, `s/${handoff}`)}`;
  let there = todo;
  let refused = new Map<string, string>();
  const first = todo.length ? await tryFetch(side, from, todo.map(spec)) : {};
  if (first.missing || first.failed) {
    const remote = await listAfter(from, first.failed);
    there = todo.filter(({ handoff, place }) => remote.has(`${PLACES[place]}/s/${handoff}`));
    await markGone(
      side,
      from,
      refs,
      todo.filter((one) => !there.includes(one)).map((one) => one.handoff),
    );
    refused = await fetchSound(side, from, there.map(spec));
  }
  const now = await readRefs(side);
  const purged = await purgedObjects(side);
  const updated: Updated = [];
  for (const { handoff, place, before } of there.filter((one) => !refused.has(spec(one)))) {
    const commit = now.fetched.find((ref) => ref.remoteKey === from.key && ref.place === place && ref.handoff === handoff)?.tip;
    if (!commit) continue;
    if (purged.size && commit !== before && (await reachable(side, [commit])).some((id) => purged.has(id))) {
      await moveRefs(side, [[trackingRef(from.key, place, `s/${handoff}`), null]]);
      refused.set(spec({ handoff, place }), CAME_BACK);
      continue;
    }
    const back = refs.gone.has(`${from.key} ${handoff}`);
    if (back) await moveRefs(side, [[goneRef(from.key, handoff), null]]);
    if (handoff.startsWith(`${writer}/`)) await restoreOwn(side, refs, handoff, commit);
    if (commit === before) continue;
    const rewritten = before !== undefined && !(await contains(side, commit, before));
    if (rewritten) await moveRefs(side, [[backupRef(from.key, handoff, before), before]]);
    updated.push({ handoff, commit, rewritten });
  }
  return { updated, refused: there.flatMap((one) => (refused.has(spec(one)) ? [{ handoff: one.handoff, reason: refused.get(spec(one)) as string }] : [])) };
}

/** What the remote no longer has stays here and is marked. The mark points at anything: its place says it all. */
async function markGone(side: Side, from: Reach, refs: Refs, handoffs: string[]): Promise<void> {
  const anchor = refs.indexes.find((index) => index.remoteKey === from.key)?.tip ?? refs.fetched[0]?.tip;
  if (anchor)
    await moveRefs(
      side,
      handoffs.filter((handoff) => isPart(handoff.split('/')[0] ?? '')).map((handoff) => [goneRef(from.key, handoff), anchor] as const),
    );
}

/** A fresh clone that goes on under its old name takes up its own chains where the remote has them. */
async function restoreOwn(side: Side, refs: Refs, handoff: string, commit: string): Promise<void> {
  const own = refs.own.get(handoff);
  if (own && !(await contains(side, commit, own))) return;
  if (own !== commit) await moveRefs(side, [[handoffRef(handoff), commit, own ?? '']]);
}
