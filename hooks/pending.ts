import { needRepository, type Workspace } from '#flows/workspace.ts';
import type { Env } from '#git/env.ts';
import { pause } from '#store/lock.ts';
import { eventFiles, queuesOf } from './queue.ts';
import { hasWorker, type Program, startWorker } from './start.ts';

/** So long an answer waits for a worker that is at it, in ms. */
const PATIENCE = 10_000;

const isWaiting = async (queue: string): Promise<boolean> => (await eventFiles(queue)).length > 0;

/**
 * Records what hooks have noted and no worker has recorded yet, before a command answers from what is stored. A worker inside a sandbox is killed
 * with the command that made the commit.
 */
export async function recordPending(ws: Workspace): Promise<void> {
  const queues = queuesOf(needRepository(ws).commonDir, ws);
  const waiting = async (): Promise<boolean> => (await Promise.all(queues.map(isWaiting))).includes(true);
  if (!(await waiting())) return;
  const { work } = await import('./worker.ts');
  const until = Date.now() + PATIENCE;
  // Another one may be at it: then there is nothing to do but to wait for that.
  const record = () => work(ws, { send: false });
  for (await record(); (await waiting()) && queues.some(hasWorker) && Date.now() < until; await record()) await pause(100);
}

/** Starts the worker of a repository where something waits, and does not wait for it. */
export async function startPending(commonDir: string, { cwd, env, home, program }: { cwd: string; env: Env; home: string; program: Program }): Promise<void> {
  for (const queue of queuesOf(commonDir, { env, home })) if (await isWaiting(queue)) startWorker(queue, { program, cwd, env });
}
