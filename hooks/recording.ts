import { join } from 'node:path';
import { adapters } from '#adapters/registry.ts';
import type { NotRecording, Recording } from '#flows/recording.ts';
import { needRepository, type Workspace, whereOf } from '#flows/workspace.ts';
import { commandLine } from '#lib/command-line.ts';
import { RelayError } from '#lib/errors.ts';
import { isObject, parseJson } from '#lib/json.ts';
import { linesBack } from '#lib/lines-back.ts';
import { agentHooksState } from './agent/install.ts';
import { gitHooksState } from './git/index.ts';
import { shimFault } from './git/own-files.ts';
import { hookPlaceOf } from './git/place.ts';
import type { Hook, HookState } from './git/states.ts';
import { type Entry, logOf } from './log.ts';
import { obstacles } from './obstacles.ts';
import { queuesOf, waiting } from './queue.ts';
import { hasWorker, type Program } from './start.ts';

/** @param program how relay is called */
export async function recordingOf(ws: Workspace, program: Program): Promise<Recording> {
  const [git, agents, queue, log] = await Promise.all([gitState(ws, program), Promise.all(agentStates(ws)), queueState(ws), logState(ws)]);
  const beside = join(needRepository(ws).commonDir, 'relay');
  return { git, agents, queue, obstacles: await obstacles([(await ws.store()).home, beside], queue.waiting > 0, Date.now()), ...log };
}

const WRONG: Record<Exclude<HookState, 'missing'>, string | undefined> = {
  ok: undefined,
  changed: undefined,
  gone: 'is gone',
  outdated: 'is not called any more, since the hooks here are set up in another way now',
  off: 'is not executable, so git does not call it',
};
const INSTALL = 'relay hooks install';

function problemOf({ event, path, state, workTree }: Hook): NotRecording[] {
  if (state === 'missing') {
    const fix = workTree === undefined ? INSTALL : `${commandLine(['cd', workTree])} && ${INSTALL}`;
    return [{ why: `For the work tree ${workTree ?? ''} git calls ${path}, and relay’s ${event} hook is not there.`, fix }];
  }
  return WRONG[state] ? [{ why: `relay’s ${event} hook in ${path} ${WRONG[state]}.`, fix: INSTALL }] : [];
}

async function gitState(ws: Workspace, program: Program): Promise<Recording['git']> {
  try {
    const { installed, hooks, ...called } = await gitHooksState(hookPlaceOf(ws, program));
    const problems = hooks.flatMap(problemOf);
    const fault = hooks.length ? shimFault(called) : undefined;
    if (fault) problems.push({ why: `What git’s hooks call ${fault}.`, fix: INSTALL });
    return { installed, prePush: hooks.some(({ event }) => event === 'pre-push'), problems };
  } catch (error) {
    if (!(error instanceof RelayError)) throw error;
    return { installed: false, prePush: false, problems: [{ why: error.message, fix: error.hint ?? INSTALL }] };
  }
}

const agentStates = (ws: Workspace): Promise<Recording['agents'][number]>[] =>
  adapters.flatMap((adapter) => {
    if (!adapter.hooks) return [];
    const { id: agent, title } = adapter;
    const told = async () => {
      const { installed, runs, fix } = await agentHooksState(adapter, whereOf(ws, agent), ws.cwd);
      return { agent, title, installed, ...(runs === undefined ? {} : { runs }), ...(fix === undefined ? {} : { fix }) };
    };
    return [told()];
  });

async function queueState(ws: Workspace): Promise<Recording['queue']> {
  const queues = queuesOf(needRepository(ws).commonDir, ws);
  const events = await waiting(queues, Date.now());
  const [oldest] = events;
  return {
    waiting: events.length,
    ...(oldest ? { since: new Date(oldest.at).toISOString() } : {}),
    worked: queues.some(hasWorker),
  };
}

/** So much of the log is looked at, from its end. In bytes. */
const TOLD = 256 * 1024;

/** When something was recorded last, and the newest failure that no success of the same session followed. What is kept back on purpose is none, nor what is gone. */
async function logState(ws: Workspace): Promise<Pick<Recording, 'last' | 'failed'>> {
  const recorded = new Set<string | undefined>();
  const found: Pick<Recording, 'last' | 'failed'> = {};
  for await (const { at, agent, session, error, code } of entries(logOf((await ws.store()).home))) {
    const name = agent && session ? `${agent}:${session}` : undefined;
    if (error === undefined) {
      found.last ??= at;
      recorded.add(name);
    } else if (code !== 'blocked' && code !== 'not-found' && !recorded.has(name)) found.failed ??= { at, ...(name ? { session: name } : {}), error };
  }
  return found;
}

/** Entries about recording, the newest first. */
async function* entries(path: string): AsyncGenerator<Entry> {
  try {
    for await (const line of linesBack(path, TOLD)) {
      const entry = parseJson(line.toString('utf8'));
      if (isObject(entry) && entry.did !== 'send' && typeof entry.at === 'string') yield entry as unknown as Entry;
    }
  } catch (error) {
    // Whose it is then is told (obstacles.ts).
    if (!['ENOENT', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
