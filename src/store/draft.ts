import { createHash } from 'node:crypto';
import { type FastImport, fastImport, type Signature } from '#git/fast-import.ts';
import { RelayError } from '#lib/errors.ts';
import type { StreamEntry } from './manifest.ts';
import { attachmentPath, segmentPath } from './names.ts';
import type { Side } from './side.ts';
import { type StreamWriter, streamWriter } from './stream-writer.ts';
import type { NewVersion } from './types.ts';
import { type OpenVersion, segmentLines } from './version.ts';

/** The same commit in every store: no parent, no files, fixed identity and date. So any two versions have a common ancestor. */
const ROOT: Signature = { name: 'relay', email: 'relay@localhost', seconds: 0 };
export const ROOT_COMMIT = { author: ROOT, committer: ROOT, message: 'relay: root of all sessions\n' };

const EMPTY_TREE = { sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904', sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321' };

/** Its id: every chain reaches it. */
export function rootId(format: 'sha1' | 'sha256'): string {
  const line = `${ROOT.name} <${ROOT.email}> ${ROOT.seconds} +0000`;
  const text = `tree ${EMPTY_TREE[format]}\nauthor ${line}\ncommitter ${line}\n\n${ROOT_COMMIT.message}`;
  return createHash(format).update(`commit ${text.length}\0${text}`).digest('hex');
}

/**
 * Up to this many bytes a version is compressed as well as git does by default, since every push sends it again; above, as fast
 * as possible (half the time for a sixth more bytes; figures in docs/decisions/0006-store.md).
 */
const THOROUGH_UP_TO = 4 * 1024 * 1024;
const THOROUGH = 6;
const FAST = 1;

/** Blobs on their way into git. The import starts when it is clear whether they are many. */
function blobQueue(side: Side, files: Map<string, string | null>) {
  let running: FastImport | undefined;
  let held: [string, Buffer][] = [];
  let bytes = 0;
  const start = (level: number): FastImport => {
    running = fastImport(side.git, level);
    for (const [path, blob] of held) files.set(path, running.blob(blob));
    held = [];
    return running;
  };
  return {
    add(path: string, blob: Buffer): void {
      bytes += blob.length;
      if (running) files.set(path, running.blob(blob));
      else held.push([path, blob]);
      if (!running && bytes > THOROUGH_UP_TO) start(FAST);
    },
    import: (): FastImport => running ?? start(THOROUGH),
    running: (): FastImport | undefined => running,
  };
}

/** A version that takes the place of unsent ones goes on from the last that was sent, or from none. */
export interface Instead {
  from: string | undefined;
}

/** Collects what a new version holds while `build` runs. */
export function versionDraft(side: Side, base: OpenVersion | null) {
  const streams = new Map<string, StreamWriter>();
  const files = new Map<string, string | null>();
  const blobs = blobQueue(side, files);
  const attachments = new Set<string>();
  let entries: StreamEntry[] = [];
  let keeps = false;

  return {
    writer: {
      stream(name: string, keep: number, header: string) {
        if (streams.has(name)) throw new RelayError('failed', `Stream ${name} was opened twice.`);
        if (keep > 0) keeps = true;
        const stored = base?.fields.streams.find((stream) => stream.name === name);
        const load = async (index: number): Promise<string[]> => {
          const path = segmentPath(name, index);
          const segment = await side.objects.get(`${base?.commit}:${path}`);
          if (!segment) throw new RelayError('corrupt', `${base?.handoff}@${base?.n} lacks ${path}.`);
          return segmentLines(segment.bytes);
        };
        const stream = streamWriter(name, keep, header, stored, load, blobs.add);
        streams.set(name, stream);
        return { write: stream.write };
      },
      attachment(bytes: Buffer): string {
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        if (!attachments.has(sha256)) {
          attachments.add(sha256);
          blobs.add(attachmentPath(sha256), bytes);
        }
        return sha256;
      },
      drained: async () => blobs.running()?.drained(),
    },
    /** True when nothing of the stored version was kept. */
    anew: () => !keeps,
    async finish(): Promise<void> {
      entries = await Promise.all([...streams].map(async ([, stream]) => (await stream.finish()).entry));
    },
    /** Answers whether there was anything to stop. */
    async abort(): Promise<boolean> {
      await blobs.running()?.abort();
      return blobs.running() !== undefined;
    },
    async commit(
      ref: string,
      handoff: string,
      n: number,
      built: NewVersion,
      parent: string | undefined,
      instead?: Instead,
    ): Promise<{ commit: string } | { failed: string; moved: boolean }> {
      const into = blobs.import();
      const manifest = { ...built.manifest, handoff, version: n, streams: entries, card: built.card };
      files.set('session.json', into.blob(Buffer.from(`${JSON.stringify(manifest)}\n`)));
      files.set('files.json', into.blob(Buffer.from(`${JSON.stringify(built.files)}\n`)));
      const seconds = Math.floor(side.now() / 1000);
      const author: Signature = { ...person(built.card.author), seconds };
      const before = instead ? instead.from : base?.commit;
      const from = before ?? built.parent ?? parent ?? into.commit({ ref, ...ROOT_COMMIT, files: new Map() });
      const fresh = !base || !keeps;
      if (!fresh && base) for (const path of leftOver(base, entries)) files.set(path, null);
      const mark = into.commit({ ref, author, committer: author, message: message(built), from, fresh, files });
      const done = await into.finish([mark]);
      return 'failed' in done ? done : { commit: done.ids[0] as string };
    },
  };
}

/** Paths of the stored version that the new one no longer has. */
function leftOver(base: OpenVersion, entries: StreamEntry[]): string[] {
  return base.fields.streams.flatMap((old) => {
    const now = entries.find((entry) => entry.name === old.name);
    if (!now) return old.segments.map((_, i) => segmentPath(old.name, i));
    return old.segments
      .map((_, i) => i)
      .filter((i) => i >= now.segments.length)
      .map((i) => segmentPath(old.name, i));
  });
}

/** `Name <email>`, or a name alone. */
export function person(author: string): { name: string; email: string } {
  const match = /^(.*?)\s*<([^<>]*)>\s*$/.exec(author);
  return match ? { name: match[1] || 'unknown', email: match[2] ?? '' } : { name: author || 'unknown', email: '' };
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function message({ subject, trailers }: NewVersion): string {
  const lines = Object.entries({ 'Relay-Format': '1', ...trailers }).map(([key, value]) => `${key}: ${oneLine(value)}`);
  return `${oneLine(subject)}\n\n${lines.join('\n')}\n`;
}
