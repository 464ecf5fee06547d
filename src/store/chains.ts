import { git } from '#git/run.ts';
import { PLACES, parseTracking } from './names.ts';
import type { Rewritten, Version } from './rewrite.ts';
import type { Scrub } from './scrub.ts';
import type { Side } from './side.ts';
import { moveRefs } from './transfer.ts';
import { treeReader } from './tree.ts';

/** A ref of the store that purging looks at. */
export interface StoreRef {
  ref: string;
  tip: string;
  /** own: a chain of this clone; fetched: as a remote has it; former: from when this clone had another name; aside: only kept for a while */
  kind: 'own' | 'fetched' | 'former' | 'index' | 'gone' | 'aside';
  /** `<writer>/<session>`, or the writer of an index; "" for what is aside */
  name: string;
  remoteKey?: string;
  /** what the remote calls it */
  remoteRef?: string;
}

export async function storeRefs(side: Side): Promise<StoreRef[]> {
  const listed = await git(side.git, ['for-each-ref', '--format=%(objectname) %(refname)']);
  return listed
    .split('\n')
    .filter(Boolean)
    .map((line) => takeApart(line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))));
}

function takeApart(ref: string, tip: string): StoreRef {
  const own = /^refs\/(relay\/s|relay-former)\/([^/]+\/[^/]+)$/.exec(ref);
  if (own) return { ref, tip, kind: own[1] === 'relay-former' ? 'former' : 'own', name: own[2] as string };
  const tracking = parseTracking(ref);
  if (!tracking) return { ref, tip, kind: 'aside', name: '' };
  const { remoteKey, place, kind, writer, session } = tracking;
  if (place === 'gone') return { ref, tip, kind: 'gone', name: `${writer}/${session}`, remoteKey };
  const name = kind === 'index' ? writer : `${writer}/${session}`;
  return { ref, tip, kind: kind === 'index' ? 'index' : 'fetched', name, remoteKey, remoteRef: `${PLACES[place]}/${kind}/${name}` };
}

export const isChain = ({ kind }: StoreRef): boolean => kind === 'own' || kind === 'fetched' || kind === 'former';

/** Takes away the refs that held what was being built, now or by a process that was killed. For whoever has the store alone. */
export const dropBuilt = async (side: Side): Promise<void> =>
  moveRefs(
    side,
    (await storeRefs(side)).flatMap(({ ref }) => (ref.startsWith('refs/relay-new/') ? [[ref, null] as const] : [])),
  );

/** Where a chain stands afterwards: its own tip, another commit, or null when no version of it is left. */
export function chainAfter({ tip, name }: StoreRef, rewritten: Rewritten, belongs: (commit: string) => string | undefined): string | null {
  const stands = rewritten.stands(tip);
  if (stands === tip) return tip;
  return stands !== undefined && belongs(stands) === name ? stands : null;
}

/** Which handoff a commit, old or new, is a version of. */
export function belonging(versions: readonly Version[], { commits }: Rewritten): (commit: string) => string | undefined {
  const names = new Map(versions.flatMap(({ commit, handoff }) => [commit, commits.get(commit) ?? commit].map((id) => [id, handoff] as const)));
  return (commit) => names.get(commit);
}

/** Blobs that the tips reach and that hold the value. */
export async function dirtyBlobs(side: Side, tips: readonly string[], scrub: Scrub): Promise<Set<string>> {
  const dirty = new Set<string>();
  for await (const { id, type, bytes } of side.objects.all(await reachable(side, tips), 16)) if (type === 'blob' && scrub.holds(bytes)) dirty.add(id);
  return dirty;
}

/** The commits that reach one of these commits or blobs. @param versions parents first */
export async function tainted(side: Side, versions: readonly Version[], purged: ReadonlySet<string>): Promise<Set<string>> {
  const found = new Set<string>();
  if (!purged.size) return found;
  const filesOf = treeReader(side);
  for (const { commit, parsed } of versions) {
    const before = parsed.parents.some((parent) => found.has(parent));
    if (before || purged.has(commit) || (await filesOf(parsed.tree)).some(({ id }) => purged.has(id))) found.add(commit);
  }
  return found;
}

/** Every object that the tips reach. */
export async function reachable(side: Side, tips: readonly string[], not: readonly string[] = []): Promise<string[]> {
  if (!tips.length) return [];
  const listed = await git(side.git, ['rev-list', '--objects', '--no-object-names', '--stdin'], `${[...tips, ...not.map((one) => `^${one}`)].join('\n')}\n`);
  return listed.split('\n').filter(Boolean);
}
