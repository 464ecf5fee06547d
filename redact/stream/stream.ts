import { textToBytes } from '#lib/bytes.ts';
import type { Redactor } from '../index.ts';
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

const redactPiece = ({ text, value, line }: Piece, redactor: Redactor): string =>
  value === undefined ? redactor.lines(text, (lineFeeds) => `line ${line + lineFeeds}`) : redactor.json(text, value, `line ${line}`, slotByShape);
