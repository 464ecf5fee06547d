import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { isObject, type Json, type JsonObject, parseJson } from '#lib/json.ts';
import { version } from '#lib/version.ts';
import type { Where } from '#session/source.ts';
import { codexHome } from './locate.ts';

/** With these it opens no connection (observed with 0.171.0); without them it looks up its maker's hosts. */
const OFFLINE = ['analytics.enabled=false', 'check_for_update_on_startup=false', 'features.apps=false', 'features.plugins=false'].flatMap((one) => ['-c', one]);

export interface AppServer {
  /** says who calls; comes first */
  start(): Promise<void>;
  /** Rejects on an error answer, when the server ends, and after a while. */
  call(method: string, params: JsonObject): Promise<Json | undefined>;
  close(): void;
}

/**
 * The installed client's own server, for a few questions.
 * @param timeout ms until calls that wait are given up
 */
export function appServer(where: Where, cwd: string, timeout: number): AppServer {
  const child = spawn('codex', ['app-server', ...OFFLINE], {
    cwd,
    env: { ...where.env, HOME: where.home, CODEX_HOME: codexHome(where) },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map<number, { resolve(value: Json | undefined): void; reject(error: Error): void }>();
  const fail = (why: string): void => {
    for (const { reject } of waiting.values()) reject(new Error(why));
    waiting.clear();
  };
  child.on('error', (error) => fail(error.message));
  child.on('close', () => fail('codex app-server ended'));
  child.stdin.on('error', () => fail('codex app-server ended'));
  const timer = setTimeout(() => fail('codex app-server did not answer'), timeout);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = parseJson(line);
    if (!isObject(message) || typeof message.id !== 'number') return;
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) call?.resolve(message.result);
    else call?.reject(new Error('codex app-server refused'));
  });
  const send = (message: JsonObject): void => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
  };
  let next = 0;
  const call = (method: string, params: JsonObject): Promise<Json | undefined> =>
    new Promise((resolve, reject) => {
      const id = next++;
      waiting.set(id, { resolve, reject });
      send({ id, method, params });
    });
  return {
    start: async () => {
      await call('initialize', { clientInfo: { name: 'relay', title: 'relay', version }, capabilities: { experimentalApi: true } });
      send({ method: 'initialized' });
    },
    call,
    close: () => {
      clearTimeout(timer);
      child.stdin.end();
      setTimeout(() => child.kill(), 2000).unref();
    },
  };
}
