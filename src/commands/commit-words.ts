import type { Behind } from '#flows/commit-sessions.ts';
import type { Workspace } from '#flows/workspace.ts';
import { writerOf } from '#flows/writer.ts';
import { gitHooksState } from '#hooks/git/index.ts';
import { hookPlaceOf } from '#hooks/git/place.ts';
import type { Io } from '#io/io.ts';
import { safeLine } from '#report/index.ts';

/** That no session is known behind a commit, and what may change that. */
export async function noneText(io: Io, ws: Workspace, commit: string): Promise<string> {
  const { installed } = await gitHooksState(hookPlaceOf(ws, io.program));
  const why = installed
    ? 'Somebody typed it, it is older than the hooks here, or a teammate made it: then relay pull.'
    : 'If a teammate made it: relay pull. Commits of this clone are recorded from when you type: relay hooks install';
  return `No session is known to be behind commit ${commit.slice(0, 12)}.\n  ${why}\n`;
}

/** How the session behind a commit is called where nothing of it is stored here. */
export const unrecordedName = ({ handoff, agent, session }: Behind): string => `${safeLine(handoff ?? `${agent}:${session}`)} (not recorded)`;

/** What may get each of them. "" for none. */
export async function unrecordedText(ws: Workspace, some: readonly Behind[]): Promise<string> {
  const writer = await writerOf(await ws.store());
  const lines = some.map(({ handoff, agent, session }) => {
    const name = safeLine(`${agent}:${session}`);
    const isOwn = writer !== null && handoff?.startsWith(`${writer}/`);
    return isOwn ? `  why ${name} is not: relay push --no-send ${name}\n` : `  ${name} of a teammate: relay pull, or have its author type relay push ${name}\n`;
  });
  return lines.length ? `Of what is not recorded here nothing can be shown.\n${lines.join('')}` : '';
}
