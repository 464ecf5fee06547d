import { isSafe } from './safe-text.ts';

/** A command for pasting into a POSIX shell: what is not plain is quoted; what could steer the terminal is spelled out, as `$'\x1b'` does. */
export const commandLine = (words: readonly string[]): string => words.map(quoted).join(' ');

function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (isSafe(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  const bytes = [...word].map((char) =>
    isSafe(char) ? char.replace(/[\\']/, '\\$&') : [...Buffer.from(char)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
  );
  return `$'${bytes.join('')}'`;
}
