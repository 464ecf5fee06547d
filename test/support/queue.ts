import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A session as an agent's client names it. */
interface Told {
  agent: string;
  id: string;
  path?: string;
}

let count = 0;

/** Puts an event into the queue of a checkout, as a hook does: the end of a turn, or (with a commit) a commit made by the session. Answers the file. */
export function queued(checkout: string, told: Told | undefined, commit?: string): string {
  const folder = join(checkout, '.git/relay/queue');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${commit ? 'post-commit' : 'agent-stop'}-${++count}`);
  const session = told ? [`session.${told.agent}=${told.id}`, ...(told.path ? [`path.${told.agent}=${told.path}`] : [])] : [];
  writeFileSync(
    file,
    `${[`event=${commit ? 'post-commit' : 'agent-stop'}`, ...(commit ? [`commit=${commit}`] : []), ...session, `cwd=${checkout}`].join('\n')}\0`,
  );
  return file;
}

/** Names of the events that wait. */
export const waitingIn = (checkout: string): string[] => readdirSync(join(checkout, '.git/relay/queue')).filter((name) => !name.startsWith('.'));
