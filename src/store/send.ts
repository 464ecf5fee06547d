import { join } from 'node:path';
import { git } from '#git/run.ts';
import { RelayError } from '#lib/errors.ts';
import { contains, prepareIndex } from './card-index.ts';
import { forkChains, setFormerAside } from './fork.ts';
import { type Refs, readRefs, readTips } from './handoffs.ts';
import { ownWriter, renewWriter } from './identity.ts';
import { unsentLinks } from './links-index.ts';
import { jitter, pause, takeTurn } from './lock.ts';
import { goneRef, PLACES, type PlaceOnRemote, trackingRef, trackingRoot } from './names.ts';
import { settleAlone } from './receive.ts';
import { needSameAddress, type Reach, reach, rememberRemote, remotePlace } from './remote.ts';
import { goesBack, isPurged, needNothingPurged } from './send-guard.ts';
import { type Side, sideExists } from './side.ts';
import { fetchRefs, listRemote, moveRefs, type Pushed, push } from './transfer.ts';
import type { OutgoingObject, Remote, SendResult } from './types.ts';

const ATTEMPTS = 6;
/** A push over a slow line may take long; the next one of this clone waits for it. In ms. */
const PATIENCE = 600_000;

/** Session name -> tip of the own handoffs that a send is about. */
function ownTips(refs: Refs, writer: string, handoffs?: readonly string[]): Map<string, string> {
  const tips = new Map<string, string>();
  for (const handoff of handoffs ?? [...refs.own.keys()].filter((own) => own.startsWith(`${writer}/`))) {
    const tip = handoff.startsWith(`${writer}/`) ? refs.own.get(handoff) : undefined;
    if (!tip) throw new RelayError('not-found', `${handoff} is no handoff of this clone, so it cannot be sent from here.`, 'See what there is: relay list');
    tips.set(handoff.slice(writer.length + 1), tip);
  }
  return tips;
}

const known = (refs: Refs, remoteKey: string, place: PlaceOnRemote, handoff: string): string | undefined =>
  refs.fetched.find((ref) => ref.remoteKey === remoteKey && ref.place === place && ref.handoff === handoff)?.tip;

/** See Store.unsent. */
export async function unsentHandoffs(side: Side, remote: Remote): Promise<string[]> {
  if (!sideExists(side)) return [];
  const { writer } = await ownWriter(side);
  const [refs, at] = [await readRefs(side), await remotePlace(side, remote)];
  const tips = [...ownTips(refs, writer)].map(([session, tip]) => ({ session, tip, there: known(refs, at.key, at.place, `${writer}/${session}`) }));
  const index = refs.indexes.find((one) => one.remoteKey === at.key && one.place === at.place && one.writer === writer)?.tip;
  const sent = new Set(tips.flatMap(({ session, tip, there }) => (there === tip ? [session] : [])));
  const lacking = await unsentLinks(side, index, sent);
  return tips.filter(({ session }) => !sent.has(session) || lacking.has(session)).map(({ session }) => `${writer}/${session}`);
}

/** See Store.shared. */
export async function sharedHandoffs(side: Side, remote: Remote): Promise<string[]> {
  if (!sideExists(side)) return [];
  const { writer } = await ownWriter(side);
  const [refs, at] = [await readRefs(side), await remotePlace(side, remote)];
  return [...ownTips(refs, writer).keys()].map((session) => `${writer}/${session}`).filter((handoff) => known(refs, at.key, at.place, handoff) !== undefined);
}

/** See Store.outgoing. */
export async function outgoingObjects(side: Side, remote: Remote, handoffs?: readonly string[]): Promise<OutgoingObject[]> {
  if (!sideExists(side)) return [];
  const { writer } = await ownWriter(side);
  const [refs, at] = [await readRefs(side), await remotePlace(side, remote)];
  const tips = ownTips(refs, writer, handoffs);
  const index = await indexAlone(side, at, writer, tips);
  const found = new Map<string, OutgoingObject>();
  const list = async (tip: string, handoff: (path: string) => string): Promise<void> => {
    for (const object of await newObjects(side, at.key, tip)) if (!found.has(object.id)) found.set(object.id, { ...object, handoff: handoff(object.path) });
  };
  for (const [session, tip] of tips) if (known(refs, at.key, at.place, `${writer}/${session}`) !== tip) await list(tip, () => `${writer}/${session}`);
  if (index) await list(index, (path) => (/\.jsonl?$/.test(path) ? `${writer}/${path.replace(/^.*\/|\..*$/g, '')}` : ''));
  return [...found.values()];
}

/** Prepares the index while nobody removes what no ref reaches yet. */
async function indexAlone(side: Side, at: { key: string; place: PlaceOnRemote }, writer: string, tips: ReadonlyMap<string, string>): Promise<string | null> {
  const lock = await takeTurn(join(side.home, 'lock'), `index-${at.key}`, PATIENCE);
  try {
    return await prepareIndex(side, at.key, at.place, writer, tips);
  } finally {
    await lock.release();
  }
}

/** Objects of a commit that the remote is not known to have. */
async function newObjects(side: Side, remoteKey: string, tip: string): Promise<Omit<OutgoingObject, 'handoff'>[]> {
  const ids = await git(side.git, ['rev-list', '--objects', tip, '--not', `--glob=${trackingRoot(remoteKey)}/*`]);
  const types = await git(side.git, ['cat-file', '--batch-check=%(objectname) %(objecttype) %(rest)'], ids);
  return types
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [id = '', type = '', ...path] = line.split(' ');
      return { id, type: type as OutgoingObject['type'], path: type === 'blob' ? path.join(' ') : '' };
    });
}

/** See Store.send. */
export async function sendHandoffs(
  side: Side,
  remote: Remote,
  handoffs?: readonly string[],
  recheck?: (handoffs: string[]) => Promise<void>,
): Promise<SendResult> {
  if (!sideExists(side)) return { sent: [], bytes: 0 };
  const to = await reach(side, remote);
  await needSameAddress(side, to, remote);
  let names = handoffs;
  for (let attempt = 1; ; attempt++) {
    const lock = await takeTurn(join(side.home, 'lock'), `remote-${to.key}`, PATIENCE);
    let sent: SendResult | typeof PURGED;
    try {
      await rememberRemote(side, remote);
      sent = await sendLocked(side, remote, to, names);
    } finally {
      await lock.release();
    }
    if (sent !== PURGED) return sent;
    if (attempt === ATTEMPTS) throw new RelayError('failed', `Nothing was sent: others keep purging at ${to.shown}.`, 'Run the command again.');
    await settleAlone(side, to);
    const { writer } = await ownWriter(side);
    // What found its name taken was renamed before it was stopped.
    names = names?.map((handoff) => `${writer}/${sessionOf(handoff)}`);
    await recheck?.([...ownTips(await readRefs(side), writer, names).keys()].map((session) => `${writer}/${session}`));
  }
}

const sessionOf = (handoff: string): string => handoff.slice(handoff.indexOf('/') + 1);

/** Others have purged something: that has to be followed before anything is sent. */
const PURGED = Symbol('purged');

async function sendLocked(side: Side, remote: Remote, start: Reach, handoffs?: readonly string[]): Promise<SendResult | typeof PURGED> {
  let { writer } = await ownWriter(side);
  let tips = ownTips(await readRefs(side), writer, handoffs);
  let to = start;
  let bytes = 0;
  let looked = false;
  for (let attempt = 1; ; attempt++) {
    const refs = await readRefs(side);
    const index = await prepareIndex(side, to.key, to.place, writer, tips, true);
    const waiting = [...tips].filter(([session, tip]) => known(refs, to.key, to.place, `${writer}/${session}`) !== tip);
    if (!waiting.length && !index) {
      if (attempt > 1 || !(await isLost(side, to, writer, refs))) return { sent: [], bytes };
      continue;
    }
    // A chain that the remote does not have yet may go on from versions that were purged there meanwhile; of one that it has, the push itself tells.
    if (!looked && waiting.some(([session]) => known(refs, to.key, to.place, `${writer}/${session}`) === undefined)) {
      looked = true;
      if (await isPurged(side, to)) return PURGED;
    }
    const moves = waiting.map(([session, tip]) => ({
      handoff: `${writer}/${session}`,
      ref: `s/${writer}/${session}`,
      to: tip,
      from: known(refs, to.key, to.place, `${writer}/${session}`) ?? '',
    }));
    await needNothingPurged(side, to, moves);
    if (await goesBack(side, moves)) {
      ({ writer, tips } = await startAnew(side, writer, tips));
      continue;
    }
    const indexMove = index ? [{ ref: `index/${writer}`, to: index }] : [];
    const all = [...moves, ...indexMove];
    const done = await push(
      to,
      all.map((move) => ({ ...move, ref: `${PLACES[to.place]}/${move.ref}` })),
      moves.some(({ from }) => from !== ''),
    );
    bytes += done.bytes;
    if (!done.refused.length) {
      await moveRefs(side, [
        ...all.map((move) => [trackingRef(to.key, to.place, move.ref), move.to] as const),
        ...waiting
          .filter(([session]) => refs.gone.has(`${to.key} ${writer}/${session}`))
          .map(([session]) => [goneRef(to.key, `${writer}/${session}`), null] as const),
      ]);
      return { sent: await sentCards(side, writer, waiting), bytes };
    }
    if (attempt === ATTEMPTS)
      throw new RelayError('failed', `${to.shown} did not take the push: ${done.refused[0]?.words}`, 'Others are pushing at this moment; try again.');
    const settled = await settle(side, remote, to, writer, tips, done);
    to = settled.to;
    if (await isPurged(side, to)) return PURGED;
    if (settled.diverged) ({ writer, tips } = await startAnew(side, writer, tips));
    await pause(jitter(60 * attempt));
  }
}

/**
 * Looks whether the remote still has this writer's index; a remote that was made anew has not, and everything goes there
 * again. Offline there is nothing to be learned, and nothing to be sent either.
 */
async function isLost(side: Side, to: Reach, writer: string, refs: Refs): Promise<boolean> {
  const index = `index/${writer}`;
  try {
    if (!(await fetchRefs(side, to, [`+${PLACES[to.place]}/${index}:${trackingRef(to.key, to.place, index)}`]))) return false;
  } catch (error) {
    if (error instanceof RelayError && error.code === 'offline') return false;
    throw error;
  }
  const here = [
    ...refs.fetched.filter((ref) => ref.handoff.startsWith(`${writer}/`)).map((ref) => ({ ...ref, rest: `s/${ref.handoff}` })),
    ...refs.indexes.filter((ref) => ref.writer === writer).map((ref) => ({ ...ref, rest: index })),
  ];
  await moveRefs(
    side,
    here.filter((ref) => ref.remoteKey === to.key && ref.place === to.place).map((ref) => [trackingRef(to.key, to.place, ref.rest), null] as const),
  );
  return true;
}

/** Takes a new writer id. What was to be sent, and what no remote has under the old one, goes on under it. */
async function startAnew(side: Side, taken: string, tips: ReadonlyMap<string, string>): Promise<{ writer: string; tips: Map<string, string> }> {
  const refs = await readRefs(side);
  const shared = new Set(refs.fetched.map((ref) => ref.handoff));
  const alone = [...ownTips(refs, taken)].filter(([session]) => !shared.has(`${taken}/${session}`));
  const { writer, former } = await renewWriter(side, taken);
  const forks = await forkChains(side, taken, writer, new Map([...alone, ...tips]));
  await setFormerAside(side, refs, former);
  return { writer, tips: new Map([...forks].filter(([session]) => tips.has(session))) };
}

async function sentCards(side: Side, writer: string, waiting: readonly (readonly [string, string])[]): Promise<SendResult['sent']> {
  const cards = await readTips(
    side,
    waiting.map(([, tip]) => tip),
  );
  return waiting.map(([session, commit]) => ({ handoff: `${writer}/${session}`, commit, n: cards.get(commit)?.version ?? 0 }));
}

/**
 * Learns why the remote refused, so that the next attempt can succeed; or says why none can.
 * Diverged: it holds another continuation under this clone's own name. The clone was copied, or put back from a backup.
 */
async function settle(
  side: Side,
  remote: Remote,
  to: Reach,
  writer: string,
  tips: ReadonlyMap<string, string>,
  { refused }: Pushed,
): Promise<{ to: Reach; diverged: boolean }> {
  const there = await listRemote(to);
  if (to.place === 'b' && there.has('refs/heads/relay')) {
    await rememberRemote(side, remote, true);
    return { to: { ...to, place: 'o' }, diverged: false };
  }
  const declined = refused.find((ref) => ref.why === 'declined');
  if (declined) throw declinedError(to, declined.words);
  const failed = refused.find((ref) => ref.why === 'failed');
  if (failed)
    throw new RelayError('failed', `${to.shown} did not take the push: ${failed.words}.`, 'The versions are kept in this clone; relay push sends them later.');
  const own = ['index/', 's/'].flatMap((kind) => [...there].filter((ref) => ref.startsWith(`${PLACES[to.place]}/${kind}${writer}`)));
  const wanted = new Set([`index/${writer}`, ...[...tips.keys()].map((session) => `s/${writer}/${session}`)].map((rest) => `${PLACES[to.place]}/${rest}`));
  const specs = own.filter((ref) => wanted.has(ref)).map((ref) => `+${ref}:${trackingRef(to.key, to.place, ref.slice(PLACES[to.place].length + 1))}`);
  if (specs.length) await fetchRefs(side, to, specs);
  const refs = await readRefs(side);
  for (const [session, tip] of tips) {
    const theirs = known(refs, to.key, to.place, `${writer}/${session}`);
    if (theirs && !(await contains(side, tip, theirs))) return { to, diverged: true };
  }
  return { to, diverged: false };
}

function declinedError(to: Reach, words: string): RelayError {
  if (to.place === 'r')
    return new RelayError(
      'consent',
      `${to.shown} does not take refs under refs/relay (${words}).`,
      'Sessions can go as ordinary branches instead: add --namespace refs/heads/relay',
    );
  return new RelayError(
    'failed',
    `${to.shown} does not take branches under ${PLACES[to.place].slice('refs/heads/'.length)}/ (${words}).`,
    'Ask who administers the remote, or name another one: --remote <url>',
  );
}
