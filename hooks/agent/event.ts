import type { AgentEvent } from '#adapters/adapter.ts';
import { events } from '#adapters/events.ts';
import type { Env } from '#git/env.ts';
import { enqueue, queuesOf, SESSION } from '#hooks/queue.ts';
import { type Program, startWorker } from '#hooks/start.ts';
import { isObject, parseJson } from '#lib/json.ts';
import type { SessionRepository } from './repository.ts';

/** What an agent's client told of one of its sessions. */
export interface Told extends AgentEvent {
  agent: string;
}

/** Names of events become names of files. */
const NAME = /^[A-Za-z]{1,40}$/;

/** What a payload says, and of which agent: told by the payload alone, since one client can run in another and inherit its variables. */
export function readPayload(text: string): Told | undefined {
  const payload = parseJson(text);
  if (!isObject(payload)) return undefined;
  for (const [agent, eventOf] of Object.entries(events)) {
    const event = eventOf(payload);
    if (event) return NAME.test(event.name) && SESSION.test(event.session) ? { agent, ...event } : undefined;
  }
  return undefined;
}

/** Puts an event into the queue of the repository that its session works in, and starts the worker. */
export async function queueEvent(
  told: Told,
  { commonDir }: SessionRepository,
  { env, home, program }: { env: Env; home: string; program: Program },
): Promise<void> {
  // The file of an event is lines.
  const path = told.path && !/[\r\n]/.test(told.path) ? { path: told.path } : {};
  const event = { event: queuedName(told.name), cwd: told.cwd, sessions: [{ agent: told.agent, session: told.session, ...path }] };
  const queue = await firstThatTakes(queuesOf(commonDir, { env, home }), (folder) => enqueue(folder, event));
  startWorker(queue, { program, cwd: told.cwd, env });
}

/** agent-stop, agent-session-end … */
const queuedName = (name: string): string => `agent${name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`;

async function firstThatTakes([first, second]: [string, string], put: (folder: string) => Promise<void>): Promise<string> {
  try {
    await put(first);
    return first;
  } catch {
    await put(second);
    return second;
  }
}
