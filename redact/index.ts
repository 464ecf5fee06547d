import type { Json, JsonObject } from '#lib/json.ts';
import type { Slots } from '#session/slot.ts';
import type { Layer } from './engine/layer.ts';
import type { KnownValue } from './known/known.ts';
import type { Allow } from './settings/allow.ts';

/** Something that was (or, in the gate, must be) redacted. Never holds the value or what stands around it. */
export interface Finding {
  /** short id of the kind of secret, e.g. gh, aws, pw, pem, url */
  kind: string;
  /** the first 8 hex of HMAC-SHA256(clone key, value): equal values have equal fingerprints within one clone */
  fingerprint: string;
  /** which record: stream and number ("main 12"), or the name of what is no stream ("session.json") */
  record: string;
  /** JSON pointer within it, "" for the whole; a key stands as its parent's pointer with " (key)" */
  path: string;
  count: number;
}

export interface RedactionReport {
  total: number;
  byKind: Record<string, number>;
  /** the first 100,000; the counts are of all */
  findings: Finding[];
  /** how many of `total` are in none of the findings, where there are more */
  unlisted?: number;
}

/** What is looked for; the same for the redactor and for the gate. */
export interface RedactionOptions {
  /** the clone's 32 random bytes */
  key: Buffer;
  /** values that must not leave in any form (known.ts) */
  known?: readonly KnownValue[];
  /** checks beside the built-in rules: those of the settings, what earlier runs learned */
  layers?: readonly Layer[];
  /** what its owner says is no secret; undefined: nothing */
  allowed?: Allow | undefined;
  /** true: little text will be looked at, so that looking for the known values may take longer, but not getting ready for it */
  brief?: boolean;
}

/**
 * The one seam to redaction. Everything that leaves through a Git object goes through one of these.
 * All answers are the input itself (same reference) when there was nothing to redact or map.
 * `stored`: what was made of the same text before. Where it is the same but for placeholders, these are kept: redacting again only adds.
 */
export interface Redactor {
  /** engine version and hash of the rules: a verdict is only good for the same id */
  readonly id: string;
  /** A source record: every decoded string, its key as context, nested JSON too; paths mapped. Throws RelayError `secret-left` for a secret in a slot that must stay as it is. */
  record(value: JsonObject, record: string, slots: Slots, stored?: JsonObject): JsonObject;
  /** A source line that does not serialise back to itself: string literals are treated one by one, the rest stays as it is. */
  line(text: string, record: string, slots: Slots, stored?: string): string;
  /** The same for a text that was parsed to `value`, an object or a list, on as many lines as it likes. */
  json(text: string, value: Json, record: string, slots: Slots, stored?: string): string;
  /** Any text: titles, file names, branch names, lines that are no JSON, files beside the transcript. `path`: JSON pointer of it within `record`. */
  text(value: string, record: string, path?: string, stored?: string): string;
  /** A text of many lines. `place` gives the record of a finding: it is told how many line feeds stand before it. */
  lines(value: string, place: (lineFeeds: number) => string): string;
  /** True where what is found in both parts together is found in each by itself, so that they may be treated one after the other. */
  mayCut(left: string, right: string): boolean;
  /** Bytes that are no valid UTF-8: secrets in their ASCII parts. */
  bytes(value: Buffer, record: string, stored?: Buffer): Buffer;
  /** Values found so far that are taken out wherever they stand from now on. In memory only: for a second pass and for the gate. */
  learned(): KnownValue[];
  /** How many these are; costs nothing. */
  learnedCount(): number;
  /** Was this value found so far? Also where there are more findings than the report lists. */
  found(value: string): boolean;
  /** What was found so far. */
  report(): RedactionReport;
}

export type { Layer } from './engine/layer.ts';
export { createGate, type Gate } from './gate.ts';
export { type KnownValue, knownValues } from './known/known.ts';
export type { SecretFile } from './known/secret-files.ts';
export { type PathMap, type PathMapOptions, pathMap } from './paths/map.ts';
export { fingerprints } from './placeholder.ts';
export { createRedactor } from './redactor.ts';
export { type Kind, kindList } from './shapes/kind-list.ts';
export { kindName } from './shapes/kinds.ts';
export { type RedactionStream, redactStream } from './stream/stream.ts';
