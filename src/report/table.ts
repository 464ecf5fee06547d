import { safeLine } from './safe-text.ts';
import { cutToWidth, displayWidth } from './width.ts';

const GAP = 2;
const LEAST = 12;
const NUMBER = /^[\d.,]+( [kMGT]?B)?$/;

/**
 * Rows under their titles, padded by what a terminal shows (wide characters count two); columns of numbers stand at the right.
 * Cells are made safe and put on one line each. Ends with a line feed; "" without rows.
 * @param width where given, the last column is cut so that no line is longer
 */
export function table(titles: readonly string[], rows: readonly (readonly string[])[], width?: number): string {
  if (!rows.length) return '';
  const lines = [titles, ...rows.map((row) => titles.map((_, i) => safeLine(row[i] ?? '')))];
  const column = (i: number) => lines.map((line) => line[i] ?? '');
  const widths = titles.map((_, i) => Math.max(...column(i).map(displayWidth)));
  const right = titles.map((_, i) =>
    column(i)
      .slice(1)
      .every((cell) => NUMBER.test(cell)),
  );
  const last = titles.length - 1;
  if (width !== undefined) {
    const over = widths.reduce((sum, w) => sum + w + GAP, -GAP) - width;
    if (over > 0) widths[last] = Math.max(LEAST, (widths[last] ?? 0) - over);
  }
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, i) => pad(cell, widths[i] ?? 0, right[i] ?? false))
          .join(' '.repeat(GAP))
          .trimEnd()}\n`,
    )
    .join('');
}

function pad(cell: string, width: number, right: boolean): string {
  const text = cutToWidth(cell, width);
  const space = ' '.repeat(width - displayWidth(text));
  return right ? space + text : text + space;
}
