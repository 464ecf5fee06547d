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
/** Longer strings are found by their length and compared: hashing all of them would cost more than the rest. */
const HASHED_MAX = 256;

/** Where a value stands: the keys on the way to it, from the root. */
type Path = (string | number)[];

function pointer(path: Path): string {
  let text = '';
  // Nearly no key needs escaping, and this is done for every string that is remembered.
  for (const step of path) text += typeof step === 'string' && /[~/]/.test(step) ? `/${pointerStep(step)}` : `/${step}`;
  return text;
}

/** What a pointer can lead to. */
class Targets {
  readonly objects = new Map<object, string>();
  private readonly short = new Map<string, string>();
  private readonly long = new Map<number, { value: string; at: string }[]>();
  private readonly blocks: { block: JsonObject; at: string }[] = [];
  private derived = false;

  /** Remembers every string and object of the canonical record under its pointer; the first place wins. */
  add(value: Json | undefined, path: Path): void {
    if (typeof value === 'string') {
      if (value.length >= CANONICAL_MIN) this.remember(value, `=${pointer(path)}`);
    } else if (typeof value === 'object' && value !== null) {
      if (Array.isArray(value)) for (let i = 0; i < value.length; i++) this.addStep(value[i], path, i);
      else {
        this.addObject(value, path);
        for (const key of Object.keys(value)) this.addStep(value[key], path, key);
      }
    }
  }

  private addStep(value: Json | undefined, path: Path, step: string | number): void {
    path.push(step);
    this.add(value, path);
    path.pop();
  }

  private addObject(value: JsonObject, path: Path): void {
    const at = pointer(path);
    this.objects.set(value, `=${at}`);
    if (value.type === 'tool_call' || value.type === 'image' || value.type === 'file') this.blocks.push({ block: value, at });
  }

  /** Remembers where a string stands, unless it stands somewhere already or is no longer than the pointer. */
  remember(value: string, at: string): void {
    if (value.length <= at.length || this.known(value) !== undefined) return;
    if (value.length <= HASHED_MAX) this.short.set(value, at);
    else {
      const same = this.long.get(value.length);
      if (same) same.push({ value, at });
      else this.long.set(value.length, [{ value, at }]);
    }
  }

  /** The pointer to a string, if there is one. */
  find(value: string): string | undefined {
    if (value.length < CANONICAL_MIN) return undefined;
    if (!this.derived && mayBeDerived(value)) this.derive();
    return this.known(value);
  }

  private known(value: string): string | undefined {
    if (value.length <= HASHED_MAX) return this.short.get(value);
    return this.long.get(value.length)?.find((other) => other.value === value)?.at;
  }

  /** Inputs as JSON and pictures as data addresses, made only for a line that may hold one. */
  private derive(): void {
    this.derived = true;
    for (const { block, at } of this.blocks) {
      if (block.type !== 'tool_call') {
        if (typeof block.data === 'string') this.remember(`data:${block.media_type};base64,${block.data}`, `=data:${at}`);
      } else if (typeof block.input === 'object') this.remember(JSON.stringify(block.input), `=json:${at}/input`);
    }
  }
}

/** By its first character: an object or list as JSON, or `data:`. */
function mayBeDerived(value: string): boolean {
  const first = value.charCodeAt(0);
  return first === 123 || first === 91 || (first === 100 && value.startsWith('data:'));
}

/** Folds a source record against the canonical record made from it (whose `native` is not looked at). */
export function fold(native: Json, record: object): Json {
  const targets = new Targets();
  for (const [key, value] of Object.entries(record)) if (key !== 'native') targets.add(value as Json, [key]);
  // The whole line is never a pointer: a record whose native part is a string is one that was kept as text.
  return isObject(native) ? foldObject(native, [], targets) : foldValue(native, [], targets);
}

function foldValue(value: Json, path: Path, targets: Targets): Json {
  if (typeof value === 'string') return foldString(value, path, targets);
  if (typeof value !== 'object' || value === null) return value;
  // An empty object says less than its pointer would.
  const known = targets.objects.get(value);
  if (known !== undefined && Object.keys(value).length) return known;
  return Array.isArray(value) ? foldArray(value, path, targets) : foldObject(value, path, targets);
}

function foldString(value: string, path: Path, targets: Targets): string {
  const found = targets.find(value);
  if (found !== undefined) return found;
  if (value.length >= SELF_MIN) targets.remember(value, `=.${pointer(path)}`);
  return value.charCodeAt(0) === 61 ? `=${value}` : value;
}

function foldArray(list: Json[], path: Path, targets: Targets): Json[] {
  const out: Json[] = [];
  for (let i = 0; i < list.length; i++) {
    path.push(i);
    out.push(foldValue(list[i] as Json, path, targets));
    path.pop();
  }
  return out;
}

function foldObject(value: JsonObject, path: Path, targets: Targets): JsonObject {
  const out: JsonObject = {};
  for (const key of Object.keys(value)) {
    path.push(key);
    setOwn(out, key, foldValue(value[key] as Json, path, targets));
    path.pop();
  }
  return out;
}

/** The source record again. Throws when a pointer leads nowhere, which means that the record is damaged. */
export function unfold(folded: Json, record: object): Json {
  const root: { value?: Json } = {};
  return unfoldValue(folded, (made) => (root.value = made), { record: record as JsonObject, root });
}

/** What pointers lead into: the canonical record, and what of the native one is there already. */
interface Around {
  record: JsonObject;
  root: { value?: Json };
}

/** Unfolds a value. A container is put in its place before it is filled, so that pointers to earlier parts find them. */
function unfoldValue(value: Json, put: ((made: Json) => void) | undefined, around: Around): Json {
  if (typeof value === 'string') return value.charCodeAt(0) === 61 ? resolve(value, around) : value;
  if (typeof value !== 'object' || value === null) return value;
  const made: Json = Array.isArray(value) ? [] : {};
  put?.(made);
  if (Array.isArray(value)) unfoldArray(value, made as Json[], around);
  else unfoldObject(value, made as JsonObject, around);
  return made;
}

function unfoldArray(value: Json[], made: Json[], around: Around): void {
  for (let i = 0; i < value.length; i++) {
    const item = value[i] as Json;
    if (typeof item !== 'object' || item === null) made.push(unfoldValue(item, undefined, around));
    else unfoldValue(item, (inner) => made.push(inner), around);
  }
}

function unfoldObject(value: JsonObject, made: JsonObject, around: Around): void {
  for (const key of Object.keys(value)) {
    const item = value[key] as Json;
    if (typeof item !== 'object' || item === null) setOwn(made, key, unfoldValue(item, undefined, around));
    else unfoldValue(item, (inner) => setOwn(made, key, inner), around);
  }
}

function resolve(pointer: string, around: Around): Json {
  if (pointer.startsWith('==')) return pointer.slice(1);
  const found = lookUp(pointer, around);
  if (found === undefined) throw new Error(`damaged record: nothing stands at ${pointer}`);
  return found;
}

function lookUp(pointer: string, { record, root }: Around): Json | undefined {
  if (pointer.startsWith('=/')) return atPointer(record, pointer.slice(1));
  if (pointer.startsWith('=json:')) {
    const value = atPointer(record, pointer.slice(6));
    return value === undefined ? undefined : JSON.stringify(value);
  }
  if (pointer.startsWith('=data:')) {
    const block = atPointer(record, pointer.slice(6));
    return isObject(block) ? `data:${block.media_type};base64,${block.data}` : undefined;
  }
  return pointer.startsWith('=.') && root.value !== undefined ? atPointer(root.value, pointer.slice(2)) : undefined;
}
