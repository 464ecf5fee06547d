import { RelayError } from '#lib/errors.ts';
import { belonging, chainAfter, dirtyBlobs, isChain, reachable, type StoreRef, storeRefs } from './chains.ts';
import { linksAfter } from './links-index.ts';
import { PLACES, plainName, trackingRef } from './names.ts';
import { cardsAfter, carriedOver, type IndexOrder } from './purge-index.ts';
import { told } from './purge-told.ts';
import type { Reach } from './remote.ts';
import { type Rewritten, rewrite, type Version, versionsOf } from './rewrite.ts';
import type { Scrub } from './scrub.ts';
import type { Side } from './side.ts';
import { type Kept, lastPurged } from './tombstones.ts';
import type { Move } from './transfer.ts';
import type { Purged, PurgeOrder } from './types.ts';

type LocalMove = readonly [ref: string, to: string | null, from: string];

/** All that a purge changes. Made before anything is. */
export interface Plan {
  local: LocalMove[];
  remote: Move[];
  /** indexes on the remote that are made anew, by the ref that they have there; `held`: the value stood in it */
  indexes: (IndexOrder & { tracking: string; held: boolean; becomes: [string, string][] })[];
  tombstone: Pick<Kept, 'handoffs' | 'commits' | 'blobs'>;
  purged: Pick<Purged, 'handoffs' | 'refs' | 'uneditable' | 'goOn' | 'elsewhere'>;
}

export interface Surroundings {
  side: Side;
  order: PurgeOrder;
  scrub: Scrub | undefined;
  /** undefined: nothing is looked at but this clone */
  to: Reach | undefined;
  /** refs of the remote and where they point */
  there: ReadonlyMap<string, string>;
  /** refs of the remote that this user may not move */
  left: ReadonlySet<string>;
  /** this clone's own writer id */
  writer: string;
  /** false: nothing new is stored */
  store: boolean;
}

/** What purging would change, from the refs as they are now. */
export async function makePlan(around: Surroundings): Promise<Plan> {
  const { side, order, scrub, to } = around;
  const refs = await storeRefs(side);
  const chains = refs.filter((ref) => isChain(ref) || ref.ref.startsWith('refs/relay-backup/'));
  const versions = await versionsOf(
    side,
    chains.map(({ tip }) => tip),
  );
  await needVersion(side, order, versions);
  const dirty = scrub
    ? await dirtyBlobs(
        side,
        refs.map(({ tip }) => tip),
        scrub,
      )
    : new Set<string>();
  const { rewritten, uneditable } = await rewriteAll(around, refs, versions, dirty);
  const belongs = belonging(versions, rewritten);
  const after = (ref: StoreRef): string | null => chainAfter(ref, rewritten, belongs);
  const fromRemote = refs.filter((ref) => ref.kind === 'fetched' && ref.remoteKey === to?.key);
  const chainMoves = movesOf(around, fromRemote, after);
  const named = namedMoves(around, new Set(chainMoves.map(({ ref }) => ref)));
  const remote = [...chainMoves, ...named];
  const indexes = to ? await indexOrders(around, to, refs, dirty, rewritten, after, remote.length > 0) : [];
  const { tombstone, purged } = await told(around, { refs, fromRemote, versions, rewritten, uneditable });
  return {
    local: refs.flatMap((ref) => localMove(around, ref, rewritten, after, dirty.size > 0)),
    remote,
    indexes,
    // A clone that lags behind tells the value by what its links became, too.
    tombstone: { ...tombstone, blobs: [...tombstone.blobs, ...indexes.flatMap(({ becomes }) => becomes)] },
    purged: {
      ...purged,
      refs: [...named.map(({ ref }) => ({ ref, gone: true })), ...indexes.flatMap(({ ref, held }) => (held ? [{ ref, gone: false }] : []))],
    },
  };
}

/** A number that no version ever had is a slip, and must not look like something that is gone. */
async function needVersion(side: Side, order: PurgeOrder, versions: readonly Version[]): Promise<void> {
  if (!('handoff' in order) || order.version === undefined) return;
  const { handoff, version } = order;
  const numbers = [...new Set(versions.flatMap((one) => (one.handoff === handoff ? [one.n] : [])))].sort((a, b) => a - b);
  if (numbers.includes(version) || (version > 0 && version <= Math.max(numbers.at(-1) ?? 0, await lastPurged(side, handoff)))) return;
  const there = numbers.length ? `it has ${numbers.map((n) => `@${n}`).join(', ')}` : 'none of its versions is here or on the remote';
  throw new RelayError('not-found', `${handoff} has no version ${version}: ${there}.`, `See its versions: relay log ${handoff}`);
}

/** Versions out of which the value cannot be taken take their handoff with them: then the history is made anew without it. */
async function rewriteAll(
  { side, order, scrub, store }: Surroundings,
  refs: readonly StoreRef[],
  versions: readonly Version[],
  dirty: ReadonlySet<string>,
): Promise<{ rewritten: Rewritten; uneditable: Set<string> }> {
  const uneditable = new Set(refs.flatMap(({ name }) => (name && scrub?.inName(plainName(name)) ? [name] : [])));
  const damaged = new Set<string>();
  const wanted = ({ handoff, n }: Version): boolean => 'handoff' in order && handoff === order.handoff && (order.version === undefined || n === order.version);
  const drop = (version: Version): boolean => wanted(version) || uneditable.has(version.handoff) || damaged.has(version.commit);
  for (;;) {
    const { impossible, ...rewritten } = await rewrite(side, versions, { drop, scrub, dirty, store });
    if (!impossible.length) return { rewritten, uneditable };
    for (const { handoff, commit } of impossible) {
      if (handoff) uneditable.add(handoff);
      else damaged.add(commit);
    }
  }
}

function localMove({ to, left }: Surroundings, ref: StoreRef, rewritten: Rewritten, after: (ref: StoreRef) => string | null, hasValues: boolean): LocalMove[] {
  const moved = (now: string | null): LocalMove[] => (now === ref.tip ? [] : [[ref.ref, now, ref.tip]]);
  const touched = rewritten.stands(ref.tip) !== ref.tip;
  if (ref.kind === 'gone') return moved(rewritten.root);
  if (ref.kind === 'aside') return moved(touched || ref.ref.startsWith('refs/relay-outbox/') ? null : ref.tip);
  // What another remote has, or what this one does not let go, is fetched from there again, if it still may be.
  const stays = ref.remoteKey !== to?.key || left.has(ref.remoteRef ?? '');
  if (ref.kind === 'index') return stays && hasValues ? moved(null) : [];
  if (ref.kind === 'fetched' && stays) return moved(touched ? null : ref.tip);
  return moved(after(ref));
}

/** Where the chains that the remote has go there. */
function movesOf({ there, left }: Surroundings, fetched: readonly StoreRef[], after: (ref: StoreRef) => string | null): Move[] {
  const moves: Move[] = [];
  for (const ref of fetched) {
    const from = there.get(ref.remoteRef ?? '');
    if (from === undefined || left.has(ref.remoteRef ?? '')) continue;
    if (from !== ref.tip) throw new Moved();
    const now = after(ref);
    if (now !== ref.tip) moves.push({ ref: ref.remoteRef as string, to: now, from });
  }
  return moves;
}

/** What relay itself calls a ref behind its place on the remote. A branch of any other form, such as relay/fix, is the user's own. */
const ownPart = (ref: string): string | undefined =>
  (/^refs\/relay\/(?:s|index)\/(.+)$/.exec(ref) ?? /^refs\/heads\/relay(?:-store)?\/(?:s\/(?=[^/]+\/[^/]+$)|index\/(?=[^/]+$))(.+)$/.exec(ref))?.[1];

/** Indexes, and refs that are not fetched since no relay of today would call them so: where the name holds the value, they go. */
function namedMoves({ scrub, there, left }: Surroundings, moved: ReadonlySet<string>): Move[] {
  return [...there].flatMap(([ref, from]) => {
    const name = ownPart(ref);
    return name !== undefined && scrub?.inName(plainName(name)) && !moved.has(ref) && !left.has(ref) ? [{ ref, to: null, from }] : [];
  });
}

/** The remote changed while it was looked at. */
export class Moved extends Error {}

async function indexOrders(
  around: Surroundings,
  to: Reach,
  refs: readonly StoreRef[],
  dirty: ReadonlySet<string>,
  rewritten: Rewritten,
  after: (ref: StoreRef) => string | null,
  changed: boolean,
): Promise<Plan['indexes']> {
  const { side, scrub, order, writer, there, left } = around;
  const own = `${PLACES[to.place]}/index/${writer}`;
  const orders: Plan['indexes'] = [];
  for (const { ref, tip, name, remoteKey, remoteRef = '' } of refs.filter(({ kind }) => kind === 'index')) {
    if (remoteKey !== to.key || !there.has(remoteRef) || left.has(remoteRef)) continue;
    if (there.get(remoteRef) !== tip) throw new Moved();
    const place = remoteRef.slice(0, remoteRef.indexOf('/index/'));
    const chain = new Map(
      refs.filter((one) => one.kind === 'fetched' && one.remoteKey === to.key && one.remoteRef?.startsWith(`${place}/s/`)).map((one) => [one.name, one]),
    );
    const target = (handoff: string, commit: string) =>
      left.has(chain.get(handoff)?.remoteRef ?? '') ? undefined : cardTarget(order, chain.get(handoff), handoff, commit, rewritten, after);
    const { cards, changed: said } = await cardsAfter(side, name, tip, target, scrub);
    const saidOnce = scrub !== undefined && (await reachable(side, [tip])).some((id) => dirty.has(id));
    if (scrub?.inName(plainName(name)) || !(said || saidOnce || (remoteRef === own && changed))) continue;
    const { files: links, becomes } = await linksAfter(side, tip, (session) => cards.has(session), scrub);
    orders.push({ ref: remoteRef, tracking: ref, writer: name, tip, held: saidOnce, cards, tombstones: await carriedOver(side, tip, scrub), links, becomes });
  }
  if ((changed || orders.length) && !orders.some(({ ref }) => ref === own))
    orders.push({
      ref: own,
      tracking: trackingRef(to.key, to.place, `index/${writer}`),
      writer,
      tip: undefined,
      held: false,
      cards: new Map(),
      tombstones: [],
      links: new Map(),
      becomes: [],
    });
  return orders;
}

/** Where the handoff that a card is about stands afterwards; undefined: nothing is known of it here. */
function cardTarget(
  order: PurgeOrder,
  chain: StoreRef | undefined,
  handoff: string,
  commit: string,
  rewritten: Rewritten,
  after: (ref: StoreRef) => string | null,
): string | null | undefined {
  if (chain) return after(chain);
  if ('handoff' in order && order.handoff === handoff && order.version === undefined) return null;
  return rewritten.stands(commit) === commit ? undefined : after({ ref: '', tip: commit, kind: 'fetched', name: handoff });
}
