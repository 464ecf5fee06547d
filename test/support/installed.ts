import { clientNames, installClient } from './clients.ts';

/** Vitest global setup: fetches the real clients. Where that fails their tests say so: skipped, or failed with RELAY_TEST_ALL=1. */
export async function setup(): Promise<void> {
  for (const name of clientNames) {
    try {
      await installClient(name);
    } catch (error) {
      process.stderr.write(`${name} could not be installed: ${String(error).split('\n').slice(0, 3).join(' ')}\n`);
    }
  }
}
