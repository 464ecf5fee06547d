import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type GitPlace, tryGit } from '#git/run.ts';
import { transportEnv } from '#git/transport.ts';
import { withoutUserinfo } from '#git/url.ts';
import { RelayError } from '#lib/errors.ts';
import { asObject, asString, type Json, type JsonObject } from '#lib/json.ts';
import { readJsonFile, writeWhole } from './files.ts';
import { PLACES, type PlaceOnRemote } from './names.ts';
import type { Side } from './side.ts';
import type { Remote } from './types.ts';

/** A remote as the store reaches it. */
export interface Reach {
  /** stands for its address in refs and files */
  key: string;
  /** what is said to git: the remote's name in the user's repository, so that no password comes into an argument list; else the address */
  address: string;
  /** for people */
  shown: string;
  /** the address that git is asked about, for pasting */
  pasted: string;
  place: PlaceOnRemote;
  git: GitPlace;
}

/** What was sent to one address says nothing of another. */
const key = ({ url, pushUrls = [] }: Remote): string =>
  createHash('sha256')
    .update([url, ...pushUrls].map(withoutUserinfo).join(' '))
    .digest('hex')
    .slice(0, 12);

/** Key and place of a remote, without looking at it. */
export async function remotePlace(side: Side, remote: Remote): Promise<{ key: string; place: PlaceOnRemote }> {
  const known = await readKnown(side);
  const id = key(remote);
  return { key: id, place: placeFor(remote, asObject(known[id])?.aside === true) };
}

function placeFor(remote: Remote, aside: boolean): PlaceOnRemote {
  const namespace = remote.namespace ?? PLACES.r;
  if (namespace === PLACES.r) return 'r';
  if (namespace === PLACES.b) return aside ? 'o' : 'b';
  throw new RelayError('config', `store.namespace is "${namespace}"; it can be ${PLACES.r} or ${PLACES.b}.`);
}

/** Everything that it takes to talk to a remote: the user's git with the user's transport settings, on the side repository. */
export async function reach(side: Side, remote: Remote): Promise<Reach> {
  const { key: id, place } = await remotePlace(side, remote);
  const { env, remotes } = await transportEnv(side.user);
  const named = remote.name !== undefined && remotes.has(remote.name);
  const address = named ? (remote.name as string) : remote.url;
  const url = withoutUserinfo(remote.url);
  if (address.startsWith('-')) throw new RelayError('usage', `"${withoutUserinfo(address)}" is no address of a remote.`);
  return {
    key: id,
    address,
    shown: remote.name ? `${remote.name} (${url})` : url,
    pasted: named ? address : url,
    place,
    git: { ...side.git, env, ...(side.user.cwd ? { cwd: side.user.cwd } : {}) },
  };
}

/**
 * Stops where git would send to another address than the one that was agreed to: the remote was changed since. Asked after `reach`, which has read for the last
 * time what a name stands for. RelayError `blocked`.
 */
export async function needSameAddress(side: Side, { address, shown }: Reach, remote: Remote): Promise<void> {
  if (address !== remote.name) return;
  const { stdout } = await tryGit(side.user, ['remote', 'get-url', '--push', '--all', '--', address]);
  const agreed = remote.pushUrls ?? [remote.url];
  if (stdout.toString('utf8') === agreed.map((url) => `${url}\n`).join('')) return;
  throw new RelayError(
    'blocked',
    `The address of ${shown} was changed meanwhile, so nothing was sent.`,
    'Look at it, then run the command again: git remote -v',
  );
}

/** What is remembered of remotes, by key: {name?, url without userinfo, namespace?, aside?}. */
const knownFile = (side: Side): string => join(side.home, 'remotes.json');
const readKnown = async (side: Side): Promise<JsonObject> => asObject((await readJsonFile(knownFile(side))) as Json | undefined) ?? {};

/** Remembers a remote, so that its handoffs can be fetched again by name. `aside`: it has a branch named relay. */
export async function rememberRemote(side: Side, remote: Remote, aside?: boolean): Promise<void> {
  const known = await readKnown(side);
  const id = key(remote);
  const before = asObject(known[id]);
  const now: JsonObject = {
    ...(remote.name ? { name: remote.name } : {}),
    url: withoutUserinfo(remote.url),
    ...(remote.namespace ? { namespace: remote.namespace } : {}),
    ...(aside || before?.aside ? { aside: true } : {}),
  };
  if (JSON.stringify(before) !== JSON.stringify(now)) await writeWhole(knownFile(side), `${JSON.stringify({ ...known, [id]: now }, null, 1)}\n`);
}

/** A remembered remote; with its address from the user's repository where it has a name there. */
export async function knownRemote(side: Side, id: string): Promise<Remote | undefined> {
  const entry = asObject((await readKnown(side))[id]);
  const url = asString(entry?.url);
  if (!url) return undefined;
  const name = asString(entry?.name);
  const namespace = asString(entry?.namespace);
  const current = (await side.repository.remotes()).find((remote) => remote.name === name);
  if (!current) return { url, ...(namespace ? { namespace } : {}) };
  const { isUpstream: _, ...address } = current;
  return { ...address, ...(namespace ? { namespace } : {}) };
}
