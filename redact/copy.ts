/** The text with memory of its own: a slice, kept for long, would keep the text that it was cut from. */
export const copyOf = (text: string): string => ` ${text}`.slice(1);
