import { createHash } from 'node:crypto';
import { isAbsolute, join } from 'node:path';

/** Where relay may keep what belongs to a repository. */
export interface Homes {
  /** beside the repository's objects and refs */
  beside: string;
  /** in the user's state, where the git folder may not be written */
  apart: string;
  /** relay's folder in the user's state */
  state: string;
}

/** relay's folder in the user's state. What is no absolute path does not count, as the XDG specification has it: it would lie in whatever folder relay is called in. */
export function stateOf({ env, home }: { env: Record<string, string | undefined>; home: string }): string {
  const { XDG_STATE_HOME: named = '' } = env;
  return join(isAbsolute(named) ? named : join(home, '.local', 'state'), 'relay');
}

/** @param user of whom: environment and home folder */
export function homesOf(commonDir: string, user: { env: Record<string, string | undefined>; home: string }): Homes {
  const state = stateOf(user);
  return { beside: join(commonDir, 'relay'), apart: join(state, createHash('sha256').update(commonDir).digest('hex').slice(0, 16)), state };
}
