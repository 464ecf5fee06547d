import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Vitest global setup: tests of the built program always run what the sources say now. Built once a run, however many groups need it. */
export function setup(): void {
  if (process.env.RELAY_TEST_BUILT === String(process.pid)) return;
  process.env.RELAY_TEST_BUILT = String(process.pid);
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], { cwd: fileURLToPath(new URL('../..', import.meta.url)), stdio: 'inherit' });
}
