import { stat } from 'node:fs/promises';
import { RelayError } from '#lib/errors.ts';
import type { SessionCard } from '#session/source.ts';
import { sessionName } from '#store/index.ts';
import type { Remote, Store } from '#store/types.ts';
import { findLocal, localSessions } from './find.ts';
import { readImports } from './registry.ts';
import { isExcluded } from './work.ts';
import { needRepository, type Workspace } from './workspace.ts';

/** The sessions that a push means: the named ones, else this project's newest and those shared already. */
export async function sessionsToPush(ws: Workspace, names: string[], all: boolean, findRemote: () => Promise<Remote | undefined>): Promise<SessionCard[]> {
  needRepository(ws);
  if (names.length) {
    const named = [];
    for (const name of names) named.push((await findLocal(ws, name)).card);
    return named;
  }
  const cards = await withoutUntouchedImports(
    ws,
    (await localSessions(ws)).filter((card) => !isExcluded(ws, card)),
  );
  const store = await ws.store();
  const mayLeave = await notPurged(store);
  if (all) return cards.filter(mayLeave);
  // What was only made here, and not sent, nobody agreed to share.
  const remote = await findRemote();
  const shared = new Set(remote ? await store.shared(remote) : []);
  const writer = shared.size ? await store.writer() : '';
  // The newest one may be purged; then it is not the next one that is meant.
  const chosen = cards.filter((card, i) => mayLeave(card) && (i === 0 || shared.has(`${writer}/${sessionName(card.agent, card.id)}`)));
  if (chosen.length) return chosen;
  const [newest] = cards;
  if (newest)
    throw new RelayError('not-found', 'The newest session of this project was purged.', `To share it again, name it: relay push ${newest.agent}:${newest.id}`);
  throw new RelayError(
    'not-found',
    'No agent on this machine has a session for this project.',
    'relay sessions --all lists the sessions of all projects; name one to push it.',
  );
}

/** What was purged is shared again only by name. */
async function notPurged(store: Store): Promise<(card: SessionCard) => boolean> {
  const withdrawn = await store.withdrawn();
  const writer = withdrawn.size ? await store.writer() : '';
  return (card) => !withdrawn.has(`${writer}/${sessionName(card.agent, card.id)}`);
}

/** File times of an import and its note differ by less, in ms. */
const SAME_MOMENT = 5000;

/** Without sessions that an import made and nobody went on with: whoever they came from has them already. */
async function withoutUntouchedImports(ws: Workspace, cards: SessionCard[]): Promise<SessionCard[]> {
  const made = new Map((await readImports(ws)).map((entry) => [entry.to, Date.parse(entry.at)]));
  const untouched = async (card: SessionCard): Promise<boolean> => {
    const at = made.get(`${card.agent}:${card.id}`);
    return at !== undefined && (await stat(card.path)).mtimeMs <= at + SAME_MOMENT;
  };
  const flags = await Promise.all(cards.map(untouched));
  return cards.filter((_, i) => !flags[i]);
}
