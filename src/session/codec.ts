import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { cut } from '#lib/cut.ts';
import { RelayError } from '#lib/errors.ts';
import { atPointer, isObject, type Json, type JsonObject, parseJson, pointerKey, pointerStep } from '#lib/json.ts';
import { atRest, fromRest, ordered } from './at-rest.ts';
import { fold, unfold } from './fold.ts';
import { type Draft, FORMAT, FORMAT_VERSION, recordSchema, type SessionRecord, type StreamHeader, streamHeaderSchema } from './record.ts';

/** A longer string becomes an attachment, so that no segment of the store grows past what hosts recommend. In UTF-16 units. */
const DETACH_FROM = 192 * 1024;

/** Deeper nesting than any client writes; readers that walk a record would run out of stack at a few thousand. */
const MAX_DEPTH = 500;

/** A source line, taken apart. `exact`: serialising `value` again gives the same text. */
export interface SourceLine {
  text: string;
  value: Json;
  exact: boolean;
}

/**
 * Takes a source line apart, or answers what to keep of a line that is no record: invalid UTF-8, no JSON, no object,
 * or nested too deeply to be read.
 */
export function parseLine(bytes: Buffer): { line: SourceLine } | { text: string } | { base64: string } {
  if (!isUtf8(bytes)) return { base64: bytes.toString('base64') };
  const text = bytes.toString('utf8');
  const value = parseJson(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  if (!isObject(value) || isDeeper(value, MAX_DEPTH)) return { text };
  return { line: { text, value, exact: JSON.stringify(value) === text } };
}

function isDeeper(value: Json, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  for (const key in value) if (isDeeper((value as JsonObject)[key] as Json, depth - 1)) return true;
  return false;
}

/** A record is a little deeper than its source line. */
const STORED_DEPTH = MAX_DEPTH + 50;

/** False for the text of almost every record: it opens too few brackets to be deep, whatever they are. */
function mayBeDeep(line: string): boolean {
  if (line.length < 2 * STORED_DEPTH) return false;
  let opened = 0;
  for (const bracket of ['{', '[']) for (let at = line.indexOf(bracket); at >= 0; at = line.indexOf(bracket, at + 1)) if (++opened > STORED_DEPTH) return true;
  return false;
}

/** Joins what the adapter made of a line with the line itself. */
export function toRecord(draft: Draft, line: SourceLine): SessionRecord {
  const record = ordered(draft);
  return { ...record, native: line.exact ? fold(line.value, record) : line.text } as SessionRecord;
}

/** The source line that a record was made from: its text, or its bytes where it was no valid UTF-8. Without line feed. */
export function sourceLine(record: SessionRecord): string | Buffer {
  if (record.type === 'raw') return record.base64 !== undefined ? Buffer.from(record.base64, 'base64') : (record.text ?? '');
  if (typeof record.native === 'string') return record.native;
  if (record.native === undefined) throw new Error('this record was read without its native part');
  return JSON.stringify(unfold(record.native, record));
}

/** The source record as a value (undefined for raw lines). */
export function nativeValue(record: SessionRecord): JsonObject | undefined {
  if (record.type === 'raw' || record.native === undefined) return undefined;
  const value = typeof record.native === 'string' ? parseJson(record.native.replace(/^\ufeff/, '')) : unfold(record.native, record);
  return isObject(value) ? value : undefined;
}

export const streamHeader = (stream: string, agent: string): StreamHeader => ({
  type: 'stream',
  format: FORMAT,
  version: FORMAT_VERSION,
  stream,
  agent,
});

/** Checks the first line of a stream. A newer version is refused, never half-read. */
export function readStreamHeader(line: string, where: string): StreamHeader {
  const value = parseJson(line);
  if (isObject(value) && value.format === FORMAT && typeof value.version === 'number' && value.version > FORMAT_VERSION)
    throw new RelayError(
      'unknown-format',
      `${where} is written in session format ${value.version}; this relay reads up to ${FORMAT_VERSION}.`,
      'Upgrade relay: npm install -g session-relay',
    );
  const parsed = streamHeaderSchema.safeParse(value);
  if (!parsed.success) throw new RelayError('corrupt', `${where} does not begin with a stream header.`);
  return parsed.data;
}

/** Takes the bytes of an attachment and answers their sha256 (hex). */
export type Detach = (bytes: Buffer) => string;

/**
 * Serialises a record to one JSONL line (without line feed). Images, files and long strings go to `detach`
 * and are named in `attached`; equal content becomes one attachment.
 */
export function encodeRecord(record: SessionRecord, detach: Detach): string {
  if (!hasDetachable(record as unknown as Json)) return JSON.stringify(atRest(record));
  const attached: [string, string, 'utf8' | 'base64'][] = [];
  const rest = detachFrom(record as unknown as Json, '', attached, detach);
  return JSON.stringify(atRest((attached.length ? { ...(rest as object), attached } : rest) as SessionRecord));
}

/** Most records hold nothing to be moved out, and a look costs less than the way there and back. */
function hasDetachable(value: Json): boolean {
  if (typeof value === 'string') return value.length > DETACH_FROM;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasDetachable);
  if ((value.type === 'image' || value.type === 'file') && value.data) return true;
  for (const key in value) if (hasDetachable(value[key] as Json)) return true;
  return false;
}

function detachFrom(value: Json, at: string, attached: [string, string, 'utf8' | 'base64'][], detach: Detach): Json {
  if (typeof value === 'string') return value.length > DETACH_FROM ? detachString(value, at, attached, detach) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    let copy: Json[] | undefined;
    for (let i = 0; i < value.length; i++) {
      const item = value[i] as Json;
      const kept = detachFrom(item, `${at}/${i}`, attached, detach);
      if (kept !== item) copy = copy ?? value.slice();
      if (copy) copy[i] = kept;
    }
    return copy ?? value;
  }
  let copy: JsonObject | undefined;
  const media = value.type === 'image' || value.type === 'file';
  for (const key of Object.keys(value)) {
    const item = value[key] as Json;
    const here = `${at}/${pointerStep(key)}`;
    const kept =
      media && key === 'data' && typeof item === 'string' && item ? detachString(item, here, attached, detach) : detachFrom(item, here, attached, detach);
    if (kept === item) continue;
    if (!copy) copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(value)) as JsonObject;
    Object.defineProperty(copy, key, { value: kept, enumerable: true, configurable: true, writable: true });
  }
  return copy ?? value;
}

function detachString(value: string, at: string, attached: [string, string, 'utf8' | 'base64'][], detach: Detach): Json {
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length && bytes.toString('base64') === value) {
    attached.push([at, detach(bytes), 'base64']);
    return '';
  }
  const utf8 = Buffer.from(value, 'utf8');
  // A lone surrogate does not survive UTF-8: such a string stays where it is.
  if (utf8.toString('utf8') !== value) return value;
  attached.push([at, detach(utf8), 'utf8']);
  return '';
}

/** Content address of an attachment. */
export const attachmentId = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Reads a record back from its line; strings that were moved out stay "" until `attach` puts them back.
 * @param where said in errors, e.g. "main record 12"
 */
export function decodeRecord(line: string, where: string): SessionRecord {
  const stored = parseJson(line);
  if (!isObject(stored)) throw new RelayError('corrupt', `${where} is not valid JSON.`);
  if (mayBeDeep(line) && isDeeper(stored, STORED_DEPTH)) throw new RelayError('corrupt', `${where} is nested too deeply to be read.`);
  const value = fromRest(stored);
  const parsed = recordSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new RelayError('corrupt', `${where}: field ${issue?.path.join('.') || '(record)'}: ${issue?.message ?? 'invalid'}.`);
  }
  // The parsed value itself is used: zod's copy would lose keys such as __proto__ inside `native`.
  return value as unknown as SessionRecord;
}

/**
 * Puts what `encodeRecord` moved out back into the record, in place.
 * @param where said in errors, e.g. "main record 12"
 */
export async function attach(record: SessionRecord, load: (sha256: string) => Promise<Buffer>, where = 'a record'): Promise<SessionRecord> {
  for (const [at, sha256, as] of record.attached ?? []) {
    const slash = at.lastIndexOf('/');
    const parent = atPointer(record as unknown as Json, at.slice(0, slash));
    const key = pointerKey(at.slice(slash + 1));
    const text = (await load(sha256)).toString(as);
    if (Array.isArray(parent) && Object.hasOwn(parent, key)) parent[Number(key)] = text;
    else if (isObject(parent) && Object.hasOwn(parent, key)) parent[key] = text;
    else throw new RelayError('corrupt', `${where}: an attachment belongs at ${cut(at, 80)}, where the record holds nothing.`);
  }
  delete record.attached;
  return record;
}
