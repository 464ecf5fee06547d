/** Of a long output the beginning and the end are looked at: how a run went stands there. In UTF-16 units. */
const HEAD = 20_000;
const TAIL = 60_000;
/** Longer lines are data. */
const LINE_MAX = 2000;

/** The lines of an output without colours and progress bars that were drawn over. */
export function linesOf(output: string): string[] {
  const text = output.length > HEAD + TAIL ? `${output.slice(0, HEAD)}\n${output.slice(-TAIL)}` : output;
  return withoutColours(text)
    .split('\n')
    .map((line) => line.slice(line.replace(/\r$/, '').lastIndexOf('\r') + 1).trimEnd())
    .filter((line) => line.length > 0 && line.length <= LINE_MAX);
}

/** Of a long output the end, from the beginning of a line on. `max` in UTF-16 units. */
export const endOf = (output: string, max: number): string => (output.length > max ? output.slice(output.indexOf('\n', output.length - max) + 1) : output);

/** A text as it shows in a terminal: without what only colours it or names its window. */
export const withoutColours = (text: string): string => text.replace(/\u001b\[[\d;?]*[A-Za-z]|\u001b\][^\u0007\n]*\u0007/g, '');
