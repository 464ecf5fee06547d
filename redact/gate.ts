import { isUtf8 } from 'node:buffer';
import { RelayError } from '#lib/errors.ts';
import { asString, isObject, type Json, type JsonObject, parseJson, pointerStep } from '#lib/json.ts';
import { fromRest } from '#session/at-rest.ts';
import { nativeValue } from '#session/codec.ts';
import type { SessionRecord } from '#session/record.ts';
import type { Slots } from '#session/slot.ts';
import { createEngine, type Engine } from './engine.ts';
import { isPicture } from './images.ts';
import type { Finding, RedactionOptions } from './index.ts';
import type { Path } from './literals.ts';
import { fingerprints } from './placeholder.ts';
import { cleanText } from './redactor.ts';
import type { Taken } from './taken.ts';
import { mapValue } from './walk.ts';

/** The last look at what is about to leave. */
export interface Gate {
  /** engine version, hash of the rules and state of what grows with use: a verdict is only good for the same id */
  readonly id: string;
  /**
   * Secrets in an object: a blob, a commit or a tree. Placeholders are none. What cannot be examined counts as a finding of kind `error`;
   * a rule of the settings that takes too long throws RelayError `blocked`, which names it.
   * @param path where the blob stands in its version (told by `.jsonl`: canonical records, one a line); "" for commits and trees
   */
  check(bytes: Buffer, path: string): Finding[];
}

interface Look {
  engine: Engine;
  slots: Slots | undefined;
  add(taken: readonly Taken[], record: string, path?: string): void;
}

/** @param options `slots`: of the agent whose records are looked at */
export function createGate({ slots, ...options }: RedactionOptions & { slots?: Slots }): Gate {
  const engine = createEngine(options);
  const print = fingerprints(options.key);
  return {
    id: [engine.id, ...(options.layers ?? []).flatMap((layer) => layer.state ?? [])].join('+'),
    check(bytes, path) {
      const findings = new Map<string, Finding>();
      const add = (kind: string, fingerprint: string, record: string, at: string) => {
        const id = `${kind} ${fingerprint} ${record} ${at}`;
        const finding = findings.get(id);
        if (finding) finding.count++;
        else findings.set(id, { kind, fingerprint, record, path: at, count: 1 });
      };
      const look: Look = { engine, slots, add: (taken, record, at = '') => taken.forEach((one) => add(one.kind, print(one.value), record, at)) };
      try {
        examine(bytes, path, look);
      } catch (error) {
        // A rule of the settings that takes too long says so itself, and which one it is.
        if (error instanceof RelayError && error.code === 'blocked') throw error;
        // Any other reason could hold the text; that there is one is enough to stop.
        add('error', '00000000', path, '');
      }
      return [...findings.values()];
    },
  };
}

/** Nothing is put in place of what the gate finds. */
const label = ({ kind }: Taken): string => `[REDACTED:${kind}:00000000]`;

function inText(text: string, name: string, engine: Engine): Taken[] {
  const taken: Taken[] = [];
  cleanText(engine, text, name, taken, label);
  return taken;
}

function examine(bytes: Buffer, path: string, look: Look): void {
  if (!isUtf8(bytes)) return binary(bytes, path, look);
  const text = bytes.toString('utf8');
  if (!path.endsWith('.jsonl')) return look.add(inText(text, '', look.engine), path);
  let number = 0;
  for (let from = 0; from < text.length; number++) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? text.length : end);
    from = end < 0 ? text.length : end + 1;
    examineLine(line, `${path} ${number}`, look);
  }
}

function binary(bytes: Buffer, path: string, look: Look): void {
  const taken = inText(bytes.toString('latin1'), '', look.engine);
  // Names beside a value mean nothing in the bytes of a picture.
  look.add(isPicture(bytes) ? taken.filter((one) => one.rank > 0) : taken, path);
  // Known values in another script stand there as UTF-8, as in the names of a tree.
  look.add(
    inText(bytes.toString('utf8'), '', look.engine).filter((one) => one.rank === 2),
    path,
  );
}

function examineLine(line: string, at: string, look: Look): void {
  const record = parseJson(line);
  if (!isObject(record)) return look.add(inText(line, '', look.engine), at);
  if (record.type === 'raw' && typeof record.base64 === 'string')
    look.add(inText(Buffer.from(record.base64, 'base64').toString('latin1'), '', look.engine), at);
  let sealed: Set<string> | undefined;
  const allowed = (value: string, taken: readonly Taken[]): boolean => {
    if (!look.slots || taken.some((one) => one.rank === 2)) return false;
    sealed ??= keptValues(record, look.slots);
    return sealed.has(value);
  };
  const judge = (value: string, name: string, path: Path) => {
    const text = path[0] === 'native' && path.length > 1 ? unfolded(value) : value;
    if (text.length < 4) return;
    const taken = inText(text, name, look.engine);
    if (taken.length && !allowed(text, taken)) look.add(taken, at, `/${path.map(pointerStep).join('/')}`);
  };
  mapValue(record, {
    string(value, name, path) {
      judge(value, name, path);
      return value;
    },
    key(value, path) {
      if (value.length >= 6) judge(value, '', path.length ? path : ['']);
      return value;
    },
    scalar(raw, name, path) {
      if (look.engine.scalar(raw, name)) look.add([{ kind: 'pw', value: raw, rank: 0 }], at, `/${path.map(pointerStep).join('/')}`);
      return undefined;
    },
  });
}

/** A string of a folded record (src/session/fold.ts): "" for a pointer, since what it points to is looked at where it stands. */
function unfolded(value: string): string {
  if (value.charCodeAt(0) !== 61) return value;
  return value.startsWith('==') ? value.slice(1) : '';
}

function keptValues(record: JsonObject, slots: Slots): Set<string> {
  const out = new Set<string>();
  const visit = (value: Json | undefined, path: Path): void => {
    if (typeof value === 'string') {
      if (slots(path, value) === 'kept') out.add(value);
    } else if (Array.isArray(value)) value.forEach((item, i) => visit(item, [...path, i]));
    else if (isObject(value)) for (const key of Object.keys(value)) visit(value[key], [...path, key]);
  };
  if (asString(record.type) !== 'raw') visit(nativeValue(fromRest(record) as unknown as SessionRecord), []);
  return out;
}
