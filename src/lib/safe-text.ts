import { cut } from './cut.ts';

/** Escape sequences, other control characters, and what turns the direction of text around or hides in it. */
const UNSAFE = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

const escaped = (char: string): string => {
  const code = char.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
};

/** Foreign text for a terminal: line feeds and tabs stay, anything else that could steer the terminal or deceive the eye is spelled out. */
export const safeText = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(UNSAFE, (char) => (char === '\n' || char === '\t' ? char : escaped(char)));

/** Whether there is anything in a text that `safeLine` would change. */
export const isSafe = (text: string): boolean => text.search(UNSAFE) < 0;

/** The same on one line: runs of line feeds and tabs become one space. */
export const safeLine = (text: string): string =>
  text
    .replace(/\s*[\n\r\t]\s*/g, ' ')
    .trim()
    .replace(UNSAFE, escaped);

/** Longest title on a terminal, in UTF-16 units. */
const TITLE = 300;

/** A session's title for a terminal: safe, on one line, and never longer than a title is. */
export const safeTitle = (title: string): string => safeLine(cut(title, TITLE));
