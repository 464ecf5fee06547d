import type { Report } from '#session/action.ts';
import { agentReport, tag } from './wrapping.ts';

/** See Adapter.stopped: also "… for tool use". */
export const stopped = /^\s*\[Request interrupted by user/;

const STATES: Record<string, Report['state']> = { completed: 'done', failed: 'failed', killed: 'aborted', stopped: 'aborted' };

/** See Adapter.report: `<task-notification>` of a background command or agent, `<agent-message>` of a sub-agent that hands back. */
export function report(text: string): Report | undefined {
  const note = tag(text, 'task-notification', true);
  return note === undefined ? message(text) : notification(note);
}

function notification(note: string): Report | undefined {
  const of = ['tool-use-id', 'task-id'].flatMap((name) => tag(note, name) ?? []);
  if (!of.length) return undefined;
  const status = tag(note, 'status');
  // What a monitor sees has no status: it goes on.
  const state = status !== undefined && Object.hasOwn(STATES, status) ? (STATES[status] as Report['state']) : 'running';
  const result = tag(note, 'result', true);
  const summary = tag(note, 'summary', true) ?? '';
  const failed = state === 'done' && Number(/\(exit code (\d+)\)/.exec(summary)?.[1] ?? 0) !== 0;
  const output = result === undefined ? (tag(note, 'event', true) ?? summary) : agentReport(result);
  return { of, state: failed ? 'failed' : state, output, agent: result !== undefined };
}

const MESSAGE = /<agent-message from="([\w@-]+)">\n?/;

function message(text: string): Report | undefined {
  const head = MESSAGE.exec(text.slice(0, 4000));
  const end = text.lastIndexOf('</agent-message>');
  if (!head || end < head.index) return undefined;
  const body = text.slice(head.index + head[0].length, end);
  return { of: [head[1] as string], state: body.includes('[Subagent hand-back]') ? 'done' : 'running', output: agentReport(body).trim(), agent: true };
}
