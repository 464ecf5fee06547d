/** Any value that JSON.parse can give. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Sets an own property, also for `__proto__`, which plain assignment would turn into the prototype. */
export function setOwn(target: JsonObject, key: string, value: Json): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

/** The value as an object, or undefined. For reading foreign records field by field. */
export const asObject = (value: Json | undefined): JsonObject | undefined => (isObject(value) ? value : undefined);
export const asString = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
export const asArray = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

/** The first of these fields that holds a text or a number, as text; "" where none does. */
export function firstText(object: JsonObject | undefined, ...keys: string[]): string {
  const value = keys.map((key) => object?.[key]).find((one) => (typeof one === 'string' && one !== '') || typeof one === 'number');
  return value === undefined ? '' : String(value);
}

/** JSON.parse that answers undefined instead of throwing (also for nesting too deep for the stack). */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** One step of a JSON Pointer (RFC 6901), escaped. */
export const pointerStep = (key: string | number): string => (typeof key === 'number' ? String(key) : key.replaceAll('~', '~0').replaceAll('/', '~1'));

/** The key that a step of a JSON Pointer stands for. */
export const pointerKey = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** The value at a JSON Pointer, or undefined. Only own properties are followed. */
export function atPointer(root: Json, pointer: string): Json | undefined {
  let value: Json | undefined = root;
  for (const step of pointer.split('/').slice(1)) {
    const key = pointerKey(step);
    if (Array.isArray(value)) value = value[Number(key)];
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value;
}
