import { commandLine } from '#lib/command-line.ts';
import { safeLine } from '#lib/safe-text.ts';
import { needAdapter } from './find.ts';
import type { HandedOn } from './watch.ts';

/** 164k; 1m; 950 */
function tokensAsWords(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 999_500) return `${Math.round(tokens / 1000)}k`;
  return `${Number((tokens / 1e6).toFixed(2))}m`;
}

/** "82 % of its context (164k of 200k tokens)" */
export const useAsWords = ({ percent, tokens, window }: Pick<HandedOn, 'percent' | 'tokens' | 'window'>): string =>
  `${Math.floor(percent)} % of its context (${tokensAsWords(tokens)} of ${tokensAsWords(window)} tokens)`;

/** What the person is told: how full it is, what was done, and how to go on. Ends with the command to type, on a line of its own. */
export function noticeOf(done: Omit<HandedOn, 'notice'>, otherAgent: string): string {
  const { agent, session, handoff, sent, imported, problems } = done;
  const title = needAdapter(agent).title;
  const stored = handoff ? ` Stored as ${handoff}${sent ? ' and sent' : ''}.` : '';
  const wrong = problems.map((problem) => ` ${safeLine(problem)}`).join('');
  const said = `relay: this ${title} session uses ${useAsWords(done)}.${stored}${wrong}`;
  if (!imported) return `${said} To go on in another agent:\n${commandLine(['relay', 'import', `${agent}:${session}`, '--to', otherAgent])}`;
  const { cwd, command, args } = imported.resume;
  return `${said} It goes on in ${needAdapter(imported.agent).title}:\ncd ${commandLine([cwd])} && ${commandLine([command, ...args])}`;
}
