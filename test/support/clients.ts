import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The real clients that tests run, at pinned versions. They lie in a cache of their own (about 800 MB for the two
 * newest), never among the project's dependencies; `npx tsx scripts/clients.ts` fills it.
 */
const packages = {
  'claude-code': { npm: '@anthropic-ai/claude-code', version: '2.1.332', bin: 'claude' },
  codex: { npm: '@openai/codex', version: '0.171.0', bin: 'codex' },
  'claude-code-old': { npm: '@anthropic-ai/claude-code', version: '2.1.200', bin: 'claude' },
  'codex-old': { npm: '@openai/codex', version: '0.120.0', bin: 'codex' },
} as const;

export type Client = keyof typeof packages;
export const clientNames = Object.keys(packages) as Client[];

/** Where a client is, or would be, installed. `spec` is what npm installs; `folder` its own prefix. */
export function clientPlace(name: Client): { spec: string; version: string; folder: string; bin: string } {
  const { npm, version, bin } = packages[name];
  const cache = process.env.RELAY_TEST_CLIENTS ?? join(homedir(), '.cache', 'relay-test-clients');
  const folder = join(cache, `${name.replace('-old', '')}-${version}`);
  return { spec: `${npm}@${version}`, version, folder, bin: join(folder, 'node_modules', '.bin', bin) };
}

/** Path of the client's program, or undefined where it is not installed. */
export function client(name: Client): string | undefined {
  const { bin } = clientPlace(name);
  return existsSync(bin) ? bin : undefined;
}
