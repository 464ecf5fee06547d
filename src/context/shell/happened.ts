import type { Outcome } from '#session/action.ts';
import type { ShellCommand } from './commands.ts';

/** Commands that say nothing when they succeed, and name themselves when they fail. */
const QUIET = /^(?:cd|rm|rmdir|mv|cp|mkdir|touch|ln|sed|gsed|perl|cat|echo|printf|chmod|export|set|true|tee|git (?:mv|rm|add|checkout|restore|switch))$/;

/**
 * Whether a command of a script did what it does. yes: the outcome says so. perhaps: it was begun, or may have been, and nothing says how it went.
 * no: it failed, or was not let run.
 */
export function happened(command: ShellCommand, { state, output }: Outcome): 'yes' | 'perhaps' | 'no' {
  if (state === 'refused') return 'no';
  if (state !== 'done' && state !== 'failed') return 'perhaps';
  if (command.perhaps) return 'perhaps';
  const before = command.after.every((words) => harmless(words) || (quietly(words) && !complains(words, output)));
  const silent = quietly(command.words) && !complains(command.words, output);
  if (state === 'done') return command.decides || (before && (silent || !quietly(command.words))) ? 'yes' : 'perhaps';
  if (command.last && !command.after.length) return command.words.length && !command.writes.length ? 'no' : 'yes';
  if (command.last) return 'perhaps';
  return before && silent ? 'yes' : 'perhaps';
}

const nameOf = ([name = '', verb = '']: readonly string[]): string => (name === 'git' ? `git ${verb}` : name);
const quietly = (words: readonly string[]): boolean => QUIET.test(nameOf(words));
/** What only says where, or shows something. */
const harmless = (words: readonly string[]): boolean => /^(?:cd|echo|pwd|ls|cat|export|set|source)$/.test(words[0] ?? '');

function complains([name = '']: readonly string[], output: string): boolean {
  return output.includes(name === 'git' ? 'fatal: ' : `${name}: `) || (name === 'git' && output.includes('error: '));
}
