/** How a place is cited: #n the conversation, S#n what stands beside it, E#n an operation. */
export const cite = {
  statement: ({ n }: { n: number }): string => `#${n}`,
  supporting: ({ n }: { n: number }): string => `S#${n}`,
  operation: ({ n }: { n: number }): string => `E#${n}`,
};

/** A text as a quotation; one that holds quotation marks itself gets others around it. */
export const quote = (text: string): string => (text.includes('"') ? `“${text}”` : `"${text}"`);

/** Words of the session in quotation marks that they do not hold themselves, so that it shows where they end. */
export const quoted = (text: string): string => (text.includes('"') ? (text.includes('`') ? `“${text}”` : `\`${text}\``) : `"${text}"`);
