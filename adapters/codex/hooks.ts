import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { callsRelay, cutHooks, HOOK_COMMAND, insertHooks, type WantedHooks } from '#lib/command-hooks.ts';
import { asArray, asObject, asString, isObject, type JsonObject } from '#lib/json.ts';
import type { Where } from '#session/source.ts';
import type { AgentHooks, HookState } from '../adapter.ts';
import { appServer } from './app-server.ts';
import { eventOf } from './event.ts';

/** No time-outs: the client's own for Stop is ten minutes, that for SessionEnd is three seconds at most. */
const WANTED: WantedHooks = { Stop: {}, SessionEnd: {}, PreCompact: {} };

/** ms; the client answers within 0.1 s, in a home that is new to it within a few. */
const PATIENCE = 8000;

const file = ({ env, home }: Where): string => join(env.CODEX_HOME || join(home, '.codex'), 'hooks.json');

/** Hooks of Codex, in its user's hooks.json. It trusts a hook by its text, its file and its place there (see README.md). */
export const hooks: AgentHooks = {
  variable: 'CODEX_THREAD_ID',
  process: /^codex(?:\.exe)?$/,
  file,
  install: (text) => insertHooks(text, WANTED),
  uninstall: cutHooks,
  state,
  event: eventOf,
};

async function state({ env, home }: Where, cwd: string): Promise<HookState> {
  const where: Where = { env, home };
  const text = await readFile(file(where), 'utf8').catch(() => undefined);
  if (text === undefined || !callsRelay(text, WANTED)) return { installed: false };
  const listed = await listHooks(where, cwd);
  if (!listed) return { installed: true, fix: 'codex does not answer: make sure that it is on the PATH (codex --version)' };
  return { installed: true, ...judged(listed, file(where)) };
}

/** What the installed client says of the hooks that it finds for a folder: `hooks/list` of its own server. undefined: there is none, or it does not answer. */
async function listHooks(where: Where, cwd: string): Promise<JsonObject | undefined> {
  const server = appServer(where, cwd, PATIENCE);
  try {
    await server.start();
    const answer = await server.call('hooks/list', { cwds: [cwd] });
    return isObject(answer) ? asObject(asArray(answer.data)[0]) : undefined;
  } catch {
    return undefined;
  } finally {
    server.close();
  }
}

function judged(listed: JsonObject, path: string): Omit<HookState, 'installed'> {
  const own = asArray(listed.hooks)
    .filter(isObject)
    .filter((hook) => hook.command === HOOK_COMMAND && hook.source === 'user');
  if (own.length < Object.keys(WANTED).length) {
    const warning = asArray(listed.warnings)
      .map(asString)
      .find((one) => one?.includes(path));
    return { runs: false, fix: warning ? `mend ${path}: Codex says: ${warning}` : 'Codex runs no hooks: take hooks = false out of its config.toml' };
  }
  if (own.some((hook) => hook.enabled === false)) return { runs: false, fix: 'start codex, type /hooks and switch relay’s hooks on' };
  if (own.some((hook) => hook.trustStatus !== 'trusted')) return { runs: false, fix: 'start codex, trust all and continue' };
  return { runs: true };
}
