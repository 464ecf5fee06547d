import { readFileSync } from 'node:fs';
import type { LaidOut } from './layout.ts';

type Session = Pick<LaidOut, 'path' | 'cwd' | 'id'>;

/** Makes further lines of a Claude Code session, each answering the one before. */
export function claudeLines(session: Session, timestamp: string) {
  let parentUuid =
    readFileSync(session.path, 'utf8')
      .match(/"uuid":"([^"]+)"/g)
      ?.at(-1)
      ?.slice(8, -1) ?? null;
  const line = (type: string, message: object, extra: object = {}): string => {
    const uuid = crypto.randomUUID();
    const base = { parentUuid, isSidechain: false, type, message, uuid, timestamp, cwd: session.cwd, sessionId: session.id, version: '2.1.332' };
    parentUuid = uuid;
    return JSON.stringify({ ...base, ...extra });
  };
  return {
    line,
    call: (id: string, name: string, input: object): string =>
      line('assistant', { id: `msg_${id}`, type: 'message', role: 'assistant', model: 'claude-opus-5-5', content: [{ type: 'tool_use', id, name, input }] }),
    result: (id: string, content: string, toolUseResult: unknown): string =>
      line('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] }, { sourceToolAssistantUUID: parentUuid, toolUseResult }),
  };
}

/** Makes further items of a Codex rollout, numbered where its lines are. */
export function codexItems(session: Session, timestamp: string): (payload: object) => string {
  const numbered = readFileSync(session.path, 'utf8')
    .match(/"ordinal":(\d+)/g)
    ?.at(-1);
  let ordinal = numbered ? Number(numbered.slice(10)) + 1 : undefined;
  return (payload) => JSON.stringify({ timestamp, ...(ordinal === undefined ? {} : { ordinal: ordinal++ }), type: 'response_item', payload });
}
