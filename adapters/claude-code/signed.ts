import { createHash } from 'node:crypto';
import { asArray, asObject, isObject, type Json, type JsonObject, parseJson } from '#lib/json.ts';
import type { Loss } from '#session/loss.ts';
import type { SessionRecord } from '#session/record.ts';

/**
 * A signed thinking block may go back only as it was signed. Where something in it was redacted, or a folder in it is
 * another one here, it is written as plain text.
 * @param before the line as it was stored, @param after as it is about to be written
 */
export function unsignChanged(before: string, after: string, record: SessionRecord, index: number, stream: string, loss: Loss[]): string {
  if (!after.includes('"signature":"')) return after;
  const signed = signedHashes(record);
  if (before === after && signed.every((hash) => hash === undefined)) return after;
  const value = parseJson(after);
  const old = parseJson(before);
  const content = isObject(value) ? asArray(asObject(value.message)?.content) : [];
  const was = isObject(old) ? asArray(asObject(old.message)?.content) : [];
  const changed = content.map((block, at) => unsigned(block, was[at], signed));
  if (!changed.some((block, at) => block !== content[at])) return after;
  loss.push({
    record: index,
    stream,
    kind: 'thinking',
    action: 'changed',
    reason: 'signed thinking whose text is no longer what was signed is written as plain text',
  });
  return JSON.stringify({ ...(value as JsonObject), message: { ...((value as JsonObject).message as JsonObject), content: changed } });
}

/** Of each thinking block, in order: the hash of what was signed, where it was changed before it was stored. */
const signedHashes = (record: SessionRecord): (string | undefined)[] =>
  record.type === 'message' ? record.content.flatMap((block) => (block.type === 'thinking' ? [block.signed] : [])) : [];

function unsigned(block: Json, was: Json | undefined, signed: (string | undefined)[]): Json {
  const now = asObject(block);
  if (now?.type !== 'thinking') return block;
  const hash = signed.shift();
  if (typeof now.thinking !== 'string' || !now.signature) return block;
  const same = hash === undefined ? now.thinking === asObject(was)?.thinking : createHash('sha256').update(now.thinking).digest('hex') === hash;
  return same ? block : { type: 'text', text: now.thinking };
}
