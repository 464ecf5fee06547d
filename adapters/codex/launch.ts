import { isObject, type JsonObject, parseJson } from '#lib/json.ts';
import type { Where } from '#session/source.ts';
import type { Resume, Written } from '../adapter.ts';
import { type AppServer, appServer } from './app-server.ts';

export const resumeCommand = (id: string, cwd: string): Resume => ({ command: 'codex', args: ['resume', id], cwd });

/** The client starts in a second; its first start in a home takes longer. */
const TIMEOUT = 20_000;

/**
 * Asks `codex app-server` for the session, having given it its name (paginated threads take a name in no other way).
 * undefined: no codex on the PATH, or it does not answer.
 */
export async function confirm(where: Where, written: Written): Promise<{ listed: boolean; title?: string } | undefined> {
  const server = appServer(where, written.resume.cwd, TIMEOUT);
  try {
    await server.start();
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

async function findThread(server: AppServer, written: Written): Promise<JsonObject | undefined> {
  const answer = await server.call('thread/list', { limit: 50, cwd: written.resume.cwd });
  const threads = isObject(answer) && Array.isArray(answer.data) ? answer.data : [];
  return threads.filter(isObject).find((thread) => thread.id === written.session);
}
