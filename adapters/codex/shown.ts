import { asObject, type Json, type JsonObject } from '#lib/json.ts';

/** Where something shown stands in a paginated thread. */
export interface Spot {
  thread: string;
  turn: string;
  id: string;
  /** ISO 8601 */
  time: string;
}

/** The same for people in a paginated rollout (0.146 and later), whose screen shows completed items and no plain events. */
export function shownAsItem(event: JsonObject, { thread, turn, id, time }: Spot): JsonObject {
  return { type: 'item_completed', thread_id: thread, turn_id: turn, item: { id, ...itemOf(event) }, completed_at_ms: Date.parse(time) || 0 };
}

function itemOf(event: JsonObject): JsonObject {
  if (event.type === 'user_message') {
    const images = (event.images as Json[]).map((image_url): JsonObject => ({ type: 'image', image_url }));
    return { type: 'UserMessage', content: [{ type: 'text', text: event.message as string, text_elements: [] }, ...images] };
  }
  if (event.type === 'agent_reasoning') return { type: 'Reasoning', summary_text: [event.text as string], raw_content: [] };
  if (event.type === 'mcp_tool_call_end') return toolItem(event);
  return { type: 'AgentMessage', content: [{ type: 'Text', text: event.message as string }] };
}

function toolItem({ call_id, invocation, result, duration }: JsonObject): JsonObject {
  const { server = '', tool = '', arguments: input = null } = asObject(invocation) ?? {};
  const { Ok: done, Err: failed } = asObject(result) ?? {};
  const outcome: JsonObject = failed === undefined ? { status: 'completed', result: done ?? null } : { status: 'failed', error: { message: failed } };
  return { type: 'McpToolCall', id: call_id as string, server, tool, arguments: input, ...outcome, duration: duration ?? null };
}
