import { isUtf8 } from 'node:buffer';
import type { Engine } from '../engine/engine.ts';
import { isPicture } from '../inner/images.ts';
import type { Taken } from '../taken.ts';
import { inText } from './look.ts';

/** The text that bytes are; undefined for any that hold something else. What is text as relay writes it holds no NUL. */
export const asText = (bytes: Buffer): string | undefined => (isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8').replace(/^\ufeff/, '') : undefined);

/** What bytes hold that are no text: in what can be read of them as they are, and in text of another encoding within them. */
export function inBytes(bytes: Buffer, engine: Engine): Taken[] {
  const plain = isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1');
  const taken = [plain, ...wideTexts(bytes, plain)].flatMap((text) => inText(readable(text), '', engine));
  // Known values in another script stand there as they are in UTF-8, as in the names of a tree, or in Latin-1.
  const known = [...new Set([bytes.toString('utf8'), plain])].flatMap((text) => inText(text, '', engine)).filter((one) => one.rank === 2);
  // Names beside a value mean nothing in the bytes of a picture.
  return [...(isPicture(bytes) ? taken.filter((one) => one.rank > 0) : taken), ...known];
}

const CONTROLS = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f]/g;
/** In text there are hardly any control characters; of what is random, as anything compressed is, they are more than a tenth. */
const CONTROLS_MAX = 0.03;
/** Anything shorter is chance: names with something behind them stand in every few MB of random bytes. */
const RUNS = /[\t\n\r\x20-\x7e]{12,}/g;

/** A text as it is; of one that is none, the stretches that a person could read. */
function readable(text: string): string {
  const controls = text.match(CONTROLS)?.length ?? 0;
  return controls <= text.length * CONTROLS_MAX ? text : (text.match(RUNS) ?? []).join('\0\n');
}

/** Some ASCII in UTF-16 or UTF-32, in either order of bytes. */
const WIDE = /(?:[\t\n\r\x20-\x7e]\0{1,3}){8}/;
const MARKS = new Set([0xfffe, 0xfeff]);

/** The bytes read as UTF-16 in either order from either byte on; without the NULs that are left where they are UTF-32. */
function wideTexts(bytes: Buffer, plain: string): string[] {
  if (bytes.length < 2 || !(MARKS.has(bytes.readUInt16BE(0)) || WIDE.test(plain))) return [];
  return [0, 1].flatMap((from) => {
    const pairs = Buffer.alloc((bytes.length - from + 1) & ~1);
    bytes.copy(pairs, 0, from);
    return [pairs.toString('utf16le'), pairs.swap16().toString('utf16le')].map((text) => text.replaceAll('\0', ''));
  });
}

const ENTRY = /\d{5,6} [^\0]+\0/y;
/** Bytes of an object's id, in SHA-1 and SHA-256. */
const IDS = [20, 32];

/** Are these the entries of a tree and nothing else? */
export function isTree(bytes: Buffer): boolean {
  const ascii = bytes.toString('latin1');
  return IDS.some((id) => {
    for (ENTRY.lastIndex = 0; ENTRY.lastIndex < ascii.length; ENTRY.lastIndex += id) if (!ENTRY.test(ascii)) return false;
    return ENTRY.lastIndex === ascii.length;
  });
}
