import type { JsonObject } from '#lib/json.ts';
import type { KnownValue } from './known.ts';

/** Something that was (or, in the gate, must be) redacted. Never holds the value or what stands around it. */
export interface Finding {
  /** short id of the kind of secret, e.g. gh, aws, pw, pem, url */
  kind: string;
  /** the first 8 hex of HMAC-SHA256(clone key, value): equal values have equal fingerprints within one clone */
  fingerprint: string;
  /** where: "main 12 /message/content/0/text", "session.json /title" … */
  at: string;
  count: number;
}

export interface RedactionReport {
  total: number;
  byKind: Record<string, number>;
  findings: Finding[];
}

/** Says of a place in a record that it must not be edited (see Adapter.frozen). */
export type Frozen = (path: readonly (string | number)[], value: string) => boolean;

/**
 * The one seam to redaction. Everything that leaves through a Git object goes through one of these.
 * All answers are the input itself (same reference) when there was nothing to redact or map.
 */
export interface Redactor {
  /** engine version and hash of the rules: a verdict is only good for the same id */
  readonly id: string;
  /** A source record: every decoded string, its key as context, nested JSON too; paths mapped. Throws RelayError `secret-left` for a known value in a frozen slot. */
  record(value: JsonObject, at: string, frozen: Frozen): JsonObject;
  /** A source line that does not serialise back to itself: string literals are treated one by one, the rest stays as it is. */
  line(text: string, at: string, frozen: Frozen): string;
  /** Any text: titles, file names, branch names, lines that are no JSON, files beside the transcript. */
  text(value: string, at: string): string;
  /** Bytes that are no valid UTF-8: secrets in their ASCII parts. */
  bytes(value: Buffer, at: string): Buffer;
  /** Values found so far that are taken out wherever they stand from now on. In memory only: for a second pass and for the gate. */
  learned(): KnownValue[];
  /** What was found so far. */
  report(): RedactionReport;
}

export { createGate, type Gate, type GateOptions } from './gate.ts';
export { kindName } from './kinds.ts';
export { type KnownValue, knownValues, type SecretFile } from './known.ts';
export { type PathMap, type PathMapOptions, pathMap } from './paths.ts';
export { fingerprints } from './placeholder.ts';
export { createRedactor, type RedactorOptions } from './redactor.ts';
