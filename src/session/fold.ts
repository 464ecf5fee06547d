import { cut } from '#lib/cut.ts';
import { RelayError } from '#lib/errors.ts';
import { isObject, type Json, type JsonObject, setOwn } from '#lib/json.ts';
import { isImplied } from './at-rest.ts';
import { ITEMS, isSame, itemForm } from './items.ts';

/**
 * Folding: the source record is stored beside the canonical one without storing its text twice. In the folded
 * form a string that begins with `=` is a pointer. Strings and containers (objects and lists) are counted from 0 in document order:
 *   `=4`     string 4 of the canonical record, `native` and `attached` left out
 *   `=o4`    container 4 of the canonical record, the record itself not counted
 *   `=j4`    JSON.stringify of that container
 *   `=d4`    `data:<media_type>;base64,<data>` of that container, an image or file block
 *   `=m4` `=f4` `=r4`  the item of OpenAI's Responses API made of that container (items.ts)
 *   `=.4`    string 4 of the folded native record itself (pointers count too), which stands earlier in it
 *   `==…`    the literal string `=…`
 * Everything else stands for itself. unfold(fold(native, record), record) equals native, for any native.
 * Numbers, since lines are short and many: spelt out as paths the pointers alone took 4 % of a session.
 */

/** A shorter string is left where it is: the pointer would save next to nothing and hide what the line says. */
const CANONICAL_MIN = 6;
const SELF_MIN = 16;
/** Longer strings are found by their length and compared: hashing all of them would cost more than the rest. */
const HASHED_MAX = 256;

/** Visits what pointers are counted by: strings and containers of the canonical record, in document order. */
function visit(record: object, string: (value: string) => void, container: (value: Json[] | JsonObject) => void): void {
  const walk = (value: Json | undefined): void => {
    if (typeof value === 'string') string(value);
    else if (typeof value === 'object' && value !== null) {
      container(value);
      if (Array.isArray(value)) for (const item of value) walk(item);
      else for (const key of Object.keys(value)) walk(value[key]);
    }
  };
  for (const [key, value] of Object.entries(record)) if (key !== 'native' && key !== 'attached') walk(value as Json);
}

/** What a pointer can lead to. */
class Targets {
  readonly containers = new Map<object, string>();
  /** strings of the folded record so far */
  count = 0;
  private readonly short = new Map<string, string>();
  private readonly long = new Map<number, { value: string; at: string }[]>();
  private readonly blocks: { block: JsonObject; number: number }[] = [];
  private derived = false;
  private readonly record: JsonObject;

  constructor(record: object) {
    this.record = record as JsonObject;
    let strings = 0;
    let containers = 0;
    visit(
      record,
      (value) => {
        if (value.length >= CANONICAL_MIN) this.remember(value, `=${strings}`);
        strings++;
      },
      (value) => {
        this.containers.set(value, `=o${containers}`);
        if (!Array.isArray(value) && BLOCKS.has(value.type as string)) this.blocks.push({ block: value, number: containers });
        containers++;
      },
    );
  }

  /** Remembers where a string stands; the first place wins. */
  remember(value: string, at: string): void {
    if (value.length <= at.length + 1 || this.known(value) !== undefined) return;
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

  /** The pointer to an item that the canonical record says all of. */
  item(value: JsonObject): string | undefined {
    const form = itemForm(value);
    if (form === undefined) return undefined;
    const parts = form === 'm' ? [{ block: this.record.content as Json[], number: 0 }] : this.blocks;
    for (const { block, number } of parts) {
      if (block === undefined || this.containers.get(block) !== `=o${number}`) continue;
      const made = ITEMS[form]?.build(block, this.record);
      if (made && isSame(value, made)) return `=${form}${number}`;
    }
    return undefined;
  }

  /** Inputs as JSON and pictures as data addresses, made only for a line that may hold one. */
  private derive(): void {
    this.derived = true;
    for (const { block, number } of this.blocks) {
      if (block.type === 'image' || block.type === 'file') {
        if (typeof block.data === 'string') this.remember(dataAddress(block), `=d${number}`);
      } else if (block.type === 'tool_call' && typeof block.input === 'object' && block.input !== null) {
        const input = this.containers.get(block.input);
        if (input) this.remember(JSON.stringify(block.input), `=j${input.slice(2)}`);
      }
    }
  }
}

/** Blocks that a part of the source record may be made of. */
const BLOCKS = new Set(['tool_call', 'tool_result', 'image', 'file']);

const dataAddress = (block: JsonObject): string => `data:${block.media_type};base64,${block.data}`;

/** By its first character: an object or list as JSON, or `data:`. */
function mayBeDerived(value: string): boolean {
  const first = value.charCodeAt(0);
  return first === 123 || first === 91 || (first === 100 && value.startsWith('data:'));
}

/** Folds a source record against the canonical record made from it (whose `native` is not looked at). */
export function fold(native: Json, record: object): Json {
  const targets = new Targets(record);
  // The whole line is never a pointer: a record whose native part is a string is one that was kept as text.
  return isObject(native) ? foldRecord(native, record, targets) : foldValue(native, targets);
}

/** What the record takes over from its native part as it is (see at-rest.ts) must stand there. */
function foldRecord(native: JsonObject, record: object, targets: Targets): JsonObject {
  const out: JsonObject = {};
  for (const key of Object.keys(native)) {
    const value = native[key] as Json;
    if (!isImplied(key, value, record)) setOwn(out, key, foldValue(value, targets));
    else {
      if (typeof value === 'string') targets.count++;
      out[key] = value;
    }
  }
  return out;
}

function foldValue(value: Json, targets: Targets): Json {
  if (typeof value === 'string') return foldString(value, targets);
  if (typeof value !== 'object' || value === null) return value;
  const known = targets.containers.get(value) ?? (Array.isArray(value) ? undefined : targets.item(value));
  // An empty object says less than its pointer would.
  if (known !== undefined && Object.keys(value).length) {
    targets.count++;
    return known;
  }
  return Array.isArray(value) ? value.map((item) => foldValue(item, targets)) : foldObject(value, targets);
}

function foldString(value: string, targets: Targets): string {
  const number = targets.count++;
  const found = targets.find(value);
  if (found !== undefined) return found;
  if (value.length >= SELF_MIN) targets.remember(value, `=.${number}`);
  return value.charCodeAt(0) === 61 ? `=${value}` : value;
}

function foldObject(value: JsonObject, targets: Targets): JsonObject {
  const out: JsonObject = {};
  for (const key of Object.keys(value)) setOwn(out, key, foldValue(value[key] as Json, targets));
  return out;
}

/** The source record again. Throws a RelayError when a pointer leads nowhere, which means that the record is damaged. */
export function unfold(folded: Json, record: object): Json {
  return unfoldValue(folded, new Sources(record));
}

/** What pointers lead to, counted when the first one is met. */
class Sources {
  /** strings of the folded record so far, unfolded; null where a pointer to a container stands */
  readonly own: (string | null)[] = [];
  readonly record: object;
  private counted: { strings: string[]; containers: (Json[] | JsonObject)[] } | undefined;

  constructor(record: object) {
    this.record = record;
  }

  canonical(): { strings: string[]; containers: (Json[] | JsonObject)[] } {
    if (!this.counted) {
      const strings: string[] = [];
      const containers: (Json[] | JsonObject)[] = [];
      visit(
        this.record,
        (value) => strings.push(value),
        (value) => containers.push(value),
      );
      this.counted = { strings, containers };
    }
    return this.counted;
  }
}

function unfoldValue(value: Json, sources: Sources): Json {
  if (typeof value === 'string') {
    const made = value.charCodeAt(0) === 61 ? resolve(value, sources) : value;
    sources.own.push(typeof made === 'string' ? made : null);
    return made;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => unfoldValue(item, sources));
  const out: JsonObject = {};
  for (const key of Object.keys(value)) setOwn(out, key, unfoldValue(value[key] as Json, sources));
  return out;
}

/** A pointer of a folded record: its form, then a number. */
export const POINTER = /^=([.ojdmfr]?)(\d+)$/;

function resolve(pointer: string, sources: Sources): Json {
  if (pointer.startsWith('==')) return pointer.slice(1);
  const [, form, digits] = POINTER.exec(pointer) ?? [];
  const found = digits === undefined ? undefined : lookUp(form as string, Number(digits), sources);
  if (found === undefined || found === null) throw new RelayError('corrupt', `damaged record: nothing stands at ${cut(pointer, 40)}`);
  return found;
}

function lookUp(form: string, number: number, sources: Sources): Json | undefined {
  if (form === '.') return sources.own[number];
  const { strings, containers } = sources.canonical();
  if (form === '') return strings[number];
  const container = containers[number];
  if (container === undefined || form === 'o') return container;
  if (form === 'j') return JSON.stringify(container);
  const item = Object.hasOwn(ITEMS, form) ? ITEMS[form] : undefined;
  if (item) return item.build(container, sources.record as JsonObject);
  return isObject(container) ? dataAddress(container) : undefined;
}
