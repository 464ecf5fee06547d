import { asArray, asObject, isObject, type Json, type JsonObject, parseJson } from '#lib/json.ts';
import type { Loss } from '#session/loss.ts';

const PLACEHOLDER = /\[REDACTED:[^\]\s]{1,64}\]/;

/**
 * A signed thinking block may go back only as it was signed. Where something in it was redacted, or a folder in it was
 * replaced just now, it is written as plain text.
 * @param before the line as it was stored, @param after as it is about to be written
 */
export function unsignChanged(before: string, after: string, record: number, stream: string, loss: Loss[]): string {
  if (!after.includes('"signature":"') || (before === after && !after.includes('[REDACTED:'))) return after;
  const value = parseJson(after);
  const old = parseJson(before);
  const content = isObject(value) ? asArray(asObject(value.message)?.content) : [];
  const was = isObject(old) ? asArray(asObject(old.message)?.content) : [];
  const changed = content.map((block, at) => unsigned(block, was[at]));
  if (!changed.some((block, at) => block !== content[at])) return after;
  loss.push({
    record,
    stream,
    kind: 'thinking',
    action: 'changed',
    reason: 'signed thinking whose text is no longer what was signed is written as plain text',
  });
  return JSON.stringify({ ...(value as JsonObject), message: { ...((value as JsonObject).message as JsonObject), content: changed } });
}

function unsigned(block: Json, was: Json | undefined): Json {
  const now = asObject(block);
  if (now?.type !== 'thinking' || typeof now.thinking !== 'string' || !now.signature) return block;
  const same = now.thinking === asObject(was)?.thinking && !PLACEHOLDER.test(now.thinking);
  return same ? block : { type: 'text', text: now.thinking };
}
