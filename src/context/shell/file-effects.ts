import { argumentsOf, hasFlag } from './arguments.ts';
import type { ShellCommand } from './commands.ts';
import type { FileEffect } from './effects.ts';
import { resolvePath } from './paths.ts';

type Paths = (operands: readonly string[]) => string[];
type Rule = (words: readonly string[], at: Paths) => FileEffect[];

const each = (kind: 'read' | 'write' | 'edit' | 'delete', paths: readonly string[]): FileEffect[] => paths.map((path) => ({ kind, path }));
const make = (paths: readonly string[], folder: boolean): FileEffect[] => paths.map((path) => ({ kind: 'make', path, folder }));

/** The operands without the first, which is a program (a sed script, a pattern). */
const rest = ([, ...operands]: readonly string[]): readonly string[] => operands;

const RULES: Record<string, Rule> = {
  rm: (words, at) => each('delete', at(argumentsOf(words).operands)),
  unlink: (words, at) => each('delete', at(argumentsOf(words).operands)),
  rmdir: (words, at) => each('delete', at(argumentsOf(words).operands)),
  trash: (words, at) => each('delete', at(argumentsOf(words).operands)),
  mkdir: (words, at) => make(at(argumentsOf(words, /^-m$/).operands), true),
  touch: (words, at) => make(at(argumentsOf(words, /^-[rtd]$/).operands), false),
  mv: (words, at) => carried('move', words, at),
  cp: (words, at) => carried('copy', words, at),
  ln: (words, at) => make(at(argumentsOf(words).operands.slice(1)), false),
  tee: (words, at) => {
    const { options, operands } = argumentsOf(words);
    return each(hasFlag(options, 'a', '--append') ? 'edit' : 'write', at(operands));
  },
  truncate: (words, at) => each('write', at(argumentsOf(words, /^-[sr]$/).operands)),
  sed: (words, at) => inPlace(words, at, /^-[nEruz]*i|^--in-place/),
  gsed: (words, at) => inPlace(words, at, /^-[nEruz]*i|^--in-place/),
  perl: (words, at) => (words.some((word) => /^-[a-z0]*i/.test(word)) ? inPlace(words, at, /^-[a-z0]*i/) : []),
  ruby: (words, at) => (words.some((word) => /^-[a-z]*i/.test(word)) ? inPlace(words, at, /^-[a-z]*i/) : []),
  cat: (words, at) => each('read', at(argumentsOf(words).operands)),
  nl: (words, at) => each('read', at(argumentsOf(words, /^-[bdfhilnsvw]$/).operands)),
  bat: (words, at) => each('read', at(argumentsOf(words, /^-[rlH]$/).operands)),
  less: (words, at) => each('read', at(argumentsOf(words).operands)),
  head: (words, at) => each('read', at(argumentsOf(words, /^-[nc]$/).operands)),
  tail: (words, at) => each('read', at(argumentsOf(words, /^-[nc]$/).operands)),
};

/** What the usual commands for files do. */
export function fileEffects(name: string, { words, cwd }: ShellCommand): FileEffect[] {
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  return rule?.(words.slice(1), (operands) => operands.map((path) => resolvePath(path, cwd)).filter((path) => path !== undefined)) ?? [];
}

function carried(kind: 'move' | 'copy', words: readonly string[], at: Paths): FileEffect[] {
  const target = words.findIndex((word) => word === '-t' || word === '--target-directory');
  const named = target < 0 ? undefined : words[target + 1];
  const { operands } = argumentsOf(words, /^-[tS]$|^--target-directory$/);
  const last = named ?? operands.at(-1);
  const sources = named === undefined ? operands.slice(0, -1) : operands;
  const to = last === undefined ? undefined : at([last])[0];
  if (last === undefined || to === undefined) return [];
  const into = named !== undefined || sources.length > 1 || /(?:^|\/)\.{0,2}$/.test(last) || /[*?]/.test(sources[0] ?? '');
  return at(sources).map((from) => ({ kind, from, to, into }));
}

/** sed, perl: with -i their files are changed, without they are read. */
function inPlace(words: readonly string[], at: Paths, flag: RegExp): FileEffect[] {
  const { options, operands } = argumentsOf(words, /^-(?:[a-zA-Z0]*e|f|l)$|^--(?:expression|file)$/);
  // BSD's sed takes the suffix as a word of its own: -i ''
  const plain = operands[0] === '' ? operands.slice(1) : operands;
  const scripted = options.some((one) => /^-[a-zA-Z0]*e$|^-f$|^--(?:expression|file)/.test(one));
  return each(options.some((one) => flag.test(one)) ? 'edit' : 'read', at(scripted ? plain : rest(plain)));
}
