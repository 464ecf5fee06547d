/** Base64 of what begins like PNG, JPEG, GIF, WebP, PDF. */
const MAGIC = /^(?:data:[\w.+-]{1,40}\/[\w.+-]{1,80};base64,)?(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|JVBERi0)/;
const DATA_URL = /^data:(?:image|audio|video|application\/pdf)[^,]{0,100};base64,/;
const BODY = /^[A-Za-z0-9+/]*={0,2}$/;
const SHORTEST = 256;

/**
 * Where the base64 of an image (or another picture of bytes) begins in a string that is nothing else; undefined for any
 * other string. Told by its shape, not by the place where it stands.
 */
export function imageStart(text: string): number | undefined {
  if (text.length < SHORTEST) return undefined;
  const first = text.charCodeAt(0);
  // i / R U J d: nothing else can begin one, and most texts end here.
  if (first !== 105 && first !== 47 && first !== 82 && first !== 85 && first !== 74 && first !== 100) return undefined;
  const head = text.slice(0, 160);
  if (!MAGIC.test(head) && !DATA_URL.test(head)) return undefined;
  const start = head.startsWith('data:') ? text.indexOf(',') + 1 : 0;
  return BODY.test(start ? text.slice(start) : text) ? start : undefined;
}

/** Bytes of a picture or a document of bytes, by how they begin. */
export function isPicture(bytes: Buffer): boolean {
  return MAGIC.test(bytes.toString('base64', 0, 24));
}
