import type { Adapter } from '#adapters/adapter.ts';
import { bytesToText, textToBytes } from '#lib/bytes.ts';
import { RelayError } from '#lib/errors.ts';
import { readLines } from '#lib/lines.ts';
import { readRegular } from '#lib/regular.ts';
import type { PathMap } from '#redact/index.ts';
import { attach, decodeRecord } from '#session/codec.ts';
import type { Streams } from '#session/conversation.ts';
import type { SessionRecord } from '#session/record.ts';
import type { SessionCard, SessionSource } from '#session/source.ts';
import type { StoredVersion } from '#store/types.ts';
import type { StoredFile } from './capture-files.ts';
import { type Manifest, manifestOf } from './manifest.ts';
import { recordOf } from './records.ts';

/** A session that can be imported, wherever it comes from: a stored version, or this machine. */
export interface Loaded {
  card: SessionCard;
  streams: string[];
  /** Records with `native`, attachments in place, paths those of this machine. */
  records(stream: string): AsyncIterable<SessionRecord>;
  files: { name: string; read(): Promise<Buffer> }[];
  /** what the source holds and this import cannot take along, in words */
  leftOut: string[];
  /** the record that is being read or worked on, in words; undefined between streams */
  at?: string | undefined;
}

/** A session of an agent on this machine: not redacted, no Git, no network. */
export function loadLocal(source: SessionSource, adapter: Adapter): Loaded {
  return {
    card: source,
    streams: source.streams.map((s) => s.name),
    async *records(name) {
      const stream = source.streams.find((s) => s.name === name);
      if (!stream) return;
      let n = 0;
      for await (const lines of readLines(stream.path, 0, stream.end)) for (const line of lines) yield recordOf(line, `${name} ${n++}`, adapter);
    },
    files: source.files.map((f) => ({ name: f.name, read: () => readRegular(f.path) })),
    leftOut: source.leftOut,
  };
}

/** A version from the store; `paths` turns the path tokens into this machine's folders. */
export function loadStored(version: StoredVersion, paths: PathMap): Loaded {
  const manifest = manifestOf(version);
  const load = (sha256: string) => version.attachment(sha256);
  const loaded: Loaded = {
    card: cardOf(manifest, paths),
    streams: version.streams.map((s) => s.name),
    async *records(name) {
      let n = 0;
      for await (const line of version.lines(name)) {
        const where = `${version.handoff}@${version.n} ${name} record ${n++}`;
        loaded.at = where;
        const record = decodeRecord(line, where);
        yield paths.decodeRecord(record.attached ? await attach(record, load, where) : record);
      }
      loaded.at = undefined;
    },
    files: manifest.files.map((f: StoredFile) => ({ name: paths.decode(f.name), read: () => readFileOf(f, load, paths) })),
    leftOut: manifest.leftOut,
  };
  return loaded;
}

/** What went wrong while a stored record was worked on: a record that cannot be put together again is damaged, and is named. */
export function damaged(error: unknown, { at }: Loaded): unknown {
  const why =
    error instanceof RangeError
      ? 'it is larger or deeper than can be read'
      : error instanceof RelayError && error.code === 'corrupt'
        ? error.message
        : undefined;
  if (at === undefined || why === undefined || why.startsWith(at)) return error;
  return new RelayError('corrupt', `${at}: ${why}.`, 'The other versions of the handoff may be sound: relay log <handoff>');
}

async function readFileOf(file: StoredFile, load: (sha256: string) => Promise<Buffer>, paths: PathMap): Promise<Buffer> {
  const bytes = await load(file.sha256);
  // Only what holds a token needs to be decoded.
  return bytes.includes('${') ? textToBytes(paths.decode(bytesToText(bytes))) : bytes;
}

function cardOf(manifest: Manifest, paths: PathMap): SessionCard {
  const { session, agent } = manifest;
  return {
    agent: agent.id,
    id: session.id,
    title: paths.decode(session.title),
    cwd: paths.decode(session.cwd),
    path: '',
    created: session.created,
    updated: session.updated,
    ...(agent.version ? { version: agent.version } : {}),
    ...(session.branch ? { branch: session.branch } : {}),
    ...(session.model ? { model: session.model } : {}),
  };
}

/** A record without what only a restore needs: enough to find the active branch and to fit it. */
function light(record: SessionRecord): SessionRecord {
  if (record.type === 'raw') return record;
  const { native: _, ...rest } = record;
  return rest as SessionRecord;
}

/** All records in memory. */
export async function readStreams(loaded: Loaded): Promise<Streams> {
  const streams = new Map<string, SessionRecord[]>();
  for (const name of loaded.streams) {
    const records: SessionRecord[] = [];
    try {
      for await (const record of loaded.records(name)) records.push(light(record));
    } catch (error) {
      throw damaged(error, loaded);
    }
    streams.set(name, records);
  }
  return streams;
}

/** The same while somebody else reads the records anyway, so that they are read only once. */
export function watchStreams(loaded: Loaded): { records(stream: string): AsyncIterable<SessionRecord>; streams(): Promise<Streams> } {
  const seen = new Map<string, SessionRecord[]>();
  async function* records(name: string): AsyncGenerator<SessionRecord> {
    const list: SessionRecord[] = [];
    for await (const record of loaded.records(name)) {
      list.push(light(record));
      yield record;
    }
    seen.set(name, list);
  }
  return {
    records,
    async streams() {
      for (const name of loaded.streams) if (!seen.has(name)) for await (const _ of records(name));
      return new Map(loaded.streams.map((name) => [name, seen.get(name) ?? []]));
    },
  };
}
