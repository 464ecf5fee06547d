import { atPointer, type Json } from '#lib/json.ts';
import { ofClone, settingsSchema } from './schema.ts';

/** What stops for a value that this clone has not accepted: a verb, or what one does. `send`, `fetch`: with the remote; `git push`: relay's part in it. */
export type Stopped = 'push' | 'send' | 'pull' | 'fetch' | 'purge' | 'import' | 'watch' | 'git push';

const REMOTE: readonly Stopped[] = ['send', 'pull', 'fetch', 'purge', 'git push'];

/**
 * Settings of a repository's .relayrc that count only after this clone accepted their exact value (`*`: any agent), and what stops where they would count, until the
 * clone has said yes or no. Everything else goes on without them, hooks and what they start above all.
 */
const GUARDED: Readonly<Record<string, readonly Stopped[]>> = {
  'store.remote': REMOTE,
  'store.namespace': REMOTE,
  'push.auto': ['watch', 'git push'],
  'watch.standby': ['watch'],
  'link.trailer': [],
  'agents.*.command': ['import'],
  'agents.*.roots': ['push', 'import', 'watch'],
  'redact.allow.patterns': [],
  'redact.allow.paths': [],
};

export const guarded: readonly string[] = Object.keys(GUARDED);
/** The same of a clone's own settings, to which an agent can write from its sandbox. A line in messages is no harm there. */
export const guardedInClone: readonly string[] = [...guarded.filter((key) => key !== 'link.trailer'), ...ofClone];

/** @param key of a guarded setting, e.g. agents.codex.command */
export const stoppedBy = (key: string): readonly Stopped[] => GUARDED[key.replace(/^agents\.[^.]+/, 'agents.*')] ?? [];

/** Settings that can be accepted, for these agents, e.g. agents.codex.command. */
export const acceptable = (agents: readonly string[]): string[] =>
  [...guarded, ...ofClone].flatMap((key) => (key.includes('*') ? agents.map((agent) => key.replace('*', agent)) : [key]));

/** What a setting is where nobody sets it; null: nothing. */
export function defaultOf(key: string): Json {
  const parsed = settingsSchema.parse({}) as unknown as Json;
  return atPointer(parsed, `/${key.replaceAll('.', '/')}`) ?? null;
}

/** The settings with which a clone says no, as JSON: {"push":{"auto":false}}. */
export const decliningSettings = (key: string): string =>
  JSON.stringify(key.split('.').reduceRight<Json>((inner, name) => ({ [name]: inner }), defaultOf(key)));
