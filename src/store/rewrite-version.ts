import { RelayError } from '#lib/errors.ts';
import { asArray, asObject, asString, type Json, type JsonObject } from '#lib/json.ts';
import { attachmentId } from '#session/codec.ts';
import { readManifest, type StreamEntry, streamEntry } from './manifest.ts';
import { attachmentPath, segmentPath } from './names.ts';
import type { Scrub } from './scrub.ts';
import type { Segment } from './segments.ts';
import type { Side } from './side.ts';
import type { TreeFile } from './tree.ts';
import { segmentLines } from './version.ts';

/** A blob that takes the place of another, with what else it brings. */
interface Made {
  bytes: Buffer;
  /** attachments that its records name, by sha256 */
  attachments: Map<string, Buffer>;
  /** places at which something was put in */
  marks: number;
}

/** Changes to the tree of a version: path -> new content, null takes the file away. */
export type Changes = Map<string, Buffer | null>;

const inTheWay = (what: string): RelayError => new RelayError('secret-left', `The value stands in ${what}, a place that cannot be edited.`);

/** One version while the value is taken out of it. */
interface Work {
  /** by path */
  files: ReadonlyMap<string, TreeFile>;
  /** attachments that hold the value: sha256 -> blob */
  gone: ReadonlyMap<string, string>;
  agent: string;
  changes: Changes;
  /** places at which something was put in */
  marks: number;
}

/**
 * Takes a value out of versions. What was made once is used for every version that shares it, so equal segments stay equal, and a segment ends where it
 * did before: records keep their numbers.
 * @param dirty blobs that hold the value
 */
export function versionScrubber(side: Side, scrub: Scrub, dirty: ReadonlySet<string>) {
  const known = new Map<string, Promise<Made>>();
  const read = async (id = ''): Promise<Buffer> => {
    const object = id ? await side.objects.get(id) : null;
    if (!object) throw new RelayError('corrupt', `The store lacks the object ${id}.`);
    return object.bytes;
  };
  const once = (id: string, what: string, make: () => Promise<Made>): Promise<Made> => {
    const made = known.get(id) ?? make().then((one) => checked(one, scrub, what));
    known.set(id, made);
    return made;
  };
  const plain = (id: string, what: string): Promise<Made> =>
    once(id, what, async () => {
      const bytes = scrub.bytes(await read(id));
      return { bytes, attachments: new Map(), marks: marksIn(bytes, scrub.mark) };
    });
  const segment = ({ files, gone, agent }: Work, id: string): Promise<Made> =>
    once(id, 'a record', async () => scrubSegment(await read(id), scrub, agent, gone, (sha256) => read(files.get(attachmentPath(sha256))?.id)));

  /** The streams as the manifest is to list them. */
  async function scrubStreams(work: Work, streams: readonly StreamEntry[]): Promise<StreamEntry[]> {
    const made: StreamEntry[] = [];
    for (const stream of streams) {
      const segments: Segment[] = [];
      for (const [i, pair] of stream.segments.entries()) {
        const path = segmentPath(stream.name, i);
        const id = work.files.get(path)?.id ?? '';
        if (dirty.has(id) || (work.gone.size && names(await read(id), work.gone))) {
          const now = await segment(work, id);
          put(work, path, now);
          segments.push([pair[0], now.bytes.length]);
        } else segments.push(pair);
      }
      made.push(streamEntry(stream.name, segments));
    }
    return made;
  }

  /** What became of the files that lie beside the transcript: old sha256 -> new content. */
  async function scrubBeside(work: Work, manifest: JsonObject): Promise<Map<string, Buffer>> {
    const beside = new Map<string, Buffer>();
    for (const file of asArray(manifest.files)) {
      const sha256 = asString(asObject(file)?.sha256) ?? '';
      const id = work.gone.get(sha256);
      if (id === undefined) continue;
      const made = await plain(id, 'a file beside the transcript');
      beside.set(sha256, made.bytes);
      put(work, attachmentPath(attachmentId(made.bytes)), made);
    }
    return beside;
  }

  return {
    /** @returns what changes in the tree; empty where nothing of it holds the value. Throws `secret-left`. */
    async changes(all: readonly TreeFile[]): Promise<Changes> {
      for (const { path, mode, id } of all) if (scrub.inName(path) || (dirty.has(id) && mode !== '100644')) throw inTheWay('the name or kind of a file');
      if (!all.some(({ id }) => dirty.has(id))) return new Map();
      const files = new Map(all.map((file) => [file.path, file]));
      const { manifest, fields } = readManifest(await read(files.get('session.json')?.id), 'a version');
      const agent = asString(asObject(manifest.agent)?.id) ?? asString(manifest.agent) ?? '';
      const stale = all.filter(({ path, id }) => path.startsWith('attachments/') && dirty.has(id));
      const gone = new Map(stale.map(({ path, id }) => [path.slice(path.lastIndexOf('/') + 1), id]));
      const work: Work = { files, gone, agent, changes: new Map(), marks: 0 };
      const streams = await scrubStreams(work, fields.streams);
      const beside = await scrubBeside(work, manifest);
      for (const { path } of stale) work.changes.set(path, null);
      for (const { path, id } of all)
        if (dirty.has(id) && !work.changes.has(path) && path !== 'session.json') put(work, path, await plain(id, 'a file of the version'));
      const text = scrub.text(JSON.stringify(manifest));
      const total = work.marks + marksIn(Buffer.from(text), scrub.mark);
      const bytes = Buffer.from(`${JSON.stringify(amended(JSON.parse(text) as JsonObject, streams, beside, total))}\n`);
      if (scrub.holds(bytes)) throw inTheWay('session.json');
      return work.changes.set('session.json', bytes);
    },
  };
}

function put(work: Work, path: string, made: Made): void {
  work.changes.set(path, made.bytes);
  for (const [sha256, bytes] of made.attachments) if (!work.files.has(attachmentPath(sha256))) work.changes.set(attachmentPath(sha256), bytes);
  work.marks += made.marks;
}

function checked(made: Made, scrub: Scrub, what: string): Made {
  if ([made.bytes, ...made.attachments.values()].some((bytes) => scrub.holds(bytes))) throw inTheWay(what);
  return made;
}

/** The manifest with what follows from the changed content. */
function amended(manifest: JsonObject, streams: StreamEntry[], beside: ReadonlyMap<string, Buffer>, marks: number): JsonObject {
  const files = asArray(manifest.files).map((file) => {
    const bytes = beside.get(asString(asObject(file)?.sha256) ?? '');
    return bytes ? { ...asObject(file), sha256: attachmentId(bytes), bytes: bytes.length } : file;
  });
  const redactions = asObject(manifest.redactions);
  const byKind = asObject(redactions?.byKind);
  const number = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);
  return {
    ...manifest,
    streams: streams as unknown as Json,
    ...('files' in manifest ? { files } : {}),
    ...(redactions
      ? {
          redactions: {
            ...redactions,
            total: number(redactions.total) + marks,
            ...(byKind ? { byKind: { ...byKind, purged: number(byKind.purged) + marks } } : {}),
          },
        }
      : {}),
  };
}

async function scrubSegment(
  bytes: Buffer,
  scrub: Scrub,
  agent: string,
  gone: ReadonlyMap<string, string>,
  load: (sha256: string) => Promise<Buffer>,
): Promise<Made> {
  const attachments = new Map<string, Buffer>();
  const detach = (content: Buffer): string => {
    const sha256 = attachmentId(content);
    attachments.set(sha256, content);
    return sha256;
  };
  const lines: string[] = [];
  for (const line of segmentLines(bytes)) {
    const raw = Buffer.from(line);
    const touched = scrub.holds(raw) || (gone.size > 0 && names(raw, gone));
    lines.push(touched ? await scrub.line(line, agent, load, detach) : line);
  }
  const made = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  const put = [made, ...attachments.values()].reduce((sum, one) => sum + marksIn(one, scrub.mark), 0);
  return { bytes: made, attachments, marks: put - marksIn(bytes, scrub.mark) };
}

/** Does a segment name one of these attachments? */
const names = (bytes: Buffer, gone: ReadonlyMap<string, string>): boolean => [...gone.keys()].some((sha256) => bytes.includes(sha256));

function marksIn(bytes: Buffer, mark: string): number {
  let count = 0;
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + mark.length)) count++;
  return count;
}
