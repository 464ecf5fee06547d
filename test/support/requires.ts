import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type Client, client, clientNames } from './clients.ts';
import { type Tool, tool, toolNames } from './tools.ts';

/** What a test may need of the machine: a program on the PATH, a version of git, a real client, or what tests of hooks run. */
export type Need = 'tmux' | 'strace' | 'gitleaks' | 'bwrap' | 'socat' | `git ${number}.${number}` | Client | Tool;

const missing = (need: Need): string | undefined => {
  if ((clientNames as readonly string[]).includes(need))
    return client(need as Client) ? undefined : `${need} is not installed (npx tsx scripts/clients.ts installs it)`;
  if ((toolNames as readonly string[]).includes(need))
    return tool(need as Tool) ? undefined : `${need} is not installed (npx tsx scripts/clients.ts installs it)`;
  if (need.startsWith('git ')) {
    const wanted = need.slice(4);
    const have = /\d+\.\d+/.exec(spawnSync('git', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[0];
    return have && atLeast(have, wanted) ? undefined : `git ${wanted} or newer is needed, this is ${have ?? 'none'}`;
  }
  const flag = need === 'tmux' || need === 'socat' ? '-V' : '--version';
  return spawnSync(need, [flag]).error ? `${need} is not installed` : undefined;
};

function atLeast(have: string, wanted: string): boolean {
  const [a = 0, b = 0] = have.split('.').map(Number);
  const [x = 0, y = 0] = wanted.split('.').map(Number);
  return a > x || (a === x && b >= y);
}

type Suite = (name: string, body: () => void) => void;

/**
 * `describe` for tests that need something of the machine: `requires('tmux', 'codex')('shows the turn', () => { … })`.
 * Where it is missing the suite is skipped and its name says why; with RELAY_TEST_ALL=1 (as in CI) that is a failure.
 */
export function requires(...needs: Need[]): Suite {
  const reasons = needs.map(missing).filter((r) => r !== undefined);
  if (!reasons.length) return describe;
  const reason = reasons.join('; ');
  if (process.env.RELAY_TEST_ALL === '1')
    return (name) => {
      it(name, () => expect.fail(`not run: ${reason}`));
    };
  return (name, body) => {
    describe.skip(`${name} [skipped: ${reason}]`, body);
  };
}
