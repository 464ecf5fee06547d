import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspace } from '#flows/context.ts';
import { needRepository, type Workspace } from '#flows/workspace.ts';
import { RelayError } from '#lib/errors.ts';
import { takeLock } from '#store/lock.ts';
import { type QueuedEvent, queuesOf, waiting } from './queue.ts';
import { recordEvents } from './record.ts';
import { sendWhereAccepted } from './send.ts';
import { workerFile } from './start.ts';

/** The lock of whoever records what waits. @param home of the store */
export const workerFolder = (home: string): string => join(home, 'worker');
export const WORKER = 'worker';
/** A worker looks this often whether its lock is still there, in ms. */
const LOOK = 100;

/**
 * Records what waits in the repository's queue until nothing does. One process does this at a time; another one leaves it to that.
 * @param how `send`: then it sends, too, where that was accepted. `gone` is called when the lock was taken away, as it is together with all that relay
 * keeps here: what is being made then would bring it back.
 */
export async function work(ws: Workspace, how: { send: boolean; gone?: () => void }): Promise<void> {
  const { home } = await ws.store();
  const queues = queuesOf(needRepository(ws).commonDir, ws);
  const lock = await takeLock(workerFolder(home), WORKER, 0).catch((error: unknown) => {
    if (error instanceof RelayError) return undefined;
    throw error;
  });
  if (!lock) return;
  const look = setInterval(() => lock.isHeld() || how.gone?.(), LOOK).unref();
  try {
    // Of a queue that is not there, or may not be written to, nobody needs to be told.
    for (const queue of queues) await writeFile(workerFile(queue), `${process.pid}\n`).catch(() => {});
    await drain(ws, queues, how.send ? sendWhereAccepted : async () => false);
  } finally {
    clearInterval(look);
    await lock.release();
  }
}

async function drain(first: Workspace, queues: readonly string[], send: (ws: Workspace) => Promise<boolean>): Promise<void> {
  let ws = first;
  /** events that could not be recorded now: the next worker tries them again */
  const left = new Set<string>();
  const next = async (): Promise<QueuedEvent[]> => (await waiting(queues, Date.now())).filter(({ file }) => !left.has(file));
  for (;;) {
    // What comes while events are recorded is recorded together: a burst of commits takes two or three turns.
    const events = await next();
    if (events.length) for (const { file } of await recordEvents(ws, events)) left.add(file);
    else {
      if (!(await send(ws))) {
        // Who queues something from here on starts a worker; what was queued just before is still seen here.
        for (const queue of queues) await clearWorkerFile(queue);
        if (!(await next()).length) return;
      }
      // Sending takes its time, and what comes after it goes by the settings of then.
      ws = await workspace(ws);
    }
  }
}

async function clearWorkerFile(queue: string): Promise<void> {
  const path = workerFile(queue);
  if ((await readFile(path, 'utf8').catch(() => '')).trim() === String(process.pid)) await rm(path, { force: true });
}
