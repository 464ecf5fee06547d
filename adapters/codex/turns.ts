import type { JsonObject } from '#lib/json.ts';
import type { Entry } from '#session/conversation.ts';
import { shownAsItem } from './shown.ts';
import { itemWriter, type Note, type Part } from './to-items.ts';

/** How the client itself estimates the size of a history that it did not send yet. */
const BYTES_PER_TOKEN = 4;

export const line = (timestamp: string, type: string, payload: JsonObject, ordinal?: number): string =>
  JSON.stringify({ timestamp, ...(ordinal === undefined ? {} : { ordinal }), type, payload });

export interface TurnsOptions {
  /** time of the line written last; goes on with the entries' own */
  clock: { time: string };
  /** agent that the entries come from */
  agent: string;
  note: Note;
  /** set where no person wrote in the session: shown as its first message */
  title?: string;
  /** number of the turn before the first; default 0 */
  after?: number;
  /** a paginated rollout: its thread, and the next line's number */
  paginated?: { thread: string; ordinal(): number } | undefined;
}

/** Writes entries turn by turn, as the client does: a turn begins where a person asks something. */
export function turnWriter({ clock, agent, note, title, after = 0, paginated }: TurnsOptions) {
  const toParts = itemWriter(agent, note);
  let turn = after;
  let open: { id: string; started: number } | undefined;
  let last: string | null = null;
  const seconds = (): number => Math.floor((Date.parse(clock.time) || 0) / 1000);
  const make = (type: string, payload: JsonObject): string => line(clock.time, type, payload, paginated?.ordinal());
  const event = (payload: JsonObject): string => make('event_msg', payload);
  let shown = 0;
  const show = (payload: JsonObject): string =>
    event(
      paginated ? shownAsItem(payload, { thread: paginated.thread, turn: open?.id ?? '', id: `relay-item-${turn}-${++shown}`, time: clock.time }) : payload,
    );

  function* begin(): Generator<string> {
    open = { id: `relay-turn-${++turn}`, started: seconds() };
    last = null;
    yield event({ type: 'task_started', turn_id: open.id, started_at: open.started, model_context_window: null, collaboration_mode_kind: 'default' });
    if (turn > 1 || title === undefined) return;
    yield show({ type: 'user_message', message: title, images: [], local_images: [], text_elements: [] });
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
    if ('item' in part) return make('response_item', part.item);
    if (part.event.type === 'agent_message') last = String(part.event.message);
    return show(part.event);
  };
  return {
    end,
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
export const isQuestion = (entry: Entry): boolean =>
  entry.role === 'user' && entry.origin === 'person' && !entry.summary && !entry.hidden && entry.content.length > 0;

const WHOLE = { stream: 'main', record: -1 };
const NO_QUESTION =
  'No person wrote in this session: its title is shown as the first message, since Codex lists no session without one. The model does not get it.';
