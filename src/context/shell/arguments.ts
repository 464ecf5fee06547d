/** Options and operands of a command, told apart without knowing it: `--` ends the options. */
export interface Arguments {
  options: string[];
  operands: string[];
}

/** `values`: options whose value is the next word. */
export function argumentsOf(words: readonly string[], values?: RegExp): Arguments {
  const found: Arguments = { options: [], operands: [] };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word === '--') {
      found.operands.push(...words.slice(at + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') found.operands.push(word);
    else {
      found.options.push(word);
      if (values?.test(word)) found.options.push(words[++at] ?? '');
    }
  }
  return found;
}

/** Whether a short option is set, also among others (`-rf`). */
export const hasFlag = (options: readonly string[], letter: string, long?: string): boolean =>
  options.some((one) => (/^-[A-Za-z]+$/.test(one) && one.includes(letter)) || one === long);
