import { type Json, parseJson } from '#lib/json.ts';
import { nameIn, passed, type Scope, scope } from './scope.ts';

export type Path = (string | number)[];

export interface LiteralVisitor {
  /** A decoded string with the name it stands under. The answer takes its place. `path` is valid during the call only. */
  string(value: string, name: string, path: Path): string;
  /** An object key. */
  key(value: string, path: Path): string;
  /** A bare number; undefined leaves it. The answer is put there as a string. */
  scalar(raw: string, name: string, path: Path): string | undefined;
  /** A value that is nested deeper than a walk over values goes. Without this it is treated as text. */
  deep?(value: Json): Json;
}

const CLOSING: Readonly<Record<number, number>> = { 123: 125, 91: 93, 34: 34 };

export const isJsonContainer = (text: string): boolean => jsonContainer(text) !== undefined;

/** The JSON object, list or string that this text is, if it is one. */
export function jsonContainer(text: string): Json | undefined {
  let first = 0;
  while (first < text.length && text.charCodeAt(first) <= 32) first++;
  const open = text.charCodeAt(first);
  if (open !== 123 && open !== 91 && open !== 34) return undefined;
  let last = text.length - 1;
  while (last > first && text.charCodeAt(last) <= 32) last--;
  if (last === first || text.charCodeAt(last) !== CLOSING[open]) return undefined;
  return parseJson(text);
}

/** End of the string literal that opens at `at`: the index behind its closing quote. */
export function literalEnd(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === 92) slashes++;
    if (slashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

const decode = (literal: string): string => (literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1));

/** A literal that says `value`. Bytes that are no UTF-8 (lib/bytes.ts) stay bytes where the literal before it held them as such. */
export function encode(value: string, before: string): string {
  const literal = JSON.stringify(value);
  if (before.isWellFormed()) return literal;
  return literal.replace(/(\\+)u(dc[89a-f][0-9a-f])/g, (all, slashes: string, hex: string) =>
    slashes.length % 2 ? slashes.slice(1) + String.fromCharCode(Number.parseInt(hex, 16)) : all,
  );
}

interface Frame {
  here: Scope;
  index: number;
  /** the next literal is a key */
  atKey: boolean;
}

const NUMBER = /-?\d[\d.eE+-]*/y;

/**
 * Treats every string literal of a JSON text (which must be valid) by itself and leaves all else as it stands: number
 * forms, duplicate keys, white space, the escapes of literals that did not change. Depth costs no stack.
 */
export function mapLiterals(text: string, visit: LiteralVisitor, name = ''): string {
  const frames: Frame[] = [];
  const path: Path = [];
  let out = '';
  let copied = 0;
  const replace = (from: number, to: number, by: string) => {
    out += text.slice(copied, from) + by;
    copied = to;
  };
  const top = () => frames[frames.length - 1];
  const step = (frame: Frame) => {
    path[frames.length - 1] = frame.here.list ? frame.index : frame.here.key;
  };
  const literal = (from: number, to: number) => {
    const frame = top();
    const value = decode(text.slice(from, to));
    if (frame?.atKey) {
      const key = visit.key(value, path);
      frame.here.key = key;
      frame.atKey = false;
      step(frame);
      if (key !== value) replace(from, to, encode(key, text.slice(from, to)));
      return;
    }
    const made = visit.string(value, frame ? nameIn(frame.here) : name, path);
    if (frame) passed(frame.here, made);
    if (made !== value) replace(from, to, encode(made, text.slice(from, to)));
  };
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 34) {
      const end = literalEnd(text, at);
      literal(at, end);
      at = end - 1;
    } else if (unit === 123 || unit === 91) {
      const outer = top();
      const frame: Frame = { here: scope(unit === 91, outer ? nameIn(outer.here) : name), index: 0, atKey: unit === 123 };
      if (outer) passed(outer.here, '');
      frames.push(frame);
      if (unit === 91) step(frame);
    } else if (unit === 125 || unit === 93) {
      frames.pop();
      path.length = frames.length;
    } else if (unit === 44) {
      const frame = top();
      if (frame?.here.list) {
        frame.index++;
        step(frame);
      } else if (frame) frame.atKey = true;
    } else if (unit === 45 || (unit >= 48 && unit <= 57)) {
      NUMBER.lastIndex = at;
      const raw = NUMBER.exec(text)?.[0] ?? text.charAt(at);
      const frame = top();
      const made = visit.scalar(raw, frame ? nameIn(frame.here) : name, path);
      if (frame) passed(frame.here, '');
      if (made !== undefined) replace(at, at + raw.length, JSON.stringify(made));
      at += raw.length - 1;
    }
  }
  return copied ? out + text.slice(copied) : text;
}
