import { chooseRemote, type Repository } from '#git/repository.ts';
import { RelayError } from '#lib/errors.ts';
import { appendVersion } from './append.ts';
import { setFormerAside } from './fork.ts';
import { listHandoffs, listVersions, readIndex, readRefs, resolveName } from './handoffs.ts';
import { ownKey, ownWriter, settleAdopted, type Writer } from './identity.ts';
import { addLinks, linkedSessions, relink } from './links.ts';
import { allLinks } from './links-index.ts';
import { checkPart, formerRef, sessionRef } from './names.ts';
import { purge } from './purge.ts';
import { fetchHandoffs } from './receive.ts';
import { knownRemote } from './remote.ts';
import { outgoingObjects, sendHandoffs, sharedHandoffs, unsentHandoffs } from './send.ts';
import { knowsRemote, sentVersions } from './sent.ts';
import { findSide, type Side, type StoreOptions, sideExists } from './side.ts';
import type { Store } from './types.ts';
import { openVersion } from './version.ts';
import { heldBackHandoffs, knownPurges, withdrawnHandoffs } from './withdrawn.ts';

export { sessionName } from './names.ts';
export type { StoreOptions } from './side.ts';

/** The store of a repository. Nothing is written before something has to be. */
export async function openStore(repository: Repository, options: StoreOptions): Promise<Store> {
  const side = await findSide(repository, options);
  return {
    path: side.path,
    home: side.home,
    writer: async () => (await ownWriter(side)).writer,
    key: () => ownKey(side),
    async append(session, build) {
      checkPart(session, 'session');
      const own = await ownWriter(side);
      return appendVersion(side, own.writer, session, build, await whereItStands(side, own, session));
    },
    holds: async (session) => sideExists(side) && (await side.objects.get(`${sessionRef((await ownWriter(side)).writer, session)}^{commit}`)) !== null,
    list: () => listHandoffs(side),
    async versions(handoff) {
      const { handoff: name, commit } = await resolveName(side, handoff);
      return listVersions(side, name, commit);
    },
    async open(name) {
      const { handoff, commit } = await resolveName(side, name);
      return openVersion(side, commit, handoff || undefined);
    },
    link: (entries) => addLinks(side, entries),
    linked: (commits) => linkedSessions(side, commits),
    links: (of) => allLinks(side, of),
    relink: (sessions, made) => relink(side, sessions, made),
    outgoing: (remote, handoffs) => outgoingObjects(side, remote, handoffs),
    async *contents(ids) {
      yield* side.objects.all(ids, 4);
    },
    send: (remote, handoffs, recheck) => sendHandoffs(side, remote, handoffs, recheck),
    purge: (remote, order, options) => purge(side, remote, order, options),
    withdrawn: () => withdrawnHandoffs(side),
    purges: () => knownPurges(side),
    heldBack: () => heldBackHandoffs(side),
    unsent: (remote) => unsentHandoffs(side, remote),
    shared: (remote) => sharedHandoffs(side, remote),
    sent: () => sentVersions(side),
    knows: (remote) => knowsRemote(side, remote),
    fetch: (remote, want) => fetchHandoffs(side, remote, want),
  };
}

/**
 * Before a session is stored for the first time here: a fresh clone under an old name fetches its own chain from the remote
 * that it knows it from; a clone that took a new name goes on from the chain under its former one.
 * @returns the commit to go on from as a fork
 */
async function whereItStands(side: Side, own: Writer, session: string): Promise<string | undefined> {
  const handoff = `${own.writer}/${session}`;
  if (sideExists(side) && (await side.objects.get(`${sessionRef(own.writer, session)}^{commit}`))) return undefined;
  const before = await readRefs(side);
  if (own.adopted) await lookForOwn(side, own);
  if (own.former.length) await setFormerAside(side, before, own.former);
  const index = (await readRefs(side)).indexes.find((one) => one.writer === own.writer);
  if (index && (await readIndex(side, index.tip)).has(session)) {
    const remote = await knownRemote(side, index.remoteKey);
    if (remote) await fetchHandoffs(side, remote, { handoffs: [handoff] });
  }
  for (const name of own.former) {
    const tip = await side.objects.get(`${formerRef(name, session)}^{commit}`);
    if (tip) return tip.id;
  }
  return undefined;
}

/** Fetches the index of the earlier clone. Offline it is tried again next time; until then a chain may begin anew, and a send makes it a fork. */
async function lookForOwn(side: Side, own: Writer): Promise<void> {
  try {
    await fetchHandoffs(side, await chooseRemote(side.repository), {});
    await settleAdopted(side, own);
  } catch (error) {
    if (!(error instanceof RelayError)) throw error;
  }
}
