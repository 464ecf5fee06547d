/** Code points that terminals show two columns wide: East Asian Wide and Fullwidth, and emoji that are pictures by default. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
/** Marks that stand on the character before them, and characters that show nothing. */
const NONE = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/u;
const ASCII = /^[\x20-\x7e]*$/;
const segments = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Columns that a text takes up in a terminal. The text holds no control characters. */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segments.segment(text)) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(segment: string): number {
  // A picture selector or a joiner makes one picture of the whole cluster.
  if (/[\ufe0f\u200d]/.test(segment) && /\p{Extended_Pictographic}/u.test(segment)) return 2;
  for (const char of segment) if (!NONE.test(char)) return WIDE.test(char) ? 2 : 1;
  return 0;
}

/** The text cut to so many columns, with `…` where something was cut. */
export function cutToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of segments.segment(text)) {
    width += displayWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return columns > 0 ? `${kept}…` : '';
}
