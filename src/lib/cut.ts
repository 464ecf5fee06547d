/** Text of at most `length` UTF-16 units; what is longer ends with an ellipsis. Never ends in half a character. */
export const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…` : text);
