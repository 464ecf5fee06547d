import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Adapter, AgentHooks, HookState } from '#adapters/adapter.ts';
import { RelayError } from '#lib/errors.ts';
import { inserted, rangesOf } from '#lib/json-edit.ts';
import type { Where } from '#session/source.ts';
import { folderMadeFor, forget, formerText, remember } from './memory.ts';
import { readSettings, removeFolders, removeSettings, type SettingsFile, writeSettings } from './settings-file.ts';

/** What became of a client's file of hooks. */
export interface Changed {
  file: string;
  changed: boolean;
}

/** An agent's hooks, as they are on this machine. */
export interface AgentHooksState extends HookState {
  agent: string;
  file: string;
}

/**
 * Puts relay's hooks into the client's own file of this user; where they stand already nothing is written.
 * @param state relay's folder in the user's state
 * @throws RelayError `usage` for an agent without hooks and for a file that cannot be changed as it is; `failed` when writing fails
 */
export async function installAgentHooks(adapter: Adapter, where: Where, state: string): Promise<Changed> {
  const hooks = hooksOf(adapter);
  const file = hooks.file(where);
  const before = await readSettings(file);
  const insertions = withFile(file, () => hooks.install(before?.text));
  if (!insertions.length) return { file, changed: false };
  const text = inserted(before?.text ?? '', insertions);
  const folder = (await writeSettings(file, text, before)) ?? (await folderMadeFor(state, file));
  // Should this fail, the hooks can still be taken out.
  await remember(state, file, { text, put: rangesOf(insertions), made: !before, ...(folder ? { folder } : {}) }).catch(() => {});
  return { file, changed: true };
}

/** Takes relay's hooks out of the client's file: to the byte as it was where nothing else changed it since, else without them alone. Errors as above. */
export async function uninstallAgentHooks(adapter: Adapter, where: Where, state: string): Promise<Changed> {
  const hooks = hooksOf(adapter);
  const file = hooks.file(where);
  const before = await readSettings(file);
  if (!before) return { file, changed: false };
  const text = await withoutHooks(hooks, file, before, state);
  if (text === before.text) return { file, changed: false };
  if (text === undefined) await removeWithFolder(file, before, state);
  else await writeSettings(file, text, before);
  await forget(state, file).catch(() => {});
  return { file, changed: true };
}

/** Takes away what relay made, the client's folder included, unless something else is in it by now. */
async function removeWithFolder(file: string, before: SettingsFile, state: string): Promise<void> {
  await removeSettings(before);
  const folder = await folderMadeFor(state, file);
  if (folder !== undefined) await removeFolders(file, folder);
}

async function withoutHooks(hooks: AgentHooks, file: string, { text }: SettingsFile, state: string): Promise<string | undefined> {
  const former = await formerText(state, file, text);
  return former === null ? undefined : withFile(file, () => hooks.uninstall(former ?? text));
}

/** Whether relay's hooks are installed for an agent, and whether its client runs them in `cwd`. */
export async function agentHooksState(adapter: Adapter, where: Where, cwd: string): Promise<AgentHooksState> {
  const hooks = hooksOf(adapter);
  const state = await hooks.state(where, cwd);
  const told = { agent: adapter.id, file: hooks.file(where), ...state };
  // The hook's command is silent without relay.
  if (!state.installed || state.runs === false || isOnPath('relay', where.env.PATH)) return told;
  return { ...told, runs: false, fix: 'put relay on the PATH of the agent (npm install --global session-relay)' };
}

function hooksOf(adapter: Adapter): AgentHooks {
  if (adapter.hooks) return adapter.hooks;
  throw new RelayError('usage', `${adapter.title} has no hooks that relay knows.`);
}

/** An adapter says what is wrong with a text; which file it is, is said here. */
function withFile<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RelayError)) throw error;
    throw new RelayError(
      error.code,
      `${file} cannot be changed. ${error.message} Nothing was changed.`,
      error.hint ?? 'Mend the file, then run the command again.',
    );
  }
}

function isOnPath(program: string, path = ''): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return statSync(join(folder, program)).isFile();
    } catch {
      return false;
    }
  });
}
