/** How a place is cited: #n the conversation, S#n what stands beside it, E#n an operation. */
export const cite = {
  statement: ({ n }: { n: number }): string => `#${n}`,
  supporting: ({ n }: { n: number }): string => `S#${n}`,
  operation: ({ n }: { n: number }): string => `E#${n}`,
};

/** Words of the session in quotation marks that they do not hold themselves, so that it shows where they end. `quotesIn` undoes it. */
export const quote = (text: string): string => (text.includes('"') ? (/[“”]/.test(text) ? code(text) : `“${text}”`) : `"${text}"`);

/** A command, or other words, between more backticks than they hold in a row. `quotesIn` undoes it. */
export function code(text: string): string {
  const run = longestRun(text);
  const fence = '`'.repeat(run + 1);
  return run ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}

/** How many backticks stand in a row, at most. */
export const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

const QUOTED = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)|"([^"]*)"|“([^“”]*)”/gs;

/** What stands in the quotation marks of a text that was put together: what `quote` and `code` were given. */
export const quotesIn = (text: string): string[] => [...text.matchAll(QUOTED)].map(([, , inCode, plain, curly]) => inCode?.trim() ?? plain ?? curly ?? '');
