/** How a place is cited: #n the conversation, S#n what stands beside it, E#n an operation. */
export const cite = {
  statement: ({ n }: { n: number }): string => `#${n}`,
  supporting: ({ n }: { n: number }): string => `S#${n}`,
  operation: ({ n }: { n: number }): string => `E#${n}`,
};
