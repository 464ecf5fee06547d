import { RelayError } from '#lib/errors.ts';
import { compareFiles, type Drift } from '#snapshot/index.ts';
import type { StoredVersion, VersionInfo } from '#store/types.ts';
import { find, findHandoff } from './find.ts';
import { needRepository, rootOf, type Workspace } from './workspace.ts';

/** Opens the handoff that a name means (`latest`: newest), fetching it when only its card is here. */
export async function openNamed(ws: Workspace, name: string): Promise<StoredVersion> {
  needRepository(ws);
  const found = await find(ws, name, 'handoff');
  if (found.kind === 'handoff') return ws.openHandoff(found.card, found.version);
  throw new RelayError('not-found', `No handoff is called ${name}.`);
}

/** `check --json`: how the files of a handoff's snapshot stand in this work tree. */
export async function checkHandoff(ws: Workspace, name: string): Promise<{ handoff: string; version: number; drift: Drift[] }> {
  const repository = needRepository(ws);
  const version = await openNamed(ws, name);
  return { handoff: version.handoff, version: version.n, drift: await compareFiles({ root: rootOf(repository), env: ws.env }, version.files) };
}

/** The two versions that a diff compares: the two named, or the last two of one handoff. */
export async function versionsToDiff(ws: Workspace, from: string, to: string | undefined): Promise<[StoredVersion, StoredVersion]> {
  if (to !== undefined) return [await openNamed(ws, from), await openNamed(ws, to)];
  const newest = await openNamed(ws, from);
  const versions: VersionInfo[] = await (await ws.store()).versions(newest.handoff);
  const before = versions.filter((v) => v.version < newest.n).at(-1);
  if (!before) throw new RelayError('not-found', `${newest.handoff} has one version only.`, 'Name two versions, e.g. relay diff <handoff>@1 <handoff>@2.');
  return [await openNamed(ws, `${newest.handoff}@${before.version}`), newest];
}

/** `log --json`. */
export async function logOf(ws: Workspace, name: string): Promise<{ handoff: string; versions: VersionInfo[] }> {
  needRepository(ws);
  const store = await ws.store();
  const handoff = findHandoff(await store.list(), name)?.card.handoff ?? (await openNamed(ws, name)).handoff;
  return { handoff, versions: await store.versions(handoff) };
}
