import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const seconds = (n: number) => n * 1000;
const kind = (
  name: string,
  timeout: number,
  more: { sequential?: boolean; waits?: boolean; groupOrder: number; globalSetup?: string[]; setupFiles?: string[] },
) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout: seconds(timeout),
    hookTimeout: seconds(timeout),
    sequence: { groupOrder: more.groupOrder },
    ...(more.sequential ? { fileParallelism: false, maxWorkers: 1 } : {}),
    // Vitest leaves one processor free, of two that is half. Tests that wait for programs need none of their own; those that compare times do.
    ...(more.waits ? { maxWorkers: availableParallelism() } : {}),
    ...(more.globalSetup ? { globalSetup: more.globalSetup } : {}),
    ...(more.setupFiles ? { setupFiles: more.setupFiles } : {}),
  },
});

// Groups run one after another: what drives a real client or measures time must not share the machine with the rest.
export default defineConfig({
  test: {
    // Tests bring their own home, environment and repositories; git must not find those of the person who runs them.
    env: { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0', NO_COLOR: '1', TZ: 'UTC' },
    projects: [
      kind('unit', 10, { groupOrder: 0, setupFiles: ['test/support/fixed-seed.ts'] }),
      kind('contract', 60, { groupOrder: 0 }),
      kind('property', 120, { groupOrder: 0, setupFiles: ['test/support/fixed-seed.ts'] }),
      kind('git', 120, { groupOrder: 1, waits: true, globalSetup: ['test/support/built.ts'] }),
      kind('e2e', 180, { groupOrder: 2, waits: true, globalSetup: ['test/support/built.ts'] }),
      kind('real', 600, { groupOrder: 3, sequential: true, globalSetup: ['test/support/built.ts', 'test/support/installed.ts'] }),
      kind('timed', 600, { groupOrder: 4, sequential: true, globalSetup: ['test/support/built.ts', 'test/support/installed.ts'] }),
    ],
  },
});
