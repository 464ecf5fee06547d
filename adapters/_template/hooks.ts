import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { callsRelay, cutHooks, insertHooks, type WantedHooks } from '#lib/command-hooks.ts';
import { asString, type JsonObject } from '#lib/json.ts';
import type { Where } from '#session/source.ts';
import type { AgentEvent, AgentHooks } from '../adapter.ts';

/** The events to be told of: the end of a turn, the end of a session, and what comes before the client forgets something. */
const WANTED: WantedHooks = { Stop: {}, SessionEnd: {} };

/** The user's own file, wherever the environment moves it; never one of a project, which teammates would get. */
const file = ({ env, home }: Where): string => join(env.EXAMPLE_HOME || join(home, '.example'), 'settings.json');

/**
 * How the client tells relay of its turns (see AgentHooks). `#lib/command-hooks.ts` edits the form that several clients share; another form needs its own
 * edits, which leave every other byte alone. `event` also goes into `adapters/events.ts`; real adapters keep it in a file of its own, so that nothing else is loaded.
 */
export const hooks: AgentHooks = {
  variable: 'EXAMPLE_SESSION_ID',
  process: /^example$/,
  file,
  install: (text) => insertHooks(text, WANTED),
  uninstall: cutHooks,
  // Find out what keeps the client from running a hook (trust, a switch, a file that it cannot read), and ask the client where it can be asked.
  state: async (where) => {
    const text = await readFile(file(where), 'utf8').catch(() => '');
    return callsRelay(text, WANTED) ? { installed: true, runs: true } : { installed: false };
  },
  event,
};

/** Find something in the payload that no other client has: variables do not tell, since one client can run in another. */
function event(payload: JsonObject): AgentEvent | undefined {
  const [name, session, path, cwd] = ['event', 'session', 'file', 'cwd'].map((key) => asString(payload[key]));
  return name && session && cwd && path?.endsWith(`.example/sessions/${session}.jsonl`) ? { name, session, path, cwd } : undefined;
}
