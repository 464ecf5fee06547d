import { join } from 'node:path';
import type { JsonObject } from '#lib/json.ts';
import type { Entry } from '#session/conversation.ts';
import type { Loss } from '#session/loss.ts';
import type { Target, WriteInput, Written } from '../adapter.ts';
import { resumeCommand } from './launch.ts';
import { codexHome } from './locate.ts';
import { readSettings } from './settings.ts';
import { itemWriter, type Note, notes } from './to-items.ts';
import { isQuestion, line, turnWriter } from './turns.ts';

/** Format that every Codex since 0.50 lists, shows and resumes. The version is the newest that was tried. */
const WRITTEN_AS = '0.171.0';

/** A rollout made from a conversation of any agent (see Adapter.write). */
export async function write(input: WriteInput): Promise<Written> {
  const { target, card, fitted } = input;
  const { provider } = await readSettings(target.where);
  const loss: Loss[] = [];
  const lines = rolloutLines(input, provider, notes(loss));
  const path = rolloutPath(target, target.id);
  return {
    files: [{ path, lines }],
    appends: [nameLine(target)],
    loss,
    session: target.id,
    path,
    resume: resumeCommand(target.id, target.cwd),
  };
  function* rolloutLines(given: WriteInput, modelProvider: string, note: Note): Generator<string> {
    const clock = { time: card.created };
    yield line(clock.time, 'session_meta', metaOf(target, modelProvider));
    const compacted = fitted.history.length > 0 || fitted.lead.length > 0;
    const asked = [...fitted.history, ...fitted.tail].some(isQuestion);
    const turns = turnWriter({ clock, agent: card.agent, note, ...(asked ? {} : { title: target.title || 'Imported session' }) });
    if (!compacted && given.orientation) yield line(clock.time, 'response_item', orientationItem(given.orientation));
    yield* turns.entries(fitted.history);
    if (compacted) {
      yield* turns.end();
      yield line(clock.time, 'compacted', checkpoint(input.orientation, fitted.lead, card.agent, note));
      yield line(clock.time, 'event_msg', { type: 'context_compacted' });
    }
    yield* turns.entries(fitted.tail);
    yield* turns.finish(fitted.size.bytes);
  }
}

/**
 * Where the client looks for a session begun now. Not the source's date: a file that appears far back in a full picker is
 * indexed only when somebody scrolls there.
 */
export function rolloutPath(target: Target, id: string): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  const { now } = target;
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())];
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two);
  return join(codexHome(target.where), 'sessions', ...day.map(String), `rollout-${day.join('-')}T${time.join('-')}-${id}.jsonl`);
}

/** The line that gives a thread its name. Read by the client for legacy threads, and by relay for all. */
export const nameLine = (target: Target): Written['appends'][number] => ({
  path: join(codexHome(target.where), 'session_index.jsonl'),
  line: JSON.stringify({ id: target.id, thread_name: target.title, updated_at: target.now.toISOString() }),
});

const metaOf = (target: Target, provider: string): JsonObject => ({
  session_id: target.id,
  id: target.id,
  timestamp: target.now.toISOString(),
  cwd: target.cwd,
  originator: 'relay',
  cli_version: WRITTEN_AS,
  source: 'cli',
  thread_source: 'user',
  model_provider: provider,
  history_mode: 'legacy',
  ...(target.branch === undefined ? {} : { git: { branch: target.branch } }),
});

export const orientationItem = (text: string): JsonObject => ({ type: 'message', role: 'developer', content: [{ type: 'input_text', text }] });

/** The client's own checkpoint: what the model gets in place of everything before it. */
export function checkpoint(orientation: string, entries: readonly Entry[], agent: string, note: Note): JsonObject {
  const toParts = itemWriter(agent, note);
  const items = entries.flatMap(toParts).flatMap((part) => ('item' in part ? [part.item] : []));
  return { message: '', replacement_history: [...(orientation ? [orientationItem(orientation)] : []), ...items] };
}
