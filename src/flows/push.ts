import { RelayError } from '#lib/errors.ts';
import type { SessionCard } from '#session/source.ts';
import { sessionName } from '#store/index.ts';
import type { Remote, Store } from '#store/types.ts';
import { findLocal, localSessions } from './find.ts';
import { type HeldBack, heldBackFrom, refusalOf } from './held-back.ts';
import { withoutUntouchedImports } from './untouched.ts';
import { isExcluded } from './work.ts';
import { needRepository, type Workspace } from './workspace.ts';

/** The sessions that a push means: the named ones in their order, else this project's newest and those shared already. */
export async function sessionsToPush(ws: Workspace, names: string[], all: boolean, findRemote: () => Promise<Remote | undefined>): Promise<SessionCard[]> {
  needRepository(ws);
  if (names.length) {
    const named = [];
    for (const name of names) named.push(name === LATEST ? await newest(ws, findRemote) : (await findLocal(ws, name)).card);
    return named;
  }
  const here = await localSessions(ws);
  const free = here.filter((card) => !isExcluded(ws, card));
  const cards = await withoutUntouchedImports(ws, free);
  const remote = await findRemote();
  const heldBack = await heldBackFrom(ws, remote);
  const mayLeave = (card: SessionCard): boolean => !heldBack(card);
  if (all) return cards.filter(mayLeave);
  const store = await ws.store();
  // What was only made here, and not sent, nobody agreed to share.
  const shared = new Set(remote ? await store.shared(remote) : []);
  const writer = shared.size ? await store.writer() : '';
  // The newest one may be purged; then it is not the next one that is meant.
  const chosen = cards.filter((card, i) => mayLeave(card) && (i === 0 || shared.has(`${writer}/${sessionName(card.agent, card.id)}`)));
  if (chosen.length) return chosen;
  const [first] = cards.length ? cards : free;
  throw nothingToPush(here, first, first && heldBack(first));
}

const LATEST = 'latest';

/** The newest one that somebody worked in: a copy that was only imported hides none. */
async function newest(ws: Workspace, findRemote: () => Promise<Remote | undefined>): Promise<SessionCard> {
  const here = await localSessions(ws);
  const [card] = await withoutUntouchedImports(ws, here);
  if (card) return card;
  const [copy] = here;
  throw nothingToPush(here, copy, copy && (await heldBackFrom(ws, await findRemote()))(copy));
}

/**
 * @param here this project's sessions
 * @param newest of those that the settings do not exclude; if there is one and nothing holds it back, it is an untouched import
 */
function nothingToPush(here: readonly SessionCard[], newest?: SessionCard, held?: HeldBack): RelayError {
  if (newest && held) return refusalOf(newest, held);
  if (newest)
    return new RelayError(
      'not-found',
      `There is nothing new to push: ${newest.agent}:${newest.id} was imported and has not changed since, so whoever it came from has it.`,
      `To share it all the same, name it: relay push ${newest.agent}:${newest.id}`,
    );
  if (here.length)
    return new RelayError('not-found', 'The settings exclude every session of this project from sharing (share.exclude).', 'See them: relay sessions');
  return new RelayError(
    'not-found',
    'No agent on this machine has a session for this project.',
    'relay sessions --all lists the sessions of all projects; name one to push it.',
  );
}

/**
 * A clone that was never in touch with a remote learns what was shared and what was purged there. Offline there is nothing to be learned, and nothing to
 * be sent either. Not to be called while a session is being stored: following a purge waits until nobody writes.
 */
export async function meet(store: Store, remote: Remote): Promise<void> {
  if (await store.knows(remote)) return;
  await store.fetch(remote, {}).catch((error: unknown) => {
    if (!(error instanceof RelayError)) throw error;
  });
}

/** Stops where one of the sessions would bring back what was purged. @param names as they were typed, for the same sessions; `latest` names none */
export async function needNotPurged(ws: Workspace, remote: Remote, cards: readonly SessionCard[], names: readonly string[]): Promise<void> {
  const heldBack = await heldBackFrom(ws, remote);
  for (const [i, card] of cards.entries()) {
    const held = heldBack(card, names[i] !== undefined && names[i] !== LATEST);
    if (held) throw refusalOf(card, held);
  }
}
