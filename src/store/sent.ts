import { readRefs } from './handoffs.ts';
import { ownWriter } from './identity.ts';
import { remotePlace } from './remote.ts';
import { versionsOf } from './rewrite.ts';
import { type Side, sideExists } from './side.ts';
import { treeReader } from './tree.ts';
import type { Remote, SentVersion } from './types.ts';

/** See Store.knows. */
export async function knowsRemote(side: Side, remote: Remote): Promise<boolean> {
  if (!sideExists(side)) return false;
  const { key } = await remotePlace(side, remote);
  return (await readRefs(side)).indexes.some((index) => index.remoteKey === key);
}

/** See Store.sent. A version whose manifest is damaged is nobody's and is passed over. */
export async function sentVersions(side: Side): Promise<SentVersion[]> {
  if (!sideExists(side)) return [];
  const { writer, former } = await ownWriter(side);
  const own = new Set([writer, ...former]);
  const fetched = (await readRefs(side)).fetched.filter(({ handoff }) => own.has(handoff.slice(0, handoff.indexOf('/'))));
  const handoffs = new Set(fetched.map(({ handoff }) => handoff));
  const versions = await versionsOf(
    side,
    fetched.map(({ tip }) => tip),
  );
  const filesOf = treeReader(side);
  const sent: SentVersion[] = [];
  for (const { handoff, n, commit, parsed } of versions) {
    if (!handoffs.has(handoff)) continue;
    const blobs = new Set((await filesOf(parsed.tree)).map(({ id }) => id));
    sent.push({ handoff, version: n, commit, blobs: [...blobs] });
  }
  return sent;
}
