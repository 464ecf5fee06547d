import { RelayError } from '#lib/errors.ts';
import { asArray, asObject, asString, type Json, type JsonObject, parseJson } from '#lib/json.ts';
import type { Segment } from './segments.ts';
import type { HandoffCard } from './types.ts';

/** A stream as the manifest lists it. `records` and `bytes` are the sums over its segments. */
export interface StreamEntry {
  name: string;
  records: number;
  bytes: number;
  segments: Segment[];
}

/** The fields of session.json that the store fills in. */
export interface StoredFields {
  handoff: string;
  version: number;
  streams: StreamEntry[];
  card: CardFields;
}

type CardFields = Pick<HandoffCard, 'agent' | 'session' | 'title' | 'author' | 'updated'>;

export const recordsOf = (streams: readonly { records: number }[]): number => streams.reduce((sum, stream) => sum + stream.records, 0);
export const bytesOf = (streams: readonly StreamEntry[]): number => streams.reduce((sum, stream) => sum + stream.bytes, 0);

/** Reads session.json. It may come from someone else: what the store relies on is checked here. */
export function readManifest(bytes: Buffer, where: string): { manifest: JsonObject; fields: StoredFields } {
  const manifest = asObject(parseJson(bytes.toString('utf8')));
  const version = manifest?.version;
  const handoff = asString(manifest?.handoff);
  if (!manifest || typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1 || !handoff)
    throw new RelayError('corrupt', `session.json of ${where} is damaged.`);
  return {
    manifest,
    fields: { handoff, version, streams: asArray(manifest.streams).map((stream) => readStream(stream, where)), card: cardFields(asObject(manifest.card)) },
  };
}

function readStream(value: Json, where: string): StreamEntry {
  const stream = asObject(value);
  const name = asString(stream?.name);
  const segments = asArray(stream?.segments).map((pair) => asArray(pair));
  const sound = segments.every((pair) => pair.length === 2 && pair.every((n) => typeof n === 'number' && Number.isSafeInteger(n) && n >= 0));
  if (name === undefined || !sound) throw new RelayError('corrupt', `session.json of ${where}: the list of streams is damaged.`);
  return streamEntry(name, segments as Segment[]);
}

export const streamEntry = (name: string, segments: Segment[]): StreamEntry => ({
  name,
  records: segments.reduce((sum, [records]) => sum + records, 0),
  bytes: segments.reduce((sum, [, bytes]) => sum + bytes, 0),
  segments,
});

const cardFields = (value: JsonObject | undefined): CardFields => ({
  agent: asString(value?.agent) ?? '',
  session: asString(value?.session) ?? '',
  title: asString(value?.title) ?? '',
  author: asString(value?.author) ?? '',
  updated: asString(value?.updated) ?? '',
});

/** A card as it stands in the index: without what its place there says already. */
export type StoredCard = Omit<HandoffCard, 'handoff' | 'state'>;

export const cardJson = (card: StoredCard): string => `${JSON.stringify(card)}\n`;

/** Reads a card; undefined where it is none. */
export function readCard(bytes: Buffer): StoredCard | undefined {
  const value = asObject(parseJson(bytes.toString('utf8')));
  const commit = asString(value?.commit);
  if (!value || !commit || !/^[0-9a-f]{40,64}$/.test(commit) || typeof value.version !== 'number') return undefined;
  return { version: value.version, commit, ...cardFields(value), records: typeof value.records === 'number' ? value.records : 0 };
}

export const manifestCard = (commit: string, fields: StoredFields): StoredCard => ({
  version: fields.version,
  commit,
  ...fields.card,
  records: recordsOf(fields.streams),
});
