import { RelayError } from '#lib/errors.ts';
import type { SessionSource } from '#session/source.ts';
import type { HandoffCard, Remote, Store, StoredVersion } from '#store/types.ts';

/**
 * The newest version of a session that this clone does not hold, from whoever sent it: a clone that lost its store, or was made
 * anew, must not let out what it took out before. Offline there is none to be had, and nothing can be sent either. Not to be called while
 * the session is being appended to: fetching may have to wait until nobody writes to the store.
 */
export async function formerVersion(store: Store, source: SessionSource, remote: Remote | undefined): Promise<StoredVersion | null> {
  try {
    const card = newestOf(await store.list(), source);
    if (!card) return null;
    if (card.state === 'remote' && remote) await store.fetch(remote, { handoffs: [card.handoff] });
    return await store.open(card.handoff);
  } catch (error) {
    if (error instanceof RelayError) return null;
    throw error;
  }
}

const newestOf = (cards: readonly HandoffCard[], { agent, id }: SessionSource): HandoffCard | undefined =>
  cards
    .filter((card) => card.agent === agent && card.session === id)
    .sort((a, b) => (a.updated < b.updated ? -1 : 1))
    .at(-1);
