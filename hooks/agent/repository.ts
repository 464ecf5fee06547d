import { type Env, gitEnv } from '#git/env.ts';
import { tryGit } from '#git/run.ts';

/** The repository that a session works in, as far as the hook of a client needs it. Absolute paths. */
export interface SessionRepository {
  /** what all its work trees share */
  commonDir: string;
  /** top of the work tree; none in a bare repository, or within the git folder */
  root?: string;
}

/** The repository of a folder; undefined outside of one. Git is asked once and for no more, because a client waits. */
export async function repositoryOf(cwd: string, env: Env): Promise<SessionRepository | undefined> {
  // The last of these fails outside of a work tree, when the others have been answered. The word between them tells paths that hold line feeds apart.
  const { stdout } = await tryGit({ cwd, env: gitEnv(env) }, [
    'rev-parse',
    '--path-format=absolute',
    '--git-common-dir',
    '--is-inside-work-tree',
    '--show-toplevel',
  ]);
  const [, commonDir, root] = /^(.+?)\n(?:true|false)\n(?:(.+)\n)?$/s.exec(stdout.toString('utf8')) ?? [];
  return commonDir ? { commonDir, ...(root ? { root } : {}) } : undefined;
}
