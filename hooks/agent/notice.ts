import type { Edges } from '#flows/workspace.ts';
import type { Told } from './event.ts';

/**
 * What the person shall read once this event is recorded: the client shows it, and the model never sees it. undefined: nothing.
 * The client waits for it, so it loads what it needs only when there may be something to say.
 */
export async function noticeFor(_told: Told, _edges: Edges): Promise<string | undefined> {
  return undefined;
}
