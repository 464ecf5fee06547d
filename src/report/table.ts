import { safeLine } from './safe-text.ts';
import { cutToWidth, displayWidth } from './width.ts';

/** What stands in a cell: foreign text is made safe here. `paint` colours it after measuring. */
export type Cell = string | { text: string; paint: (text: string) => string };

export interface Column {
  title: string;
  /** numbers stand at the right */
  right?: boolean;
  /** this column gives way when the line would be longer than the terminal is wide */
  flex?: boolean;
}

const GAP = 2;
const LEAST = 12;

/** Rows under their titles, padded by what the terminal shows (wide characters count two). Ends with a line feed; "" without rows. */
export function table(columns: Column[], rows: Cell[][], width: number, title: (text: string) => string = (t) => t): string {
  if (!rows.length) return '';
  const texts = rows.map((row) => columns.map((_, i) => cellText(row[i])));
  const widths = columns.map((column, i) => Math.max(displayWidth(column.title), ...texts.map((row) => displayWidth(row[i] ?? ''))));
  const flex = columns.findIndex((c) => c.flex);
  const over = widths.reduce((sum, w) => sum + w + GAP, -GAP) - width;
  if (flex >= 0 && over > 0) widths[flex] = Math.max(LEAST, (widths[flex] ?? 0) - over);

  const line = (cells: string[], paints: ((text: string) => string)[]): string =>
    cells
      .map((cell, i) => {
        const columnWidth = widths[i] ?? 0;
        const text = cutToWidth(cell, columnWidth);
        const space = ' '.repeat(columnWidth - displayWidth(text));
        const painted = paints[i]?.(text) ?? text;
        return columns[i]?.right ? space + painted : painted + space;
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  const head = line(
    columns.map((c) => c.title),
    columns.map(() => title),
  );
  const body = texts.map((row, r) =>
    line(
      row,
      columns.map((_, i) => cellPaint(rows[r]?.[i])),
    ),
  );
  return `${[head, ...body].join('\n')}\n`;
}

const cellText = (cell: Cell | undefined): string => safeLine(typeof cell === 'object' ? cell.text : (cell ?? ''));
const cellPaint = (cell: Cell | undefined) => (typeof cell === 'object' ? cell.paint : (text: string) => text);
