import type { JsonObject } from '#lib/json.ts';
import type { FileBlock, ImageBlock } from '#session/record.ts';

/** A block for the API, or a note in its place. `changed`: what had to be put right, in words. */
export interface Media {
  block: JsonObject;
  changed?: string;
}

const text = (words: string): JsonObject => ({ type: 'text', text: words });

/** The kind of image that its first bytes show; the API refuses what does not match. */
function imageType(data: string): string | undefined {
  const head = Buffer.from(data.slice(0, 24), 'base64');
  if (head.length < 12) return undefined;
  if (head.readUInt32BE(0) === 0x89504e47 && head.readUInt32BE(4) === 0x0d0a1a0a) return 'image/png';
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'image/jpeg';
  const ascii = head.toString('latin1');
  if (/^GIF8[79]a/.test(ascii)) return 'image/gif';
  return ascii.startsWith('RIFF') && ascii.slice(8, 12) === 'WEBP' ? 'image/webp' : undefined;
}

const isBase64 = (data: string): boolean => data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);

/** A PNG that ends early has no IEND; other kinds are judged by their first bytes only. */
const isWhole = (type: string, data: string): boolean => type !== 'image/png' || Buffer.from(data.slice(-24), 'base64').includes('IEND');

export function imageBlock(image: ImageBlock): Media {
  const type = imageType(image.data);
  if (type === undefined || !isBase64(image.data) || !isWhole(type, image.data))
    return { block: text(`[image (${image.media_type}) that cannot be read: left out]`), changed: 'is no valid image and was replaced by a note' };
  const block: JsonObject = { type: 'image', source: { type: 'base64', media_type: type, data: image.data } };
  return type === image.media_type ? { block } : { block, changed: `said ${image.media_type} and is ${type}` };
}

export function fileBlock(file: FileBlock): Media {
  const name = file.name ?? 'file';
  if (file.media_type === 'application/pdf' && isBase64(file.data) && Buffer.from(file.data.slice(0, 8), 'base64').toString('latin1').startsWith('%PDF-'))
    return {
      block: { type: 'document', source: { type: 'base64', media_type: file.media_type, data: file.data }, ...(file.name ? { title: file.name } : {}) },
    };
  const bytes = Buffer.from(file.data, 'base64');
  const words = bytes.toString('utf8');
  if (words.trim() !== '' && Buffer.from(words, 'utf8').equals(bytes)) return { block: text(`${name}:\n${words}`), changed: 'is told as text' };
  return { block: text(`[${name} (${file.media_type}): left out]`), changed: 'has a form that this client does not take and was replaced by a note' };
}
