import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { callsRelay, cutHooks, insertHooks, type WantedHooks } from '#lib/command-hooks.ts';
import { asObject, type JsonObject, parseJson } from '#lib/json.ts';
import type { Where } from '#session/source.ts';
import type { AgentHooks, HookState } from '../adapter.ts';
import { eventOf } from './event.ts';

/** At the end of a session the client waits for a second only, unless it is told. */
const WANTED: WantedHooks = { Stop: {}, SessionEnd: { timeout: 30 }, PreCompact: {} };

/** The user's settings: where new sessions go, but never a folder that only relay's settings name. */
const file = ({ env, home }: Where): string => join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'settings.json');

/** Settings that an administrator gives; they stand above all others. */
const managed = (): string =>
  process.platform === 'darwin' ? '/Library/Application Support/ClaudeCode/managed-settings.json' : '/etc/claude-code/managed-settings.json';

/** Hooks of Claude Code, in its user's settings.json (see README.md). */
export const hooks: AgentHooks = {
  variable: 'CLAUDE_CODE_SESSION_ID',
  process: /^claude(?:\.exe)?$/,
  file,
  install: (text) => insertHooks(text, WANTED),
  uninstall: cutHooks,
  state,
  event: eventOf,
};

async function state(where: Where, cwd: string): Promise<HookState> {
  const path = file(where);
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined || !callsRelay(text, WANTED)) return { installed: false };
  // A comment or a trailing comma is enough for the client to pass over the whole file without a word (seen with 2.1.332).
  if (!asObject(parseJson(text.replace(/^\ufeff/, ''))))
    return { installed: true, runs: false, fix: `Claude Code reads no settings with comments or trailing commas: take them out of ${path}` };
  const off = await switchedOff([managed(), join(cwd, '.claude', 'settings.local.json'), join(cwd, '.claude', 'settings.json'), path]);
  return off ? { installed: true, runs: false, fix: off } : { installed: true, runs: true };
}

/** What keeps hooks from running: the first of these settings files, the strongest first, that says anything about it. */
async function switchedOff(files: readonly string[]): Promise<string | undefined> {
  const settings = await Promise.all(files.map(read));
  if (settings[0]?.allowManagedHooksOnly === true) return `${files[0]} allows the administrator's hooks only (allowManagedHooksOnly)`;
  const first = settings.findIndex((one) => typeof one.disableAllHooks === 'boolean');
  return settings[first]?.disableAllHooks === true ? `set disableAllHooks to false in ${files[first]}` : undefined;
}

const read = async (path: string): Promise<JsonObject> => asObject(parseJson((await readFile(path, 'utf8').catch(() => '')).replace(/^\ufeff/, ''))) ?? {};
