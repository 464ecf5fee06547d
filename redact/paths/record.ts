import { bytesToText, textToBytes } from '#lib/bytes.ts';
import { type Json, type JsonObject, pointerKey, pointerStep, setOwn } from '#lib/json.ts';
import type { SessionRecord } from '#session/record.ts';

type Decode = (text: string) => string;

/** The pointer to an attachment goes through keys, and keys are decoded too. Pointers of a folded record are numbers. */
function decodePointer(pointer: string, decode: Decode): string {
  return pointer
    .split('/')
    .map((step) => pointerStep(decode(pointerKey(step))))
    .join('/');
}

function mapped(value: Json, decode: Decode): Json {
  if (typeof value === 'string') return value.includes('${') ? decode(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = mapped(value[i] as Json, decode);
    return value;
  }
  const keys = Object.keys(value);
  if (keys.some((key) => key.includes('${'))) return renamed(value, keys, decode);
  for (const key of keys) {
    const item = value[key] as Json;
    const made = mapped(item, decode);
    if (made !== item) setOwn(value, key, made);
  }
  return value;
}

function renamed(value: JsonObject, keys: readonly string[], decode: Decode): JsonObject {
  const out: JsonObject = {};
  for (const key of keys) setOwn(out, decode(key), mapped(value[key] as Json, decode));
  return out;
}

/** Puts this machine's paths into a record, in place. */
export function decodeRecordPaths(record: SessionRecord, decode: Decode): SessionRecord {
  const whole = record as unknown as JsonObject;
  for (const key of Object.keys(whole)) {
    const value = whole[key] as Json;
    if (key === 'base64') whole[key] = textToBytes(decode(bytesToText(Buffer.from(value as string, 'base64')))).toString('base64');
    else if (key === 'attached')
      whole[key] = (value as Json[]).map((one) => [decodePointer((one as string[])[0] as string, decode), ...(one as string[]).slice(1)]);
    else whole[key] = mapped(value, decode);
  }
  return record;
}
