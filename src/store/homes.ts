import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** Where relay may keep what belongs to a repository. */
export interface Homes {
  /** beside the repository's objects and refs */
  beside: string;
  /** in the user's state, where the git folder may not be written */
  apart: string;
  /** relay's folder in the user's state */
  state: string;
}

/** @param user of whom: environment and home folder */
export function homesOf(commonDir: string, user: { env: Record<string, string | undefined>; home: string }): Homes {
  const state = join(user.env.XDG_STATE_HOME || join(user.home, '.local', 'state'), 'relay');
  return { beside: join(commonDir, 'relay'), apart: join(state, createHash('sha256').update(commonDir).digest('hex').slice(0, 16)), state };
}
