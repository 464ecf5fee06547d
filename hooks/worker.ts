import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspace } from '#flows/context.ts';
import { recentSessions, recordSession } from '#flows/record.ts';
import { type Edges, needRepository, type Workspace } from '#flows/workspace.ts';
import { RelayError } from '#lib/errors.ts';
import { takeLock } from '#store/lock.ts';
import { type Entry, log } from './log.ts';
import { done, type QueuedEvent, queueOf, waiting } from './queue.ts';
import { sendWhereAccepted } from './send.ts';
import { workerFile } from './start.ts';

/** Records what waits in the repository's queue until nothing does. One process does this at a time; another one leaves it to that. */
export async function work(edges: Edges): Promise<void> {
  const ws = await workspace(edges);
  const store = await ws.store();
  const queue = queueOf(needRepository(ws));
  if (!existsSync(queue)) return;
  const lock = await takeLock(join(store.home, 'worker'), 'worker', 0).catch((error: unknown) => {
    if (error instanceof RelayError) return undefined;
    throw error;
  });
  if (!lock) return;
  try {
    await writeFile(workerFile(queue), `${process.pid}\n`).catch(() => {});
    await drain(ws, queue);
  } finally {
    await lock.release();
  }
}

async function drain(ws: Workspace, queue: string): Promise<void> {
  /** events that could not be recorded now: the next worker tries them again */
  const left = new Set<string>();
  // What comes while events are recorded is recorded together: a burst of commits takes two or three turns.
  const next = async () => (await waiting(queue, Date.now())).filter(({ file }) => !left.has(file));
  for (;;) {
    const events = await next();
    if (events.length) for (const event of await recorded(ws, queue, events)) left.add(event.file);
    else if (!(await sendWhereAccepted(ws))) {
      // Who queues something from here on starts a worker; what was queued just before is still seen here.
      await clearWorkerFile(queue);
      if (!(await next()).length) return;
    }
  }
}

async function clearWorkerFile(queue: string): Promise<void> {
  const path = workerFile(queue);
  if ((await readFile(path, 'utf8').catch(() => '')).trim() === String(process.pid)) await rm(path, { force: true });
}

/** Takes the events from the queue that are recorded, or never can be. Answers the others. */
async function recorded(ws: Workspace, queue: string, events: readonly QueuedEvent[]): Promise<QueuedEvent[]> {
  const named = events.flatMap(({ sessions }) => sessions);
  // Who commits in a terminal says nothing of sessions.
  const recent = events.some(({ event, sessions }) => event === 'post-commit' && !sessions.length) ? await recentSessions(ws) : [];
  const sessions = new Map([...recent, ...named].map((one) => [`${one.agent}:${one.session}`, one]));
  let failed = false;
  for (const one of sessions.values()) failed = (await recordOne(ws, one)) === 'later' || failed;
  if (failed) return [...events];
  for (const event of events) await done(queue, event);
  return [];
}

/** What will not go better next time. */
const FOR_GOOD = new Set(['blocked', 'not-found', 'unknown-format', 'secret-left', 'corrupt', 'ambiguous']);

async function recordOne(ws: Workspace, one: QueuedEvent['sessions'][number]): Promise<'done' | 'later'> {
  const began = performance.now();
  const { home } = await ws.store();
  const tell = (more: Partial<Entry>): Promise<void> =>
    log(home, { at: ws.now().toISOString(), ms: Math.round(performance.now() - began), did: 'record', agent: one.agent, session: one.session, ...more });
  try {
    const { version, appended, bytes } = await recordSession(ws, one);
    if (appended) await tell({ version, bytes });
    return 'done';
  } catch (error) {
    await tell(error instanceof RelayError ? { error: error.message, code: error.code } : { error: String(error) });
    return error instanceof RelayError && FOR_GOOD.has(error.code) ? 'done' : 'later';
  }
}
