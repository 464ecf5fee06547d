import { argumentsOf } from './arguments.ts';
import type { ShellCommand } from './commands.ts';
import type { FileEffect } from './effects.ts';
import { resolvePath } from './paths.ts';

/** What adds, removes or updates dependencies by name, and the files that say so. */
const MANAGERS: Record<string, { verbs: RegExp; files: string[] }> = {
  npm: { verbs: /^(?:i|install|add|uninstall|remove|rm|un)$/, files: ['package.json', 'package-lock.json'] },
  pnpm: { verbs: /^(?:i|install|add|remove|rm)$/, files: ['package.json', 'pnpm-lock.yaml'] },
  yarn: { verbs: /^(?:add|remove)$/, files: ['package.json', 'yarn.lock'] },
  bun: { verbs: /^(?:i|install|add|remove|rm)$/, files: ['package.json'] },
  cargo: { verbs: /^(?:add|rm|remove)$/, files: ['Cargo.toml', 'Cargo.lock'] },
  poetry: { verbs: /^(?:add|remove)$/, files: ['pyproject.toml', 'poetry.lock'] },
  uv: { verbs: /^(?:add|remove)$/, files: ['pyproject.toml', 'uv.lock'] },
  go: { verbs: /^get$/, files: ['go.mod', 'go.sum'] },
  composer: { verbs: /^(?:require|remove)$/, files: ['composer.json', 'composer.lock'] },
};

/** A package manager told to add or remove something by name changes the manifest; an install of what the manifest says does not. */
export function manifestEffects(name: string, { words, cwd }: ShellCommand): FileEffect[] {
  const manager = Object.hasOwn(MANAGERS, name) ? MANAGERS[name] : undefined;
  if (!manager) return [];
  const { options, operands } = argumentsOf(words.slice(1), /^(?:--prefix|-C|--dir|--cwd|-w|--workspace|--manifest-path)$/);
  const [verb = '', ...packages] = operands;
  if (!manager.verbs.test(verb) || !packages.length || options.some((one) => /^(?:-g|--global|--no-save|--dry-run)$/.test(one))) return [];
  const folder = options[options.findIndex((one) => /^(?:--prefix|-C|--dir|--cwd)$/.test(one)) + 1];
  const where = options.some((one) => /^(?:--prefix|-C|--dir|--cwd)$/.test(one)) ? resolvePath(folder ?? '', cwd) : cwd;
  return manager.files
    .map((file) => resolvePath(file, where))
    .filter((path) => path !== undefined)
    .map((path) => ({ kind: 'edit', path }));
}
