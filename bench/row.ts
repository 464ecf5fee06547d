/** One figure beside another, and what their ratio must keep to. */
export interface Row {
  what: string;
  /** milliseconds, or megabytes where `unit` says so */
  value: number;
  /** what it is compared with, taken in the same run; undefined for a figure that stands alone */
  beside?: number;
  unit?: 'MB';
  /** of the ratio, or of the figure that stands alone */
  most?: number;
  least?: number;
  /** of the figure: how much it may exceed what it is compared with */
  more?: number;
}

export const RUNS = 3;
export const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Medians of interleaved runs, so that whatever else the machine does meets both alike. */
export async function beside(what: string, floor: () => unknown, work: (run: number) => unknown, most?: number): Promise<Row> {
  const floors: number[] = [];
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    floors.push(await timed(floor));
    times.push(await timed(() => work(run)));
  }
  return { what, value: median(times), beside: median(floors), ...(most === undefined ? {} : { most }) };
}

const judged = (row: Row): number => (row.beside === undefined ? row.value : row.value / row.beside);
const excess = ({ value, beside = 0 }: Row): number => value - beside;
export const holds = (row: Row): boolean =>
  judged(row) <= (row.most ?? Number.POSITIVE_INFINITY) && judged(row) >= (row.least ?? 0) && excess(row) <= (row.more ?? Number.POSITIVE_INFINITY);

const cell = (text: string): string => text.padStart(11);
export const HEAD = `${'benchmark'.padEnd(44)}${['measured', 'beside', 'ratio', 'bound'].map(cell).join('')}`;

export function printed(name: string, row: Row): string {
  const figure = (value: number): string => `${value.toFixed(value < 100 && row.more !== undefined ? 1 : 0)} ${row.unit ?? 'ms'}`;
  const ratio = row.beside === undefined ? '' : judged(row).toFixed(2);
  const bound = boundOf(row);
  const cells = [figure(row.value), row.beside === undefined ? '' : figure(row.beside), ratio, bound].map(cell).join('');
  return `${`${name}: ${row.what}`.padEnd(44)}${cells}${holds(row) ? '' : '  MISSED'}`;
}

function boundOf({ most, least, more }: Row): string {
  if (more !== undefined) return `<= +${more} ms`;
  if (most !== undefined) return `<= ${most}`;
  return least === undefined ? '' : `>= ${least}`;
}
