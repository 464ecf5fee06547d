import type { ShellCommand } from './commands.ts';
import { documentEffects, patchEffects } from './documents.ts';
import { fileEffects } from './file-effects.ts';
import { type GitEffect, gitEffects } from './git-effects.ts';
import { manifestEffects } from './manifests.ts';
import { resolvePath } from './paths.ts';

/** What a command does to one file or folder. Paths are absolute; they may hold `*` and `?` where the shell was to fill them in. */
export type FileEffect =
  | { kind: 'read'; path: string }
  /** made, or written anew */
  | { kind: 'write'; path: string }
  /** changed in place */
  | { kind: 'edit'; path: string }
  /** made where it is not there */
  | { kind: 'make'; path: string; folder: boolean }
  | { kind: 'delete'; path: string }
  /** `into`: `to` is a folder for sure */
  | { kind: 'move' | 'copy'; from: string; to: string; into: boolean };

export type Effect = FileEffect | GitEffect;

/** What a command does to files and to Git; nothing for what is not known. */
export function effectsOf(command: ShellCommand): Effect[] {
  return [...redirected(command), ...ownEffects(command)];
}

/** Devices and the like are no files. */
const DEVICE = /^\/(?:dev|proc|sys)\//;

function redirected({ writes, cwd }: ShellCommand): Effect[] {
  return writes.flatMap(({ path, append }): Effect[] => {
    const at = resolvePath(path, cwd);
    return at === undefined || DEVICE.test(at) ? [] : [{ kind: append ? 'edit' : 'write', path: at }];
  });
}

function ownEffects(command: ShellCommand): Effect[] {
  const name = command.words[0]?.replace(/^.*\//, '');
  if (name === undefined) return [];
  if (name === 'git') return gitEffects(command);
  return [...fileEffects(name, command), ...manifestEffects(name, command), ...documentEffects(name, command), ...patchEffects(name, command)];
}
