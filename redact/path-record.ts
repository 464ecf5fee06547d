import { bytesToText, textToBytes } from '#lib/bytes.ts';
import { type Json, type JsonObject, pointerStep, setOwn } from '#lib/json.ts';
import type { SessionRecord } from '#session/record.ts';

type Decode = (text: string) => string;

const POINTER = /^=(?:json:|data:|\.)?(?=\/)/;

/** A pointer of a folded record goes through keys, and keys are decoded too. */
function decodePointer(pointer: string, decode: Decode): string {
  return pointer
    .split('/')
    .map((step) => pointerStep(decode(step.replaceAll('~1', '/').replaceAll('~0', '~'))))
    .join('/');
}

const plain = (text: string, decode: Decode): string => decode(text);

function folded(text: string, decode: Decode): string {
  const prefix = POINTER.exec(text)?.[0];
  return prefix ? prefix + decodePointer(text.slice(prefix.length), decode) : decode(text);
}

function mapped(value: Json, decode: Decode, string: (text: string, decode: Decode) => string): Json {
  if (typeof value === 'string') return value.includes('${') ? string(value, decode) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = mapped(value[i] as Json, decode, string);
    return value;
  }
  const keys = Object.keys(value);
  if (keys.some((key) => key.includes('${'))) return renamed(value, keys, decode, string);
  for (const key of keys) {
    const item = value[key] as Json;
    const made = mapped(item, decode, string);
    if (made !== item) setOwn(value, key, made);
  }
  return value;
}

function renamed(value: JsonObject, keys: readonly string[], decode: Decode, string: (text: string, decode: Decode) => string): JsonObject {
  const out: JsonObject = {};
  for (const key of keys) setOwn(out, decode(key), mapped(value[key] as Json, decode, string));
  return out;
}

/** Puts this machine's paths into a record, in place. */
export function decodeRecordPaths(record: SessionRecord, decode: Decode): SessionRecord {
  const whole = record as unknown as JsonObject;
  for (const key of Object.keys(whole)) {
    const value = whole[key] as Json;
    // A native string is the source line itself.
    if (key === 'native' && typeof value === 'object') whole[key] = mapped(value, decode, folded);
    else if (key === 'base64') whole[key] = textToBytes(decode(bytesToText(Buffer.from(value as string, 'base64')))).toString('base64');
    else if (key === 'attached')
      whole[key] = (value as Json[]).map((one) => [decodePointer((one as string[])[0] as string, decode), ...(one as string[]).slice(1)]);
    else whole[key] = mapped(value, decode, plain);
  }
  return record;
}
