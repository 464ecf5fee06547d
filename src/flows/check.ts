import { RelayError } from '#lib/errors.ts';
import { compareFiles, type Drift, readSnapshot } from '#snapshot/index.ts';
import type { HandoffCard, StoredVersion, VersionInfo } from '#store/types.ts';
import { type Found, find, isLatest } from './find.ts';
import { needRepository, rootOf, type Workspace } from './workspace.ts';

/** The handoff that a name means (`latest`: newest), and the version, where it names one. */
async function namedHandoff(ws: Workspace, name: string): Promise<Extract<Found, { kind: 'handoff' }>> {
  needRepository(ws);
  const found = await find(ws, name, 'handoff');
  if (found.kind === 'handoff') return found;
  throw new RelayError('not-found', `No handoff is called ${name}.`);
}

/** The same, opened: fetched first when only its card is here. */
export async function openNamed(ws: Workspace, name: string): Promise<StoredVersion> {
  const { card, version } = await namedHandoff(ws, name);
  return ws.openHandoff(card, version);
}

/** `check --json`. */
interface Checked {
  handoff: string;
  version: number;
  drift: Drift[];
  /** files of a very long list that were not looked at */
  notCompared?: number;
}

/** That not all files were looked at, in words. */
export const notCompared = (more: number): string => `${more} more files of the session were not compared: its list is too long.`;

/** How the files of a handoff's snapshot stand in this work tree. */
export async function checkHandoff(ws: Workspace, name: string): Promise<Checked> {
  const repository = needRepository(ws);
  const version = await openNamed(ws, name);
  const { more } = readSnapshot(version.files);
  return {
    handoff: version.handoff,
    version: version.n,
    drift: await compareFiles({ root: rootOf(repository), env: ws.env }, version.files),
    ...(more ? { notCompared: more } : {}),
  };
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

/** The versions of a handoff, or with `@n` that one alone; `cards`: all handoffs known here. */
export async function logOf(ws: Workspace, name: string): Promise<{ handoff: string; versions: VersionInfo[]; cards: HandoffCard[] }> {
  needRepository(ws);
  const store = await ws.store();
  const cards = await store.list();
  const { card, version: n } = await namedHandoff(ws, name);
  const { handoff } = card;
  // Whoever names none cannot be told to fetch it.
  if (isLatest(name)) await ws.openHandoff(card);
  const versions = await store.versions(handoff);
  if (n === undefined) return { handoff, versions, cards };
  const one = versions.filter((v) => v.version === n);
  if (one.length) return { handoff, versions: one, cards };
  throw new RelayError('not-found', `${handoff} has no version ${n} here.`, `relay log ${handoff} lists its versions.`);
}
