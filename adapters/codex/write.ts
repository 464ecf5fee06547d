import { join } from 'node:path';
import type { JsonObject } from '#lib/json.ts';
import type { Entry } from '#session/conversation.ts';
import type { Loss } from '#session/loss.ts';
import type { Target, WriteInput, Written } from '../adapter.ts';
import { resumeCommand } from './launch.ts';
import { codexHome } from './locate.ts';
import { readSettings } from './settings.ts';
import { itemWriter, type Note, notes, type Part } from './to-items.ts';

/** Format that every Codex since 0.50 lists, shows and resumes. The version is the newest that was tried. */
const WRITTEN_AS = '0.171.0';
/** How the client itself estimates the size of a history that it did not send yet. */
const BYTES_PER_TOKEN = 4;

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
    const turns = turnWriter(clock, given, note);
    if (!compacted) yield* turns.orientation();
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

export const line = (timestamp: string, type: string, payload: JsonObject, ordinal?: number): string =>
  JSON.stringify({ timestamp, ...(ordinal === undefined ? {} : { ordinal }), type, payload });

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

/** Writes entries turn by turn, as the client does: a turn begins where a person asks something. */
function turnWriter(clock: { time: string }, input: WriteInput, note: Note) {
  const toParts = itemWriter(input.card.agent, note);
  let turn = 0;
  let open: { id: string; started: number } | undefined;
  let last: string | null = null;
  const asked = [...input.fitted.history, ...input.fitted.tail].some(isQuestion);
  const seconds = (): number => Math.floor((Date.parse(clock.time) || 0) / 1000);
  const event = (payload: JsonObject): string => line(clock.time, 'event_msg', payload);

  function* begin(): Generator<string> {
    open = { id: `relay-turn-${++turn}`, started: seconds() };
    last = null;
    yield event({ type: 'task_started', turn_id: open.id, started_at: open.started, model_context_window: null, collaboration_mode_kind: 'default' });
    if (turn > 1 || asked) return;
    yield event({ type: 'user_message', message: input.target.title || 'Imported session', images: [], local_images: [], text_elements: [] });
    note(WHOLE, 'title', 'added', NO_QUESTION);
  }
  function* end(): Generator<string> {
    if (!open) return;
    yield event({
      type: 'task_complete',
      turn_id: open.id,
      last_agent_message: last,
      started_at: open.started,
      completed_at: Math.max(open.started, seconds()),
    });
    open = undefined;
  }
  const lineOf = (part: Part): string => {
    if ('item' in part) return line(clock.time, 'response_item', part.item);
    if (part.event.type === 'agent_message') last = String(part.event.message);
    return event(part.event);
  };
  return {
    end,
    *orientation(): Generator<string> {
      if (input.orientation) yield line(clock.time, 'response_item', orientationItem(input.orientation));
    },
    *entries(entries: readonly Entry[]): Generator<string> {
      for (const entry of entries) {
        const parts = toParts(entry);
        if (!parts.length) continue;
        if (open && isQuestion(entry)) yield* end();
        clock.time = entry.time ?? clock.time;
        // What the client puts in before the first question stands before the first turn.
        if (!open && parts.some((part) => 'event' in part)) yield* begin();
        for (const part of parts) yield lineOf(part);
      }
    },
    /** Without a size the client does not know what it sends. */
    *finish(bytes: number): Generator<string> {
      if (!open) yield* begin();
      const usage = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_output_tokens: 0, total_tokens: Math.ceil(bytes / BYTES_PER_TOKEN) };
      yield event({ type: 'token_count', info: { total_token_usage: usage, last_token_usage: usage, model_context_window: null }, rate_limits: null });
      yield* end();
    },
  };
}

/** What is shown as a message that a person typed (see to-items.ts). */
const isQuestion = (entry: Entry): boolean => entry.role === 'user' && entry.origin === 'person' && !entry.summary && !entry.hidden && entry.content.length > 0;

const WHOLE = { stream: 'main', record: -1 };
const NO_QUESTION =
  'No person wrote in this session: its title is shown as the first message, since Codex lists no session without one. The model does not get it.';
