import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Vitest global setup: tests of the built program always run what the sources say now. */
export function setup(): void {
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], { cwd: fileURLToPath(new URL('../..', import.meta.url)), stdio: 'inherit' });
}
