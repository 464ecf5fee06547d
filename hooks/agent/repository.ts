import type { Env } from '#git/env.ts';
import { discoveryIn } from '#git/repository.ts';
import { tryGit } from '#git/run.ts';

/** The repository that a session works in, as far as the hook of a client needs it. Absolute paths. */
export interface SessionRepository {
  /** what all its work trees share */
  commonDir: string;
  /** top of the work tree; none in a bare repository */
  root?: string;
}

/** The repository of a folder; undefined outside of one and within a git folder. Git is asked once and for no more, because a client waits. */
export async function repositoryOf(cwd: string, env: Env): Promise<SessionRepository | undefined> {
  // The last of these fails outside of a work tree, when the others have been answered. The word between them tells paths that hold line feeds apart.
  const { stdout } = await tryGit(discoveryIn(cwd, env), ['rev-parse', '--path-format=absolute', '--git-common-dir', '--is-inside-git-dir', '--show-toplevel']);
  const [, commonDir, root] = /^(.+?)\nfalse\n(?:(.+)\n)?$/s.exec(stdout.toString('utf8')) ?? [];
  return commonDir ? { commonDir, ...(root ? { root } : {}) } : undefined;
}
