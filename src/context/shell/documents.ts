import { argumentsOf } from './arguments.ts';
import type { ShellCommand } from './commands.ts';
import type { FileEffect } from './effects.ts';
import { resolvePath } from './paths.ts';

const INTERPRETER = /^(?:python[\d.]*|node|bun|deno|ruby|tsx)$/;
/** Where a short program names the file that it writes. One variable between name and writing is followed. */
const WRITES = [
  /\bopen\(\s*r?["']([^"'\n]+)["']\s*,\s*(?:mode\s*=\s*)?["'][wax]/g,
  /\bPath\(\s*r?["']([^"'\n]+)["']\s*\)\s*\.write_(?:text|bytes)\(/g,
  /\b(?:writeFile|appendFile)(?:Sync)?\(\s*["'`]([^"'`\n]+)["'`]/g,
  /\bFile\.write\(\s*["']([^"'\n]+)["']/g,
];
const NAMED = /^[ \t]*(?:(?:const|let|var)\s+)?(\w+)\s*=\s*(?:(?:pathlib\.)?Path\()?\s*r?["']([^"'\n]+)["']/gm;
const WRITTEN = /\bopen\(\s*(\w+)\s*,\s*(?:mode\s*=\s*)?["'][wax]|\b(\w+)\.write_(?:text|bytes)\(|\b(?:writeFile|appendFile)(?:Sync)?\(\s*(\w+)\s*,/g;

/** Files that a program typed into the shell writes, where it names them. */
export function documentEffects(name: string, { words, input, cwd }: ShellCommand): FileEffect[] {
  if (!INTERPRETER.test(name)) return [];
  const inline = words.findIndex((word) => /^-(?:c|e|-eval)$/.test(word));
  const program = inline > 0 ? words[inline + 1] : input;
  if (!program) return [];
  const paths = new Set(WRITES.flatMap((pattern) => [...program.matchAll(pattern)].map(([, path]) => path as string)));
  const names = new Map([...program.matchAll(NAMED)].map(([, variable, path]) => [variable, path as string]));
  for (const [, ...variables] of program.matchAll(WRITTEN)) {
    const path = names.get(variables.find((one) => one !== undefined));
    if (path !== undefined) paths.add(path);
  }
  // A program like this reads the file first and puts it back: an edit, unless it is new.
  return [...paths]
    .map((path) => resolvePath(path, cwd))
    .filter((path) => path !== undefined)
    .map((path) => ({ kind: program.includes('read') ? 'edit' : 'write', path }));
}

/** Files of a patch that a command is given to read. */
export function patchEffects(name: string, { words, input, cwd }: ShellCommand): FileEffect[] {
  if (name === 'patch') {
    const { operands } = argumentsOf(words.slice(1), /^-[pidDFr]$/);
    const named = operands[0] === undefined ? undefined : resolvePath(operands[0], cwd);
    return named !== undefined ? [{ kind: 'edit', path: named }] : input ? unified(input, cwd) : [];
  }
  return name === 'apply_patch' ? envelope(input ?? words[1] ?? '', cwd) : [];
}

function unified(patch: string, cwd: string | undefined): FileEffect[] {
  const paths = [...patch.matchAll(/^\+\+\+ (?:b\/)?([^\t\n]+)/gm)].map(([, path]) => resolvePath(path as string, cwd));
  return paths.filter((path) => path !== undefined && path !== '/dev/null').map((path) => ({ kind: 'edit', path: path as string }));
}

const KINDS = { Add: 'write', Update: 'edit', Delete: 'delete' } as const;

function envelope(patch: string, cwd: string | undefined): FileEffect[] {
  const found: FileEffect[] = [];
  for (const [, verb, name, to] of patch.matchAll(/^\*\*\* (Add|Update|Delete) File: (.+)(?:\n\*\*\* Move to: (.+))?/gm)) {
    const path = resolvePath((name as string).trim(), cwd);
    const target = to === undefined ? undefined : resolvePath(to.trim(), cwd);
    if (path === undefined) continue;
    found.push({ kind: KINDS[verb as keyof typeof KINDS], path });
    if (target !== undefined) found.push({ kind: 'move', from: path, to: target, into: false });
  }
  return found;
}
