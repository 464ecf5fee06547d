import { createHash, randomBytes } from 'node:crypto';

const dashed = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** A UUIDv7: sorts by time, 74 random bits. */
export function uuidv7(now: Date): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return dashed(bytes.toString('hex'));
}

/** A UUID made from a name: the same parts give the same UUID (version and variant bits of a random one). */
export function uuidOf(...parts: (string | number)[]): string {
  const hash = createHash('sha256').update(parts.join('\0')).digest('hex');
  return dashed(`${hash.slice(0, 12)}4${hash.slice(13, 16)}a${hash.slice(17, 32)}`);
}
