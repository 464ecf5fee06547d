import { bytesToText } from '#lib/bytes.ts';
import { type Json, parseJson } from '#lib/json.ts';
import { jsonContainer } from '../json/literals.ts';
import { placeToCut, WINDOW } from './cut.ts';

/** Lines of an input that are looked at together: a JSON document, mostly on one line, or a stretch of plain text. */
export interface Piece {
  /** with the line ends */
  bytes: Buffer;
  text: string;
  /** number of the first line, from 1 */
  line: number;
  /** the JSON object or list that the text is; undefined: plain text */
  value: Json | undefined;
}

/** Plain text is looked at in stretches of this size, in bytes, so that what belongs together is seen together. */
const STRETCH = 1024 * 1024;
/** Without a place where nothing is torn apart, a stretch grows to this size; then it is cut all the same. */
const STRETCH_MAX = 16 * STRETCH;
/** A line or a JSON document of more bytes is plain text, and of a longer line no more is held in memory. */
const LONGEST = 64 * STRETCH;

const LF = 10;
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [123, 125, 91, 93];
/** With what the first line within a document can begin: a string, a bracket, a number, true, false, null. */
const WITHIN = /^["{}[\]\d\-tfn]/;

interface Gathered {
  parts: Buffer[];
  size: number;
  line: number;
}

const gathered = (line: number): Gathered => ({ parts: [], size: 0, line });
function gather(to: Gathered, bytes: Buffer): void {
  to.parts.push(bytes);
  to.size += bytes.length;
}
const joined = ({ parts, size }: Gathered): Buffer => (parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, size));

const isSpace = (byte: number | undefined): boolean => byte === 32 || byte === 13 || byte === LF || byte === 9;
/** Where the text of a line begins and ends: without a byte order mark, and without white space at its end. */
function extent(bytes: Buffer): [start: number, end: number] {
  let end = bytes.length;
  while (end > 0 && isSpace(bytes[end - 1])) end--;
  return [bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0, end];
}

const closing = (open: number | undefined): number | undefined => (open === OPEN_OBJECT ? CLOSE_OBJECT : open === OPEN_LIST ? CLOSE_LIST : undefined);

/** The piece that these lines are if they are one JSON object or list. */
function documentOf(bytes: Buffer, line: number): Piece | undefined {
  const [start, end] = extent(bytes);
  if (end - start < 2 || bytes.length > LONGEST || bytes[end - 1] !== closing(bytes[start])) return undefined;
  const text = bytesToText(bytes);
  const value = parseJson(start ? text.slice(1) : text);
  return value === undefined ? undefined : { bytes, text, line, value };
}

export interface Pieces {
  /** The pieces that are complete with these bytes. They may be of any size. */
  push(chunk: Buffer): Piece[];
  /** What is left. */
  end(): Piece[];
}

/**
 * Takes an input apart, whatever it is: each line by what stands in it. JSON at the beginning of a line is a record; brackets that stand alone at the
 * beginning of a line enclose a document over several lines; everything else is text. Together the pieces are the input, byte for byte.
 * @param mayCut may text be cut between these two parts of it?
 */
export function cutPieces(mayCut: (left: string, right: string) => boolean): Pieces {
  let out: Piece[] = [];
  let line = 1;
  let rest = gathered(line);
  let text = gathered(line);
  /** size at which the text is to be cut */
  let full = STRETCH + WINDOW;
  let document: (Gathered & { close: number }) | undefined;
  /** the line that is read has lost its beginning to the text */
  let torn = false;

  const flushText = (): void => {
    if (text.size) out.push(pieceOf(joined(text), text.line));
    text = gathered(line);
    full = STRETCH + WINDOW;
  };
  const addText = (bytes: Buffer, at: number): void => {
    if (!text.size) text.line = at;
    gather(text, bytes);
    if (text.size < full) return;
    const bytesNow = joined(text);
    const cut = placeToCut(bytesNow, mayCut, bytesNow.length > STRETCH_MAX);
    if (cut === undefined) {
      text.parts = [bytesNow];
      full = text.size + STRETCH;
      return;
    }
    const piece = pieceOf(bytesNow.subarray(0, cut), text.line);
    out.push(piece);
    text = { ...gathered(text.line + count(piece.bytes)), parts: [bytesNow.subarray(cut)], size: bytesNow.length - cut };
    full = STRETCH + WINDOW;
  };
  /** It was no JSON. */
  const dissolve = (): void => {
    if (document) addText(joined(document), document.line);
    document = undefined;
  };
  const withinDocument = (bytes: Buffer): void => {
    const into = document as NonNullable<typeof document>;
    const [, end] = extent(bytes);
    const isFirst = into.parts.length === 1;
    gather(into, bytes);
    if (bytes[0] === into.close && end === 1) {
      const found = documentOf(joined(into), into.line);
      if (!found) return dissolve();
      flushText();
      out.push(found);
      document = undefined;
    } else if (into.size > LONGEST || (isFirst && end > 0 && !WITHIN.test(bytes.toString('latin1', 0, 400).trimStart()))) dissolve();
  };
  const take = (bytes: Buffer): void => {
    const at = line;
    if (bytes[bytes.length - 1] === LF) line++;
    if (torn) {
      torn = false;
      return addText(bytes, at);
    }
    const [start, end] = extent(bytes);
    const close = end - start === 1 ? closing(bytes[start]) : undefined;
    if (close !== undefined) {
      dissolve();
      document = { ...gathered(at), close };
      gather(document, bytes);
    } else if (document) withinDocument(bytes);
    else {
      const record = documentOf(bytes, at);
      if (!record) return addText(bytes, at);
      flushText();
      out.push(record);
    }
  };
  const taken = (): Piece[] => {
    const done = out;
    out = [];
    return done;
  };

  return {
    push(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, from)) {
        gather(rest, chunk.subarray(from, at + 1));
        take(joined(rest));
        rest = gathered(line);
        from = at + 1;
      }
      if (from < chunk.length) gather(rest, chunk.subarray(from));
      if (rest.size > LONGEST) {
        dissolve();
        addText(joined(rest), line);
        rest = gathered(line);
        torn = true;
      }
      return taken();
    },
    end() {
      if (rest.size) take(joined(rest));
      dissolve();
      flushText();
      return taken();
    },
  };
}

/** A document whose brackets do not stand alone is one where nothing else stands beside it. */
function pieceOf(bytes: Buffer, line: number): Piece {
  const text = bytesToText(bytes);
  return { bytes, text, line, value: jsonContainer(text) };
}

function count(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) lines++;
  return lines;
}
