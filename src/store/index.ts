import type { Repository } from '#git/repository.ts';
import { appendVersion } from './append.ts';
import { listHandoffs, listVersions, readRefs, resolveName } from './handoffs.ts';
import { ownKey, ownWriter } from './identity.ts';
import { checkPart } from './names.ts';
import { fetchHandoffs } from './receive.ts';
import { knownRemote } from './remote.ts';
import { outgoingObjects, sendHandoffs, unsentHandoffs } from './send.ts';
import { findSide, type Side, type StoreOptions } from './side.ts';
import type { Store } from './types.ts';
import { openVersion } from './version.ts';

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
      const { writer, former } = await ownWriter(side);
      return appendVersion(side, writer, session, build, await whereItStands(side, writer, former, session));
    },
    list: () => listHandoffs(side),
    async versions(handoff) {
      const { handoff: name, commit } = await resolveName(side, handoff);
      return listVersions(side, name, commit);
    },
    async open(name) {
      const { handoff, commit } = await resolveName(side, name);
      return openVersion(side, commit, handoff || undefined);
    },
    outgoing: (remote, handoffs) => outgoingObjects(side, remote, handoffs),
    async *contents(ids) {
      yield* side.objects.all(ids, 4);
    },
    send: (remote, handoffs) => sendHandoffs(side, remote, handoffs),
    unsent: (remote) => unsentHandoffs(side, remote),
    fetch: (remote, want) => fetchHandoffs(side, remote, want),
  };
}

/**
 * Before a session is stored for the first time here: a fresh clone under an old name fetches its own chain from the remote
 * that it knows it from; a clone that took a new name goes on from the chain under its former one.
 * @returns the commit to go on from as a fork
 */
async function whereItStands(side: Side, writer: string, former: readonly string[], session: string): Promise<string | undefined> {
  const refs = await readRefs(side);
  const handoff = `${writer}/${session}`;
  if (refs.own.has(handoff)) return undefined;
  const tracked = refs.fetched.find((ref) => ref.handoff === handoff) ?? refs.indexes.find((index) => index.writer === writer);
  const remote = tracked ? await knownRemote(side, tracked.remoteKey) : undefined;
  if (remote && (await listHandoffs(side)).some((card) => card.handoff === handoff && card.state !== 'gone')) await fetchHandoffs(side, remote, { handoffs: [handoff] });
  return former.map((name) => refs.own.get(`${name}/${session}`)).find((tip) => tip !== undefined);
}
