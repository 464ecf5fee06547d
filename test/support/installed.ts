import { clientNames, installClient } from './clients.ts';

/**
 * Vitest global setup: with RELAY_TEST_ALL=1 the real clients are fetched (some 1.5 GB), and where that fails their tests fail. Otherwise
 * tests whose client is not there are skipped and say how to install it.
 */
export async function setup(): Promise<void> {
  if (process.env.RELAY_TEST_ALL !== '1') return;
  for (const name of clientNames) {
    try {
      await installClient(name);
    } catch (error) {
      process.stderr.write(`${name} could not be installed: ${String(error).split('\n').slice(0, 3).join(' ')}\n`);
    }
  }
}
