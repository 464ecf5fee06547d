import { fastImport, type Signature } from '#git/fast-import.ts';
import { tryGit } from '#git/run.ts';
import { RelayError } from '#lib/errors.ts';
import { ROOT_COMMIT } from './draft.ts';
import { readIndex, readTips } from './handoffs.ts';
import { holdsLinks, missingLinks } from './links-index.ts';
import { jitter, pause } from './lock.ts';
import { cardJson, type StoredCard } from './manifest.ts';
import { cardPath, outboxRef, type PlaceOnRemote, trackingRef } from './names.ts';
import type { Side } from './side.ts';
import { sweepNamedLock } from './sweep.ts';
import { keptTombstones, tombstoneJson, tombstonePath, tombstonesIn } from './tombstones.ts';
import { LOCK_ATTEMPTS } from './transfer.ts';

const idOf = async (side: Side, ref: string): Promise<string | undefined> => (await side.objects.get(`${ref}^{commit}`))?.id;

/**
 * The index as a remote should have it once these chains are there: what it has already, with their cards. Only cards of
 * what goes to that very remote, since a title must not leave with another session.
 * Links go with the cards: of what is sent now, and of what is there already.
 * @param tips session -> commit
 * @param asListed true: links that were added since the index was prepared wait for the next send, since nobody has looked at them
 * @returns the index commit to send, or null when the remote's index says all this already
 */
export async function prepareIndex(
  side: Side,
  remoteKey: string,
  place: PlaceOnRemote,
  writer: string,
  tips: ReadonlyMap<string, string>,
  asListed = false,
): Promise<string | null> {
  const there = await idOf(side, trackingRef(remoteKey, place, `index/${writer}`));
  const has = there ? await readIndex(side, there) : new Map<string, StoredCard>();
  const read = await readTips(side, [...tips.values()]);
  const changed = new Map<string, StoredCard>();
  for (const [session, tip] of tips) {
    const card = read.get(tip);
    const old = has.get(session);
    if (card && (!old || (old.commit !== card.commit && old.version <= card.version))) changed.set(session, card);
  }
  const links = await missingLinks(side, there, new Set([...has.keys(), ...tips.keys()]));
  if (!changed.size && !links.size) return null;
  const news: News = { cards: changed, links };
  return (await prepared(side, remoteKey, writer, there, news, asListed)) ?? (await writeIndex(side, remoteKey, writer, there, news));
}

/** What the remote's index does not say yet. */
interface News {
  cards: ReadonlyMap<string, StoredCard>;
  links: Awaited<ReturnType<typeof missingLinks>>;
}

/** What was prepared before is taken again, so that a send sends what `outgoing` listed. */
async function prepared(
  side: Side,
  remoteKey: string,
  writer: string,
  there: string | undefined,
  { cards: changed, links }: News,
  asListed: boolean,
): Promise<string | undefined> {
  const before = await side.objects.get(`${outboxRef(remoteKey, writer)}^{commit}`);
  if (!before) return undefined;
  const parent = /^parent ([0-9a-f]+)$/m.exec(before.bytes.toString('utf8'))?.[1];
  const grandparent = parent ? /^parent /m.test((await side.objects.get(parent))?.bytes.toString('utf8') ?? '') : false;
  if (there ? parent !== there : grandparent) return undefined;
  const cards = await readIndex(side, before.id);
  const base = there ? await readIndex(side, there) : new Map<string, StoredCard>();
  const wanted = new Map([...base, ...changed]);
  const same = cards.size === wanted.size && [...wanted].every(([session, card]) => cardJson(card) === cardJson(cards.get(session) ?? ({} as StoredCard)));
  return same && (asListed || (await holdsLinks(side, before.id, links))) ? before.id : undefined;
}

async function writeIndex(side: Side, remoteKey: string, writer: string, there: string | undefined, { cards, links }: News): Promise<string> {
  const tombstones = await missingTombstones(side, remoteKey, writer, there);
  for (let attempt = 1; ; attempt++) {
    const into = fastImport(side.git, 6, true);
    const ref = outboxRef(remoteKey, writer);
    const files = new Map<string, string>();
    for (const [session, card] of cards) files.set(cardPath(session), into.blob(Buffer.from(cardJson(card))));
    for (const [path, { content }] of links) files.set(path, into.blob(content));
    for (const { id, json } of tombstones) files.set(tombstonePath(id), into.blob(Buffer.from(json)));
    const author: Signature = { name: writer, email: '', seconds: Math.floor(side.now() / 1000) };
    const from = there ?? into.commit({ ref, ...ROOT_COMMIT, files: new Map() });
    const mark = into.commit({ ref, author, committer: author, message: 'relay: index\n', from, files });
    const done = await into.finish([mark]);
    if (!('failed' in done)) return done.ids[0] as string;
    if (!done.moved || attempt === LOCK_ATTEMPTS)
      throw new RelayError('failed', `The index of ${writer} could not be stored: ${done.failed}`, 'Run the command again.');
    await pause(jitter(50 * attempt));
    await sweepNamedLock(side, done.failed);
  }
}

/** What this writer purged at that remote and its index does not say, since the remote was made anew. */
async function missingTombstones(side: Side, remoteKey: string, writer: string, there: string | undefined): Promise<{ id: string; json: string }[]> {
  const own = (await keptTombstones(side)).filter(({ by, remote, commits }) => by === writer && remote === remoteKey && commits.length);
  if (!own.length) return [];
  const said = new Set(there ? (await tombstonesIn(side, there)).map(({ id }) => id) : []);
  return own.filter(({ id }) => !said.has(id)).map((one) => ({ id: one.id, json: tombstoneJson(one) }));
}

/** Whether every commit of `older` is in `newer`. */
export const contains = async (side: Side, newer: string, older: string): Promise<boolean> =>
  newer === older || (await tryGit(side.git, ['merge-base', '--is-ancestor', older, newer])).code === 0;
