import { RelayError } from '#lib/errors.ts';
import type { HandoffCard, Store } from '#store/types.ts';
import { findHandoff } from './find.ts';
import { importsHolding, type PurgedImport } from './purged-imports.ts';
import { needRepository, type Workspace } from './workspace.ts';

/** What somebody else purged; `kept`: all of a handoff of one's own, which stays here and is not sent any more. */
type Followed = Awaited<ReturnType<Store['fetch']>>['purged'][number];

/** `pull --json`: what is new, and of whom. */
export interface Pulled {
  new: { handoff: string; version: number; author: string; agent: string; session: string; title: string; updated: string }[];
  /** handoffs whose history was replaced on the remote; the old one is kept here */
  rewritten: string[];
  /** what others purged since: it was removed here too, or taken out of what is kept */
  purged: (Followed & { imports: PurgedImport[] })[];
  /** what git does not take from the remote, each a handoff or the ref of an index, and why */
  refused: { handoff?: string; ref?: string; reason: string }[];
}

/** Fetches the cards of all handoffs, then those updated lately, or just the named one. */
export async function pullHandoffs(ws: Workspace, name: string | undefined, days: number): Promise<Pulled> {
  needRepository(ws);
  const store = await ws.store();
  const remote = await ws.remote();
  const { updated, refused, purged } = await store.fetch(remote, name === undefined ? { days } : { handoffs: [await fullName(ws, name)] });
  const one = refused.find(({ handoff }) => handoff !== undefined);
  if (name !== undefined && one?.handoff !== undefined) throw refusedError(one.handoff, one.reason);
  const cards = new Map((await store.list()).map((card) => [card.handoff, card]));
  const fresh = updated.flatMap(({ handoff }) => cards.get(handoff) ?? []);
  return { new: fresh.map(newRow), rewritten: updated.filter((u) => u.rewritten).map((u) => u.handoff), purged: await withImports(ws, purged), refused };
}

/** Each with the sessions of this machine that were imported from what was purged: they still hold it. */
async function withImports(ws: Workspace, purged: readonly Followed[]): Promise<Pulled['purged']> {
  const holding = await importsHolding(ws, purged);
  return purged.map((one) => ({ ...one, imports: holding(one) }));
}

/** For a handoff that was asked for and is damaged or forged on the remote. */
export const refusedError = (handoff: string, reason: string): RelayError =>
  new RelayError('corrupt', `${handoff} was refused as it comes from the remote: ${reason}`, 'Whoever made it can push it again.');

/** The full name of a handoff that may be known only after the cards were fetched. */
async function fullName(ws: Workspace, name: string): Promise<string> {
  const store = await ws.store();
  const wanted = () => store.list().then((cards) => findHandoff(cards, name)?.card.handoff);
  const known = await wanted();
  if (known) return known;
  await store.fetch(await ws.remote(), { handoffs: [] });
  const found = await wanted();
  if (found) return found;
  const purge = (await store.purges()).findLast(({ handoff, gone }) => gone && handoff === name.replace(/@\d+$/, ''));
  if (purge) throw new RelayError('not-found', `${purge.handoff} was purged by ${purge.by} on ${purge.at.slice(0, 10)}.`, 'See what there is: relay list');
  throw new RelayError('not-found', `The remote has no handoff called ${name}.`, 'relay list shows the handoffs that are known here.');
}

const newRow = ({ handoff, version, author, agent, session, title, updated }: HandoffCard): Pulled['new'][number] => ({
  handoff,
  version,
  author,
  agent,
  session,
  title,
  updated,
});
