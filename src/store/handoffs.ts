import { git } from '#git/run.ts';
import { RelayError } from '#lib/errors.ts';
import { asString, atPointer, type JsonObject } from '#lib/json.ts';
import { bytesOf, manifestCard, readCard, readManifest, recordsOf, type StoredCard } from './manifest.ts';
import { isPart, type PlaceOnRemote, parseTracking, replacedRoot } from './names.ts';
import { type Side, sideExists } from './side.ts';
import { keptTombstones, lastPurged, needNotGone } from './tombstones.ts';
import type { HandoffCard, VersionInfo } from './types.ts';
import { heldBackHandoffs } from './withdrawn.ts';

/** All refs of the store, taken apart. */
export interface Refs {
  /** chains of this clone: handoff -> tip */
  own: Map<string, string>;
  /** chains as remotes have them */
  fetched: { remoteKey: string; place: PlaceOnRemote; handoff: string; tip: string }[];
  indexes: { remoteKey: string; place: PlaceOnRemote; writer: string; tip: string }[];
  /** handoffs that vanished from their remote: `<remote key> <handoff>` */
  gone: Set<string>;
}

export async function readRefs(side: Side): Promise<Refs> {
  const refs: Refs = { own: new Map(), fetched: [], indexes: [], gone: new Set() };
  if (!sideExists(side)) return refs;
  const listed = await git(side.git, ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/relay', 'refs/relay-remote']);
  for (const line of listed.split('\n').filter(Boolean)) {
    const tip = line.slice(0, line.indexOf(' '));
    const ref = line.slice(tip.length + 1);
    const own = /^refs\/relay\/s\/([^/]+)\/([^/]+)$/.exec(ref);
    if (own) refs.own.set(`${own[1]}/${own[2]}`, tip);
    const tracking = own ? null : parseTracking(ref);
    if (!tracking) continue;
    const { remoteKey, place, kind, writer, session } = tracking;
    if (place === 'gone') refs.gone.add(`${remoteKey} ${writer}/${session}`);
    else if (kind === 'index') refs.indexes.push({ remoteKey, place, writer, tip });
    else refs.fetched.push({ remoteKey, place, handoff: `${writer}/${session}`, tip });
  }
  return refs;
}

/** The cards of an index commit: session -> card. One process; what is no card is passed over. */
export async function readIndex(side: Side, tip: string): Promise<Map<string, StoredCard>> {
  const listed = await git(side.git, ['ls-tree', '-r', '-z', tip, '--', 'cards']);
  const found: { session: string; blob: string }[] = [];
  for (const entry of listed.split('\0')) {
    const match = /^\d+ blob ([0-9a-f]+)\tcards\/[^/]+\/([^/]+)\.json$/.exec(entry);
    if (match && isPart(match[2] as string)) found.push({ session: match[2] as string, blob: match[1] as string });
  }
  const cards = new Map<string, StoredCard>();
  let i = 0;
  for await (const { bytes } of side.objects.all(
    found.map(({ blob }) => blob),
    256,
  )) {
    const card = readCard(bytes);
    if (card) cards.set((found[i] as { session: string }).session, card);
    i++;
  }
  return cards;
}

/** Cards of chains in this store, from their manifests: commit -> card. A damaged one is passed over. */
export async function readTips(side: Side, tips: readonly string[]): Promise<Map<string, StoredCard>> {
  const cards = new Map<string, StoredCard>();
  const answers = tips.map((tip) => side.objects.get(`${tip}:session.json`));
  for (const [i, answer] of answers.entries()) {
    const tip = tips[i] as string;
    const object = await answer;
    const card = object && tipCard(tip, object.bytes);
    if (card) cards.set(tip, card);
  }
  return cards;
}

function tipCard(tip: string, manifest: Buffer): StoredCard | undefined {
  try {
    return manifestCard(tip, readManifest(manifest, tip).fields);
  } catch {
    return undefined;
  }
}

/** See Store.list. */
export async function listHandoffs(side: Side): Promise<HandoffCard[]> {
  const refs = await readRefs(side);
  const cards = new Map<string, HandoffCard>();
  const tips = new Map(refs.fetched.map((ref) => [`${ref.remoteKey} ${ref.handoff}`, ref.tip]));
  const put = (handoff: string, card: StoredCard | undefined, state: HandoffCard['state']): void => {
    if (!card) return;
    const known = cards.get(handoff);
    // Two remotes, or a remote that keeps relay's refs at two places: the newest one counts.
    if (!known || rank(state) > rank(known.state) || (rank(state) === rank(known.state) && card.version > known.version))
      cards.set(handoff, { handoff, ...card, state });
  };
  const inIndex = new Set<string>();
  for (const index of refs.indexes) {
    for (const [session, card] of await readIndex(side, index.tip)) {
      const handoff = `${index.writer}/${session}`;
      const here = `${index.remoteKey} ${handoff}`;
      inIndex.add(here);
      if (refs.own.has(handoff)) continue;
      put(handoff, card, refs.gone.has(here) ? 'gone' : tips.has(here) ? 'fetched' : 'remote');
    }
  }
  const lost = refs.fetched.filter((ref) => !refs.own.has(ref.handoff) && !inIndex.has(`${ref.remoteKey} ${ref.handoff}`));
  const read = await readTips(side, [...refs.own.values(), ...lost.map((ref) => ref.tip)]);
  for (const [handoff, tip] of refs.own) put(handoff, read.get(tip), 'own');
  for (const { handoff, tip } of lost) put(handoff, read.get(tip), 'gone');
  for (const { handoff, by, at } of refs.own.size ? await heldBackHandoffs(side) : []) {
    const card = cards.get(handoff);
    if (card) card.purged = { by, at };
  }
  return [...cards.values()].sort((a, b) => (a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : a.handoff < b.handoff ? -1 : 1));
}

const rank = (state: HandoffCard['state']): number => ['gone', 'remote', 'fetched', 'own'].indexOf(state);

/** Where a handoff stands here: its newest tip, own before fetched. */
function tipOf(refs: Refs, handoff: string): string | undefined {
  return refs.own.get(handoff) ?? refs.fetched.find((ref) => ref.handoff === handoff)?.tip;
}

/** See Store.versions. */
export async function listVersions(side: Side, handoff: string, tip: string): Promise<VersionInfo[]> {
  const versions = await versionsOfChain(side, handoff, tip);
  const listed = new Set(versions.map(({ commit }) => commit));
  for (const replaced of await replacedTips(side, handoff))
    for (const version of await versionsOfChain(side, handoff, replaced))
      if (!listed.has(version.commit)) {
        listed.add(version.commit);
        versions.push({ ...version, replaced: true });
      }
  return versions.sort((a, b) => a.version - b.version);
}

async function replacedTips(side: Side, handoff: string): Promise<string[]> {
  return (await git(side.git, ['for-each-ref', '--format=%(objectname)', replacedRoot(handoff)])).split('\n').filter(Boolean);
}

/** A fork's older history belongs to the handoff that it came from and is not listed. */
async function versionsOfChain(side: Side, handoff: string, tip: string): Promise<VersionInfo[]> {
  const log = await git(side.git, ['log', '--first-parent', '--no-show-signature', '--format=%H %ct', tip, '--']);
  const commits = log
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' ') as [string, string]);
  const answers = commits.map(([commit]) => side.objects.get(`${commit}:session.json`));
  const versions: VersionInfo[] = [];
  for (const [i, answer] of answers.entries()) {
    const object = await answer;
    const [commit, seconds] = commits[i] as [string, string];
    if (!object) continue;
    const { manifest, fields } = readManifest(object.bytes, commit);
    if (fields.handoff !== handoff) continue;
    versions.push({
      version: fields.version,
      commit,
      date: new Date(Number(seconds) * 1000).toISOString(),
      records: recordsOf(fields.streams),
      bytes: bytesOf(fields.streams),
      redactions: redactionsOf(manifest),
    });
  }
  return versions;
}

/** The manifest's own count, written by the flow as redactions.total. */
function redactionsOf(manifest: JsonObject): number {
  const total = atPointer(manifest, '/redactions/total');
  return typeof total === 'number' ? total : 0;
}

/** A name as people type it: `<writer>/<session>`, `…@3`, `…@{1 hour ago}`, a session or the beginning of one, a commit id. */
export async function resolveName(side: Side, name: string): Promise<{ handoff: string; commit: string }> {
  const match = /^([^@]+)(?:@(?:\{(.+)\}|(\d+)))?$/.exec(name);
  if (!match) throw new RelayError('usage', `"${name}" is no name of a handoff.`, 'Name it <writer>/<session>, with @<n> for a version.');
  const [, plain = '', when, number] = match;
  if (/^[0-9a-f]{7,64}$/.test(plain) && !when && !number) {
    const commit = await byCommit(side, plain);
    if (commit) return commit;
  }
  const refs = await readRefs(side);
  const handoff = oneHandoff(refs, plain) ?? (await notHere(side, refs, plain));
  const tip = tipOf(refs, handoff) as string;
  if (number !== undefined) return { handoff, commit: await byNumber(side, handoff, tip, Number(number)) };
  if (when === undefined) return { handoff, commit: tip };
  const id = (await git(side.git, ['rev-list', '-1', '--first-parent', `--before=${when}`, tip, '--'])).trim();
  const found = (await listVersions(side, handoff, tip)).find((version) => version.commit === id);
  if (!found) throw new RelayError('not-found', `${handoff} had no version at "${when}".`, `See its versions: relay log ${handoff}`);
  return { handoff, commit: id };
}

async function byCommit(side: Side, id: string): Promise<{ handoff: string; commit: string } | undefined> {
  if (!sideExists(side)) return undefined;
  const commit = await side.objects.get(`${id}^{commit}`);
  const manifest = commit ? await side.objects.get(`${commit.id}:session.json`) : null;
  if (!commit || !manifest) return undefined;
  return { handoff: asString(readManifest(manifest.bytes, id).manifest.handoff) ?? '', commit: commit.id };
}

/** The one handoff that a name stands for: itself, or the only one whose session or name begins so. */
function oneHandoff(refs: Refs, name: string): string | undefined {
  const all = [...new Set([...refs.own.keys(), ...refs.fetched.map((ref) => ref.handoff)])];
  if (all.includes(name)) return name;
  const begins = all.filter((handoff) => handoff.startsWith(name) || handoff.slice(handoff.indexOf('/') + 1).startsWith(name));
  const exact = begins.filter((handoff) => handoff.slice(handoff.indexOf('/') + 1) === name);
  const found = exact.length ? exact : begins;
  if (found.length > 1)
    throw new RelayError('ambiguous', `"${name}" could be ${found.slice(0, 5).join(', ')}${found.length > 5 ? ' …' : ''}.`, 'Write the whole name.');
  return found[0];
}

/** Says why there is nothing to open: known from an index only, or not at all. */
async function notHere(side: Side, refs: Refs, name: string): Promise<never> {
  for (const index of refs.indexes) {
    const session = [...(await readIndex(side, index.tip)).keys()].find((one) => one === name || `${index.writer}/${one}` === name);
    if (session) throw new RelayError('not-found', `${index.writer}/${session} has not been fetched yet.`, `Fetch it: relay pull ${index.writer}/${session}`);
  }
  needNotGone(await keptTombstones(side), name);
  throw new RelayError('not-found', `There is no handoff ${name} here.`, 'See what there is: relay pull, then relay list');
}

async function byNumber(side: Side, handoff: string, tip: string, n: number): Promise<string> {
  const versions = await listVersions(side, handoff, tip);
  const found = versions.find((version) => version.version === n);
  if (found) return found.commit;
  const newest = versions.at(-1)?.version ?? 0;
  const hint = `See its versions: relay log ${handoff}`;
  if (n > 0 && n <= (await lastPurged(side, handoff))) throw new RelayError('not-found', `${handoff}@${n} was purged.`, hint);
  if (n > 0 && n < newest)
    throw new RelayError('not-found', `${handoff}@${n} is not kept: it was never sent, and the session was changed in what it held.`, hint);
  throw new RelayError('not-found', `${handoff} has no version ${n}; the newest is ${newest}.`, hint);
}
