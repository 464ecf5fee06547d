import type { Adapter } from './adapter.ts';
import { claudeCode } from './claude-code/index.ts';
import { codex } from './codex/index.ts';

/** Every agent relay knows, in the order they are shown. */
export const adapters: readonly Adapter[] = [claudeCode, codex];

/** What else people call an agent. */
const ALIASES: Readonly<Record<string, string>> = { claude: 'claude-code', claudecode: 'claude-code', 'openai-codex': 'codex' };

/** The adapter of an agent by its name, in capitals or not, or by another name that people use for it. */
export function adapterById(name: string): Adapter | undefined {
  const lower = name.toLowerCase();
  const id = Object.hasOwn(ALIASES, lower) ? ALIASES[lower] : lower;
  return adapters.find((a) => a.id === id);
}
