import type { JsonObject } from '#lib/json.ts';
import { uuidOf } from '#lib/uuid.ts';
import type { Target } from '../adapter.ts';
import { FORM_VERSION } from './native.ts';

/** Makes the lines of a session one after another: one chain, ids made from the session's id. */
export interface Lines {
  /** a `user`, `assistant` or `system` line that follows the one before */
  entry(type: string, time: string | undefined, fields: JsonObject): JsonObject;
  /** a compaction: the chain begins anew after it */
  boundary(time: string | undefined, fields: JsonObject): JsonObject;
  /** uuid of the last line made */
  readonly last: string | null;
}

/**
 * @param seed what ids are made from, beside the session's id
 * @param after uuid that the first line follows
 */
export function createLines(target: Target, seed: string, after: string | null, started: string): Lines {
  let last = after;
  let clock = started;
  let count = 0;
  const make = (type: string, time: string | undefined, parent: string | null, fields: JsonObject): JsonObject => {
    if (time !== undefined && !Number.isNaN(Date.parse(time))) clock = new Date(time).toISOString();
    const uuid = uuidOf(target.id, seed, count++);
    last = uuid;
    return {
      parentUuid: parent,
      isSidechain: false,
      type,
      ...fields,
      uuid,
      timestamp: clock,
      userType: 'external',
      entrypoint: 'cli',
      cwd: target.cwd,
      sessionId: target.id,
      version: FORM_VERSION,
      ...(target.branch === undefined ? {} : { gitBranch: target.branch }),
    };
  };
  return {
    entry: (type, time, fields) => make(type, time, last, fields),
    boundary: (time, fields) =>
      make('system', time, null, {
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
        isMeta: false,
        level: 'info',
        ...(last === null ? {} : { logicalParentUuid: last }),
        ...fields,
      }),
    get last() {
      return last;
    },
  };
}

/** A user line. A lone text stands as a string, as the client itself writes it. */
export function userMessage(content: JsonObject[]): JsonObject {
  const only = content.length === 1 ? content[0] : undefined;
  return { message: { role: 'user', content: only?.type === 'text' ? (only.text as string) : content } };
}
export const userText = (text: string): JsonObject => ({ message: { role: 'user', content: text } });
