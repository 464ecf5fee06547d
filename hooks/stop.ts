import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RelayError } from '#lib/errors.ts';
import { holderOf, pause, takeLock } from '#store/lock.ts';
import { workerOf } from './start.ts';
import { WORKER, workerFolder } from './worker.ts';

/** A worker that was told to end has so long, in ms; then it is killed. */
const GRACE = 3000;
/** So long another relay command may go on with what it records, in ms. */
const PATIENCE = 10_000;

/**
 * Ends the worker of a repository, and keeps others from beginning as long as the lock's file is there: for what takes relay out of it, since a worker that
 * goes on would bring its folder back. RelayError where another command records here and does not come to its end.
 */
export async function stopWorker(home: string, queues: readonly string[]): Promise<void> {
  const holder = await holderOf(workerFolder(home), WORKER);
  const ids = [...queues.map(workerOf), ...(holder?.isHere ? [holder.pid] : [])];
  for (const id of new Set(ids)) if (await isWorkerHere(id)) await end(id);
  // Nobody can wait for a process of another machine.
  const left = await holderOf(workerFolder(home), WORKER);
  if (!left || left.isHere) await takeLock(workerFolder(home), WORKER, PATIENCE);
}

async function end(id: number): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    process.kill(id, signal);
    for (const until = Date.now() + GRACE; Date.now() < until; await pause(20)) if (!(await isWorkerHere(id))) return;
  }
  throw new RelayError('failed', `relay’s worker (pid ${id}) does not end.`, `End it and try again: kill -9 ${id}`);
}

/** Ids are given out again, and whoever can write to the git folder can write any into it: only what is a worker by its command line is ended. */
const isWorkerHere = async (id: number): Promise<boolean> => /\bhook\0--work\b|\bhook --work\b/.test(await commandLineOf(id));

/** Its arguments, with a NUL or a space between them; "": there is no such process. */
async function commandLineOf(id: number): Promise<string> {
  if (!(id > 0)) return '';
  const fromPs = () => promisify(execFile)('ps', ['-o', 'args=', '-p', String(id)]).then(({ stdout }) => stdout);
  return readFile(join('/proc', String(id), 'cmdline'), 'utf8').catch(() => (process.platform === 'linux' ? '' : fromPs().catch(() => '')));
}
