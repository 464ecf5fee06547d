import type { Out } from '#io/io.ts';
import { safeLine } from '#lib/safe-text.ts';
import { cutToWidth, displayWidth } from './width.ts';

const GAP = 2;
/** A title is not cut to less than this. */
const LEAST = 20;
/** A count or a size; the beginning of an id may be digits only, and is longer. */
const NUMBER = /^(?:\d{1,7}|[\d.]+ [kMGT]?B)$/;

/** What a table looks like where it does not fit. */
interface Narrow {
  /** the same rows in shorter words */
  rows: readonly (readonly string[])[];
  /** columns that can be spared, the first one first */
  spare?: readonly number[];
}

/**
 * A table for `out`. Into a pipe or a file it is whole. On a terminal that is too narrow for it, `narrow` gives shorter rows, columns
 * are left out, and at last the last column is cut, but never to less than 20.
 */
export async function tableFor(
  out: Pick<Out, 'isTTY' | 'columns'>,
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  narrow: () => Narrow | Promise<Narrow>,
): Promise<string> {
  const whole = table(titles, rows);
  if (!out.isTTY || whole.split('\n').every((line) => displayWidth(line) <= out.columns)) return whole;
  const { rows: short, spare = [] } = await narrow();
  for (let left = 0; ; left++) {
    const gone = spare.slice(0, left);
    const kept = <T>(cells: readonly T[]) => cells.filter((_, i) => !gone.includes(i));
    const made = cutTable(
      kept(titles),
      short.map((row) => kept(row)),
      out.columns,
    );
    if (made.fits || left === spare.length) return made.text;
  }
}

/**
 * Rows under their titles, padded by what a terminal shows (wide characters count two); columns of numbers stand at the right.
 * Cells are made safe and put on one line each. Ends with a line feed; "" without rows.
 */
export const table = (titles: readonly string[], rows: readonly (readonly string[])[]): string => cutTable(titles, rows, undefined).text;

/** @param width the last column is cut so that no line is longer, if that can be */
function cutTable(titles: readonly string[], rows: readonly (readonly string[])[], width: number | undefined): { text: string; fits: boolean } {
  if (!rows.length) return { text: '', fits: true };
  const lines = [titles, ...rows.map((row) => titles.map((_, i) => safeLine(row[i] ?? '')))];
  const column = (i: number) => lines.map((line) => line[i] ?? '');
  const widths = titles.map((_, i) => Math.max(...column(i).map(displayWidth)));
  const right = titles.map((_, i) =>
    column(i)
      .slice(1)
      .every((cell) => NUMBER.test(cell)),
  );
  const last = titles.length - 1;
  const over = width === undefined ? 0 : widths.reduce((sum, w) => sum + w + GAP, -GAP) - width;
  const natural = widths[last] ?? 0;
  const least = Math.min(LEAST, natural);
  if (over > 0) widths[last] = Math.max(least, natural - over);
  const text = lines
    .map(
      (line) =>
        `${line
          .map((cell, i) => pad(cell, widths[i] ?? 0, right[i] ?? false))
          .join(' '.repeat(GAP))
          .trimEnd()}\n`,
    )
    .join('');
  return { text, fits: natural - over >= least };
}

function pad(cell: string, width: number, right: boolean): string {
  const text = cutToWidth(cell, width);
  const space = ' '.repeat(width - displayWidth(text));
  return right ? space + text : text + space;
}
