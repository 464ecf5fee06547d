import { isUtf8 } from 'node:buffer';

/**
 * Any bytes as text, and back: valid UTF-8 is itself, every other byte stands as the lone surrogate U+DC80 to U+DCFF, which no valid UTF-8
 * decodes to. So folders and secrets are found in broken text as in whole text, and nothing of it is lost.
 */
export function bytesToText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequence(bytes, at);
    if (length) at += length;
    else {
      parts.push(bytes.toString('utf8', from, at), String.fromCharCode(0xdc00 + (bytes[at] as number)));
      from = ++at;
    }
  }
  parts.push(bytes.toString('utf8', from));
  return parts.join('');
}

/** The bytes that `bytesToText` made a text of. */
export function textToBytes(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8');
  // A lone surrogate counts as three bytes here, so this is enough.
  const out = Buffer.allocUnsafe(Buffer.byteLength(text));
  let length = 0;
  let from = 0;
  for (const { index } of text.matchAll(/[\udc80-\udcff]/gu)) {
    if (index > from) length += out.write(text.slice(from, index), length);
    out[length++] = text.charCodeAt(index) - 0xdc00;
    from = index + 1;
  }
  length += out.write(text.slice(from), length);
  return out.subarray(0, length);
}

/** Length of the valid UTF-8 sequence that starts at `at`, 0 where there is none (RFC 3629). */
function sequence(bytes: Buffer, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const lowest = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const highest = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (!isWithin(bytes[at + 1], lowest, highest)) return 0;
  for (let i = 2; i < length; i++) if (!isWithin(bytes[at + i], 0x80, 0xbf)) return 0;
  return length;
}

const isWithin = (byte: number | undefined, lowest: number, highest: number): boolean => byte !== undefined && byte >= lowest && byte <= highest;
