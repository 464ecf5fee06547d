import { spawn } from 'node:child_process';
import { lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Env, gitEnv } from '#git/env.ts';

/** Names the process that works on a queue, or was started to: nobody starts another one meanwhile. */
export const workerFile = (queue: string): string => join(queue, '.worker');

/** How relay is called: the path of Node.js and that of relay's own program. */
export type Program = readonly [node: string, relay: string];

/**
 * Starts the worker of a queue, unless one was started that still runs. It outlives this process, says nothing, and is told nothing of the
 * repository by the environment: it looks for the one that `cwd` lies in.
 */
export function startWorker(queue: string, { program: [node, relay], cwd, env }: { program: Program; cwd: string; env: Env }): void {
  const path = workerFile(queue);
  if (!claim(path)) return;
  const child = spawn(node, [relay, 'hook', '--work'], { cwd, env: gitEnv(env) as NodeJS.ProcessEnv, detached: true, stdio: 'ignore', windowsHide: true });
  // What cannot be started now is by the next event.
  child.on('error', () => rmSync(path, { force: true }));
  if (child.pid) writeFileSync(path, `${child.pid}\n`);
  child.unref();
}

/** Puts this process's own id into the file, which the worker's takes the place of. false: a worker lives. */
function claim(path: string): boolean {
  for (let tries = 0; tries < 2; tries++)
    try {
      writeFileSync(path, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || isWorker(readId(path))) return false;
      rmSync(path, { force: true });
    }
  return false;
}

/** The process that is named as the queue's worker, whether it runs or not; 0: none. */
export const workerOf = (queue: string): number => readId(workerFile(queue));

/** Does the process run that is named as the queue's worker? */
export const hasWorker = (queue: string): boolean => isWorker(workerOf(queue));

function readId(path: string): number {
  try {
    return lstatSync(path).isFile() ? Number(readFileSync(path, 'utf8')) : 0;
  } catch {
    return 0;
  }
}

/**
 * Does a process with this id run, and is it relay? Ids are given out again, and one that was written down inside a sandbox, whose processes are
 * counted anew, is somebody else's outside of it.
 */
function isWorker(id: number): boolean {
  if (!(id > 0)) return false;
  try {
    process.kill(id, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  try {
    return /\0hook\0/.test(`${readFileSync(`/proc/${id}/cmdline`, 'utf8')}\0`);
  } catch {
    return process.platform !== 'linux';
  }
}
