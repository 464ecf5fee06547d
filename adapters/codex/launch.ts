import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { isObject, type Json, type JsonObject, parseJson } from '#lib/json.ts';
import { version } from '#lib/version.ts';
import type { Where } from '#session/source.ts';
import type { Resume, Written } from '../adapter.ts';
import { codexHome } from './locate.ts';

export const resumeCommand = (id: string, cwd: string): Resume => ({ command: 'codex', args: ['resume', id], cwd });

/** The client starts in a second; its first start in a home takes longer. */
const TIMEOUT = 20_000;

/**
 * Asks `codex app-server` for the session, having given it its name (paginated threads take a name in no other way).
 * undefined: no codex on the PATH, or it does not answer.
 */
export async function confirm(where: Where, written: Written): Promise<{ listed: boolean; title?: string } | undefined> {
  const server = appServer(where, written.resume.cwd);
  try {
    await server.call('initialize', { clientInfo: { name: 'relay', title: 'relay', version }, capabilities: { experimentalApi: true } });
    server.send({ method: 'initialized' });
    const name = nameOf(written);
    if (name) await server.call('thread/name/set', { threadId: written.session, name }).catch(() => undefined);
    const thread = await findThread(server, written);
    if (!thread) return { listed: false };
    const title = typeof thread.name === 'string' && thread.name ? thread.name : thread.preview;
    return { listed: true, ...(typeof title === 'string' ? { title } : {}) };
  } catch {
    return undefined;
  } finally {
    server.close();
  }
}

function nameOf(written: Written): string | undefined {
  for (const { line } of written.appends) {
    const value = parseJson(line);
    if (isObject(value) && value.id === written.session && typeof value.thread_name === 'string') return value.thread_name;
  }
  return undefined;
}

async function findThread(server: Server, written: Written): Promise<JsonObject | undefined> {
  const answer = await server.call('thread/list', { limit: 50, cwd: written.resume.cwd });
  const threads = isObject(answer) && Array.isArray(answer.data) ? answer.data : [];
  return threads.filter(isObject).find((thread) => thread.id === written.session);
}

/** With these it opens no connection (observed with 0.171.0); without them it looks up its maker's hosts. */
const OFFLINE = ['analytics.enabled=false', 'check_for_update_on_startup=false', 'features.apps=false', 'features.plugins=false'].flatMap((one) => ['-c', one]);

interface Server {
  send(message: JsonObject): void;
  /** Rejects on an error answer, when the server ends, and after a while. */
  call(method: string, params: JsonObject): Promise<Json | undefined>;
  close(): void;
}

function appServer(where: Where, cwd: string): Server {
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
  const timer = setTimeout(() => fail('codex app-server did not answer'), TIMEOUT);
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
  return {
    send,
    call: (method, params) =>
      new Promise((resolve, reject) => {
        const id = next++;
        waiting.set(id, { resolve, reject });
        send({ id, method, params });
      }),
    close: () => {
      clearTimeout(timer);
      child.stdin.end();
      setTimeout(() => child.kill(), 2000).unref();
    },
  };
}
