import { fastImport, type Signature } from '#git/fast-import.ts';
import { RelayError } from '#lib/errors.ts';
import { type Commit, readCommit } from './commit.ts';
import { ROOT_COMMIT } from './draft.ts';
import { readIndex, readTips } from './handoffs.ts';
import { cardJson, type StoredCard } from './manifest.ts';
import { builtRef, cardPath } from './names.ts';
import { nameHolds, type Scrub } from './scrub.ts';
import type { Side } from './side.ts';
import { tombstonePath, tombstonesIn, withoutNames } from './tombstones.ts';

/** An index that has to be made anew: without its history, since what a card said once is still in there. */
export interface IndexOrder {
  ref: string;
  writer: string;
  /** undefined: there is none yet */
  tip: string | undefined;
  cards: ReadonlyMap<string, StoredCard>;
  tombstones: { path: string; content: Buffer | string }[];
  /** path -> blob id or new content */
  links: ReadonlyMap<string, string | Buffer>;
}

/**
 * What a writer's cards say afterwards.
 * @param after where a handoff's chain stands afterwards; null: nowhere; undefined: unknown here
 */
export async function cardsAfter(
  side: Side,
  writer: string,
  tip: string,
  after: (handoff: string, commit: string) => string | null | undefined,
  scrub: Scrub | undefined,
): Promise<{ cards: Map<string, StoredCard>; changed: boolean }> {
  const before = await readIndex(side, tip);
  const cards = new Map<string, StoredCard>();
  let changed = false;
  for (const [session, card] of before) {
    const now = after(`${writer}/${session}`, card.commit);
    const made = now === null ? undefined : now === undefined || now === card.commit ? card : ((await readTips(side, [now])).get(now) ?? card);
    const clean = made && scrub?.holds(Buffer.from(cardJson(made))) ? (JSON.parse(scrub.text(cardJson(made))) as StoredCard) : made;
    if (clean) cards.set(session, clean);
    changed ||= clean !== card;
  }
  return { cards, changed };
}

/** The tombstones that an index holds, to be carried over: without handoffs whose name holds the value. */
export async function carriedOver(side: Side, tip: string, scrub: Scrub | undefined): Promise<IndexOrder['tombstones']> {
  const out: IndexOrder['tombstones'] = [];
  for (const { id, blob } of await tombstonesIn(side, tip)) {
    const object = await side.objects.get(blob);
    const content = object && scrub?.holds(object.bytes) ? withoutNames(object.bytes, nameHolds(scrub)) : object?.bytes;
    if (content) out.push({ path: tombstonePath(id), content });
  }
  return out;
}

/** Makes indexes anew, each as one commit. @returns ref -> commit */
export async function writeIndexes(side: Side, orders: readonly IndexOrder[]): Promise<Map<string, string>> {
  if (!orders.length) return new Map();
  const dates = await Promise.all(orders.map(async ({ tip }) => (tip ? commitOf(await side.objects.get(tip)) : undefined)));
  const into = fastImport(side.git, 6, true);
  const root = into.commit({ ref: builtRef('root'), ...ROOT_COMMIT, files: new Map() });
  const marks = orders.map(({ writer, cards, tombstones, links }, i) => {
    const author: Signature = { name: writer, email: '', seconds: dates[i]?.committer.seconds ?? Math.floor(side.now() / 1000) };
    const files = new Map<string, string>();
    for (const [session, card] of cards) files.set(cardPath(session), into.blob(Buffer.from(cardJson(card))));
    for (const [path, content] of links) files.set(path, typeof content === 'string' ? content : into.blob(content));
    for (const { path, content } of tombstones) files.set(path, into.blob(Buffer.from(content)));
    return into.commit({ ref: builtRef(`index-${i}`), author, committer: author, message: 'relay: index\n', from: root, fresh: true, files });
  });
  const done = await into.finish(marks);
  if ('failed' in done) throw new RelayError('failed', `The indexes could not be made anew: ${done.failed}`, 'Nothing was changed. Run the command again.');
  return new Map(orders.map(({ ref }, i) => [ref, done.ids[i] as string]));
}

const commitOf = (object: { bytes: Buffer } | null): Commit | undefined => (object ? readCommit(object.bytes) : undefined);
