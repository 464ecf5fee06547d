import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until what hooks have queued in a clone is recorded: nothing waits, and no worker is at it. */
export async function recordedIn(commonDir: string, patience = 30_000): Promise<void> {
  const queue = join(commonDir, 'relay/queue');
  const until = Date.now() + patience;
  const isBusy = (): boolean => existsSync(queue) && (existsSync(join(queue, '.worker')) || readdirSync(queue).some((name) => !name.startsWith('.')));
  while (isBusy()) {
    if (Date.now() > until) throw new Error(`still waiting in ${queue}: ${readdirSync(queue).join(', ')}`);
    await sleep(50);
  }
}
