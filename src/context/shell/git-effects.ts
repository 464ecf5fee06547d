import { argumentsOf, hasFlag } from './arguments.ts';
import type { ShellCommand } from './commands.ts';
import type { FileEffect } from './effects.ts';
import { resolvePath } from './paths.ts';

/** What a command of Git does. Paths are absolute; an empty list of them stands for all. */
export type GitEffect =
  | FileEffect
  /** files as they are at `from`; undefined: as last committed (or staged) */
  | { kind: 'restore'; paths: string[]; from: string | undefined }
  | { kind: 'stage'; paths: string[] }
  | { kind: 'shelve'; paths: string[]; untracked: boolean }
  /** a stash (0: the last one) put back, or thrown away; `keep`: it stays in the list */
  | { kind: 'unshelve'; stash: number; keep: boolean }
  | { kind: 'drop-shelved'; stash: number | 'all' }
  | { kind: 'commit'; message: string | undefined; amend: boolean; all: boolean; paths: string[] }
  /** the branch goes back to `to`; `hard`: the files, too */
  | { kind: 'reset'; to: string; hard: boolean }
  | { kind: 'revert'; of: string }
  | { kind: 'clean'; paths: string[] }
  /** what concerns commits, branches and remotes alone */
  | { kind: 'history'; verb: 'push' | 'tag' | 'merge' | 'rebase' | 'switch' | 'cherry-pick' | 'pull'; text: string };

type Rule = (words: readonly string[], git: Git) => GitEffect[];

/** A call of git with its words after the verb. */
interface Git {
  at: (operands: readonly string[]) => string[];
  root: string | undefined;
  text: string;
}

const history =
  (verb: Extract<GitEffect, { kind: 'history' }>['verb']): Rule =>
  (words, { text }) =>
    words.some((word) => /^--(?:dry-run|abort|list|quit)$|^-n$/.test(word)) ? [] : [{ kind: 'history', verb, text }];

const RULES: Record<string, Rule> = {
  mv: (words, { at }) => {
    const operands = at(argumentsOf(words).operands);
    const to = operands.at(-1);
    const last = words.at(-1) ?? '';
    return to === undefined
      ? []
      : operands.slice(0, -1).map((from) => ({ kind: 'move', from, to, into: operands.length > 2 || /(?:^|\/)\.{0,2}$/.test(last) }));
  },
  rm: (words, { at }) => (words.includes('--cached') || words.includes('-n') ? [] : at(argumentsOf(words).operands).map((path) => ({ kind: 'delete', path }))),
  add: (words, { at }) => [{ kind: 'stage', paths: words.some((word) => /^(?:-A|--all|-u|\.)$/.test(word)) ? [] : at(argumentsOf(words).operands) }],
  checkout,
  restore: (words, { at, root }) => {
    const { options, operands } = argumentsOf(words, /^(?:-s|--source)$/);
    if (hasFlag(options, 'S', '--staged') && !hasFlag(options, 'W', '--worktree')) return [];
    const from = options.find((one) => one.startsWith('--source='))?.slice(9) ?? options[options.findIndex((one) => /^(?:-s|--source)$/.test(one)) + 1];
    return [{ kind: 'restore', paths: pathspec(operands, at, root), from: options.some((one) => /^(?:-s|--source)/.test(one)) ? committed(from) : undefined }];
  },
  stash,
  reset: (words, { at }) => {
    const { options, operands } = argumentsOf(words);
    const hard = options.includes('--hard');
    // With paths it only takes them off what is staged.
    return !hard && words.includes('--') && at(operands).length ? [] : [{ kind: 'reset', to: operands[0] ?? 'HEAD', hard }];
  },
  revert: (words) => {
    const { options, operands } = argumentsOf(words, /^(?:-m|--mainline)$/);
    return options.some((one) => /^--(?:abort|quit|skip|continue)$/.test(one)) ? [] : operands.map((of) => ({ kind: 'revert', of }));
  },
  clean: (words, { at, root }) => {
    const { options, operands } = argumentsOf(words, /^(?:-e|--exclude)$/);
    return !hasFlag(options, 'f', '--force') || hasFlag(options, 'n', '--dry-run') ? [] : [{ kind: 'clean', paths: pathspec(operands, at, root) }];
  },
  commit,
  switch: history('switch'),
  push: history('push'),
  merge: history('merge'),
  rebase: history('rebase'),
  pull: history('pull'),
  'cherry-pick': history('cherry-pick'),
  tag: (words, { text }) =>
    words.some((word) => !word.startsWith('-')) && !hasFlag([...words], 'l', '--list') ? [{ kind: 'history', verb: 'tag', text }] : [],
};

/** What a call of git does to files and history. */
export function gitEffects({ words, cwd, text }: ShellCommand): GitEffect[] {
  let root = cwd;
  let at = 1;
  for (; words[at]?.startsWith('-'); at++) {
    if (words[at] === '-C') root = resolvePath(words[++at] ?? '', root);
    else if (/^(?:-c|--git-dir|--work-tree)$/.test(words[at] as string)) at++;
  }
  const verb = words[at] ?? '';
  const rule = Object.hasOwn(RULES, verb) ? RULES[verb] : undefined;
  const paths = (operands: readonly string[]): string[] => operands.map((path) => resolvePath(path, root)).filter((path) => path !== undefined);
  return rule?.(words.slice(at + 1), { at: paths, root, text }) ?? [];
}

/** All of the folder where git was called is all there is, as far as anybody can tell. */
function pathspec(operands: readonly string[], at: Git['at'], root: string | undefined): string[] {
  return operands.some((one) => one === '.' || one === ':/' || one === '*') || root === undefined ? [] : at(operands);
}

const committed = (ref: string | undefined): string | undefined => (ref === 'HEAD' || ref === '@' ? undefined : ref);

function checkout(words: readonly string[], { at, root, text }: Git): GitEffect[] {
  const { options, operands } = argumentsOf(words, /^(?:-b|-B|--orphan)$/);
  if (hasFlag(options, 'b') || hasFlag(options, 'B')) return [{ kind: 'history', verb: 'switch', text }];
  const parted = words.indexOf('--');
  if (parted >= 0) {
    const from = words.slice(0, parted).find((word) => !word.startsWith('-'));
    const paths = words.slice(parted + 1);
    return [{ kind: 'restore', paths: pathspec(paths, at, root), from: committed(from) }];
  }
  const [first, ...others] = operands;
  if (first === '.') return [{ kind: 'restore', paths: [], from: undefined }];
  if (others.length)
    return [{ kind: 'restore', paths: pathspec(isRef(first) ? others : operands, at, root), from: isRef(first) ? committed(first) : undefined }];
  // A file and a branch look alike: a file's name has an ending.
  if (first !== undefined && /\.\w{1,5}$/.test(first) && !/^v?\d/.test(first)) return [{ kind: 'restore', paths: at([first]), from: undefined }];
  const switched: GitEffect = { kind: 'history', verb: 'switch', text };
  return hasFlag(options, 'f', '--force') ? [{ kind: 'restore', paths: [], from: undefined }, switched] : [switched];
}

const isRef = (word: string | undefined): boolean =>
  word !== undefined && /^(?:HEAD|@|[0-9a-f]{7,40}|(?:origin|upstream)\/|main$|master$|develop$|stash@)/.test(word);

function stash(words: readonly string[], { at }: Git): GitEffect[] {
  const [verb = 'push', ...rest] = words[0]?.startsWith('-') ? ['push', ...words] : words;
  const { options, operands } = argumentsOf(rest, /^(?:-m|--message)$/);
  const number = Number(/\d+/.exec(operands[0] ?? '')?.[0] ?? 0);
  if (verb === 'push' || verb === 'save')
    return [
      { kind: 'shelve', paths: verb === 'push' ? at(operands) : [], untracked: hasFlag(options, 'u', '--include-untracked') || hasFlag(options, 'a', '--all') },
    ];
  if (verb === 'pop' || verb === 'apply') return [{ kind: 'unshelve', stash: number, keep: verb === 'apply' }];
  if (verb === 'drop' || verb === 'clear') return [{ kind: 'drop-shelved', stash: verb === 'clear' ? 'all' : number }];
  return [];
}

function commit(words: readonly string[], { at }: Git): GitEffect[] {
  const { options, operands } = argumentsOf(words, /^(?:-[a-z]*[mFCct]|--(?:message|file|author|date|fixup|squash|reuse-message))$/);
  if (options.includes('--dry-run')) return [];
  const said = options.findIndex((one) => /^(?:-[a-z]*m|--message)$/.test(one));
  const message = said < 0 ? options.find((one) => one.startsWith('--message='))?.slice(10) : options[said + 1];
  const flags = options.filter((_, index) => index !== said + 1 || said < 0);
  return [{ kind: 'commit', message, amend: options.includes('--amend'), all: hasFlag(flags, 'a', '--all'), paths: at(operands) }];
}
