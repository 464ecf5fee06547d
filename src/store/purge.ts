import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RelayError } from '#lib/errors.ts';
import { dropBuilt, storeRefs } from './chains.ts';
import { forgetUnreachable, objectsWith, presentObjects } from './forget.ts';
import { ownWriter } from './identity.ts';
import { dropLinks } from './links.ts';
import { jitter, pause, takeAlone } from './lock.ts';
import { writeIndexes } from './purge-index.ts';
import { Moved, makePlan, type Plan, type Surroundings } from './purge-plan.ts';
import { fetchIndexes } from './receive.ts';
import { knownRemote, needSameAddress, type Reach, reach, rememberRemote } from './remote.ts';
import { nameHolds, type Scrub } from './scrub.ts';
import { scrubFiles, settingsWith } from './scrub-files.ts';
import { settleTombstones } from './settle.ts';
import { makeSide, type Side } from './side.ts';
import { LEFT_BEHIND, sweepStore } from './sweep.ts';
import { forgetNames, type Kept, keepTombstones, learnTombstones, markOf, tombstoneJson, tombstonePath } from './tombstones.ts';
import { type Move, moveRefs, type Pushed, push, remoteRefs } from './transfer.ts';
import type { Purged, PurgeOptions, PurgeOrder, Remote } from './types.ts';

const ATTEMPTS = 6;
/** A push of this clone that is under way is waited for. In ms. */
const PATIENCE = 600_000;

/** See Store.purge. */
export async function purge(side: Side, remote: Remote | undefined, order: PurgeOrder, options: PurgeOptions = {}): Promise<Purged> {
  await makeSide(side);
  const { writer } = await ownWriter(side);
  const to = remote && (await reach(side, remote));
  if (to) await needSameAddress(side, to, remote);
  const lock = await takeAlone(join(side.home, 'lock'), PATIENCE);
  try {
    if (remote) await rememberRemote(side, remote);
    for (let attempt = 1; ; attempt++) {
      try {
        return await attemptPurge(side, to, writer, order, options);
      } catch (error) {
        await dropBuilt(side);
        if (!(error instanceof Moved)) throw error;
        if (attempt === ATTEMPTS)
          throw new RelayError('failed', `Nothing was purged: others keep pushing to ${to?.shown ?? 'the remote'}.`, 'Run the command again.');
        await pause(jitter(100 * attempt));
      }
    }
  } finally {
    await lock.release();
  }
}

async function attemptPurge(side: Side, to: Reach | undefined, writer: string, order: PurgeOrder, { dryRun = false, begin }: PurgeOptions): Promise<Purged> {
  const unseen = to ? await fetchIndexes(side, to, true) : [];
  const there = to ? await remoteRefs(to) : new Map<string, string>();
  await dropBuilt(side);
  // Looking changes nothing, so what others purged is not followed before it is agreed to.
  if (to && !dryRun) await settleOthers(side, to);
  const id = randomBytes(16).toString('hex');
  const scrub = 'values' in order ? (await side.scrubbing())?.scrub(order.values, markOf(id)) : undefined;
  if ('values' in order && !scrub) throw new RelayError('failed', 'This program cannot take values out of what is stored.');
  const refused = new Map(unseen.map(({ ref = '', reason }) => [ref, reason]));
  for (;;) {
    const around: Surroundings = { side, order, scrub, to, there, left: new Set(refused.keys()), writer, store: !dryRun };
    const plan = await makePlan(around);
    const found = { ...plan.purged, ...(await shownRemotes(side, plan.purged.elsewhere)), settings: scrub ? await settingsWith(side, scrub) : [] };
    const still = () => [...refused].map(([ref, reason]) => ({ ref, reason }));
    if (dryRun) {
      await sweepStore(side.path, LEFT_BEHIND.aborted);
      return { tombstone: null, ...found, refused: still(), reachable: [] };
    }
    const nothing = !plan.purged.handoffs.length && !plan.remote.length && !plan.indexes.length;
    if (!nothing) begin?.();
    const tombstone = tombstoneOf(around, plan, id);
    const more = nothing || !to ? [] : await sendPurge(around, to, plan, tombstone);
    for (const { ref, words } of more) refused.set(ref, words);
    await dropBuilt(side);
    // What may not be moved changes what is said of the rest.
    if (more.length) continue;
    await finish(around, plan, nothing ? [] : [tombstone]);
    return { tombstone: nothing ? null : id, ...found, refused: still(), reachable: to ? await stillReachable(to, tombstone) : [] };
  }
}

const tombstoneOf = ({ side, to, writer }: Surroundings, plan: Plan, id: string): Kept => ({
  format: 'relay-tombstone',
  format_version: 1,
  id,
  by: writer,
  at: new Date(side.now()).toISOString(),
  ...plan.tombstone,
  remote: to?.key ?? '',
  settled: true,
});

/** What others purged meanwhile is followed first; what this clone purged itself and could not finish, too. */
async function settleOthers(side: Side, to: Reach): Promise<void> {
  const indexes = (await storeRefs(side)).filter(({ kind, remoteKey }) => kind === 'index' && remoteKey === to.key);
  await learnTombstones(
    side,
    to.key,
    indexes.map(({ name, tip }) => ({ writer: name, tip })),
  );
  await settleTombstones(side, to);
}

/**
 * Moves the refs of the remote, all at once or none.
 * @returns those that this user may not move, if that stopped it. RelayError where that is all of them, or the index that must say what was purged.
 */
async function sendPurge({ side, there }: Surroundings, to: Reach, plan: Plan, tombstone: Kept): Promise<Pushed['refused']> {
  const mine = plan.indexes.find(({ writer }) => writer === tombstone.by);
  mine?.tombstones.push({ path: tombstonePath(tombstone.id), content: tombstoneJson(tombstone) });
  const made = await writeIndexes(side, plan.indexes);
  const moves = [...plan.remote, ...[...made].map(([ref, commit]): Move => ({ ref, to: commit, from: there.get(ref) ?? '' }))];
  if (!moves.length) return [];
  const { refused } = await push(to, moves, false);
  if (refused.some(({ why }) => why === 'conflict')) throw new Moved();
  const names = new Set(refused.map(({ ref }) => ref));
  if (names.size && (plan.remote.every(({ ref }) => names.has(ref)) || (mine && names.has(mine.ref)))) throw notAllowed(to, refused);
  if (!names.size) for (const { ref, tracking, tip } of plan.indexes) plan.local.push([tracking, made.get(ref) as string, tip ?? '']);
  return refused;
}

const notAllowed = (to: Reach, refused: Pushed['refused']): RelayError =>
  new RelayError(
    'failed',
    `Nothing was purged: ${to.shown} does not let you change or delete these refs: ${refused
      .slice(0, 3)
      .map(({ ref, words }) => `${ref} (${words})`)
      .join('; ')}.`,
    'Ask who administers the remote to allow it (receive.denyNonFastForwards, receive.denyDeletes, protection rules), then run the command again.',
  );

/** The clone's own part: refs, logs, objects, files. Whatever stops it here, a second run completes it. */
async function finish({ side, scrub, writer }: Surroundings, plan: Plan, tombstones: Kept[]): Promise<void> {
  await moveRefs(side, plan.local);
  await keepTombstones(side, tombstones);
  await dropBuilt(side);
  for (const { handoff } of plan.purged.handoffs) await rm(join(side.home, 'state', `${handoff.slice(handoff.indexOf('/') + 1)}.json`), { force: true });
  const gone = plan.purged.handoffs.flatMap(({ handoff, gone }) => (gone && handoff.startsWith(`${writer}/`) ? [handoff.slice(writer.length + 1)] : []));
  await dropLinks(side, new Set(gone));
  await forgetUnreachable(side);
  if (scrub) await forgetInFiles(side, scrub);
  const left = scrub
    ? await objectsWith(side, scrub)
    : [
        ...(await presentObjects(
          side,
          tombstones.flatMap(({ commits }) => commits.map(([old]) => old)),
        )),
      ];
  if (left.length)
    throw new RelayError(
      'failed',
      `What was purged is still in ${left.length} object${left.length === 1 ? '' : 's'} of ${side.path}, for example ${left[0]}.`,
      'Run the same command again. If that does not help, report it as a bug.',
    );
}

async function forgetInFiles(side: Side, scrub: Scrub): Promise<void> {
  await forgetNames(side, nameHolds(scrub));
  await scrubFiles(side, scrub);
}

/** Refs under any name of the remote that point at what was purged: of a pull request, a tag, a branch. */
async function stillReachable(to: Reach, { commits }: Kept): Promise<string[]> {
  const purged = new Set(commits.map(([old]) => old));
  return [...(await remoteRefs(to, true))].flatMap(([ref, id]) => (purged.has(id) ? [ref] : []));
}

/** What can be said to --remote of the remotes with these keys. */
async function shownRemotes(side: Side, keys: readonly string[]): Promise<Pick<Purged, 'elsewhere' | 'forgotten'>> {
  const known = await Promise.all(keys.map((key) => knownRemote(side, key)));
  const elsewhere = known.flatMap((remote) => (remote ? [remote.name ?? remote.url] : []));
  return { elsewhere, forgotten: keys.length - elsewhere.length };
}
