/** Literals whose base64 forms are anchors: what begins a secret inside an encoded document. */
const TELLING = ['ghp_', 'sk-ant-', '-----BEGIN', '"token"', 'password', 'sk_live_', 'AKIA', 'glpat-', 'secret'];
const RUN_MAX = 8192;
const SHORTEST = 24;

/** The base64 text of a literal at each of its three alignments, without the characters that depend on its neighbours. */
function forms(literal: string): string[] {
  return [0, 1, 2]
    .map((shift) => {
      const encoded = Buffer.from('\0'.repeat(shift) + literal, 'latin1')
        .toString('base64')
        .replace(/=+$/, '');
      return encoded.slice([0, 2, 3][shift], Math.floor(((shift + literal.length) * 8) / 6));
    })
    .filter((form) => form.length >= 6);
}

export const wrappedAnchors: readonly string[] = TELLING.flatMap(forms);

const inRun = (c: number): boolean => (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c === 43 || c === 47 || c === 61;

/** The base64 run around an anchor and what it says; "" where that is no plain text. */
export function unwrap(text: string, at: number, length: number): { start: number; end: number; inner: string } {
  let start = at;
  let end = at + length;
  while (start > 0 && at - start < RUN_MAX && inRun(text.charCodeAt(start - 1))) start--;
  while (end < text.length && end - at < RUN_MAX && inRun(text.charCodeAt(end))) end++;
  if (end - start < SHORTEST) return { start, end, inner: '' };
  const inner = Buffer.from(text.slice(start, end), 'base64').toString('latin1');
  return { start, end, inner: /[^\t\n\r\x20-\x7e]/.test(inner.slice(0, 64)) ? '' : inner };
}
