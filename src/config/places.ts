import { join } from 'node:path';

/** Whose settings are looked for. */
export interface SettingsPlace {
  env: Record<string, string | undefined>;
  home: string;
  /** root of the work tree (absent in a bare repository) and the git common dir, when inside a repository */
  repository?: { root?: string; commonDir: string /** all its work trees */; workTrees?: readonly string[] } | undefined;
}

/** The files settings are read from, weakest first. */
export function settingsFiles({ env, home, repository }: SettingsPlace): { user: string; repository?: string; clone?: string } {
  return {
    user: join(env.XDG_CONFIG_HOME || join(home, '.config'), 'relay', 'config.jsonc'),
    ...(repository?.root ? { repository: join(repository.root, '.relayrc') } : {}),
    ...(repository ? { clone: join(repository.commonDir, 'relay', 'config.jsonc') } : {}),
  };
}
