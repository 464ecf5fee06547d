import type { Recording } from '#flows/recording.ts';

/** What sends handoffs, and where to. */
export interface Sending {
  /** undefined: there is no remote */
  url: string | undefined;
  /** push.auto is set and, where .relayrc sets it, accepted */
  auto: boolean;
  /** and nothing is missing for it */
  byItself: boolean;
  /** git push sends along */
  prePush: boolean;
}

export function sendingWords({ url, auto, byItself, prePush }: Sending): string {
  if (url === undefined) return 'There is no remote yet: git remote add origin <url>, or set store.remote in .relayrc.\n';
  if (byItself) return `Handoffs go to ${url} by themselves (push.auto), and when you type relay push.\n`;
  if (auto) return `Handoffs go to ${url} by themselves (push.auto) once you have sent the first one there: relay push latest\n`;
  const along = prePush ? '; git push sends along what is new in the sessions that you have shared' : '';
  return `Handoffs go to ${url} when you type relay push${along}.\n`;
}

/** What records sessions by itself, and how to have it so. */
export function recordingWords({ git, agents }: Pick<Recording, 'git' | 'agents'>): string {
  const lines = [gitWords(git)];
  for (const { title, installed, runs, fix } of agents) {
    if (!installed) continue;
    lines.push(runs === false ? `${title} does not run relay’s hooks: ${fix ?? 'relay doctor'}` : `${title} tells relay at the end of each turn.`);
  }
  if (!agents.some(({ installed }) => installed))
    lines.push(`To have them recorded at the end of each turn: relay hooks install --agent <${agents.map(({ agent }) => agent).join(' or ')}>`);
  return `${lines.join('\n')}\n`;
}

function gitWords({ installed, problems }: Recording['git']): string {
  if (problems.length) return 'Commits are not recorded, or not all of them, until you type: relay hooks install';
  return installed ? 'Commits of this clone are recorded by git’s hooks.' : 'To have sessions recorded when you commit: relay hooks install';
}
