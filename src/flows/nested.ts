import { existsSync, lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Repository } from '#git/repository.ts';
import type { SessionCard } from '#session/source.ts';

/**
 * Does a session that worked below a work tree of a repository belong to it? One that worked in a repository within that (a submodule, a clone that is ignored, a
 * project below a home folder that is a repository itself) belongs there. Each folder is looked at once.
 */
export function belongingTo({ workTrees }: Pick<Repository, 'workTrees'>): (card: Pick<SessionCard, 'cwd'>) => boolean {
  const known = new Map<string, boolean>(workTrees.map((top) => [top, true]));
  /** of a folder below one of these */
  const isOurs = (folder: string): boolean => {
    const ours = known.get(folder) ?? (!isTop(folder) && isOurs(dirname(folder)));
    known.set(folder, ours);
    return ours;
  };
  return ({ cwd }) => !workTrees.some((top) => cwd.startsWith(`${top}/`)) || isOurs(cwd);
}

/** What a sandbox puts there so that nobody else does, a device or an empty folder, is no repository. */
function isTop(folder: string): boolean {
  const entry = join(folder, '.git');
  try {
    return lstatSync(entry).isFile() || existsSync(join(entry, 'HEAD'));
  } catch {
    return false;
  }
}
