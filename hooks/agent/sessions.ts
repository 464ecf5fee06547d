import { adapters } from '#adapters/registry.ts';
import type { QueuedEvent } from '#hooks/queue.ts';

/** A session that an event belongs to. Of clients that run in one another the innermost did it, and those around it are its `outer` ones. */
export interface EventSession {
  agent: string;
  session: string;
  role: 'innermost' | 'outer';
}

/**
 * The sessions that an event belongs to, the innermost first. Which one is that, the processes above the event say; a sandbox hides them, and then
 * all are recorded alike, as outer ones.
 */
export function sessionsOf({ sessions, above }: Pick<QueuedEvent, 'sessions' | 'above'>): EventSession[] {
  const innermost =
    sessions.length === 1
      ? sessions[0]?.agent
      : nearest(
          sessions.map(({ agent }) => agent),
          above,
        );
  const told = sessions.map(({ agent, session }): EventSession => ({ agent, session, role: agent === innermost ? 'innermost' : 'outer' }));
  return told.sort((a, b) => Number(b.role === 'innermost') - Number(a.role === 'innermost'));
}

/** Which of these agents has the nearest process. */
function nearest(agents: readonly string[], above: readonly string[]): string | undefined {
  const clients = adapters.filter(({ id, hooks }) => hooks && agents.includes(id));
  for (const name of above) {
    const client = clients.find(({ hooks }) => hooks?.process.test(name));
    if (client) return client.id;
  }
  return undefined;
}
