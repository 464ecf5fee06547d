import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type FastImport, fastImport, type Signature } from '#git/fast-import.ts';
import { RelayError } from '#lib/errors.ts';
import { jitter, pause, sweepLocks, takeLock } from './lock.ts';
import type { StreamEntry } from './manifest.ts';
import { attachmentPath, checkPart, segmentPath, sessionRef } from './names.ts';
import { makeSide, type Side } from './side.ts';
import { type StreamWriter, streamWriter } from './stream-writer.ts';
import { LEFT_BEHIND, sweepStore } from './sweep.ts';
import type { NewVersion, Store } from './types.ts';
import { type OpenVersion, openVersion, segmentLines, writeState } from './version.ts';

/** Attempts when other processes move the ref first. */
const ATTEMPTS = 8;
/** How long a process waits for another one on the same session; a large first push takes some seconds. In ms. */
const PATIENCE = 180_000;

/** The same commit in every store: no parent, no files, fixed identity and date. So any two versions have a common ancestor. */
const ROOT: Signature = { name: 'relay', email: 'relay@localhost', seconds: 0 };
export const ROOT_COMMIT = { author: ROOT, committer: ROOT, message: 'relay: root of all sessions\n' };

type Build = Parameters<Store['append']>[1];
type Appended = Awaited<ReturnType<Store['append']>>;

/** See Store.append. `parentless`: commit that a first version goes on from when `build` names none. */
export async function appendVersion(side: Side, writer: string, session: string, build: Build, parent?: string): Promise<Appended> {
  const ref = sessionRef(writer, checkPart(session, 'session'));
  await makeSide(side);
  const locks = join(side.home, 'lock');
  const { dead, live } = await sweepLocks(locks);
  if (dead) await sweepStore(side.path, live ? LEFT_BEHIND.besideOthers : LEFT_BEHIND.alone);
  const lock = await takeLock(locks, session, PATIENCE);
  try {
    for (let attempt = 1; ; attempt++) {
      const done = await tryAppend(side, `${writer}/${session}`, ref, build, parent);
      if (!('failed' in done)) return done;
      if (!done.moved || attempt === ATTEMPTS) throw new RelayError('failed', `The new version of ${writer}/${session} could not be stored: ${done.failed}`, 'Run the command again.');
      await pause(jitter(50 * attempt));
      await sweepWhenAlone(side, LEFT_BEHIND.alone);
    }
  } finally {
    await lock.release();
  }
}

/** For the holder of one lock: sweeps when there is no other. A lock of git on a ref is then left over from a killed process. */
export async function sweepWhenAlone(side: Side, age: number): Promise<void> {
  const { live } = await sweepLocks(join(side.home, 'lock'));
  await sweepStore(side.path, live <= 1 ? age : LEFT_BEHIND.besideOthers);
}

async function tryAppend(side: Side, handoff: string, ref: string, build: Build, parent: string | undefined): Promise<Appended | { failed: string; moved: boolean }> {
  const tip = (await side.objects.get(`${ref}^{commit}`))?.id;
  const base = tip ? await openVersion(side, tip, handoff) : null;
  const draft = versionDraft(side, base);
  let built: NewVersion | null;
  try {
    built = await build(base, draft.writer);
    if (built) await draft.finish();
  } catch (error) {
    if (await draft.abort()) await sweepWhenAlone(side, LEFT_BEHIND.aborted);
    throw error;
  }
  if (!built) {
    await draft.abort();
    return { ref: tip ? ref : '', commit: tip ?? '', n: base?.n ?? 0, appended: false };
  }
  const n = (base?.n ?? 0) + 1;
  const stored = await draft.commit(ref, handoff, n, built, parent);
  if ('failed' in stored) return stored;
  await writeState(side, handoff, stored.commit, built.state);
  return { ref, commit: stored.commit, n, appended: true };
}

/** Collects what a new version holds while `build` runs. The import starts with the first object. */
function versionDraft(side: Side, base: OpenVersion | null) {
  let running: FastImport | undefined;
  const importer = (): FastImport => {
    running ??= fastImport(side.git);
    return running;
  };
  const streams = new Map<string, StreamWriter>();
  const files = new Map<string, string | null>();
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
        const stream = streamWriter(name, keep, header, stored, load, (path, bytes) => files.set(path, importer().blob(bytes)));
        streams.set(name, stream);
        return { write: stream.write };
      },
      attachment(bytes: Buffer): string {
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        if (!attachments.has(sha256)) {
          attachments.add(sha256);
          files.set(attachmentPath(sha256), importer().blob(bytes));
        }
        return sha256;
      },
      drained: async () => running?.drained(),
    },
    async finish(): Promise<void> {
      entries = await Promise.all([...streams].map(async ([, stream]) => (await stream.finish()).entry));
    },
    /** Answers whether there was anything to stop. */
    async abort(): Promise<boolean> {
      await running?.abort();
      return running !== undefined;
    },
    async commit(ref: string, handoff: string, n: number, built: NewVersion, parent: string | undefined): Promise<{ commit: string } | { failed: string; moved: boolean }> {
      const into = importer();
      const manifest = { ...built.manifest, handoff, version: n, streams: entries, card: built.card };
      files.set('session.json', into.blob(Buffer.from(`${JSON.stringify(manifest)}\n`)));
      files.set('files.json', into.blob(Buffer.from(`${JSON.stringify(built.files)}\n`)));
      const seconds = Math.floor(side.now() / 1000);
      const author: Signature = { ...person(built.card.author), seconds };
      const from = base?.commit ?? built.parent ?? parent ?? into.commit({ ref, ...ROOT_COMMIT, files: new Map() });
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
    return old.segments.map((_, i) => i).filter((i) => i >= now.segments.length).map((i) => segmentPath(old.name, i));
  });
}

/** `Name <email>`, or a name alone. */
function person(author: string): { name: string; email: string } {
  const match = /^(.*?)\s*<([^<>]*)>\s*$/.exec(author);
  return match ? { name: match[1] || 'unknown', email: match[2] ?? '' } : { name: author || 'unknown', email: '' };
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function message({ subject, trailers }: NewVersion): string {
  const lines = Object.entries({ 'Relay-Format': '1', ...trailers }).map(([key, value]) => `${key}: ${oneLine(value)}`);
  return `${oneLine(subject)}\n\n${lines.join('\n')}\n`;
}
