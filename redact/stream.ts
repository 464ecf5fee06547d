import { textToBytes } from '#lib/bytes.ts';
import { isObject, type Json } from '#lib/json.ts';
import type { Redactor } from './index.ts';
import { cutPieces, type Piece } from './pieces.ts';
import { slotByShape } from './shapes.ts';

/** Redacts an input of any size as it comes. */
export interface RedactionStream {
  /** What of the input can be given out with these bytes, redacted. */
  push(chunk: Buffer): Buffer[];
  /** The rest. */
  end(): Buffer[];
}

/**
 * Redacts text, JSON and JSON Lines, told apart by what stands there, and keeps every byte of what does not change: line ends, white
 * space, number forms, bytes that are no UTF-8. Holds no more than one line or about 1 MB of text. Records of the report are called
 * `line <n>`, counted from 1.
 */
export function redactStream(redactor: Redactor): RedactionStream {
  const pieces = cutPieces(redactor.mayCut);
  const treat = (piece: Piece): Buffer => {
    const made = redactPiece(piece, redactor);
    return made === piece.text ? piece.bytes : textToBytes(made);
  };
  return { push: (chunk) => pieces.push(chunk).map(treat), end: () => pieces.end().map(treat) };
}

function redactPiece({ text, value, line }: Piece, redactor: Redactor): string {
  if (value === undefined) return redactor.lines(text, (lineFeeds) => `line ${line + lineFeeds}`);
  const tail = isObject(value) ? tailOf(text, value) : undefined;
  if (tail === undefined || !isObject(value)) return redactor.line(text, `line ${line}`, slotByShape);
  const made = redactor.record(value, `line ${line}`, slotByShape);
  return made === value ? text : JSON.stringify(made) + tail;
}

/** What follows the JSON in a line that serialises back to itself (its line end); undefined for any other line. */
function tailOf(text: string, value: Json): string | undefined {
  try {
    const json = JSON.stringify(value);
    return text.startsWith(json) ? text.slice(json.length) : undefined;
  } catch {
    // Nested too deeply for the stack.
    return undefined;
  }
}
