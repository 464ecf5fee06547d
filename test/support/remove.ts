import { rmSync } from 'node:fs';

const TRIES = 50;
const PAUSE = 100;

/** Removes a folder in which a worker that nobody waits for may still write: `rmSync` looks into a folder once, so it fails at what is made meanwhile. */
export function remove(folder: string): void {
  for (let tries = 1; ; tries++) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (tries === TRIES) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
    }
  }
}
