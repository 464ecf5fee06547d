import { asObject, asString, parseJson } from '#lib/json.ts';
import type { Report } from '#session/action.ts';
import { agentOutcome } from './agents.ts';

/** See Adapter.stopped. */
export const stopped = /^\s*<turn_aborted>/;

const NOTE = /<subagent_notification>\s*(\{[\s\S]*\})\s*<\/subagent_notification>/;

/** See Adapter.report: `<subagent_notification>` with the agent's id or path and how it stands. */
export function report(text: string): Report | undefined {
  const note = asObject(parseJson(NOTE.exec(text)?.[1] ?? ''));
  const of = [note?.agent_path, note?.agent_id].flatMap((id) => asString(id) ?? []);
  if (!note || !of.length || note.status === undefined) return undefined;
  const { state, output } = agentOutcome(note.status, of[0] as string);
  if (state === 'none' || state === 'refused') return undefined;
  return { of, state, output, agent: true };
}
