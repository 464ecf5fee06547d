import { createHash } from 'node:crypto';
import { type Refs, readRefs } from './handoffs.ts';
import { ownWriter } from './identity.ts';
import { commitOf, type Link, readLink } from './link-line.ts';
import { linkSegments, segmentOf, segmentText } from './links.ts';
import { linksPath } from './names.ts';
import type { Scrub } from './scrub.ts';
import { cleaned } from './scrub-files.ts';
import { type Side, sideExists } from './side.ts';
import { purgedObjects } from './tombstones.ts';
import { treeReader } from './tree.ts';

/** The id that git gives to a content. */
const blobId = (side: Side, content: Buffer): string =>
  createHash(side.repository.objectFormat).update(`blob ${content.length}\0`).update(content).digest('hex');

/** The segments of links in an index commit, oldest first. */
async function segmentsIn(side: Side, index: string): Promise<{ path: string; session: string; blob: string }[]> {
  const tree = await side.objects.get(`${index}:links`);
  if (tree?.type !== 'tree') return [];
  const files = await treeReader(side)(tree.id);
  return files
    .flatMap(({ path, id }) => {
      const name = path.slice(path.indexOf('/') + 1);
      const session = segmentOf(name)?.session;
      return session === undefined || path !== linksPath(session, name).slice('links/'.length) ? [] : [{ path: `links/${path}`, name, session, blob: id }];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * What an index lacks of the links of some own sessions: path -> content. Nothing that others purged.
 * @param there the index as the remote has it; undefined: none
 */
export async function missingLinks(
  side: Side,
  there: string | undefined,
  sessions: ReadonlySet<string>,
): Promise<Map<string, { session: string; content: Buffer }>> {
  const missing = new Map<string, { session: string; content: Buffer }>();
  const segments = await linkSegments(side, (session) => sessions.has(session));
  if (!segments.length) return missing;
  const known = new Map(there ? (await segmentsIn(side, there)).map(({ path, blob }) => [path, blob]) : []);
  const purged = await purgedObjects(side);
  for (const segment of segments) {
    const path = linksPath(segment.session, segment.name);
    const blob = known.get(path);
    let content: Buffer = Buffer.from(await segmentText(side, segment));
    if (!content.length || blobId(side, content) === blob || purged.has(blobId(side, content))) continue;
    if (blob) content = await joined(side, blob, content);
    if (blobId(side, content) !== blob) missing.set(path, { session: segment.session, content });
  }
  return missing;
}

/** With what only the remote has of a segment: a copy of this clone may have gone on with the same one. */
async function joined(side: Side, blob: string, content: Buffer): Promise<Buffer> {
  const there = (await side.objects.get(blob))?.bytes ?? Buffer.alloc(0);
  if (content.subarray(0, there.length).equals(there)) return content;
  const here = content.toString('utf8');
  const commits = new Set(here.split('\n').map((line) => readLink(line)?.commit));
  const others = there
    .toString('utf8')
    .split('\n')
    .filter((line) => line && !commits.has(readLink(line)?.commit));
  return Buffer.from(`${here}${others.map((line) => `${line}\n`).join('')}`);
}

/** Own sessions, of those named, whose links the index lacks. */
export const unsentLinks = async (side: Side, there: string | undefined, sessions: ReadonlySet<string>): Promise<Set<string>> =>
  new Set([...(await missingLinks(side, there, sessions)).values()].map(({ session }) => session));

/** Whether an index holds these segments as they are. */
export async function holdsLinks(side: Side, index: string, links: ReadonlyMap<string, { content: Buffer }>): Promise<boolean> {
  const known = links.size ? new Map((await segmentsIn(side, index)).map(({ path, blob }) => [path, blob])) : new Map<string, string>();
  return [...links].every(([path, { content }]) => known.get(path) === blobId(side, content));
}

/**
 * The links that an index made anew keeps: those of sessions that it has a card of, without the value.
 * @returns path -> blob id, or the new content; `becomes`: what was changed, old id -> new one
 */
export async function linksAfter(
  side: Side,
  index: string,
  keeps: (session: string) => boolean,
  scrub: Scrub | undefined,
): Promise<{ files: Map<string, string | Buffer>; becomes: [string, string][] }> {
  const files = new Map<string, string | Buffer>();
  const becomes: [string, string][] = [];
  for (const { path, session, blob } of await segmentsIn(side, index)) {
    if (!keeps(session)) continue;
    const content = scrub && (await side.objects.get(blob))?.bytes;
    const clean = content && scrub.holds(content) ? Buffer.from(cleaned(content.toString('utf8'), scrub)) : undefined;
    files.set(path, clean ?? blob);
    if (clean) becomes.push([blob, blobId(side, clean)]);
  }
  return { files, becomes };
}

/** See Store.links. What stands in a clone and in its index is told once. */
export async function allLinks(side: Side, of?: ReadonlySet<string>): Promise<{ handoff: string; link: Link }[]> {
  const found = new Map<string, { handoff: string; link: Link }>();
  const take = (handoff: string, text: string): void => {
    for (const line of text.split('\n')) {
      const key = `${handoff} ${line}`;
      const link = line && !found.has(key) && (!of || of.has(commitOf(line))) ? readLink(line) : undefined;
      if (link) found.set(key, { handoff, link });
    }
  };
  const { indexes }: Pick<Refs, 'indexes'> = sideExists(side) ? await readRefs(side) : { indexes: [] };
  for (const { writer, tip } of indexes) {
    const segments = await segmentsIn(side, tip);
    let i = 0;
    for await (const { bytes } of side.objects.all(
      segments.map(({ blob }) => blob),
      64,
    ))
      take(`${writer}/${segments[i++]?.session}`, bytes.toString('utf8'));
  }
  const own = await linkSegments(side);
  const { writer } = own.length ? await ownWriter(side) : { writer: '' };
  for (const segment of own) take(`${writer}/${segment.session}`, await segmentText(side, segment));
  return [...found.values()];
}
