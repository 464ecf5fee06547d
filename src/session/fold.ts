import { atPointer, isObject, type Json, type JsonObject, pointerStep, setOwn } from '#lib/json.ts';

/**
 * Folding: the source record is stored beside the canonical one without storing its text twice. In the folded
 * form a string that begins with `=` is a pointer:
 *   `=/content/0/text`       the value at this JSON Pointer of the canonical record
 *   `=json:/content/0/input` JSON.stringify of that value
 *   `=data:/content/0`       `data:<media_type>;base64,<data>` of the image or file block there
 *   `=.` + `/a/b`            the string at this pointer of the native record itself, which stands earlier in it
 *   `==…`                    the literal string `=…`
 * Everything else stands for itself. unfold(fold(native, record), record) equals native, for any native.
 */

/** Strings shorter than this are never worth remembering as the target of a pointer into the native record itself. */
const SELF_MIN = 64;
/** Shorter than the shortest pointer that could replace it. */
const CANONICAL_MIN = 14;

class Targets {
  readonly strings = new Map<string, string>();
  readonly objects = new Map<object, string>();

  /** Remembers every string and object of the canonical record under its pointer; the first place wins. */
  add(value: Json | undefined, at: string): void {
    if (typeof value === 'string') this.string(value, `=${at}`);
    else if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) this.add(value[i], `${at}/${i}`);
    } else if (isObject(value)) {
      this.objects.set(value, `=${at}`);
      this.derived(value, at);
      for (const key of Object.keys(value)) this.add(value[key], `${at}/${pointerStep(key)}`);
    }
  }

  private derived(block: JsonObject, at: string): void {
    if (block.type === 'tool_call' && typeof block.input === 'object') this.string(JSON.stringify(block.input), `=json:${at}/input`);
    else if ((block.type === 'image' || block.type === 'file') && typeof block.data === 'string')
      this.string(`data:${block.media_type};base64,${block.data}`, `=data:${at}`);
  }

  string(value: string, pointer: string): void {
    if (value.length >= CANONICAL_MIN && value.length > pointer.length && !this.strings.has(value)) this.strings.set(value, pointer);
  }
}

/** Folds a source record against the canonical record made from it (whose `native` is not looked at). */
export function fold(native: Json, record: object): Json {
  const targets = new Targets();
  for (const [key, value] of Object.entries(record)) if (key !== 'native') targets.add(value as Json, `/${pointerStep(key)}`);
  // The whole line is never a pointer: a record whose native part is a string is one that was kept as text.
  return isObject(native) ? foldObject(native, '', targets) : foldValue(native, '', targets);
}

function foldValue(value: Json, at: string, targets: Targets): Json {
  if (typeof value === 'string') {
    const pointer = targets.strings.get(value);
    if (pointer !== undefined) return pointer;
    if (value.length >= SELF_MIN) targets.string(value, `=.${at}`);
    return value.charCodeAt(0) === 61 ? `=${value}` : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  // An empty object says less than its pointer would.
  const known = targets.objects.get(value);
  if (known !== undefined && (Array.isArray(value) || Object.keys(value).length)) return known;
  return Array.isArray(value) ? value.map((item, i) => foldValue(item, `${at}/${i}`, targets)) : foldObject(value, at, targets);
}

function foldObject(value: JsonObject, at: string, targets: Targets): JsonObject {
  const out: JsonObject = {};
  for (const key of Object.keys(value)) setOwn(out, key, foldValue(value[key] as Json, `${at}/${pointerStep(key)}`, targets));
  return out;
}

/** The source record again. Throws when a pointer leads nowhere, which means that the record is damaged. */
export function unfold(folded: Json, record: object): Json {
  const root: JsonObject = {};
  place(root, 'value', folded, record as JsonObject, root);
  return root.value as Json;
}

/** Puts the unfolded `value` at `key` of `parent` before filling it, so that pointers to earlier siblings find them. */
function place(parent: JsonObject | Json[], key: string | number, value: Json, record: JsonObject, root: JsonObject): void {
  const put = (made: Json) => {
    if (Array.isArray(parent)) parent[key as number] = made;
    else setOwn(parent, key as string, made);
  };
  if (typeof value === 'string') put(value.charCodeAt(0) === 61 ? resolve(value, record, root) : value);
  else if (typeof value !== 'object' || value === null) put(value);
  else if (Array.isArray(value)) {
    const list: Json[] = [];
    put(list);
    for (let i = 0; i < value.length; i++) place(list, i, value[i] as Json, record, root);
  } else {
    const out: JsonObject = {};
    put(out);
    for (const name of Object.keys(value)) place(out, name, value[name] as Json, record, root);
  }
}

function resolve(pointer: string, record: JsonObject, root: JsonObject): Json {
  if (pointer.startsWith('==')) return pointer.slice(1);
  const found = lookUp(pointer, record, root);
  if (found === undefined) throw new Error(`damaged record: nothing stands at ${pointer}`);
  return found;
}

function lookUp(pointer: string, record: JsonObject, root: JsonObject): Json | undefined {
  if (pointer.startsWith('=json:')) {
    const value = atPointer(record, pointer.slice(6));
    return value === undefined ? undefined : JSON.stringify(value);
  }
  if (pointer.startsWith('=data:')) {
    const block = atPointer(record, pointer.slice(6));
    return isObject(block) ? `data:${block.media_type};base64,${block.data}` : undefined;
  }
  if (pointer.startsWith('=.')) return root.value === undefined ? undefined : atPointer(root.value, pointer.slice(2));
  return atPointer(record, pointer.slice(1));
}
